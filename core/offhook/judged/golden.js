// Grading calls blind: one call at a time, kept in this browser, saved to a file by a download.
const LABELS = [["met", "met"], ["not_met", "not met"], ["unclear", "can't tell"]];
const place = "offhook-golden-" + data.run;

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (kept && typeof kept.rater === "string" && kept.labels) return kept;
  } catch { /* a browser may keep nothing for a page opened from a file */ }
  return { rater: "", labels: {} };
}

const state = load();
let current = 0;
let saved = true;

function keep() {
  saved = false;
  try { localStorage.setItem(place, JSON.stringify(state)); } catch { /* the download is what counts */ }
}

function entry(call, criterion) {
  const mine = (state.labels[call.id] ||= {});
  return (mine[criterion.id] ||= { label: "", note: "" });
}

const labelOf = (call, criterion) => state.labels[call.id]?.[criterion.id]?.label || "";
const isDone = (call) => call.criteria.every((criterion) => labelOf(call, criterion));

function head() {
  const header = document.getElementById("head");
  header.append(
    make("h1", { text: "Grade calls blind" }),
    make("p", { text: `${many(data.calls.length, "call")}, in an order drawn for this page. Nothing here tells which platform answered or how a judge ruled. Read the whole call, then decide each criterion from what was said.` }),
    make("p", { class: "soft", text: "Keys: 1 met, 2 not met, 3 can't tell (for the criterion in focus, or the first open one), n next call, p previous call." }),
  );
  const bar = section("bar", "Progress");
  const rater = make("input", { id: "rater", autocomplete: "off", value: state.rater });
  rater.addEventListener("input", () => { state.rater = rater.value; keep(); progress(); });
  bar.append(
    make("label", { for: "rater", text: "Your name or initials " }), rater,
    make("button", { id: "previous", type: "button", text: "Previous call", onclick: () => go(current - 1) }),
    make("button", { id: "next", type: "button", text: "Next call", onclick: () => go(current + 1) }),
    make("button", { id: "save", type: "button", text: "Save labels.json", onclick: save }),
    make("p", { id: "progress", role: "status" }),
  );
}

function progress() {
  const done = data.calls.filter(isDone).length;
  document.getElementById("progress").textContent = `Call ${current + 1} of ${data.calls.length}. ${done} graded in full.` + (state.rater.trim() ? "" : " Fill in who you are before you save.");
  document.getElementById("previous").disabled = current === 0;
  document.getElementById("next").disabled = current === data.calls.length - 1;
  document.getElementById("save").disabled = !state.rater.trim();
}

function turn(line) {
  return make("div", { class: `turn ${line.speaker}` },
    make("span", { class: "at", text: clock(line.at) }),
    make("span", { class: "who", text: line.speaker }),
    make("span", { class: "text", text: line.text }));
}

function question(call, criterion, index) {
  const field = make("fieldset", { class: "criterion", "data-criterion": criterion.id }, make("legend", { text: `${index + 1}. ${criterion.text}` }));
  for (const [value, told] of LABELS) {
    const id = `c${index}-${value}`;
    const radio = make("input", { type: "radio", id, name: `c${index}`, value });
    radio.checked = labelOf(call, criterion) === value;
    radio.addEventListener("change", () => decide(call, criterion, value));
    field.append(radio, make("label", { for: id, text: ` ${told} ` }));
  }
  const note = make("input", { class: "remark", "aria-label": `Note on criterion ${index + 1}`, placeholder: "note (optional)", value: state.labels[call.id]?.[criterion.id]?.note || "" });
  note.addEventListener("input", () => { entry(call, criterion).note = note.value; keep(); });
  field.append(note);
  return field;
}

function decide(call, criterion, value) {
  entry(call, criterion).label = value;
  keep();
  progress();
}

function draw() {
  const call = data.calls[current];
  let box = document.getElementById("call");
  if (!box) box = section("call", "The call");
  box.replaceChildren(
    make("h2", { text: `Call ${current + 1}`, tabindex: "-1" }),
    make("h3", { text: "What the caller wants" }),
    lines(call.mission.split("\n")),
    make("h3", { text: "What was said" }),
    make("div", { class: "turns" }, ...call.transcript.map(turn)),
    make("h3", { text: "Your decision" }),
    ...call.criteria.map((criterion, index) => question(call, criterion, index)),
  );
  progress();
}

function go(index) {
  if (index < 0 || index >= data.calls.length) return;
  current = index;
  draw();
  document.querySelector("#call h2").focus();
  window.scrollTo(0, 0);
}

function file() {
  const labels = [];
  for (const call of data.calls) {
    for (const criterion of call.criteria) {
      const mine = state.labels[call.id]?.[criterion.id];
      if (mine && mine.label) labels.push({ call_id: call.id, criterion: criterion.id, label: mine.label, note: mine.note });
    }
  }
  return { version: data.version, run: data.run, rater: state.rater.trim(), labels };
}

function save() {
  const address = URL.createObjectURL(new Blob([JSON.stringify(file(), null, 1)], { type: "application/json" }));
  const link = make("a", { href: address, download: "labels.json" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  saved = true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement && event.target.type !== "radio") return;
  if (event.key === "n" || event.key === "p") {
    go(current + (event.key === "n" ? 1 : -1));
    event.preventDefault();
    return;
  }
  const label = LABELS[Number(event.key) - 1];
  if (!label) return;
  const call = data.calls[current];
  const inFocus = event.target.closest && event.target.closest("fieldset.criterion");
  const index = inFocus
    ? call.criteria.findIndex((criterion) => criterion.id === inFocus.dataset.criterion)
    : call.criteria.findIndex((criterion) => !labelOf(call, criterion));
  if (index < 0) return;
  decide(call, call.criteria[index], label[0]);
  document.getElementById(`c${index}-${label[0]}`).checked = true;
  event.preventDefault();
});

window.addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });

head();
draw();
