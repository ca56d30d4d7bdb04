const chosen = new Set();

const reportOf = (row) => "run?" + new URLSearchParams({ name: row.name });
const remark = (row) => (row.saboteur ? "saboteur" : row.harness_reference ? "harness reference" : "");

// One column each: what is shown, and what it is sorted by.
const COLUMNS = [
  { name: "run", width: 140, cell: (row) => make("a", { href: reportOf(row), text: row.name }), key: (row) => row.name },
  { name: "started", width: 84, cell: (row) => when(row.started), key: (row) => row.started },
  { name: "platform", width: 110, cell: platform, key: (row) => row.platform },
  { name: "line", cell: (row) => row.line, key: (row) => row.line },
  { name: "score", width: 96, cell: score, key: (row) => row.score.points },
  { name: "passed", width: 150, cell: rate, key: (row) => (row.rate ? row.rate.share : null) },
  ...[["tasks", (row) => row.tasks], ["planned", (row) => row.counts.planned], ["graded", (row) => row.counts.graded], ["void", (row) => row.counts.void],
    ["error", (row) => row.counts.error], ["missing", (row) => row.counts.missing]].map(([name, of]) => ({ name, number: true, cell: of, key: of })),
];

function platform(row) {
  const said = remark(row);
  return make("span", {}, row.platform, said ? make("small", { class: "soft under", text: said }) : null, row.damaged ? make("small", { class: "bad under", text: row.damaged + " damaged" }) : null);
}

function score(row) {
  return row.score.points === null ? "not measured" : `${row.score.points.toFixed(1)}\u00a0of\u00a0${row.score.out_of}`;
}

function rate(row) {
  if (row.rate === null) return "none graded";
  return make("span", {}, `${row.rate.passes} of ${row.rate.n} (${percent(row.rate.share)})`,
    make("small", { class: "soft under", text: `95 % interval ${interval(row.rate.low, row.rate.high)}` }));
}

const sound = data.runs.filter((row) => !row.broken && row.kind === "run");
const drills = data.runs.filter((row) => !row.broken && row.kind === "drills");
const broken = data.runs.filter((row) => row.broken);
const order = { by: "started", down: true };

// What was not measured stands at the end, whichever way the rest is sorted.
function sorted() {
  const { key } = COLUMNS.find((column) => column.name === order.by);
  const sign = order.down ? -1 : 1;
  return [...sound].sort((left, right) => {
    const [a, b] = [key(left), key(right)];
    if (a === null || b === null) return (a === null) - (b === null);
    const way = typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
    return sign * way || (left.name < right.name ? -1 : 1);
  });
}

function drawHead() {
  const total = sound.length + drills.length;
  const bad = broken.length ? `, and ${broken.length} that cannot be read` : "";
  document.getElementById("head").append(make("h1", { text: "Runs" }), make("p", { class: "soft", text: `${many(total, "run")} in ${data.root}${bad}. Load this page again to see what has come in since.` }));
}

function drawTools(part) {
  const compare = make("button", { type: "button", id: "compare", text: "Compare two", onclick: () => {
    const [a, b] = sound.filter((row) => chosen.has(row.name)).sort((x, y) => (x.started < y.started ? -1 : 1));
    location.href = "compare?" + new URLSearchParams({ a: a.name, b: b.name });
  } });
  const by = make("select", { id: "sort", "aria-label": "Sort by", onchange: (event) => sortBy(event.target.value, false) },
    ...COLUMNS.map((column) => make("option", { value: column.name, text: column.name })));
  const turn = make("button", { type: "button", id: "turn", text: "Turn round", onclick: () => sortBy(order.by, true) });
  part.append(make("div", { class: "tools" }, compare, make("span", { class: "soft", id: "hint", role: "status" }),
    make("span", { class: "sorting" }, make("label", { for: "sort", class: "soft", text: "sorted by" }), by, turn)));
}

function sortBy(name, turn) {
  order.down = turn ? !order.down : name === order.by ? order.down : !["run", "platform", "line"].includes(name);
  order.by = name;
  drawRows();
}

function drawRows() {
  const place = document.getElementById("rows");
  const columns = [{ name: "choose" }, ...COLUMNS];
  place.replaceChildren(table(columns, sorted().map((row) => [chooser(row), ...COLUMNS.map((column) => column.cell(row))]), { stack: true }));
  place.querySelectorAll("th").forEach((head, i) => {
    if (i === 0) return;
    const column = COLUMNS[i - 1];
    const mine = column.name === order.by;
    head.setAttribute("aria-sort", mine ? (order.down ? "descending" : "ascending") : "none");
    head.replaceChildren(make("button", { type: "button", class: "head", text: column.name + (mine ? (order.down ? " ▾" : " ▴") : ""), onclick: () => {
      sortBy(column.name, mine);
      document.querySelectorAll("#rows th")[i].firstElementChild.focus();
    } }));
  });
  document.getElementById("sort").value = order.by;
  showChoice();
}

function chooser(row) {
  const box = make("input", { type: "checkbox", "aria-label": "Compare " + row.name, onchange: () => {
    if (box.checked) chosen.add(row.name); else chosen.delete(row.name);
    showChoice();
  } });
  box.dataset.run = row.name;
  box.checked = chosen.has(row.name);
  return box;
}

function showChoice() {
  document.getElementById("compare").disabled = chosen.size !== 2;
  document.getElementById("hint").textContent = ["Choose two runs.", "Choose one more.", ""][chosen.size];
  for (const box of document.querySelectorAll("#rows input")) box.disabled = chosen.size === 2 && !box.checked;
}

function drawDrills() {
  if (!drills.length) return;
  const counts = (row) => Object.entries(row.counts).sort().map(([state, n]) => `${n} ${state.replaceAll("_", " ")}`).join(", ");
  const rows = [...drills].sort((a, b) => (a.started < b.started ? 1 : -1)).map((row) => [
    make("a", { href: "drills?" + new URLSearchParams({ name: row.name }), text: row.name }),
    when(row.started), platform(row), row.mean === null ? "none" : row.mean.toFixed(1), row.drills, row.runs, counts(row)]);
  section("drills", "Drill runs").append(make("h2", { text: "Drills" }), table(
    [{ name: "run", width: 140 }, { name: "started", width: 84 }, { name: "platform", width: 110 }, { name: "mean mark", number: true },
      { name: "drills", number: true }, { name: "runs", number: true }, { name: "came to", width: 150 }], rows, { stack: true }));
}

function drawBroken() {
  if (!broken.length) return;
  section("broken", "Runs that cannot be read").append(make("h2", { text: "Cannot be read" }),
    table([{ name: "run", width: 140 }, { name: "why", width: 200 }], broken.map((row) => [row.name, make("span", { class: "bad", text: row.broken })]), { stack: true }));
}

drawHead();
const part = section("runs", "Runs");
if (sound.length) {
  drawTools(part);
  part.append(make("div", { id: "rows" }));
  drawRows();
} else part.append(make("p", { class: "note", text: "No run of calls can be shown. Make one with: offhook demo" }));
drawDrills();
drawBroken();
