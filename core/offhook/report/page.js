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
const bare = (text) => text.replace(/^not measured: /, "");
const lines = (entries) => (entries.length ? make("pre", { text: entries.join("\n") }) : "");
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

// A stacked table turns each row into a card on a narrow screen.
function table(columns, rows, { stack = false } = {}) {
  const head = make("tr", {}, ...columns.map((c) => make("th", { text: c.name, class: c.number ? "n" : null, scope: "col" })));
  const body = rows.map((row) =>
    make("tr", {}, ...row.map((cell, i) => {
      const td = make("td", { class: columns[i].number ? "n" : null, "data-label": columns[i].name, style: columns[i].width ? `min-width: ${columns[i].width}px` : null });
      td.append(cell instanceof Node ? cell : String(cell === null || cell === undefined ? "" : cell));
      return td;
    })));
  return make("div", { class: "scroll" }, make("table", { class: stack ? "stack" : null }, make("thead", {}, head), make("tbody", {}, ...body)));
}

function standing() {
  if (run.saboteur) return " The platform is a saboteur: offhook's reference with one fault built in, meant to fail wherever the fault can show. It tests the graders and is no contestant.";
  return run.harness_reference ? " The platform is offhook's own reference: it shows that the harness works and is no contestant." : "";
}

function drawHead() {
  const c = run.counts;
  document.getElementById("head").append(
    make("h1", { text: run.id }),
    make("p", { class: "soft", text: `${c.planned} calls planned, ${c.graded} graded, ${c.passed} passed, ${c.void} void, ${c.error} in error, ${c.missing} not placed. ` +
      `${run.line === "text" ? "Text line, no sound." : "Audio line."} Seed ${run.seed}, caller ${run.caller}.` }),
    make("p", { class: "note", text: "Draft: no frozen manifest stands behind these figures." + standing() }));
}

function card(title, value, detail) {
  return make("div", { class: "card" }, make("span", { class: "soft", text: title }), make("b", { text: value }), make("small", { text: detail }));
}

function drawScore() {
  const score = run.score;
  const cards = [card("Platform score", score.points === null ? "not measured" : score.points.toFixed(1), "of " + score.out_of)];
  for (const part of score.parts) {
    cards.push(card(part.name, part.points === null ? "not measured" : part.points.toFixed(1) + " / " + part.out_of, [part.computation, part.points === null ? bare(part.note) : part.note].filter(Boolean).join(". ")));
  }
  const rate = run.rate;
  cards.push(rate === null ? card("Pass rate", "not measured", "no graded call")
    : card("Pass rate", percent(rate.share), `${rate.passes} of ${rate.n} calls; 95 % interval ${percent(rate.low)} to ${percent(rate.high)}`));
  if (run.pass_k && run.runs > 1) cards.push(card(`All ${run.pass_k.k} runs pass`, percent(run.pass_k.share), `of ${run.pass_k.tasks} tasks`));
  if (run.latency_ours) cards.push(card("Wait, our measure", seconds(run.latency_ours.median_s), `median; 95th percentile ${seconds(run.latency_ours.p95_s)} over ${run.latency_ours.turns} turns`));
  document.getElementById("score").append(make("h2", { text: "Score" }), make("div", { class: "cards" }, ...cards), glossary());
}

function glossary() {
  const words = [
    ["draft", "The tasks and settings of this run are not frozen in a signed-off manifest, so its figures may not be ranked against other runs."],
    ["void", "The call could not be judged, for instance because the line failed or no agent spoke. It counts neither as passed nor as failed."]];
  if (run.line !== "text") words.push(
    ["C_clean", "The share of the caller's words that the platform's recogniser got right on an undisturbed line: 1 minus the word error rate. C_degraded is the same on disturbed lines."],
    ["published rule", "The wait measured in 50 ms steps by loudness, as the published method does. This one is scored."],
    ["ours", "The same wait measured to the sample, from the caller's last audible sound to the agent's first. Shown beside the score, never in it."]);
  return make("details", { class: "glossary" }, make("summary", { text: "What the words mean" }),
    make("dl", {}, ...words.flatMap(([word, meaning]) => [make("dt", { text: word }), make("dd", { text: meaning })])));
}

