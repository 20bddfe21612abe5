// Sorts tables by the column whose header is clicked.

/** The sort key of a cell: a number, a text, or null if it is empty. */
const cellValue = (row, column) => {
  const cell = row.cells[column];
  const { value } = cell.dataset;
  if (value === undefined) return cell.textContent || null;
  return value === "" ? null : Number(value);
};

const compareText = new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare;

const compareValues = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : compareText(String(a), String(b)));

/** The lines that are sorted: lines before them describe the columns. */
const sortedBody = (table) => table.tBodies[table.tBodies.length - 1];

const sortTable = (table, column, ascending) => {
  const body = sortedBody(table);
  const rows = [...body.rows].map((row) => ({ row, value: cellValue(row, column) }));
  rows.sort((one, other) => {
    // Empty cells sort to the end in both directions.
    if (one.value === null || other.value === null) return (one.value === null) - (other.value === null);
    return ascending ? compareValues(one.value, other.value) : compareValues(other.value, one.value);
  });
  body.append(...rows.map(({ row }) => row));
  for (const [place, head] of [...table.tHead.rows[0].cells].entries()) {
    if (place === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
};

/** Restores the sort order after values have changed. */
const sortAgain = (table) => {
  const head = table.querySelector("thead th[aria-sort]");
  if (head) sortTable(table, head.cellIndex, head.getAttribute("aria-sort") === "ascending");
};

const makeSortable = (table) => {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    if (head.classList.contains("plain-head")) continue;
    const button = make("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers sort largest first, names alphabetically.
      const isNumber = sortedBody(table).rows[0]?.cells[column].dataset.value !== undefined;
      const before = head.getAttribute("aria-sort");
      const ascending = before ? before === "descending" : !isNumber || column === 0;
      sortTable(table, column, ascending);
    });
  }
};

const setUpSorting = () => all("table.sortable").forEach(makeSortable);
