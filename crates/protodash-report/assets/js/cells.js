// All columns of a row, on demand: cards show the most unusual ones first.

const cellLine = ([name, typical], { text, exact, remark }) => {
  const line = make("tr");
  const head = make("th");
  head.append(shownName(name));
  head.scope = "row";
  const [value, usual] = [make("td"), make("td", "", "typical")];
  value.append(inShort(text));
  if (exact !== undefined) value.title = exact;
  usual.append(inShort(typical));
  line.append(head, value, usual, make("td", remark, "remark"));
  return line;
};

/** Toggles between all cells of a card and the few it starts with. */
const toggleCells = (button, row, columns) => {
  const body = button.previousElementSibling.tBodies[0];
  const open = button.getAttribute("aria-expanded") === "true";
  if (open) {
    body.replaceChildren(...button.fewLines);
    button.textContent = button.closedText;
  } else {
    button.fewLines = [...body.rows];
    button.closedText = button.textContent;
    body.replaceChildren(...row.cells.map((cell, place) => cellLine(columns[place], cell)));
    button.textContent = "fewer columns";
  }
  button.setAttribute("aria-expanded", String(!open));
};

const setUpCells = (view) => {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.more");
    if (!button) return;
    const card = button.closest(".card");
    const { rank, criticism } = card.dataset;
    const row = rank ? view.prototypes[rank - 1] : view.criticisms[criticism - 1];
    toggleCells(button, row, view.columns);
  });
};
