const run = data.run;
const sample = data.sample;
const shelf = `offhook-audit-${run.id}-${sample.digest}`;
const answers = new Map();

// A browser may refuse to keep anything for a page on disk; the form works without.
function recall() {
  try { return JSON.parse(localStorage.getItem(shelf)) || {}; } catch { return {}; }
}

function keep() {
  try { localStorage.setItem(shelf, JSON.stringify(filled())); } catch { /* the reviewer saves the file */ }
}

function filled() {
  return {
    version: sample.version, run_id: run.id, sample: sample.digest, reviewer: document.getElementById("who").value.trim(),
    answers: [...answers.values()].filter((each) => each.cause || each.verdict || each.note),
  };
}

const due = () => data.calls.filter((call) => call.duty);
const answered = (call) => {
  const given = answers.get(call.id);
  return Boolean(given && (given.verdict === "wrong" || (call.duty === "attribute" ? given.cause : given.verdict)));
};

function drawHead() {
  const strata = Object.entries(sample.strata);
  document.getElementById("head").append(
    make("h1", { text: `Audit of ${run.id}` }),
    make("p", { class: "soft", text: `${many(data.calls.length, "call")} drawn with seed ${sample.seed}, ${percent(sample.share)} of each of ${strata.length} ${strata.length === 1 ? "stratum" : "strata"}. ` +
      "Say for each failed call what caused it, the first cause that applies, and for each passing call that is to be checked whether it should have passed." }));
  const name = make("input", { id: "who", type: "text", autocomplete: "off", spellcheck: "false", oninput: () => { keep(); count(); } });
  const bar = make("div", { id: "bar" }, make("label", {}, "Reviewer ", name),
    make("button", { type: "button", id: "save", text: "Save the form", onclick: save }), make("span", { id: "left", class: "soft", role: "status" }));
  document.getElementById("main").append(bar);
}

function count() {
  const open = due().filter((call) => !answered(call)).length;
  const name = document.getElementById("who").value.trim();
  const usable = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name);
  document.getElementById("save").disabled = !usable;
  document.getElementById("left").textContent = (open ? `${many(open, "call")} still open` : "all answered") +
    (usable ? "" : name ? ": the name may hold letters, digits, '.', '_' and '-' only" : ": enter a name to save");
}

function save() {
  const text = JSON.stringify(filled(), null, 1) + "\n";
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `audit-${run.id}-${filled().reviewer}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function answerForm(call, mark) {
  const given = answers.get(call.id) || { call_id: call.id, cause: 0, verdict: "", note: "" };
  const set = (field, value) => {
    given[field] = value;
    answers.set(call.id, given);
    keep(); count(); mark();
  };
  const choose = (field, options) => {
    const select = make("select", { onchange: (event) => set(field, field === "cause" ? Number(event.target.value) : event.target.value) },
      ...options.map(([value, text]) => make("option", { value, text })));
    select.value = String(given[field]);
    return select;
  };
  const fields = [];
  if (call.state === "failed") fields.push(make("label", {}, "Cause, the first that applies",
    choose("cause", [["0", "not decided"], ...Object.entries(data.causes).map(([n, text]) => [n, `${n} ${text}`])])));
  fields.push(make("label", {}, `Graded ${call.state === "failed" ? "fail" : "pass"}: is that right?`,
    choose("verdict", [["", "not decided"], ["right", "right"], ["wrong", call.state === "failed" ? "wrong, it should pass" : "wrong, it should fail"]])));
  const note = make("input", { type: "text", value: given.note, oninput: (event) => set("note", event.target.value) });
  fields.push(make("label", { class: "note-field" }, "Note: what shows it, and where", note));
  return make("form", { class: "answer", onsubmit: (event) => event.preventDefault() }, ...fields);
}

function drawCalls() {
  const place = make("div", { id: "calls" });
  for (const call of data.calls) {
    const done = make("span", { class: "soft" });
    const mark = () => { done.textContent = !call.duty ? "not to be reviewed" : answered(call) ? "✓ answered" : call.duty; };
    const node = make("details", { class: "call", id: "call-" + call.id },
      make("summary", {}, make("b", { class: call.state === "passed" ? "good" : "bad", text: call.state }),
        make("span", { text: `${call.pack}/${call.task} run ${call.run}` }), make("span", { class: "soft", text: call.stratum }), done));
    mark();
    let drawn = false;
    node.addEventListener("toggle", () => {
      if (!node.open || drawn) return;
      drawn = true;
      if (call.duty) node.append(answerForm(call, mark));
      node.append(callBody(call));
    });
    place.append(node);
  }
  if (!data.calls.length) place.append(make("p", { class: "soft", text: "No call was graded, so none was drawn." }));
  const part = section("all-calls", "Drawn calls");
  part.append(place);
  const first = due()[0];
  if (first) document.getElementById("call-" + first.id).open = true;
}

const before = recall();
for (const each of before.answers || []) answers.set(each.call_id, each);
drawHead();
document.getElementById("who").value = before.reviewer || "";
drawCalls();
count();
