// Measures a page as a careful eye would. An expression: the functions it gives are called by the tests.
(() => {
const silent = ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"];

// Every piece of visible text and every control, as the boxes they are painted in, cut to what their scrolling
// ancestors let through.
const findBoxes = () => {
  const cut = (element, box) => {
    let { left, top, right, bottom } = box;
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const outer = up.getBoundingClientRect();
      left = Math.max(left, outer.left); right = Math.min(right, outer.right);
      top = Math.max(top, outer.top); bottom = Math.min(bottom, outer.bottom);
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  const put = (element, what, box) => {
    const seen = cut(element, box);
    if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) boxes.push({ element, what, ...seen });
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (silent.includes(element.tagName) || !element.checkVisibility()) continue;
    if (["AUDIO", "CANVAS", "INPUT", "SELECT"].includes(element.tagName)) put(element, element.tagName, element.getBoundingClientRect());
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) put(element, node.textContent.trim().slice(0, 40), box);
    }
  }
  return boxes;
};

// Everything that overlaps, sticks out or has to be scrolled sideways.
const flaws = () => {
  const found = [];
  const boxes = findBoxes();
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} wide in a window of ${innerWidth}`);
  for (const place of document.querySelectorAll(".scroll, .wave")) {
    if (place.checkVisibility() && place.scrollWidth > place.clientWidth + 1) found.push(`${place.className} scrolls sideways: ${place.textContent.slice(0, 60)}`);
  }
  for (const box of boxes) if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${box.what}`);
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (b.top >= a.bottom) break;
      if (a.element === b.element) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 4) found.push(`"${a.what}" and "${b.what}" overlap by ${across.toFixed(0)} x ${down.toFixed(0)}`);
    }
  });
  return found;
};

// Text too close in brightness to what is behind it: contrast ratio and relative luminance of WCAG 2.1.
const faint = (least) => {
  const parse = (text) => { const v = text.match(/[\d.]+/g).map(Number); return { rgb: v.slice(0, 3), alpha: v.length > 3 ? v[3] : 1 }; };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const { rgb, alpha } = parse(getComputedStyle(up).backgroundColor);
      if (alpha === 1) return rgb;
      if (alpha > 0) throw new Error("a half transparent background");
    }
    throw new Error("no background");
  };
  const found = [];
  let looked = 0;
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!own || element.disabled || silent.includes(element.tagName) || !element.checkVisibility()) continue;
    looked += 1;
    const [a, b] = [luminance(parse(getComputedStyle(element).color).rgb), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least) found.push(`${ratio.toFixed(2)}: ${element.textContent.slice(0, 40)}`);
  }
  return { found, looked };
};

return { flaws, faint };
})()
