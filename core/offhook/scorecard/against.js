const all = data.comparison;
const TIE = "Shares of a component's points, each with its platform's own 95 % interval, by task: clustered Wilson for the task component, resampled tasks for hearing and latency. As in the published reading, a tie is no more than the overlap of these intervals. The difference over the same tasks, above, is sharper: where it leaves out 0 although the task component is a tie, go by the difference.";
const cards = all.runs.map((name) => [name, all.cards[name]]);

function drawHead() {
  document.getElementById("head").append(make("h1", { text: all.runs.join(" and ") }),
    make("p", { class: "soft", text: `Baseline: ${all.runs[0]}.` }),
    ...cards.map(([name, found]) => make("p", { class: "note", text: `${name}: ${found.platform.platform}. ${draft(found.platform.stamp)}${standing(found.platform)}` })));
  for (const [name, lines] of Object.entries(data.damaged)) if (lines.length) document.getElementById("head").append(make("div", { class: "warning", role: "note" }, make("b", { text: `Damaged calls of ${name}` }), listOf(lines)));
}

function drawDifferences() {
  const part = section("difference", "Against the baseline");
  part.append(make("h2", { text: "Against the baseline" }));
  for (const found of all.against) {
    if (found.comparability.differences.length) part.append(make("div", { class: "warning", role: "note" },
      make("b", { text: `${found.run} is not comparable with ${all.runs[0]}` }), listOf(found.comparability.differences)));
    part.append(make("p", {}, make("b", { text: found.run + ": " }), found.difference.told + "."),
      make("p", { class: "soft", text: `Over ${many(found.difference.tasks.length, "task")} that both have; Newcombe's interval with calls of a task taken as alike.` }));
    if (found.comparability.notes.length) part.append(listOf(found.comparability.notes));
  }
}

function drawLanes() {
  const part = section("lanes", "Lanes");
  part.append(make("h2", { text: "Five lanes, never blended" }));
  for (const [name, found] of cards) part.append(make("h3", { text: name }), ...laneList(data.lines[name], found.lanes));
}

function drawTies() {
  const rows = all.ties.flatMap((tie) => tie.rows.map((row, i) => [tie.component, row.run, share(row.share), span(row.interval), tie.standings[i].place, tie.standings[i].ties.join(", ")]));
  section("ties", "Ties").append(make("h2", { text: "Components and ties" }),
    make("p", { class: "soft", text: TIE }),
    table([{ name: "component" }, { name: "run", width: 130 }, { name: "share", number: true }, { name: "95 % interval, by task", width: 90 }, { name: "place", number: true }, { name: "ties with", width: 130 }], rows, { stack: true }));
}

function drawCrosswalk() {
  const walk = all.crosswalk;
  const count = ([passes, n]) => (n ? `${passes} of ${n}` : "none");
  section("crosswalk", "Crosswalk").append(make("h2", { text: "Crosswalk of task outcomes" }),
    make("p", { class: "soft", text: `${walk.changed} of ${many(walk.rows.length, "row")} changed.` }),
    table([{ name: "task", width: 170 }, { name: "audio" }, ...walk.runs.map((name) => ({ name, width: 90 })), { name: "change", width: 130 }],
      walk.rows.map((row) => [row.scenario, row.audio, ...row.counts.map(count), row.changes.join("; ")]), { stack: true }));
}

function draw(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Cost on a log scale where no run is free; the table below says the same in words.
function costChart(points) {
  const costs = points.map((p) => p.cost_usd), least = Math.min(...costs), most = Math.max(...costs);
  if (least === most) return null;
  const scale = (cost) => (least > 0 ? Math.log(cost) : cost);
  const x = (cost) => 50 + (scale(cost) - scale(least)) / (scale(most) - scale(least)) * 490;
  const y = (share) => 200 - share * 180;
  const best = points.filter((p) => p.frontier).map((p) => `${x(p.cost_usd)},${y(p.completion)}`).join(" ");
  const dots = points.map((p) => draw("circle", { cx: x(p.cost_usd), cy: y(p.completion), r: p.frontier ? 6 : 4, fill: p.frontier ? "var(--good)" : "var(--soft)" },
    draw("title", {}, `${p.name}: ${money(p.cost_usd)} a call, completes ${percent(p.completion)}`)));
  const label = (at, height, anchor, text) => draw("text", { x: at, y: height, "text-anchor": anchor, "font-size": 13, fill: "var(--soft)" }, text);
  return draw("svg", { viewBox: "0 0 560 230", role: "img", "aria-label": "Completion by cost a call; the table below has the figures", class: "chart" },
    draw("path", { d: "M50 20V200H540", fill: "none", stroke: "var(--rule)" }),
    draw("polyline", { points: best, fill: "none", stroke: "var(--good)", "stroke-width": 2 }),
    label(44, 24, "end", "100 %"), label(44, 204, "end", "0 %"), label(50, 222, "start", `${money(least)} a call`), label(540, 222, "end", `${money(most)} a call`), ...dots);
}

function drawExam() {
  const line = (name, e) => [name, ...rate(e.completion), span(e.clustered.interval), e.spread.sd === null ? "not measured" : (e.spread.sd * 100).toFixed(1), e.steady.measured ? `${e.steady.always} / ${e.steady.mixed} / ${e.steady.never}` : "not measured", money(e.costs.mean_usd)];
  const pooled = ["pooled", ...rate(all.pooled).slice(0, 2), "", span(all.pooled.interval), "", "", ""];
  const part = section("exam", "Exam");
  part.append(make("h2", { text: "Exam" }),
    table([{ name: "run", width: 130 }, ...RATE.slice(0, 2), { name: "95 %, as independent calls", width: 90 }, { name: "95 %, by task", width: 90 }, { name: "SD, points", number: true }, { name: "always / mixed / never", width: 110 }, { name: "cost a call", number: true }], [...cards.map(([name, found]) => line(name, found.exam)), pooled], { stack: true }),
    make("p", { class: "soft", text: `Tasks solved by all: ${all.solved.by_all.length}, by one: ${all.solved.by_one.length}, by none: ${all.solved.by_none.length}.` }));
  if (all.costs.length) part.append(make("h3", { text: "Cost and completion" }), costChart(all.costs) || "",
    table([{ name: "run", width: 130 }, { name: "cost a call", number: true }, { name: "completion", number: true }, { name: "on the frontier" }], all.costs.map((p) => [p.name, money(p.cost_usd), percent(p.completion), p.frontier ? "yes" : "no"]), { stack: true }));
  if (all.conditions.length) part.append(make("h3", { text: "Audio conditions against clean" }), listOf(all.conditions.map((c) => `${c.run}, ${c.audio}: ${c.told}`)));
}

drawHead(); drawDifferences(); drawLanes(); drawTies(); drawCrosswalk(); drawExam();
