"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const run = data.run;

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const seconds = (value) => (value === null || value === undefined ? "" : value.toFixed(2) + " s");
const percent = (value) => Math.round(value * 100) + " %";
const clock = (value) => Math.floor(value / 60) + ":" + (value % 60).toFixed(1).padStart(4, "0");
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function table(columns, rows) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { text: c.name, class: c.number ? "n" : null, scope: "col" })));
  const body = rows.map((row) =>
    make("tr", {}, ...row.map((cell, i) => {
      const td = make("td", { class: columns[i].number ? "n" : null });
      td.append(cell instanceof Node ? cell : String(cell === null || cell === undefined ? "" : cell));
      return td;
    })));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function drawHead() {
  document.title = "offhook: " + run.id;
  const c = run.counts;
  document.getElementById("head").append(
    make("h1", { text: run.id }),
    make("p", { class: "soft", text: `${c.planned} calls planned, ${c.graded} graded, ${c.passed} passed, ${c.void} void, ${c.error} in error, ${c.missing} not placed. ` +
      `${run.line === "text" ? "Text line, no sound." : "Audio line."} Seed ${run.seed}, caller ${run.caller}.` }),
    make("p", { class: "note", text: "Draft: no frozen manifest stands behind these figures." +
      (run.harness_reference ? " The platform is offhook's own reference: it shows that the harness works and is no contestant." : "") }));
}

function card(title, value, detail) {
  return make("div", { class: "card" }, make("span", { class: "soft", text: title }), make("b", { text: value }), make("small", { text: detail }));
}

function drawScore() {
  const score = run.score;
  const cards = [card("Platform score", score.points === null ? "not measured" : score.points.toFixed(1), "of " + score.out_of)];
  for (const part of score.parts) {
    cards.push(card(part.name, part.points === null ? "not measured" : part.points.toFixed(1) + " / " + part.out_of, [part.computation, part.note].filter(Boolean).join(". ")));
  }
  const rate = run.rate;
  cards.push(rate === null ? card("Pass rate", "not measured", "no graded call")
    : card("Pass rate", percent(rate.share), `${rate.passes} of ${rate.n} calls; 95 % interval ${percent(rate.low)} to ${percent(rate.high)}`));
  if (run.pass_k) cards.push(card(`All ${run.pass_k.k} runs pass`, percent(run.pass_k.share), `of ${run.pass_k.tasks} tasks`));
  if (run.latency_ours) cards.push(card("Wait, our measure", seconds(run.latency_ours.median_s), `median; 95th percentile ${seconds(run.latency_ours.p95_s)} over ${run.latency_ours.turns} turns`));
  document.getElementById("score").append(make("h2", { text: "Score" }), make("div", { class: "cards" }, ...cards));
}

function drawTasks() {
  document.getElementById("tasks").append(
    make("h2", { text: "Tasks" }),
    table(
      [{ name: "task" }, { name: "title" }, { name: "tier" }, { name: "audio" }, { name: "passed", number: true }, { name: "graded", number: true }, { name: "void", number: true }, { name: "error", number: true }],
      run.tasks.map((t) => [`${t.pack}/${t.task}`, t.title, t.tier, t.audio, t.passes, t.graded, t.void, t.error])));
}

