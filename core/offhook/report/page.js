const run = data.run;

function drawHead() {
  const c = run.counts;
  crumb();
  document.getElementById("head").append(
    make("h1", { text: run.id }),
    make("p", { class: "soft", text: `${many(c.planned, "call")} planned, ${c.ran} ran, ${c.graded} graded, ${c.passed} passed, ${c.void} void, ${c.error} in error, ${c.missing} not placed. ` +
      `${run.line === "text" ? "Text line, no sound." : "Audio line."} Seed ${run.seed}, caller ${run.caller}.` }),
    make("p", { class: "note", text: (run.draft ? "Draft: no frozen manifest stands behind these figures." : `Frozen ${run.stamp}.`) + standing(run) }),
    ...(run.short_tasks.length ? [make("ul", { id: "short", class: "note" }, ...run.short_tasks.map((line) => make("li", { text: line })))] : []));
}

function drawScore() {
  const score = run.score;
  const cards = [card("Platform score", score.points === null ? "not measured" : score.points.toFixed(1), "of " + score.out_of)];
  for (const part of score.parts) {
    cards.push(card(part.name, part.points === null ? "not measured" : part.points.toFixed(1) + " / " + part.out_of, [part.computation, part.points === null ? bare(part.note) : part.note].filter(Boolean).join(". ")));
  }
  const rate = run.rate;
  cards.push(rate === null ? card("Pass rate", "not measured", "no graded call")
    : card("Pass rate", percent(rate.share), `${rate.passes} of ${many(rate.n, "call")}; 95 % interval ${percent(rate.low)} to ${percent(rate.high)}`));
  if (run.pass_k && run.runs > 1) cards.push(card(`All ${run.pass_k.k} runs pass`, percent(run.pass_k.share), `of ${many(run.pass_k.tasks, "task")}`));
  if (run.latency_ours) cards.push(card("Wait, our measure", seconds(run.latency_ours.median_s), `median; 95th percentile ${seconds(run.latency_ours.p95_s)} over ${many(run.latency_ours.turns, "turn")}`));
  const late = run.kept_up;
  section("score", "Score").append(make("h2", { text: "Score" }), make("div", { class: "cards" }, ...cards),
    late.late ? make("p", { id: "late", class: "note", text: lateLine(late) }) : "", glossary());
}

function drawHearing() {
  const measured = Object.entries(run.hearing).filter(([, pooled]) => pooled !== null);
  if (!measured.length && !data.floor.length) return;
  const rate = (value) => (value === null ? "not measured" : (100 * value).toFixed(1) + "\u00a0%");
  const part = section("hearing", "Hearing");
  part.append(make("h2", { text: "Hearing" }));
  if (measured.length) part.append(table(
    [{ name: "audio" }, ...["WER", "SWER", "SWER, published rule", "facts heard", "not judged", "words", "calls"].map((name) => ({ name, number: true }))],
    measured.map(([name, pooled]) => [name, rate(pooled.wer), rate(pooled.swer), rate(pooled.plain_swer), rate(pooled.ffa), pooled.counts.not_judged, pooled.counts.reference_words, pooled.calls]), { stack: true }));
  if (data.floor.length) part.append(make("h3", { text: "Synthesis floor" }),
    make("p", { class: "soft", text: "What an independent recogniser gets wrong of the caller's own voices. About as much is charged to every platform." }),
    table([{ name: "voice" }, { name: "WER", number: true }, { name: "words", number: true }, { name: "calls", number: true }, { name: "recogniser" }],
      data.floor.map((one) => [one.voice, rate(one.wer), one.reference_words, one.calls, `${one.engine}, ${one.version}`]), { stack: true }));
}

function lateLine(late) {
  return `Latency unreliable in ${late.late} of ${many(late.calls, "call")}: this machine could not keep up, frames were p99 ${late.worst_p99_ms.toFixed(0)} ms late on the worst. ` +
    (late.reliable ? "The waits of those calls are left out." : "With more than half of the calls late, latency is not measured.");
}

