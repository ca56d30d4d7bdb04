const data = JSON.parse(document.getElementById("data").textContent);

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
const percent = (value) => Math.round(value * 100) + "\u00a0%";
const clock = (value) => Math.floor(value / 60) + ":" + (value % 60).toFixed(1).padStart(4, "0");
const interval = (low, high) => `${percent(low)} to ${percent(high)}`;
const many = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const bare = (text) => text.replace(/^not measured: /, "");
const lines = (entries) => (entries.length ? make("pre", { text: entries.join("\n") }) : "");
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

// In the reader's own time; the hyphens keep the date on one line.
const when = (iso) => {
  const at = new Date(iso);
  const two = (value) => String(value).padStart(2, "0");
  return Number.isNaN(at.getTime()) ? iso : `${at.getFullYear()}\u2011${two(at.getMonth() + 1)}\u2011${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

function section(id, label) {
  const node = make("section", { id, "aria-label": label });
  document.getElementById("main").append(node);
  return node;
}

function card(title, value, detail) {
  return make("div", { class: "card" }, make("span", { class: "soft", text: title }), make("b", { text: value }), make("small", { text: detail }));
}

function standing(run) {
  if (run.saboteur) return " The platform is a saboteur: offhook's reference with one fault built in, meant to fail wherever the fault can show. It tests the graders and is no contestant.";
  return run.harness_reference ? " The platform is offhook's own reference: it shows that the harness works and is no contestant." : "";
}

// The way back to the list, where a page has one.
function crumb() {
  if (data.home) document.querySelector(".brand").append(" · ", make("a", { href: data.home, text: "all runs" }));
}

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