function drawTasks() {
  const text = run.line === "text";
  const columns = [{ name: "task", width: 190 }, { name: "title", width: 180 }, { name: "tier" }, ...(text ? [] : [{ name: "audio" }]),
    ...["passed", "graded", "void", "error"].map((name) => ({ name, number: true }))];
  document.getElementById("tasks").append(
    make("h2", { text: "Tasks" }),
    table(columns, run.tasks.map((t) => [`${t.pack}/${t.task}`, t.title, t.tier, ...(text ? [] : [t.audio]), t.passes, t.graded, t.void, t.error]), { stack: true }));
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
  const target = location.hash.startsWith("#call-") ? document.getElementById(location.hash.slice(1)) : null;
  const first = target || place.querySelector('[data-state="failed"]') || place.firstElementChild;
  if (first) first.open = true;
  if (target) target.scrollIntoView();
}

function callBody(call) {
  const body = make("div", { class: "body" });
  body.append(make("p", { class: "soft", text: `Call ${call.id}, ${run.line === "text" ? "" : `voice ${call.voice}, `}ended by ${call.ended_by || "nobody"} (${call.hung_up_because || "no reason"}).` }));
  if (call.why) body.append(make("p", { class: "bad", text: call.why }));
  for (const line of call.off_script) body.append(make("p", { class: "bad", text: "Caller off script: " + line }));
  for (const line of call.errors) body.append(make("p", { class: "bad", text: line }));
  const player = call.sound ? soundPlayer(call) : null;
  if (player) body.append(...player.nodes);
  body.append(make("h3", { text: "Who said what" }), ...transcript(call, player));
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

const TIME_STRIP = 20; // CSS pixels below both tracks

function drawWave(canvas, call, now) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight - TIME_STRIP;
  if (!width) return;
  canvas.width = width * scale; canvas.height = canvas.clientHeight * scale;
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
  const step = [5, 10, 20, 30, 60, 120, 300].find((each) => x(each) >= 48) || 600;
  pen.textAlign = "center";
  for (let at = step; x(at) < width - 16; at += step) {
    pen.fillRect(x(at), height, 1, 4);
    pen.fillText(clock(at).replace(".0", ""), x(at), height + 15);
  }
  pen.fillStyle = colour("rule"); pen.fillRect(0, height, width, 1);
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
  return [speakers(call, place), place];
}

function speakers(call, place) {
  const legend = make("div", { class: "key" }, make("span", { text: "caller: what it was given to say" }), make("span", { text: "agent: as the caller heard it" }));
  if (call.turns.some((turn) => turn.who.startsWith("platform"))) {
    legend.append(make("button", { type: "button", text: "Platform's own transcripts", "aria-pressed": "false", onclick: (event) => {
      event.currentTarget.setAttribute("aria-pressed", String(place.classList.toggle("with-asides")));
    } }));
  }
  return legend;
}

function toolLog(call) {
  if (!call.tools.length) return make("p", { class: "soft", text: "No request reached the tool server." });
  return table(
    [{ name: "at", number: true }, { name: "tool" }, { name: "arguments", width: 180 }, { name: "answer", width: 220 }],
    call.tools.map((entry) => {
      const answer = make("details", {}, make("summary", { class: entry.outcome === "accepted" ? "good" : "bad", text: `${entry.status} ${entry.code || entry.outcome}` }), make("pre", { text: JSON.stringify(entry.response, null, 1) }));
      return [clock(entry.at), make("code", { text: entry.tool }), lines(Object.entries(entry.arguments).map(([k, v]) => `${k}: ${shown(v)}`)), answer];
    }), { stack: true });
}

function verdicts(call) {
  const nodes = [];
  for (const [name, grade] of Object.entries(call.grades)) {
    const tone = { pass: "good", fail: "bad", error: "bad" }[grade.outcome] || "soft";
    nodes.push(make("h3", {}, name + ": ", make("span", { class: tone, text: grade.outcome.replace("_", " ") })), make("p", { text: grade.outcome === "not_measured" ? bare(grade.summary) : grade.summary }));
    if (name === "tool-adherence" && grade.evidence.expected_calls) nodes.push(expectedCalls(grade.evidence, call.accepted));
    else if (name === "state-adherence" && grade.evidence.expected_changes) nodes.push(...stateDiff(grade.evidence));
    else if (Object.keys(grade.evidence).length) {
      if (name === "wer" && grade.evidence.alignment) nodes.push(...alignment(grade.evidence));
      if (name === "latency" && grade.evidence.turns) nodes.push(waitTable(grade.evidence));
      nodes.push(make("details", {}, make("summary", { text: "raw" }), make("pre", { text: JSON.stringify(grade.evidence, null, 1) })));
    }
  }
  return nodes;
}

