const points = (mark) => (mark === null ? "–" : mark.toFixed(1));
const words = (name) => name.replaceAll("_", " ");

// Red and green are for what was measured; a 0 that nobody measured says nothing about the agent.
const tone = (mark, state) => (mark === null || state !== "measured" ? "soft" : mark === 0 ? "bad" : mark === 100 ? "good" : "");
const standingOf = (state) => make("span", { class: state === "measured" ? "soft" : state === "error" ? "badge bad" : "badge", text: words(state) });
const marked = (mark, state) => make("span", { class: tone(mark, state), text: points(mark) });

// A stored value as a reader wants it: two decimals, seconds as such, lists without brackets.
const SECONDS = /_(s|from|until|at|ended)$/;
function plain(value, name = "") {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number") return SECONDS.test(name) ? value.toFixed(2) + "\u00a0s" : String(Number(value.toFixed(2)));
  if (Array.isArray(value)) return value.length ? value.map((each) => plain(each, name)).join(", ") : "none";
  if (typeof value === "object") return told(value).join("; ") || "none";
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
}
const told = (fields) => Object.entries(fields).map(([name, value]) => `${words(name.replace(/_s$/, ""))}: ${plain(value, name)}`);

function svg(tag, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

const countsOf = (counts) => Object.entries(counts).sort().map(([state, n]) => `${n} ${words(state)}`).join(", ");

function head() {
  const run = data.run;
  crumb();
  document.getElementById("head").append(
    make("h1", { text: run.id }),
    make("p", { class: "soft", text: `Platform ${run.platform}, seed ${run.seed}${run.started ? ", " + when(run.started) : ""}.` + standing(run) }));
  const drills = new Set(data.drills.map((each) => each.drill)).size;
  const cards = make("div", { class: "cards" },
    card("mean mark", points(run.mean), "of 100; over the drills, each the mean of its runs"),
    card("drills", String(drills), `${many(run.runs, "run")} each: ${countsOf(run.counts)}`));
  section("figures", "Figures").append(cards);
  if (run.damaged.length) document.getElementById("figures").append(make("h3", { text: "Damaged" }), lines(run.damaged));
}

const titled = (each) => [each.title, each.title === each.drill ? "" : " ", each.title === each.drill ? "" : make("code", { class: "soft", text: each.drill })];

function overview() {
  const columns = [{ name: "drill", width: 200 }, { name: "run", number: true }, { name: "mark", number: true }, { name: "state" }, { name: "why", width: 260 }];
  const rows = data.drills.map((each, i) => [
    make("span", {}, make("a", { href: `#drill-${i}`, text: each.title }), ...titled(each).slice(1)), each.run, marked(each.mark, each.state),
    standingOf(each.state), each.late ? `${each.why} (${each.late})` : each.why]);
  section("overview", "Marks").append(make("h2", { text: "Marks" }), table(columns, rows, { stack: true }));
}

// One lane a speaker; bars are speech, lines are moments. Clicking a bar plays from there. It is drawn for the
// width there is, and again when that changes: scaled down, nothing on it could be read.
function lanes(record, player) {
  const place = make("div", { class: player ? "lanes plays" : "lanes" });
  let drawn = 0, now = null, x = () => 0;
  const move = () => { for (const end of ["x1", "x2"]) now.setAttribute(end, x(player.currentTime)); };
  new ResizeObserver(() => {
    const width = Math.floor(place.clientWidth);
    if (!width || width === drawn) return;
    drawn = width;
    const picture = lanesOf(record, player, width);
    place.replaceChildren(picture.image);
    ({ x } = picture);
    if (player) { now = svg("line", { class: "now", y1: 2, y2: picture.floor }); picture.image.append(now); move(); }
  }).observe(place);
  if (player) for (const event of ["timeupdate", "seeked"]) player.addEventListener(event, () => { if (now) move(); });
  const key = make("div", { class: "key" });
  for (const [colour, text] of [["caller", "ours"], ["agent", "the agent, as heard"]]) {
    const swatch = make("i"); swatch.style.background = `var(--${colour})`;
    key.append(make("span", {}, swatch, text));
  }
  if (record.moments.length) key.append(make("span", {}, make("i", { class: "line" }), "a moment, named in the list below"));
  return [place, key];
}

function lanesOf(record, player, width) {
  const names = [...new Set(record.said.map((line) => line.who)), record.agent];
  // In a narrow window the names stand over the lanes, and the lanes have all of the width.
  const narrow = width < 560, left = narrow ? 14 : 130, row = narrow ? 44 : 30, top = narrow ? 22 : 8, floor = names.length * row + 8, height = floor + 22;
  const x = (at) => left + (width - left - 18) * at / Math.max(record.seconds, 0.1);
  const image = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Who spoke when" });
  names.forEach((name, i) => {
    const label = svg("text", { x: narrow ? left + 5 : 8, y: i * row + (narrow ? 16 : 22) }, name.length > 17 ? name.slice(0, 16) + "…" : name);
    label.append(svg("title", {}, name));
    image.append(label);
  });
  const bar = (name, from, to, text, kind) => {
    const rect = svg("rect", { class: kind, x: x(from), y: names.indexOf(name) * row + top, width: Math.max(2, x(to) - x(from)), height: 18, rx: Math.min(3, (x(to) - x(from)) / 3) });
    rect.append(svg("title", {}, `${clock(from)} ${name}: ${text}`));
    if (player) rect.addEventListener("click", () => { player.currentTime = from; player.play(); });
    image.append(rect);
  };
  for (const line of record.said) bar(line.who, line.start, line.end, line.text, "ours");
  for (const line of record.heard) bar(record.agent, line.start, line.end, line.text || "(nothing recognised)", "agent");
  for (const moment of record.moments) {
    const mark = svg("line", { x1: x(moment.at), x2: x(moment.at), y1: 2, y2: floor, "stroke-dasharray": "3 3" });
    mark.append(svg("title", {}, `${clock(moment.at)} ${words(moment.name)} ${told(moment.data).join("; ")}`));
    image.append(mark);
  }
  const step = [0.5, 1, 2, 5, 10, 20, 30, 60, 120].find((each) => x(each) - x(0) >= 48) || 300;
  for (let at = 0; at <= record.seconds; at += step) image.append(svg("text", { x: x(at), y: height - 7, "text-anchor": "middle" }, step < 1 ? clock(at) : clock(at).replace(".0", "")));
  return { image, x, floor };
}

function log(record) {
  const entries = [
    ...record.said.map((line) => [line.start, line.who, line.complete ? line.text : `${line.text} (cut off)`, line.end]),
    ...record.heard.map((line) => [line.start, record.agent, line.text || "(nothing recognised)", line.end]),
    ...record.chat.map((post) => [post.at, post.who, `chat: ${post.text}`, null]),
    ...record.media.map((change) => [change.at, change.who, `${change.media} ${change.on ? "on" : "off"}`, null]),
    ...record.moments.map((moment) => [moment.at, "", [words(moment.name), told(moment.data).join("; ")].filter(Boolean).join(": "), null]),
    ...(record.left === null ? [] : [[record.left, record.agent, "left the meeting", null]])];
  entries.sort((a, b) => a[0] - b[0]);
  const columns = [{ name: "from", number: true }, { name: "to", number: true }, { name: "who" }, { name: "what", width: 260 }];
  return table(columns, entries.map(([from, who, what, to]) => [seconds(from), seconds(to), who, make("span", { class: "text", text: what })]), { stack: true });
}

function parts(each) {
  const columns = [{ name: "part", width: 110 }, { name: "mark", number: true }, { name: "state" }, { name: "why", width: 220 }, { name: "evidence", width: 220 }];
  const evidence = (part) => (Object.keys(part.evidence).length ? make("details", {}, make("summary", { text: "show" }), lines(told(part.evidence))) : "");
  return table(columns, each.parts.map((part) => [part.name, marked(part.mark, part.state), standingOf(part.state), part.why, evidence(part)]), { stack: true });
}

function playerOf(each) {
  const player = make("audio", { controls: "", preload: "metadata", src: each.sound, "aria-label": "Ours left, the agent right" });
  player.addEventListener("play", () => {
    for (const other of document.querySelectorAll("audio")) if (other !== player) other.pause();
  });
  return player;
}

function body(each) {
  const inner = make("div", { class: "body" }, make("p", { class: "soft", text: each.measures ? `Measures ${each.measures}.` : "" }), make("p", { text: each.why }));
  if (each.late) inner.append(make("p", { class: "note", text: `Times are unreliable: ${each.late}.` }));
  const numbers = told(each.numbers);
  if (numbers.length) inner.append(make("p", { class: "soft", text: numbers.join("; ") }));
  if (each.parts.length) inner.append(make("h3", { text: "Parts" }), parts(each));
  if (!each.record || !each.record.seconds) return inner;
  const player = each.sound ? playerOf(each) : null;
  inner.append(make("h3", { text: "Who spoke when" }), ...lanes(each.record, player));
  if (player) inner.append(player);
  inner.append(make("h3", { text: "What arrived" }), log(each.record));
  if (each.record.errors.length) inner.append(make("h3", { text: "Said by the platform's session" }), lines(each.record.errors));
  inner.append(make("details", {}, make("summary", { text: "What was drawn" }), make("pre", { text: JSON.stringify(each.record.draw, null, 1) })),
    make("p", { class: "soft", text: `Stored in drills/${each.id}.` }));
  return inner;
}

function each() {
  const place = section("drills", "Drills");
  place.append(make("h2", { text: "Drills" }));
  data.drills.forEach((drill, i) => {
    const box = make("details", { class: "call", id: `drill-${i}` }, make("summary", {},
      make("b", { class: tone(drill.mark, drill.state), text: points(drill.mark) }), make("span", {}, ...titled(drill)),
      make("span", { class: "soft", text: `run ${drill.run}` }), standingOf(drill.state)));
    const fill = () => { if (box.childElementCount === 1) box.append(body(drill)); };
    box.addEventListener("toggle", fill);
    if (data.drills.length === 1) box.open = true;
    place.append(box);
  });
}

function jump() {
  const box = document.getElementById(location.hash.slice(1));
  if (box && box.tagName === "DETAILS") box.open = true;
}

head();
overview();
each();
addEventListener("hashchange", jump);
jump();
