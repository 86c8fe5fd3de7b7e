// Unpacks the pages of formulas and findings, sorts, filters and copies. The tables can be read without it.
"use strict";
const said = document.getElementById("said");
const all = (root, selector) => [...root.querySelectorAll(selector)];

function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}

function addCopyButtons(root) {
  for (const source of all(root, "[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${source.dataset.copy}`);
    button.addEventListener("click", async () => {
      await copyText(source.textContent);
      said.textContent = "Copied";
      button.classList.add("done");
      setTimeout(() => { button.classList.remove("done"); said.textContent = ""; }, 4000);
    });
    source.after(" ", button);
  }
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const parsed = new DOMParser().parseFromString(await new Response(stream).text(), "text/html");
  addCopyButtons(parsed);
  packed.replaceWith(...parsed.body.childNodes);
  // What the address names is only now on the page: going there again makes it the target.
  if (location.hash) location.replace(location.hash);
  document.documentElement.dataset.unpacked = "";
  tellAbsent();
}

addCopyButtons(document);
if (document.getElementById("packed")) {
  unpack(document.getElementById("packed")).catch(error => { said.textContent = `Not unpacked: ${error}`; throw error; });
}

const text = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const number = cell => cell && cell.dataset.s ? Number(cell.dataset.s) : -Infinity;
const verdict = cell => cell.classList[0];
const differs = row => all(row, "td").filter(cell => !["agrees", "not_offered", "note"].includes(verdict(cell))).length;

// A formula in one column: its letter; what is not identified is like no other, and what is absent comes last.
const formulaOf = cell => {
  const kind = cell ? verdict(cell) : "note";
  if (["note", "not_offered"].includes(kind)) return "~~";
  if (["ambiguous", "unexplained", "unstable"].includes(kind) || !cell.dataset.s && !cell.querySelector("small")) return "~";
  const words = cell.querySelector("small").cloneNode(true);
  const chip = words.querySelector(".chip");
  words.querySelector("i")?.remove();
  chip?.remove();
  const label = words.textContent.trim();
  return `${label === "canonical" ? 0 : chip ? chip.textContent.length : 1}${chip ? chip.textContent : ""} ${label}`;
};

// What is chosen stands in the address, so that it can be sent to somebody.
function keepChoices(choices) {
  const address = new URL(location);
  address.search = new URLSearchParams(choices);
  try { history.replaceState(null, "", address); } catch { /* an address that may not change, as in a preview */ }
}

for (const figure of all(document, ".matrix")) {
  const form = figure.querySelector("form");
  const box = figure.querySelector(".scroll");
  const body = figure.querySelector("tbody");
  const heads = all(figure, "thead tr:first-child th");
  const rows = [...body.rows].map((row, place) => ({ row, place }));
  let by = { column: 0, down: true };

  const column = () => Number(form.elements.metric.value) || 0;
  const kindOf = row => column() ? formulaOf(row.cells[column()]) : row.dataset.same;

  const orders = {
    run: () => 0,
    library: (a, b) => text.compare(a.row.dataset.title, b.row.dataset.title),
    version: (a, b) => text.compare(b.row.dataset.version, a.row.dataset.version),
    same: (a, b) => column() ? (kindOf(a.row) > kindOf(b.row)) - (kindOf(a.row) < kindOf(b.row)) : a.row.dataset.same - b.row.dataset.same,
    differing: (a, b) => differs(b.row) - differs(a.row),
    value: (a, b) => {
      const [x, y] = [number(a.row.cells[by.column]), number(b.row.cells[by.column])];
      return x === y || (Number.isNaN(x) && Number.isNaN(y)) ? 0 : (by.down ? y - x : x - y) || 0;
    },
  };

  function show() {
    const want = Object.fromEntries(new FormData(form));
    const fits = cell => (!want.verdict || verdict(cell) === want.verdict)
      && (!want.level || (cell.dataset.l || "").includes(want.level));
    if (want.order === "value" && !by.column) by.column = column() || 1;
    for (const row of all(figure, "tr")) {
      if (row.querySelector(".note")) continue;
      [...row.cells].forEach((cell, place) => { cell.hidden = column() > 0 && place > 0 && place !== column(); });
    }
    let shown = 0;
    for (const { row } of rows) {
      const cells = all(row, "td");
      const seen = cells.filter(cell => !cell.hidden);
      for (const cell of cells) cell.classList.toggle("dim", !fits(cell));
      row.hidden = (want.library && row.dataset.library !== want.library)
        || (want.version === "newest" && row.dataset.newest !== "1")
        || (want.version.startsWith("=") && row.dataset.version !== want.version.slice(1))
        || (column() > 0 && kindOf(row) === "~~")
        || ((want.verdict || want.level) && !seen.some(fits));
      shown += row.hidden ? 0 : 1;
    }
    const compare = orders[want.order];
    const sorted = [...rows].sort((a, b) => compare(a, b) || a.place - b.place);
    body.append(...sorted.map(each => each.row));
    sorted.forEach(({ row }, place) => {
      const before = sorted[place - 1];
      row.classList.toggle("apart", want.order === "same" && Boolean(before) && kindOf(before.row) !== kindOf(row));
    });
    heads.forEach((head, place) => {
      if (want.order === "value" && place === by.column) head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    form.querySelector("output").textContent = `${shown} of ${rows.length} library versions`;
    tellBeyond();
  }

  function tellBeyond() {
    const edge = box.getBoundingClientRect().right;
    const beyond = heads.filter(head => !head.hidden && head.getBoundingClientRect().left > edge - 40);
    const names = beyond.slice(0, 6).map(head => head.textContent.trim()).join(", ");
    figure.querySelector(".beyond").textContent = beyond.length
      ? `To the right, out of sight: ${names}${beyond.length > 6 ? ` and ${beyond.length - 6} more` : ""}.` : "";
  }

  function keep() {
    const chosen = all(form, "select").filter(each => each.selectedIndex > 0).map(each => [each.name, each.selectedOptions[0].text]);
    if (form.elements.order.value === "value") chosen.push(["by", heads[by.column].textContent.trim()], ["down", Number(by.down)]);
    keepChoices(chosen);
  }

  function recall() {
    const asked = new URLSearchParams(location.search);
    for (const each of all(form, "select")) {
      const place = [...each.options].findIndex(option => option.text === asked.get(each.name));
      if (place > 0) each.selectedIndex = place;
    }
    const place = heads.findIndex(head => asked.has("by") && head.textContent.trim() === asked.get("by"));
    if (place > 0) by = { column: place, down: asked.get("down") !== "0" };
  }

  heads.forEach((head, place) => {
    if (!place) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
    button.addEventListener("click", () => {
      by = { column: place, down: by.column === place && form.elements.order.value === "value" ? !by.down : true };
      form.elements.order.value = "value";
      show();
      keep();
    });
    head.append(button);
  });
  form.elements.metric.addEventListener("input", () => { if (column() && form.elements.order.value === "run") form.elements.order.value = "same"; });
  form.addEventListener("input", () => { show(); keep(); });
  box.addEventListener("scroll", tellBeyond);
  addEventListener("resize", tellBeyond);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { by = { column: 0, down: true }; show(); keep(); }));
  form.hidden = false;
  recall();
  show();
}

for (const link of all(document, ".edge-matrix td a")) {
  link.title = document.getElementById(link.hash.slice(1)).textContent;
}

for (const form of all(document, "form[data-filters]")) {
  const groups = all(form.parentElement, "[data-library]");
  const bodies = all(form.parentElement, "tbody").filter(body => body.querySelector("tr[data-library]"));
  const heads = all(form.parentElement, "thead tr:first-child th");
  const show = () => {
    const want = Object.fromEntries(new FormData(form));
    for (const group of groups) group.hidden = Boolean(want.library) && !group.dataset.library.split(" ").includes(want.library);
    for (const body of bodies) body.hidden = all(body, "tr[data-library]").every(row => row.hidden);
    heads.forEach((head, place) => {
      if (!head.dataset.level) return;
      const hidden = Boolean(want.level) && head.dataset.level !== want.level;
      for (const row of head.closest("table").rows) if (row.cells.length === heads.length) row.cells[place].hidden = hidden;
    });
    const shown = groups.filter(group => !group.hidden).length;
    form.querySelector("output").textContent = `${shown} of ${groups.length} ${form.dataset.filters}`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  form.hidden = false;
  show();
}

function markPlace() {
  for (const link of all(document, ".bar a")) {
    if (link.hash === (location.hash || "#overview")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
addEventListener("hashchange", markPlace);
markPlace();

// An address from an older report may name what this one does not have: the start is shown, and the reader is told.
function tellAbsent(event) {
  let name = location.hash.slice(1);
  try { name = decodeURIComponent(name); } catch { /* shown as it is written */ }
  const from = event ? new URL(event.oldURL).hash : "";
  const absent = document.getElementById("absent");
  if (!absent || !("unpacked" in document.documentElement.dataset)) return;
  absent.hidden = !name || name === "top" || Boolean(document.getElementById(name));
  absent.querySelector("code").textContent = name;
  absent.querySelector("a").href = from && document.getElementById(from.slice(1)) ? from : "#overview";
  absent.querySelector("a").textContent = absent.querySelector("a").hash === "#overview" ? "To the overview" : "Back";
}
addEventListener("hashchange", tellAbsent);

const search = document.querySelector(".search");
if (search) {
  const [field, list] = search.children;
  const places = () => [
    ...all(document, "#metrics .index a, #libraries .index a").map(link => [link.textContent.trim(), link.hash]),
    ...all(document, "article.finding > header").map(head => [all(head, "h1, .function code").map(each => each.textContent.trim()).join(" "), `#${head.id}`]),
  ];
  const find = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? places().filter(([name]) => words.every(word => name.toLowerCase().includes(word))) : [];
    list.replaceChildren(...found.slice(0, 12).map(([name, hash]) => {
      const item = document.createElement("li");
      const link = item.appendChild(document.createElement("a"));
      [link.textContent, link.href] = [name.replace(/\s+/g, " "), hash];
      return item;
    }));
    said.textContent = words.length ? `${found.length} found` : "";
  };
  field.addEventListener("input", find);
  search.addEventListener("submit", event => { event.preventDefault(); list.querySelector("a")?.click(); });
  list.addEventListener("click", () => { field.value = ""; find(); });
  search.addEventListener("keydown", event => { if (event.key === "Escape") { field.value = ""; find(); } });
  search.hidden = false;
}