// One line per caller turn; a piece of the alignment may run over several turns.
function alignment(evidence) {
  const place = make("div", { class: "aligned" });
  const sizes = (evidence.reference || []).map((words) => words.length);
  let turn = -1, left = 0, line = null;
  const put = (node) => {
    if (line === null) { line = make("p", {}); place.append(line); }
    line.append(node, " ");
  };
  const take = () => {
    while (left === 0 && turn + 1 < sizes.length) { turn += 1; left = sizes[turn]; line = null; }
    left = Math.max(0, left - 1);
  };
  for (const piece of evidence.alignment) {
    const words = piece.reference.split(" ").filter(Boolean);
    if (piece.kind === "equal") {
      for (const word of words) { take(); put(word); }
      continue;
    }
    if (words.length) take();
    if (words.length) put(make("del", { text: piece.reference, title: "said" }));
    if (piece.hypothesis) put(make("ins", { text: piece.hypothesis, title: "heard instead" }));
    for (let i = 1; i < words.length; i++) { if (left === 0) break; left -= 1; }
  }
  const key = make("div", { class: "key" }, make("span", {}, make("del", { text: "said" }), " not heard"), make("span", {}, make("ins", { text: "heard" }), " not said"),
    make("span", {}, make("del", { text: "said" }), " ", make("ins", { text: "heard" }), " one for the other"));
  return [key, place];
}

function waitTable(evidence) {
  const of = (measure, turn) => (evidence[measure] || []).find((each) => each.turn === turn.turn) || {};
  const wait = (each) => (each.excluded ? "left out" : seconds(each.latency_s));
  return table(
    [{ name: "caller's turn", width: 200 }, { name: "ended at", number: true }, { name: "published rule", number: true }, { name: "ours", number: true }, { name: "left out because", width: 120 }],
    evidence.turns.map((turn) => {
      const published = of("published", turn), ours = of("ours", turn);
      const reasons = new Set([published, ours].filter((each) => each.excluded).map((each) => each.excluded + (each.overlap_s ? ` (${seconds(each.overlap_s)})` : "")));
      return [turn.said, clock(turn.end_s), wait(published), wait(ours), [...reasons].join("; ")];
    }), { stack: true });
}

function mark(ok, good, bad) {
  return make("span", { class: ok ? "good" : "bad", text: ok ? "✓ " + good : "✕ " + bad });
}

function expectedCalls(evidence, accepted) {
  return table(
    [{ name: "expected call" }, { name: "arguments", width: 160 }, { name: "found", width: 110 }, { name: "difference", width: 160 }],
    evidence.expected_calls.map((call, i) => [
      make("code", { text: call.tool }),
      lines(Object.entries(call.arguments).map(([k, v]) => `${k}: ${shown(v)}`)),
      mark(call.matched, "matched", call.note),
      lines([
        ...call.differences.map((d) => `${d.what}: expected ${shown(d.expected)}, observed ${shown(d.observed)}`),
        ...(accepted[i] || []).map((a) => `${a.what}: sent ${shown(a.sent)}, ${a.note}`)]),
    ]), { stack: true });
}

function stateDiff(evidence) {
  const nodes = [];
  if (evidence.expected_changes.length) {
    nodes.push(table(
      [{ name: "table" }, { name: "column" }, { name: "seed → expected", width: 130 }, { name: "observed", width: 110 }, { name: "", width: 100 }],
      evidence.expected_changes.map((change) => [make("code", { text: change.table }), make("code", { text: change.column }), change.change_text, change.observed_text, mark(change.ok, "present", "missing")])));
  } else nodes.push(make("p", { class: "soft", text: "No change was expected." }));
  if (evidence.unexpected_changes.length) {
    nodes.push(make("p", { class: "bad", text: "Unexpected changes" }), table(
      [{ name: "table" }, { name: "row" }, { name: "kind" }, { name: "columns", width: 220 }],
      evidence.unexpected_changes.map((change) => [make("code", { text: change.table }), change.key.join(", "), change.kind,
        lines(Object.entries(change.columns).map(([k, v]) => `${k}: ${shown(v.seed)} → ${shown(v.observed)}`))])));
  }
  return nodes;
}

function drawProvenance() {
  document.getElementById("made-with").append(
    make("h2", { text: "Made with" }),
    table([{ name: "component" }, { name: "distribution" }, { name: "version" }], run.components.map((c) => [c.component, c.distribution, c.version])));
}

drawHead(); drawScore(); drawTasks(); drawFilter(); drawCalls(); drawProvenance();
