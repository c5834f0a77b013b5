"use strict";
document.documentElement.classList.add("scripted");
const plain = text => text.replace(/\u202f/g, "").replace("\u2212", "-").replace("\u221e", "Infinity");
const value = cell => { const n = parseFloat(plain(cell.textContent)); return Number.isNaN(n) ? null : n; };
const compare = (a, b, name) => {
  if (name) return a.textContent.localeCompare(b.textContent, "en", {numeric: true});
  const x = value(a), y = value(b);
  return x === null ? (y === null ? 0 : 1) : y === null ? -1 : y - x;
};
for (const table of document.querySelectorAll("table.sheet")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const sort = () => {
      const up = head.ariaSort === "descending", name = head.classList.contains("name");
      heads.forEach(other => { other.ariaSort = null; });
      head.ariaSort = up ? "ascending" : "descending";
      rows.sort((a, b) => compare(a.cells[i], b.cells[i], name) * (up ? -1 : 1));
      body.append(...rows);
    };
    head.tabIndex = 0;
    head.title = "Sort by this column";
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
  if (rows.length > 12) {
    const filter = document.createElement("input");
    filter.type = "search";
    filter.placeholder = "Filter rows";
    filter.setAttribute("aria-label", "Filter rows");
    filter.addEventListener("input", () => {
      const want = filter.value.toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(want);
    });
    table.parentNode.before(filter);
  }
}
const unit = seconds => {
  const [scale, name] = seconds >= 1 ? [1, "s"] : seconds >= 1e-3 ? [1e3, "ms"] : [1e6, "\u00b5s"];
  return (seconds * scale).toPrecision(5) + " " + name;
};
for (const drawing of document.querySelectorAll("div.time")) {
  const svg = drawing.querySelector("svg"), said = document.createElement("output");
  const [begin, end, hz] = drawing.dataset.ticks.split(" ").map(Number);
  drawing.append(said);
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect();
    const part = ((event.clientX - box.left) / box.width * 9600 - 1300) / 8290;
    const group = event.target.closest("g"), title = group && group.querySelector("title");
    said.textContent = part < 0 || part > 1 ? "" :
      (title ? title.textContent + " at " : "") + unit((begin + part * (end - begin)) / hz);
  });
  svg.addEventListener("pointerleave", () => { said.textContent = ""; });
}
for (const wide of document.querySelectorAll("div.zooms .wide")) {
  const bar = document.createElement("p");
  bar.className = "zoom";
  for (const times of [1, 2, 4, 8, 16]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = times + "\u00d7";
    button.addEventListener("click", () => {
      const middle = (wide.scrollLeft + wide.clientWidth / 2) / wide.scrollWidth;
      for (const svg of wide.querySelectorAll("svg")) svg.style.width = times * 100 + "%";
      wide.style.overflowX = times > 1 ? "auto" : "";
      wide.scrollLeft = middle * wide.scrollWidth - wide.clientWidth / 2;
    });
    bar.append(button);
  }
  wide.before(bar);
}
