// The page of a selection.

/** The table for a number of prototypes. */
const setUpTableAtSize = (first) => {
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
  let found = null;
  for (const line of lines) {
    line.picker = makePicker(make("button", line.row.cells[0].textContent, "picker"), line.rank);
    line.picker.type = "button";
    line.row.cells[0].replaceChildren(line.picker);
  }
  onPick((rank) => {
    for (const line of lines) {
      line.row.classList.toggle("here", line.rank === rank);
      line.picker.setAttribute("aria-pressed", String(line.rank === rank));
    }
  });
  const hide = ({ size, weights }) => {
    for (const { row, rank } of lines) row.hidden = rank > size || weights[rank - 1] <= 0 || !(found?.has(rank) ?? true);
  };
  let state = first;
  onSearch((ranks) => {
    found = ranks;
    hide(state);
  });
  return (next) => {
    state = next;
    const { size, weights, shares, stands } = next;
    hide(next);
    for (const line of lines) {
      const at = line.rank - 1;
      if (at >= size) continue;
      put(line.weight, weights[at], short(weights[at]));
      put(line.share, shares[at], percent(shares[at]));
      if (stands && line.stands) put(line.stands, stands[at], count(stands[at]));
    }
    sortAgain(byId("prototype-table"));
  };
};

/** The findings for a number of prototypes. */
const setUpFindings = (view) => {
  const lead = document.querySelector("p.lead");
  const whole = all("p.lead, p.also").map((line) => line.textContent);
  return (state) => {
    if (!lead) return;
    const [first, ...others] = state.whole ? whole : (view.findings[state.size] ?? whole);
    lead.textContent = first;
    for (const line of all("p.also")) line.remove();
    lead.after(...others.map((line) => make("p", line, "also")));
  };
};

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
/** Starts everything that needs the data. */
const start = (view, later) => {
  if (!view.prototypes.length) return;
  setUpCells(view);
  const whole = wholeRun(view);
  const nearestOf = setUpNearest(view);
  const criticismsOf = setUpCriticismsOf(view);
  setUpFilter();
  const map = whenSeen(byId("map"), setUpMap(view, nearestOf, criticismsOf));
  const table = whenSeen(byId("table"), setUpTableAtSize(whole));
  const distributions = whenSeen(byId("distributions"), setUpDistributions(view, whole));
  const similarity = whenSeen(byId("similarity"), setUpSimilarity(view));
  const coverage = whenSeen(byId("coverage"), setUpCoverage(view, whole, nearestOf));
  const criticisms = whenSeen(byId("criticisms"), setUpCriticisms(view, criticismsOf));
  const cards = setUpCards(whole, later, setUpExamples(view));
  setUpSearch(view);
  setUpSize(view, [setUpFindings(view), cards, map, table, distributions, similarity, coverage, criticisms]);
};

// Large pages are compressed, and browsers unpack asynchronously.
if (document.querySelector("[data-packed]")) {
  Promise.all([loadData("view"), unpacked("later-cards"), loadData("result")]).then(([view, later]) => {
    start(view, later);
    document.documentElement.dataset.ready = "true";
    performance.mark("ready");
  });
} else start(readData("view"), null);
