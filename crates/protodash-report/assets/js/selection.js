// The page of a selection.

const setUpTableAtSize = () => {
  const rows = all("#prototype-table tbody tr");
  return (state) => {
    for (const row of rows) {
      const rank = Number(row.dataset.rank);
      row.hidden = rank > state.size;
      if (row.hidden) continue;
      const put = (name, value, text) => {
        const cell = row.querySelector(`.${name}`);
        cell.textContent = text;
        cell.dataset.value = String(value);
      };
      put("weight", state.weights[rank - 1], short(state.weights[rank - 1]));
      put("share", state.shares[rank - 1], percent(state.shares[rank - 1]));
      if (state.stands) put("stands", state.stands[rank - 1], count(state.stands[rank - 1]));
    }
  };
};

setUpTheme();
setUpDownload();
setUpSorting();
{
  const view = readData("view");
  if (view.prototypes.length) {
    setUpCells(view);
    setUpSize(view, [setUpCards(), setUpMap(view), setUpTableAtSize()]);
  }
}
