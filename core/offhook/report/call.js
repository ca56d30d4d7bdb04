// One call in full. The page that uses it has `run`, the data of the call's run.
function callBody(call) {
  const body = make("div", { class: "body" });
  body.append(make("p", { class: "soft", text: callLine(call) }));
  if (call.why) body.append(make("p", { class: "bad", text: call.why }));
  if (call.latency_unreliable) body.append(make("p", { class: "bad", text: `Its waits can't be relied on: ${call.latency_unreliable}.` }));
  for (const line of call.off_script) body.append(make("p", { class: "bad", text: "Caller off script: " + line }));
  for (const line of call.errors) body.append(make("p", { class: "bad", text: line }));
  const player = call.sound ? soundPlayer(call) : null;
  if (player) body.append(...player.nodes);
  body.append(make("h3", { text: "Who said what" }), ...transcript(call, player));
  body.append(make("h3", { text: "Tool log" }), toolLog(call), ...platformLog(call));
  body.append(...verdicts(call));
  return body;
}

function callLine(call) {
  const voice = run.line === "text" || !call.voice ? "" : `, voice ${call.voice}`;
  const ending = call.ended_by ? `, ended by ${call.ended_by}${call.hung_up_because ? ` (${call.hung_up_because})` : ""}` : ", nobody hung up";
  return `Call ${call.id}${voice}${ending}.`;
}

function waits(call) {
  const latency = call.grades.latency;
  if (!latency || !latency.evidence.ours) return [];
  return latency.evidence.ours.filter((turn) => turn.latency_s !== null)
    .map((turn) => ({ from: turn.caller_end_s, to: turn.onset_s, length: turn.latency_s }));
}

