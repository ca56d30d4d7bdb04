const share = (value) => (value === null ? "not measured" : percent(value));
const span = (interval) => (interval === null ? "" : `${percent(interval.low)} to ${percent(interval.high)}`);
const money = (value) => (value === null ? "not measured" : "$" + value.toFixed(3));
const rate = (found) => (found.share === null ? ["not measured", "", ""] : [percent(found.share), `${found.passes} of ${found.n}`, span(found.interval)]);
const RATE = [{ name: "share", number: true }, { name: "calls", number: true }, { name: "95 % interval", width: 90 }];

function rates(first, rows) {
  return table([{ name: first, width: 150 }, ...RATE], rows.map(([name, found]) => [name, ...rate(found)]), { stack: true });
}

function lane(name, status, line) {
  return make("div", { class: "lane " + status.replace(" ", "-") }, make("b", { text: name }), make("p", { text: line }));
}

function laneList(lines, lanes) {
  return lines.map(([name, line]) => lane(name, lanes[name].status, line));
}

function listOf(items) {
  return make("ul", {}, ...items.map((text) => make("li", { text })));
}

function draft(stamp) {
  return stamp === "draft" ? "Draft: no frozen manifest stands behind these figures." : `Frozen: ${stamp}.`;
}