function drawFilter() {
  const states = ["all", "failed", "passed", "void", "error"];
  const bar = document.getElementById("filter");
  for (const state of states) {
    const count = state === "all" ? data.calls.length : data.calls.filter((call) => call.state === state).length;
    bar.append(make("button", {
      type: "button", text: `${state} (${count})`, "aria-pressed": String(state === "all"), "data-state": state,
      onclick: (event) => {
        for (const other of bar.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
        for (const node of document.querySelectorAll("details.call")) node.hidden = state !== "all" && node.dataset.state !== state;
      } }));
  }
}

function drawCalls() {
  const place = document.getElementById("calls");
  for (const call of data.calls) {
    const node = make("details", { class: "call", "data-state": call.state, id: "call-" + call.id },
      make("summary", {},
        make("b", { class: call.state === "passed" ? "good" : "bad", text: call.state }),
        make("span", { text: `${call.pack}/${call.task} run ${call.run}` }),
        make("span", { class: "soft", text: call.title }),
        make("span", { class: "soft", text: clock(call.seconds) })));
    let drawn = false;
    node.addEventListener("toggle", () => {
      if (!node.open || drawn) return;
      drawn = true;
      node.append(callBody(call));
    });
    place.append(node);
  }
  if (location.hash.startsWith("#call-")) {
    const target = document.getElementById(location.hash.slice(1));
    if (target) { target.open = true; target.scrollIntoView(); }
  }
}

function callBody(call) {
  const body = make("div", { class: "body" });
  body.append(make("p", { class: "soft", text: `Call ${call.id}, voice ${call.voice}, ended by ${call.ended_by || "nobody"} (${call.hung_up_because || "no reason"}).` }));
  if (call.why) body.append(make("p", { class: "bad", text: call.why }));
  for (const line of call.off_script) body.append(make("p", { class: "bad", text: "Caller off script: " + line }));
  for (const line of call.errors) body.append(make("p", { class: "bad", text: line }));
  const player = call.sound ? soundPlayer(call) : null;
  if (player) body.append(...player.nodes);
  body.append(make("h3", { text: "Who said what" }), transcript(call, player));
  body.append(make("h3", { text: "Tool log" }), toolLog(call));
  body.append(...verdicts(call));
  return body;
}

function waits(call) {
  const latency = call.grades.latency;
  if (!latency || !latency.evidence.ours) return [];
  return latency.evidence.ours.filter((turn) => turn.latency_s !== null)
    .map((turn) => ({ from: turn.caller_end_s, to: turn.onset_s, length: turn.latency_s }));
}

function soundPlayer(call) {
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": `Waveform of call ${call.id}: caller above, agent below` });
  const audio = call.sound.source ? make("audio", { controls: "", preload: "none", src: call.sound.source }) : null;
  const key = make("div", { class: "key" });
  for (const [colour, text] of [["caller", "caller, as the platform was sent it"], ["agent", "agent, as played"], ["mark", "the caller waits"]]) {
    const swatch = make("i"); swatch.style.background = `var(--${colour})`;
    key.append(make("span", {}, swatch, text));
  }
  const draw = () => drawWave(canvas, call, audio ? audio.currentTime : null);
  const seek = (at) => { if (audio) { audio.currentTime = at; draw(); } };
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    seek((event.clientX - box.left) / box.width * call.sound.seconds);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (step && audio) { seek(Math.max(0, audio.currentTime + step)); event.preventDefault(); }
  });
  if (audio) audio.addEventListener("timeupdate", draw);
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return { nodes: [make("div", { class: "wave" }, canvas), key, audio].filter(Boolean), audio,
    go: (at) => { seek(at); if (audio) audio.play(); } };
}

function drawWave(canvas, call, now) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width) return;
  canvas.width = width * scale; canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue("--" + name).trim();
  const x = (at) => at / call.sound.seconds * width;
  pen.globalAlpha = 0.25; pen.fillStyle = colour("mark");
  for (const wait of waits(call)) pen.fillRect(x(wait.from), 0, Math.max(1, x(wait.to) - x(wait.from)), height);
  pen.globalAlpha = 1;
  channel(pen, call.sound.caller, colour("caller"), height * 0.25, height * 0.23, width);
  channel(pen, call.sound.agent, colour("agent"), height * 0.75, height * 0.23, width);
  pen.fillStyle = colour("rule"); pen.fillRect(0, height / 2, width, 1);
  pen.fillStyle = colour("soft"); pen.font = "11px system-ui";
  const step = call.sound.seconds > 90 ? 20 : 10;
  for (let at = step; at < call.sound.seconds; at += step) pen.fillText(clock(at).replace(".0", ""), x(at), height - 3);
  if (now) { pen.fillStyle = colour("ink"); pen.fillRect(x(now), 0, 1.5, height); }
}

function channel(pen, peaks, colour, middle, reach, width) {
  pen.fillStyle = colour;
  const loudest = Math.max(1, ...peaks);
  for (let i = 0; i < peaks.length; i++) {
    const tall = Math.max(0.5, peaks[i] / loudest * reach);
    pen.fillRect(i / peaks.length * width, middle - tall, Math.max(0.8, width / peaks.length * 0.8), tall * 2);
  }
}

