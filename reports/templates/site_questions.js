// Answers questions from DATA, which the build exports: what libraries compute, what signatures say, which numbers fit.
"use strict";
const form = id => document.querySelector(`#${id}.ask`);
// Every text is set as text: nothing that is pasted or recorded becomes markup.
function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}
const paragraph = (...children) => element("p", ...children);
const list = rows => element("ul", ...rows.map(row => element("li", ...[row].flat())));
const answer = (id, ...children) => form(id).querySelector("output").replaceChildren(...children);
function fill(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  if (options.some(([value]) => value === before)) select.value = before;
}
const titled = metric => DATA.metrics[metric] ? DATA.metrics[metric].title : metric;

// What does this library compute?
function tellLibrary() {
  const { library, metric } = form("library").elements;
  const own = DATA.findings.filter(each => each.library === library.value);
  fill(metric, [...new Set(own.map(each => each.metric))].map(each => [each, titled(each)]));
  const told = own.filter(each => each.metric === metric.value).map(each => [
    paragraph(element("code", each.function), ": ", each.words || each.verdict),
    each.signature ? paragraph("Signature ", element("code", each.signature), ". ", each.verdict, ".") : "",
    each.formula ? tellSame(each.metric, each.formula, library.value) : "",
  ]);
  answer("library", ...(told.length ? told.flat() : [paragraph("No function was measured in the recorded run.")]));
}
// Who computes a formula, whatever the order of its axes; a library that is named already is left out.
function tellSame(metric, formula, without) {
  const parts = text => text.split("|").sort().join("|");
  const others = DATA.findings.filter(each => each.metric === metric && each.library !== without && parts(each.formula) === parts(formula));
  const rows = others.map(each => [`${DATA.libraries[each.library]}: `, element("code", each.function)]);
  if (!rows.length) return paragraph(`No ${without && "other "}library of the recorded run computes this formula under this signature.`);
  const summary = `${without ? "Other libraries" : "Libraries"} that compute this formula: ${new Set(others.map(each => each.library)).size}`;
  return element("details", element("summary", summary), list(rows));
}
// What does this signature say?
const NUMBER = /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/;
function meaning(axis, value) {
  if (Object.hasOwn(axis.values, value)) return axis.values[value];
  if (axis.number && NUMBER.test(value)) return axis.number.replace("{}", value);
  const more = value.startsWith("above_") ? value.slice(6) : "";
  return axis.more && NUMBER.test(more) && Number(more) > 0 ? axis.more.replace("{}", more) : null;
}
function readSignature(text) {
  const [head, ...pairs] = text.trim().split("|");
  const [, name, cut] = head.match(/^(.*?)(?:(?:@|_at_|_(?=\d+$))(\w+))?$/);
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (!Object.hasOwn(DATA.names, letters)) throw new Error(`No metric ${name} is known.`);
  const [metric, implied] = DATA.names[letters].split("|");
  if (implied && !pairs.length) pairs.push(implied);
  const follows = pairs.filter(pair => Object.hasOwn(DATA.metrics[metric].implied, pair)).map(pair => DATA.metrics[metric].implied[pair]);
  if (!pairs.some(pair => pair.startsWith("relevance:"))) pairs.push(...follows.slice(0, 1));
  if (cut === "0") throw new Error("A cut-off of 0 shows nothing.");
  const axes = DATA.metrics[metric].axes.map(place => DATA.axes[place]);
  const told = pairs.map(pair => {
    const [axisName, value] = [pair.split(":")[0], pair.split(":").slice(1).join(":")];
    const axis = axes.find(each => each.name === axisName);
    if (!axis) throw new Error(`${titled(metric)} has no axis ${axisName}; it has ${axes.map(each => each.name).join(", ")}.`);
    const words = meaning(axis, value);
    if (words === null) throw new Error(`Axis ${axisName} has no value ${value}; it has ${Object.keys(axis.values).join(", ")}${axis.number ? " or a number" : ""}.`);
    return { axis, value, words };
  });
  const named = told.map(each => each.axis.name);
  if (new Set(named).size < named.length) throw new Error("An axis stands twice.");
  return { metric, cut, told, others: axes.filter(axis => !named.includes(axis.name)) };
}
function tellSignature() {
  let read;
  try { read = readSignature(form("signature").elements.signature.value); } catch (error) { answer("signature", paragraph(error.message)); return; }
  const { metric, cut, told, others } = read;
  const moved = told.filter(({ axis, value }) => value !== axis.canonical);
  const row = (axis, value, words) => [element("code", `${axis.name}:${value}`), ` (${axis.asks}): ${words}`];
  const uncut = !DATA.metrics[metric].cut || moved.some(({ axis, value }) => axis.name === "cutoff" && value === "none");
  const signed = (each, k) => [metric + (uncut ? "" : `@${k}`), ...each.map(({ axis, value }) => `${axis.name}:${value}`)].join("|");
  answer("signature",
    paragraph(`${titled(metric)}${cut ? ` at the cut-off ${cut}` : ""}${moved.length ? ", not canonical in:" : ": the canonical definition."}`),
    moved.length ? list(moved.map(({ axis, value, words }) => row(axis, value, words))) : "",
    tellSame(metric, signed(moved.filter(each => each.axis.formula), "k"), ""),
    element("details", element("summary", "All else is canonical"), list(others.map(axis => row(axis, axis.canonical, meaning(axis, axis.canonical) || "")))),
    paragraph("Whether these choices go together, the formula and a worked example: ", element("code", `audit explain '${signed(moved, cut || "k")}'`)));
}

