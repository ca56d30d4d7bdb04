const SIDES = [["A", data.a], ["B", data.b]];
const reportOf = (side, call) => "run?" + new URLSearchParams({ name: side.name }) + (call ? "#call-" + encodeURIComponent(call) : "");
const signed = (value, digits, unit) => {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text + unit;
};
const points = (value) => signed(value * 100, 0, "");
const both = (a, b, digits, unit) => (a === null || b === null ? "" : signed(b - a, digits, unit));

function drawHead() {
  crumb();
  const head = document.getElementById("head");
  head.append(make("h1", { text: "Two runs side by side" }));
  const cards = SIDES.map(([letter, side]) => {
    const options = Object.entries(side.options).map(([name, value]) => `${name} ${value}`).join(", ");
    const said = side.saboteur ? "saboteur" : side.harness_reference ? "harness reference" : "";
    const c = side.counts;
    return make("div", { class: "card side" },
      make("span", { class: "soft", text: letter }), make("h2", {}, make("a", { href: reportOf(side), text: side.name })),
      make("p", { text: [side.platform, said, options].filter(Boolean).join(", ") }),
      make("small", { text: `${when(side.started)}. ${many(c.planned, "call")} planned, ${c.graded} graded, ${c.passed} passed, ${c.void} void, ${c.error} in error, ${c.missing} not placed.` }));
  });
  const swap = make("a", { href: "compare?" + new URLSearchParams({ a: data.b.name, b: data.a.name }), id: "swap", text: "Swap A and B" });
  head.append(make("div", { class: "sides" }, ...cards), make("p", {}, swap));
}

function drawWarnings() {
  if (!data.warnings.length) return;
  section("warnings", "Not comparable").append(
    make("div", { class: "warning", role: "note" }, make("b", { text: "Not comparable as they are:" }),
      make("ul", {}, ...data.warnings.map((line) => make("li", { text: line })))));
}

const SCORE = [{ name: "part", width: 110 }, { name: "A", number: true }, { name: "B", number: true }, { name: "B − A", number: true }];

function drawScore() {
  const cell = (part) => (part.points === null ? "not measured" : `${part.points.toFixed(1)} / ${part.out_of}`);
  // Points out of different maxima are no amounts of one thing: 60 of 80 is not less than 70 of 100.
  const change = (left, right) => (left.out_of === right.out_of ? both(left.points, right.points, 1, "") : make("small", { class: "soft", text: "different scale" }));
  const [a, b] = [data.a.score, data.b.score];
  const rows = [["platform score", a, b], ...a.parts.map((part) => [part.name, part, b.parts.find((other) => other.name === part.name)])]
    .map(([name, left, right]) => [name, cell(left), cell(right), change(left, right)]);
  section("score", "Score").append(make("h2", { text: "Score" }), table(SCORE, rows), ...difference());
}

function difference() {
  const d = data.difference;
  if (d === null) return [make("p", { class: "soft", text: "One of the runs has no graded clean call, so there is no difference of pass shares." })];
  const share = (side) => `${side.rate.passes} of ${many(side.rate.n, "call")} (${interval(side.rate.low, side.rate.high)})`;
  const clear = d.low > 0 ? "B passes more: the interval leaves 0 out." : d.high < 0 ? "B passes less: the interval leaves 0 out." : "The interval holds 0: chance alone could explain it.";
  return [make("p", { id: "difference" }, "Pass share, B − A: ", make("b", { text: `${points(d.share)} points` }), `, 95 % interval ${points(d.low)} to ${points(d.high)}. ${clear}`),
    make("p", { class: "soft", text: `A ${share(data.a)}; B ${share(data.b)}. Newcombe's interval from the two Wilson intervals; it takes the two runs as independent, which errs on the wide side where both place the same tasks.` })];
}

function drawMeasures() {
  const row = (name, of, digits, unit) => {
    const [a, b] = SIDES.map(([, side]) => of(side));
    const cell = (value) => (value === null ? "not measured" : value.toFixed(digits) + unit);
    return [name, cell(a), cell(b), both(a, b, digits, unit)];
  };
  const wer = (condition) => (side) => (side.hearing[condition] ? side.hearing[condition].wer * 100 : null);
  const wait = (which, figure) => (side) => (side[which] ? side[which][figure] : null);
  const measures = [
    row("word errors, clean", wer("clean"), 1, "\u00a0%"), row("word errors, degraded", wer("degraded"), 1, "\u00a0%"),
    row("wait, scored: median", wait("latency", "median_s"), 2, "\u00a0s"), row("wait, scored: 95th percentile", wait("latency", "p95_s"), 2, "\u00a0s"),
    row("wait, our measure: median", wait("latency_ours", "median_s"), 2, "\u00a0s"), row("wait, our measure: 95th percentile", wait("latency_ours", "p95_s"), 2, "\u00a0s"),
    row("turns measured", wait("latency_ours", "turns"), 0, "")];
  section("measures", "Hearing and latency").append(make("h2", { text: "Hearing and latency" }),
    table([{ name: "figure", width: 110 }, ...SCORE.slice(1)], measures));
}

function drawTasks() {
  const good = ["failed → passed", "passes more often", "not graded → graded"], bad = ["passed → failed", "passes less often", "graded → not graded"];
  const state = (side, row, call) => {
    if (row === null) return "not planned";
    const extra = [row.void ? `${row.void} void` : "", row.error ? `${row.error} in error` : ""].filter(Boolean).join(", ");
    const text = row.graded ? `${row.passes} of ${row.graded} passed` : extra ? "none graded" : "not placed";
    return make("span", {}, call ? make("a", { href: reportOf(side, call), text }) : text, extra ? make("small", { class: "soft under", text: extra }) : null);
  };
  const rows = data.changes.map((change) => [
    make("span", { class: bad.includes(change.kind) ? "bad" : good.includes(change.kind) ? "good" : "soft", text: change.kind }),
    `${change.pack}/${change.task}`, change.title, change.audio, state(data.a, change.a, change.a_call), state(data.b, change.b, change.b_call)]);
  section("tasks", "Task by task").append(make("h2", { text: "Task by task" }),
    table([{ name: "change", width: 130 }, { name: "task", width: 150 }, { name: "title", width: 150 }, { name: "audio" }, { name: "A", width: 110 }, { name: "B", width: 110 }], rows, { stack: true }));
}

drawHead(); drawWarnings(); drawScore(); drawMeasures(); drawTasks();
