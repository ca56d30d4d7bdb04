const { platform, lanes, exam } = data.card;

function drawHead() {
  const c = platform.counts;
  document.getElementById("head").append(
    make("h1", { text: platform.run_id }),
    make("p", { class: "soft", text: `${platform.platform}: ${many(c.planned, "call")} planned, ${c.ran} ran, ${c.graded} graded, ${c.void} void, ${c.error} in error, ${c.missing} not placed; ${many(c.voided_attempts, "attempt")} placed again.` }),
    make("p", { class: "note", text: draft(platform.stamp) + standing(platform) }));
  if (data.damaged.length) document.getElementById("head").append(make("div", { class: "warning", role: "note" }, make("b", { text: "Damaged calls" }), listOf(data.damaged)));
}

function drawLanes() {
  const t = lanes.task;
  section("lanes", "Five lanes").append(
    make("h2", { text: "Five lanes, never blended" }), ...laneList(data.lines, lanes),
    make("p", { class: "soft", text: `Task from ${t.judge ? "the grades of " + t.judge : "the deterministic verdicts"}: ${t.passed} passed, ${t.failed} failed, ${t.measured_failures} measured failures, ${t.unclear} unclear; ${t.not_judged} not judged. ${t.pass_k.told}.` }),
    make("h3", { text: "Robustness by group" }),
    table([{ name: "dimension", width: 100 }, { name: "value", width: 110 }, ...RATE, { name: "against the reference", width: 190 }],
      lanes.robustness.groups.map((g) => [g.dimension, g.value, ...rate(g.rate), g.is_reference ? "reference" : g.drop_told]), { stack: true }),
    make("h3", { text: "Stability from run to run" }), listOf(lanes.stability.bars.map((bar) => bar.told)));
}

function drawFailures() {
  const f = lanes.failures;
  const part = section("failures", "Why calls fail");
  part.append(make("h2", { text: "Why calls fail" }),
    make("p", { class: "soft", text: `${many(f.failed, "failed call")}, ${f.unfiled} of them filed under nothing. A call can sit under several reasons, so these are counts and no shares.` }));
  const rows = [...f.filed.map((r) => ["filed", r.reason, r.calls]), ...f.causes.map((r) => ["attributed", r.reason, r.calls])];
  if (rows.length) part.append(table([{ name: "by" }, { name: "reason", width: 220 }, { name: "calls", number: true }], rows, { stack: true }));
}

function drawPlatform() {
  const score = platform.score;
  const cards = [card("Platform score", score.points === null ? "not measured" : score.points.toFixed(1), "of " + score.out_of)];
  for (const part of score.parts) cards.push(card(part.name, part.points === null ? "not measured" : `${part.points.toFixed(1)} / ${part.out_of}`, [part.computation, bare(part.note)].filter(Boolean).join(". ")));
  if (platform.latency) cards.push(card("Wait, published rule", seconds(platform.latency.median_s), `median; 95th percentile ${seconds(platform.latency.p95_s)} over ${many(platform.latency.turns, "turn")}. The latency points come from these; the speed lane has our measure.`));
  const k = platform.pass_k;
  cards.push(card(`pass^${k.k}`, share(k.pass_k), k.pass_k === null ? k.told : `observed always: ${share(k.all_passed_share)} of ${many(k.tasks, "task")}`));
  section("platform", "Platform score").append(make("h2", { text: "Platform score" }), make("div", { class: "cards" }, ...cards),
    make("h3", { text: "Pass rates" }),
    rates("calls", [["clean, as independent calls", platform.plain], ["clean, clustered by task", platform.clustered],
      ...platform.variants.map((v) => [`${v.audio}, reported apart`, v.rate]), ...platform.tiers.map((tier) => [`clean, ${tier.tier}`, tier.rate])]),
    make("p", { class: "soft", text: `F_M, failures of models that the benchmark chose: ${platform.f_m}${platform.model_failures.map((m) => `; ${m.layer} ${m.model}: ${m.calls}`).join("")}.` }));
}

function drawExam() {
  const e = exam, x = exam.exclusions;
  section("exam", "Exam").append(make("h2", { text: "Exam" }),
    rates("completion", [["before exclusions", x.before], ["counted", e.completion], ["counted, clustered by task", e.clustered]]),
    make("p", { class: "soft", text: `${many(x.excluded, "call")} excluded (${x.kinds.map(([kind, count]) => `${kind} ${count}`).join(", ")}); ${x.passing} of them had passed.` }),
    make("h3", { text: "Assertions and containment, over calls with a verdict" }),
    rates("assertion", [...e.assertions.map((a) => [a.name, a.rate]), ["contained, no transfer", e.containment]]),
    make("h3", { text: "How calls ended" }),
    table([{ name: "end", width: 150 }, { name: "calls", number: true }, { name: "of counted", number: true }, { name: "passed", number: true }],
      e.ends.map((end) => [end.end, end.calls, e.counted ? percent(end.calls / e.counted) : "", end.passed]), { stack: true }),
    make("h3", { text: "Completion by trait" }),
    table([{ name: "trait", width: 100 }, { name: "value", width: 120 }, ...RATE], e.cuts.flatMap((cut) => cut.rows.map((row) => [cut.name, row.name, ...rate(row.rate)])), { stack: true }),
    make("h3", { text: "Repeats, cost and manners" }),
    listOf([`Run to run: ${e.spread.told}.`, `Tasks: ${e.steady.told}.`, `Cost: ${e.costs.told}.`,
      `Agent barge-ins per 100 calls: ${e.barge_ins.per_100_calls === null ? "not measured" : e.barge_ins.per_100_calls.toFixed(0)}.`,
      `Passes that rest on a name matched by sound alone: ${e.soundex.told ? e.soundex.passes : "not measured"}.`]));
}

drawHead(); drawLanes(); drawFailures(); drawPlatform(); drawExam();