// Can these printed numbers be right together?
const EPS = 1e-9;
function readNumber(text) {
  const found = text.trim().match(/^(\d*\.?\d*)\s*(%?)$/);
  if (!found || !/\d/.test(found[1])) throw new Error(`${text} is not a number as printed, such as 0.1571 or 15.7 %.`);
  const digits = (found[1].split(".")[1] || "").length + (found[2] ? 2 : 0);
  const [value, half] = [Number(found[1]) / (found[2] ? 100 : 1), 0.5 * 10 ** -digits];
  return { low: value - half, high: value + half };
}
// The least cost of shares x >= 0 with rows x = b >= 0, by the simplex method with Bland's rule; null if there are none.
function least(rows, b, cost) {
  const [size, count] = [cost.length, rows.length];
  const table = rows.map((row, i) => [...row, ...rows.map((_, j) => Number(i === j)), b[i]]);
  const basis = rows.map((_, i) => size + i);
  const run = costs => {
    for (;;) {
      const enter = cost.findIndex((_, j) => costs[j] - basis.reduce((sum, at, i) => sum + costs[at] * table[i][j], 0) < -1e-11);
      if (enter < 0) return basis.reduce((sum, at, i) => sum + costs[at] * table[i].at(-1), 0);
      const ratio = i => basis[i] >= size && costs[basis[i]] === 0 && Math.abs(table[i][enter]) > 1e-11 ? 0
        : table[i][enter] > 1e-11 ? table[i].at(-1) / table[i][enter] : Infinity;
      const leave = [...basis.keys()].reduce((best, i) => ratio(i) < ratio(best) || (ratio(i) === ratio(best) && basis[i] < basis[best]) ? i : best);
      if (ratio(leave) === Infinity) return -Infinity;
      const by = table[leave][enter];
      table[leave] = table[leave].map(each => each / by);
      for (let i = 0; i < count; i += 1) {
        const times = table[i][enter];
        if (i !== leave && times !== 0) table[i] = table[i].map((each, j) => each - times * table[leave][j]);
      }
      basis[leave] = enter;
    }
  };
  const artificial = [...cost.map(() => 0), ...rows.map(() => 1)];
  return run(artificial) > 1e-10 ? null : run([...cost, ...rows.map(() => 0)]);
}
// A user is in one of these states: the item at rank 1, 2, ..., or missed. Means are mixtures of the states' values.
function extremes(given, target) {
  const deepest = Math.max(...[...given, target].map(each => each.k));
  const values = each => [...Array(deepest + 1).keys()].map(at => at < each.k ? DATA.ranks[each.metric][at] : 0);
  if (given.some(each => each.high < 0 || each.low > 1 + EPS)) return null;
  const spare = 2 * given.length;
  const unit = (...places) => [...Array(spare).keys()].map(place => Number(places.includes(place)));
  const rows = [[...values(target).map(() => 1), ...unit()]];
  const b = [1];
  given.forEach((each, at) => {
    rows.push([...values(each), ...unit(2 * at)], [...values(target).map(() => 0), ...unit(2 * at, 2 * at + 1)]);
    b.push(each.high + EPS, each.high - each.low + 2 * EPS);
  });
  const [low, high] = [1, -1].map(sign => least(rows, b, [...values(target).map(each => sign * each), ...unit()]));
  return low === null ? null : [low, -high];
}
function tellNumbers() {
  const { elements } = form("numbers");
  const given = [];
  try {
    for (const at of [0, 1, 2]) {
      if (!elements[`value${at}`].value.trim()) continue;
      const [metric, k] = [elements[`metric${at}`].value, Number(elements[`k${at}`].value)];
      if (!(Number.isInteger(k) && k >= 1 && k <= DATA.ranks[metric].length)) throw new Error(`A cut-off is a whole number from 1 to ${DATA.ranks[metric].length}.`);
      given.push({ metric, k, text: `${titled(metric)}@${k}`, ...readNumber(elements[`value${at}`].value) });
    }
  } catch (error) { answer("numbers", paragraph(error.message)); return; }
  if (!given.length) { answer("numbers", paragraph("Type the numbers of a table.")); return; }
  const possible = extremes(given, given[0]) !== null;
  const follows = given.map(each => [each, extremes(given.filter(other => other !== each), each)]).filter(([, ends]) => ends);
  answer("numbers",
    paragraph(element("strong", possible ? "Possible" : "Impossible"), possible ? ": some users with one relevant item each have these numbers together." : ": no users with one relevant item each have these numbers together."),
    list(follows.map(([each, [low, high]]) => `${given.length > 1 ? "By the others, " : ""}${each.text} is ${low.toFixed(4)} to ${high.toFixed(4)}.`)));
}

fill(form("library").elements.library, Object.entries(DATA.libraries));
const usual = [["hit_rate", "HR, Recall"], ["ndcg", "NDCG"], ["reciprocal_rank", "MRR, MAP"]];
const printed = ["0.512", "0.302", "0.20"];
form("numbers").querySelector("div").append(...usual.map(([chosen], at) => {
  const select = element("select", ...usual.map(([value, text]) => new Option(text, value, false, value === chosen)));
  const [k, value] = [element("input"), element("input")];
  [select.name, k.name, value.name, k.value, value.value, k.inputMode] = [`metric${at}`, `k${at}`, `value${at}`, "10", printed[at], "numeric"];
  return element("div", element("label", "Metric ", select), element("label", "k ", k), element("label", "printed ", value));
}));
for (const [id, tell] of [["library", tellLibrary], ["signature", tellSignature], ["numbers", tellNumbers]]) {
  form(id).addEventListener("input", tell);
  form(id).addEventListener("submit", event => event.preventDefault());
  tell();
}
