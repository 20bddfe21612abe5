// Tables that are sorted by the column whose head is pressed.

const cellValue = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
};

const compareText = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

const compareCells = (column) => (one, other) => {
  const [a, b] = [cellValue(one, column), cellValue(other, column)];
  return typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b));
};

const sortTable = (table, column, ascending) => {
  const body = table.tBodies[0];
  const order = compareCells(column);
  const rows = [...body.rows].sort((one, other) => (ascending ? order(one, other) : order(other, one)));
  body.append(...rows);
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    if (place === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
};

const setUpSorting = () => {
  for (const table of all("table.sortable")) {
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      if (head.classList.contains("plain-head")) continue;
      const button = make("button", head.textContent);
      button.type = "button";
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        // Numbers are wanted largest first, names in the order of the alphabet.
        const isNumber = table.tBodies[0].rows[0]?.cells[column].dataset.value !== undefined;
        const before = head.getAttribute("aria-sort");
        const ascending = before ? before === "descending" : !isNumber || column === 0;
        sortTable(table, column, ascending);
      });
    }
  }
};
