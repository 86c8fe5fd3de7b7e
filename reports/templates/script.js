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
}

addCopyButtons(document);
if (document.getElementById("packed")) {
  unpack(document.getElementById("packed")).catch(error => { said.textContent = `Not unpacked: ${error}`; throw error; });
}

const text = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const number = cell => cell && cell.dataset.s ? Number(cell.dataset.s) : -Infinity;
const verdict = cell => cell.classList[0];
const differs = row => all(row, "td").filter(cell => !["agrees", "not_offered", "note"].includes(verdict(cell))).length;

for (const figure of all(document, ".matrix")) {
  const form = figure.querySelector("form");
  const body = figure.querySelector("tbody");
  const heads = all(figure, "thead tr:first-child th");
  const rows = [...body.rows].map((row, place) => ({ row, place }));
  let by = { column: 0, down: true };

  const orders = {
    run: () => 0,
    library: (a, b) => text.compare(a.row.dataset.title, b.row.dataset.title),
    version: (a, b) => text.compare(b.row.dataset.version, a.row.dataset.version),
    same: (a, b) => a.row.dataset.same - b.row.dataset.same,
    differing: (a, b) => differs(b.row) - differs(a.row),
    value: (a, b) => {
      const [x, y] = [number(a.row.cells[by.column]), number(b.row.cells[by.column])];
      return x === y || (Number.isNaN(x) && Number.isNaN(y)) ? 0 : (by.down ? y - x : x - y) || 0;
    },
  };

  function show() {
    const want = Object.fromEntries(new FormData(form));
    const column = Number(want.metric) || 0;
    const fits = cell => (!want.verdict || verdict(cell) === want.verdict)
      && (!want.level || (cell.dataset.l || "").includes(want.level));
    if (want.order === "value" && !by.column) by.column = column || 1;
    for (const row of all(figure, "tr")) {
      if (row.querySelector(".note")) continue;
      [...row.cells].forEach((cell, place) => { cell.hidden = column > 0 && place > 0 && place !== column; });
    }
    let shown = 0;
    for (const { row } of rows) {
      const cells = all(row, "td");
      const seen = cells.filter(cell => !cell.hidden);
      for (const cell of cells) cell.classList.toggle("dim", !fits(cell));
      row.hidden = (want.library && row.dataset.library !== want.library)
        || (want.version === "newest" && row.dataset.newest !== "1")
        || (want.version.startsWith("=") && row.dataset.version !== want.version.slice(1))
        || ((want.verdict || want.level) && !seen.some(fits));
      shown += row.hidden ? 0 : 1;
    }
    const compare = orders[want.order];
    const sorted = [...rows].sort((a, b) => compare(a, b) || a.place - b.place);
    body.append(...sorted.map(each => each.row));
    sorted.forEach(({ row }, place) => {
      const before = sorted[place - 1];
      row.classList.toggle("apart", want.order === "same" && Boolean(before) && before.row.dataset.same !== row.dataset.same);
    });
    heads.forEach((head, place) => {
      if (want.order === "value" && place === by.column) head.setAttribute("aria-sort", by.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    form.querySelector("output").textContent = `${shown} of ${rows.length} library versions`;
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
    });
    head.append(button);
  });
  form.addEventListener("input", show);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { by = { column: 0, down: true }; show(); }));
  form.hidden = false;
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