function soundPlayer(call) {
  const canvas = make("canvas", {
    tabindex: "0", role: "slider", "aria-label": "Place in the call: caller above, agent below; arrow keys move, space plays",
    "aria-valuemin": "0", "aria-valuemax": call.sound.seconds.toFixed(1) });
  const audio = call.sound.source ? make("audio", { controls: "", preload: "metadata", src: call.sound.source }) : null;
  const key = make("div", { class: "key" });
  for (const [colour, text] of [["caller", "caller, as the platform was sent it"], ["agent", "agent, as played"], ["mark", "the caller waits"]]) {
    const swatch = make("i"); swatch.style.background = `var(--${colour})`;
    key.append(make("span", {}, swatch, text));
  }
  const place = () => (audio ? audio.currentTime : 0);
  const draw = () => {
    canvas.setAttribute("aria-valuenow", place().toFixed(1));
    canvas.setAttribute("aria-valuetext", `${clock(place())} of ${clock(call.sound.seconds)}`);
    drawWave(canvas, call, place());
  };
  const seek = (at) => {
    if (audio) { audio.currentTime = Math.min(Math.max(0, at), call.sound.seconds); draw(); }
  };
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    seek((event.clientX - box.left) / box.width * call.sound.seconds);
  });
  canvas.addEventListener("keydown", (event) => {
    if (!audio) return;
    const targets = { ArrowLeft: () => place() - 2, ArrowRight: () => place() + 2, Home: () => 0, End: () => call.sound.seconds };
    if (targets[event.key]) seek(targets[event.key]());
    else if (event.key === " ") audio.paused ? audio.play() : audio.pause();
    else return;
    event.preventDefault();
  });
  if (audio) {
    audio.addEventListener("timeupdate", draw);
    audio.addEventListener("seeked", draw);
    audio.addEventListener("play", () => {
      for (const other of document.querySelectorAll("audio")) if (other !== audio) other.pause();
    });
  }
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
  const playable = player !== null && player.audio !== null;
  if (!call.turns.length) place.append(make("p", { class: "soft", text: "Nobody said anything." }));
  for (const turn of call.turns) {
    const aside = turn.who.startsWith("platform");
    const text = turn.spoken && turn.spoken !== turn.text ? `${turn.text}  [said: ${turn.spoken}]` : turn.text;
    const kind = `turn ${aside ? "aside" : turn.who}`;
    const row = make(playable ? "button" : "div", playable ? { type: "button", class: kind, title: turn.source || null, onclick: () => player.go(turn.start) } : { class: kind, title: turn.source || null },
      make("span", { class: "at", text: clock(turn.start) }), make("span", { class: "who", text: turn.who }), make("span", { class: "text", text }));
    rows.push([turn, row]);
    place.append(row);
    const wait = turn.who === "caller" ? waiting.find((w) => w.from > turn.start && w.from <= turn.end + 0.5) : null;
    if (wait) place.append(make("div", { class: "wait", text: `waited ${seconds(wait.length)}` }));
  }
  if (playable) {
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

function platformLog(call) {
  if (!call.platform_log) return [];
  if (!call.platform_log.length) return [make("p", { class: "soft", text: "The platform's own log of its tool calls agrees." })];
  return [
    make("p", { class: "soft", text: "The platform's own log differs (it is not graded):" }),
    make("ul", {}, ...call.platform_log.map((line) => make("li", { text: line }))),
  ];
}

function verdicts(call) {
  const nodes = [];
  for (const [name, grade] of Object.entries(call.grades)) {
    const tone = { pass: "good", fail: "bad", error: "bad" }[grade.outcome] || "soft";
    nodes.push(make("h3", {}, name + ": ", make("span", { class: tone, text: grade.outcome.replace("_", " ") })), make("p", { text: grade.outcome === "not_measured" ? bare(grade.summary) : grade.summary }));
    if (name === "tool-adherence" && grade.evidence.expected_calls) nodes.push(expectedCalls(grade.evidence, call.accepted));
    else if (name === "state-adherence" && grade.evidence.expected_changes) nodes.push(...stateDiff(grade.evidence));
    else if (Object.keys(grade.evidence).length) {
      if (name === "hearing" && grade.evidence.alignment) nodes.push(...alignment(grade.evidence), ...meanings(grade.evidence), ...facts(grade.evidence));
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

// Phrases that became other words, with what the two rules make of each.
function meanings(evidence) {
  if (!evidence.phrases.length) return [];
  return [table([{ name: "said", width: 140 }, { name: "heard instead", width: 140 }, { name: "cosine", number: true }, { name: "meaning" }, { name: "by the published rule" }],
    evidence.phrases.map((one) => [one.reference, one.hypothesis, one.cosine === null ? "" : one.cosine.toFixed(2), one.meaning, one.published_rule]), { stack: true })];
}

// What the task's calls need and the caller said, and where the transcript has it.
function facts(evidence) {
  if (!evidence.facts.length) return [];
  return [table([{ name: "fact needed", width: 120 }, { name: "value", width: 120 }, { name: "in the transcript" }, { name: "there", width: 200 }],
    evidence.facts.map((fact) => [fact.trait, fact.value, mark(fact.heard, "yes", "no"), fact.evidence]), { stack: true })];
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
      [{ name: "table" }, { name: "column" }, { name: "seed → expected", width: 130 }, { name: "observed", width: 110 }, { name: "found", width: 100 }],
      evidence.expected_changes.map((change) => [make("code", { text: change.table }), make("code", { text: change.column }), change.change_text, change.observed_text, mark(change.ok, "present", "missing")]), { stack: true }));
  } else nodes.push(make("p", { class: "soft", text: "No change was expected." }));
  if (evidence.unexpected_changes.length) {
    nodes.push(make("p", { class: "bad", text: "Unexpected changes" }), table(
      [{ name: "table" }, { name: "row" }, { name: "kind" }, { name: "columns", width: 220 }],
      evidence.unexpected_changes.map((change) => [make("code", { text: change.table }), change.key.join(", "), change.kind,
        lines(Object.entries(change.columns).map(([k, v]) => `${k}: ${shown(v.seed)} → ${shown(v.observed)}`))]), { stack: true }));
  }
  return nodes;
}
