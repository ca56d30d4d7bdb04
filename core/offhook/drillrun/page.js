const tone = (state) => (state === "measured" ? "" : "bad");
const points = (mark) => (mark === null ? "–" : mark.toFixed(1));

function svg(tag, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function head() {
  const run = data.run;
  const counts = Object.entries(run.counts).sort().map(([state, n]) => `${n} ${state.replace("_", " ")}`).join(", ");
  document.getElementById("head").append(
    make("h1", { text: run.id }),
    make("p", { class: "soft", text: `Platform ${run.platform}, seed ${run.seed}, ${run.started}.` + standing(run) }));
  const cards = make("div", { class: "cards" },
    card("mean mark", points(run.mean), "of 100; over the drills, each the mean of its runs"),
    card("drills", String(data.drills.length), counts));
  section("figures", "Figures").append(cards);
  if (run.damaged.length) document.getElementById("figures").append(make("h3", { text: "Damaged" }), lines(run.damaged));
}

function overview() {
  const columns = [{ name: "drill" }, { name: "run" }, { name: "mark" }, { name: "state" }, { name: "why", width: 260 }];
  const rows = data.drills.map((each, i) => [
    make("a", { href: `#drill-${i}`, text: each.title }), each.run, points(each.mark),
    make("span", { class: tone(each.state), text: each.state.replace("_", " ") }), each.late ? `${each.why} (${each.late})` : each.why]);
  section("overview", "Marks").append(make("h2", { text: "Marks" }), table(columns, rows, { stack: true }));
}

// One lane a speaker; bars are speech, lines are moments. Clicking a bar plays from there.
function lanes(record, player) {
  const names = [...new Set(record.said.map((line) => line.who)), record.agent];
  const width = 1000, left = 110, row = 30, height = names.length * row + 30;
  const x = (at) => left + (width - left - 10) * at / Math.max(record.seconds, 0.1);
  const image = svg("svg", { class: "lanes", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Who spoke when" });
  names.forEach((name, i) => image.append(svg("text", { x: 8, y: i * row + 22 }, name)));
  const bar = (name, from, to, text, kind) => {
    const rect = svg("rect", { class: kind, x: x(from), y: names.indexOf(name) * row + 8, width: Math.max(2, x(to) - x(from)), height: 18, rx: 3 });
    rect.append(svg("title", {}, `${clock(from)} ${name}: ${text}`));
    if (player) rect.addEventListener("click", () => { player.currentTime = from; player.play(); });
    image.append(rect);
  };
  for (const line of record.said) bar(line.who, line.start, line.end, line.text, "ours");
  for (const line of record.heard) bar(record.agent, line.start, line.end, line.text || "(nothing recognised)", "agent");
  for (const moment of record.moments) {
    const mark = svg("line", { x1: x(moment.at), x2: x(moment.at), y1: 2, y2: height - 22, "stroke-dasharray": "3 3" });
    mark.append(svg("title", {}, `${clock(moment.at)} ${moment.name} ${JSON.stringify(moment.data)}`));
    image.append(mark);
  }
  const step = [1, 2, 5, 10, 20, 30, 60].find((each) => record.seconds / each <= 12) || 120;
  for (let at = 0; at <= record.seconds; at += step) image.append(svg("text", { x: x(at), y: height - 6, "text-anchor": "middle" }, clock(at)));
  if (player) {
    const now = svg("line", { class: "now", x1: left, x2: left, y1: 2, y2: height - 22 });
    image.append(now);
    player.addEventListener("timeupdate", () => { for (const end of ["x1", "x2"]) now.setAttribute(end, x(player.currentTime)); });
  }
  return make("div", { class: "scroll" }, image);
}

function log(record) {
  const entries = [
    ...record.said.map((line) => [line.start, line.who, line.complete ? line.text : `${line.text} (cut off)`, line.end]),
    ...record.heard.map((line) => [line.start, record.agent, line.text || "(nothing recognised)", line.end]),
    ...record.chat.map((post) => [post.at, post.who, `chat: ${post.text}`, null]),
    ...record.media.map((change) => [change.at, change.who, `${change.media} ${change.on ? "on" : "off"}`, null]),
    ...record.moments.map((moment) => [moment.at, "", `${moment.name} ${Object.keys(moment.data).length ? JSON.stringify(moment.data) : ""}`, null]),
    ...(record.left === null ? [] : [[record.left, record.agent, "left the meeting", null]])];
  entries.sort((a, b) => a[0] - b[0]);
  const columns = [{ name: "from", number: true }, { name: "to", number: true }, { name: "who" }, { name: "what", width: 260 }];
  return table(columns, entries.map(([from, who, what, to]) => [seconds(from), seconds(to), who, make("span", { class: "text", text: what })]));
}

function parts(each) {
  const columns = [{ name: "part" }, { name: "mark" }, { name: "state" }, { name: "why", width: 260 }, { name: "evidence", width: 220 }];
  const evidence = (part) => make("code", { text: Object.entries(part.evidence).map(([name, value]) => `${name}: ${shown(value)}`).join(", ") });
  return table(columns, each.parts.map((part) => [part.name, points(part.mark), part.state.replace("_", " "), part.why, evidence(part)]), { stack: true });
}

function body(each) {
  const inner = make("div", { class: "body" }, make("p", { class: "soft", text: each.measures }), make("p", { text: each.why }));
  if (each.late) inner.append(make("p", { class: "note", text: `Times are unreliable: ${each.late}.` }));
  if (each.parts.length) inner.append(make("h3", { text: "Parts" }), parts(each));
  const numbers = Object.entries(each.numbers);
  if (numbers.length) inner.append(make("p", { class: "soft", text: numbers.map(([name, value]) => `${name} ${Number(value.toFixed(3))}`).join(", ") }));
  if (!each.record || !each.record.seconds) return inner;
  const player = each.sound ? make("audio", { controls: true, preload: "none", src: each.sound, "aria-label": "Ours left, the agent right" }) : null;
  inner.append(make("h3", { text: "Who spoke when" }), lanes(each.record, player));
  if (player) inner.append(player);
  inner.append(make("h3", { text: "What arrived" }), log(each.record));
  if (each.record.errors.length) inner.append(make("h3", { text: "Said by the platform's session" }), lines(each.record.errors));
  inner.append(make("details", {}, make("summary", { text: "What was drawn" }), make("pre", { text: JSON.stringify(each.record.draw, null, 1) })));
  return inner;
}

function each() {
  const place = section("drills", "Drills");
  place.append(make("h2", { text: "Drills" }));
  data.drills.forEach((drill, i) => {
    const box = make("details", { class: "call", id: `drill-${i}` }, make("summary", {},
      make("b", { class: tone(drill.state), text: points(drill.mark) }), make("span", { text: `${drill.title}, run ${drill.run}` }),
      make("span", { class: "soft", text: drill.state.replace("_", " ") })));
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