function glossary() {
  const words = [
    !run.draft ? ["frozen", "What the score depends on is pinned in a manifest with this version and hash; anyone who holds it can place the calls again."] :
    ["draft", "The tasks and settings of this run are not frozen in a signed-off manifest, so its figures may not be ranked against other runs."],
    ["void", "The call could not be judged, for instance because the line failed or no agent spoke. It counts neither as passed nor as failed."]];
  if (run.line !== "text") words.push(
    ["C_clean", "How well the platform hears on an undisturbed line: the mean of 1 minus WER, 1 minus SWER and the share of facts heard, of those that were measured. C_degraded is the same on disturbed lines."],
    ["WER", "Word error rate: words that became others, are missing or were added, over the words the caller was given to say."],
    ["SWER", "The same without phrases that became others of the same meaning. A number or a negation is never forgiven; the published rule forgives those too."],
    ["facts heard", "Of the names, dates, numbers and identifiers that the tasks need and the caller said, the share that the platform's transcript has."],
    ["published rule", "The wait measured in 50 ms steps by loudness, as the published method does. This one is scored."],
    ["ours", "The same wait measured to the sample, from the caller's last audible sound to the agent's first. Shown beside the score, never in it."]);
  return make("details", { class: "glossary" }, make("summary", { text: "What the words mean" }),
    make("dl", {}, ...words.flatMap(([word, meaning]) => [make("dt", { text: word }), make("dd", { text: meaning })])));
}

function drawLanes() {
  section("lanes", "Five lanes").append(make("h2", { text: "Five lanes, never blended" }),
    table([{ name: "lane" }, { name: "figures", width: 220 }], data.lanes, { stack: true }),
    make("p", { class: "soft", text: "The command offhook scorecard has the groups, the stability from run to run and the exam table." }));
}

function drawTasks() {
  const text = run.line === "text";
  const columns = [{ name: "task", width: 190 }, { name: "title", width: 180 }, { name: "tier" }, ...(text ? [] : [{ name: "audio" }]),
    ...["passed", "graded", "planned", "void", "re-run", "error"].map((name) => ({ name, number: true }))];
  section("tasks", "Tasks").append(
    make("h2", { text: "Tasks" }),
    table(columns, run.tasks.map((t) => [`${t.pack}/${t.task}`, t.title, t.tier, ...(text ? [] : [t.audio]), t.passes, t.graded, t.planned, t.void, t.voided, t.error]), { stack: true }));
}

function drawFilter(part) {
  const bar = make("div", { id: "filter", role: "group", "aria-label": "Filter calls" });
  const none = make("p", { id: "none", class: "soft", role: "status" });
  part.append(bar, none);
  for (const state of ["all", "failed", "passed", "void", "error"]) {
    const count = state === "all" ? data.calls.length : data.calls.filter((call) => call.state === state).length;
    bar.append(make("button", {
      type: "button", text: `${state} (${count})`, "aria-pressed": String(state === "all"), "data-state": state,
      onclick: (event) => {
        for (const other of bar.children) other.setAttribute("aria-pressed", String(other === event.currentTarget));
        for (const node of document.querySelectorAll("details.call")) node.hidden = state !== "all" && node.dataset.state !== state;
        none.textContent = count ? "" : state === "all" ? "No call has finished yet." : `No call is "${state}".`;
      } }));
  }
  if (!data.calls.length) none.textContent = "No call has finished yet.";
}

function drawCalls() {
  const part = section("all-calls", "Calls");
  const place = make("div", { id: "calls" });
  part.append(make("h2", { text: "Calls" }));
  for (const line of data.damaged) part.append(make("p", { class: "bad", text: "Damaged: " + line }));
  drawFilter(part);
  part.append(place);
  for (const call of data.calls) {
    const node = make("details", { class: "call", "data-state": call.state, id: "call-" + call.id },
      make("summary", {},
        make("b", { class: call.state === "passed" ? "good" : "bad", text: call.state }),
        make("span", { text: `${call.pack}/${call.task}${call.audio === "clean" ? "" : ` (${call.audio})`} run ${call.run}` }),
        call.title ? make("span", { class: "soft", text: call.title }) : null,
        make("span", { class: "soft", text: clock(call.seconds) })));
    let drawn = false;
    // A body is drawn when it is first opened: hundreds of calls would make the page slow.
    node.addEventListener("toggle", () => {
      if (!node.open || drawn) return;
      drawn = true;
      node.append(callBody(call));
    });
    place.append(node);
  }
  const first = goToCall() || place.querySelector('[data-state="failed"]') || place.firstElementChild;
  if (first) first.open = true;
  window.addEventListener("hashchange", goToCall);
}

function goToCall() {
  const target = location.hash.startsWith("#call-") ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (!target) return null;
  target.open = true;
  target.hidden = false;
  target.scrollIntoView();
  return target;
}

function drawProvenance() {
  section("made-with", "Provenance").append(
    make("h2", { text: "Made with" }),
    table([{ name: "component" }, { name: "distribution" }, { name: "version" }], run.components.map((c) => [c.component, c.distribution, c.version]), { stack: true }));
}

drawHead(); drawScore(); drawHearing(); drawLanes(); drawTasks(); drawCalls(); drawProvenance();