function transcript(call, player) {
  const place = make("div", { class: "turns" });
  const waiting = waits(call);
  const rows = [];
  for (const turn of call.turns) {
    const aside = turn.who.startsWith("platform");
    const text = turn.spoken && turn.spoken !== turn.text ? `${turn.text}  [said: ${turn.spoken}]` : turn.text;
    const row = make("button", { type: "button", class: `turn ${aside ? "aside" : turn.who}`, title: turn.source || null, onclick: () => player && player.go(turn.start) },
      make("span", { class: "at", text: clock(turn.start) }), make("span", { class: "who", text: turn.who }), make("span", { class: "text", text }));
    rows.push([turn, row]);
    place.append(row);
    const wait = turn.who === "caller" ? waiting.find((w) => w.from > turn.start && w.from <= turn.end + 0.5) : null;
    if (wait) place.append(make("div", { class: "wait", text: `waited ${seconds(wait.length)}` }));
  }
  if (player && player.audio) {
    player.audio.addEventListener("timeupdate", () => {
      for (const [turn, row] of rows) row.classList.toggle("now", turn.end > turn.start && player.audio.currentTime >= turn.start && player.audio.currentTime < turn.end);
    });
  }
  return place;
}

function toolLog(call) {
  if (!call.tools.length) return make("p", { class: "soft", text: "No request reached the tool server." });
  return table(
    [{ name: "at", number: true }, { name: "tool" }, { name: "arguments" }, { name: "answer" }],
    call.tools.map((entry) => {
      const answer = make("details", {}, make("summary", { class: entry.outcome === "accepted" ? "good" : "bad", text: `${entry.status} ${entry.code || entry.outcome}` }), make("pre", { text: JSON.stringify(entry.response, null, 1) }));
      return [clock(entry.at), make("code", { text: entry.tool }), make("pre", { text: Object.entries(entry.arguments).map(([k, v]) => `${k}: ${shown(v)}`).join("\n") }), answer];
    }));
}

function verdicts(call) {
  const nodes = [];
  for (const [name, grade] of Object.entries(call.grades)) {
    const tone = { pass: "good", fail: "bad", error: "bad" }[grade.outcome] || "soft";
    nodes.push(make("h3", {}, name + ": ", make("span", { class: tone, text: grade.outcome.replace("_", " ") })), make("p", { text: grade.summary }));
    if (name === "tool-adherence" && grade.evidence.expected_calls) nodes.push(expectedCalls(grade.evidence));
    else if (name === "state-adherence" && grade.evidence.expected_changes) nodes.push(...stateDiff(grade.evidence));
    else if (Object.keys(grade.evidence).length) nodes.push(make("details", {}, make("summary", { text: "evidence" }), make("pre", { text: JSON.stringify(grade.evidence, null, 1) })));
  }
  return nodes;
}

function mark(ok, good, bad) {
  return make("span", { class: ok ? "good" : "bad", text: ok ? "✓ " + good : "✕ " + bad });
}

function expectedCalls(evidence) {
  return table(
    [{ name: "expected call" }, { name: "arguments" }, { name: "found" }, { name: "difference" }],
    evidence.expected_calls.map((call) => [
      make("code", { text: call.tool }),
      make("pre", { text: Object.entries(call.arguments).map(([k, v]) => `${k}: ${shown(v)}`).join("\n") }),
      mark(call.matched, "matched", call.note),
      make("pre", { text: call.differences.map((d) => `${d.what}: expected ${shown(d.expected)}, observed ${shown(d.observed)}`).join("\n") }),
    ]));
}

function stateDiff(evidence) {
  const nodes = [];
  if (evidence.expected_changes.length) {
    nodes.push(table(
      [{ name: "table" }, { name: "column" }, { name: "seed → expected" }, { name: "observed" }, { name: "" }],
      evidence.expected_changes.map((change) => [make("code", { text: change.table }), make("code", { text: change.column }), change.change_text, change.observed_text, mark(change.ok, "present", "missing")])));
  } else nodes.push(make("p", { class: "soft", text: "No change was expected." }));
  if (evidence.unexpected_changes.length) {
    nodes.push(make("p", { class: "bad", text: "Unexpected changes" }), table(
      [{ name: "table" }, { name: "row" }, { name: "kind" }, { name: "columns" }],
      evidence.unexpected_changes.map((change) => [make("code", { text: change.table }), change.key.join(", "), change.kind,
        make("pre", { text: Object.entries(change.columns).map(([k, v]) => `${k}: ${shown(v.seed)} → ${shown(v.observed)}`).join("\n") })])));
  }
  return nodes;
}

function drawProvenance() {
  document.getElementById("made-with").append(
    make("h2", { text: "Made with" }),
    table([{ name: "component" }, { name: "distribution" }, { name: "version" }], run.components.map((c) => [c.component, c.distribution, c.version])));
}

drawHead(); drawScore(); drawTasks(); drawFilter(); drawCalls(); drawProvenance();
