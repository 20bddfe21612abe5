// The page of a selection.

/** The table for a number of prototypes. */
const setUpTableAtSize = () => {
  const lines = all("#prototype-table tbody tr").map((row) => ({
    row,
    rank: Number(row.dataset.rank),
    weight: row.querySelector(".weight"),
    share: row.querySelector(".share"),
    stands: row.querySelector(".stands"),
  }));
  const put = (cell, value, text) => {
    cell.textContent = text;
    cell.dataset.value = String(value);
  };
  return ({ size, weights, shares, stands }) => {
    for (const line of lines) {
      const at = line.rank - 1;
      line.row.hidden = at >= size || weights[at] <= 0;
      if (at >= size) continue;
      put(line.weight, weights[at], short(weights[at]));
      put(line.share, shares[at], percent(shares[at]));
      if (stands && line.stands) put(line.stands, stands[at], count(stands[at]));
    }
    sortAgain(byId("prototype-table"));
  };
};

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
{
  const view = readData("view");
  if (view.prototypes.length) {
    setUpCells(view);
    const whole = wholeRun(view);
    const map = whenSeen(byId("map"), setUpMap(view));
    const table = whenSeen(byId("table"), setUpTableAtSize());
    const distributions = whenSeen(byId("distributions"), setUpDistributions(view, whole));
    setUpSize(view, [setUpCards(whole), map, table, distributions]);
  }
}
