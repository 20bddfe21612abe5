// Who is not represented, at any number of prototypes; bars and groups filter the page.

/** The text and the width of a bar in a cell of a table. */
const putRelative = (cell, relative, farthest) => {
  cell.dataset.value = String(relative);
  cell.firstChild.textContent = `${relative.toFixed(2)} ×`;
  cell.querySelector(".bar .full")?.setAttribute("width", String(farthest > 0 ? (100 * relative) / farthest : 0));
};

const putNumber = (cell, value, text) => {
  cell.dataset.value = String(value);
  cell.textContent = text;
};

/** Whether a point is a member, of which there is a bit for each point. */
const isMember = (points, at) => ((parseInt(points[at >> 2] ?? "0", 16) >> (at & 3)) & 1) === 1;

const groupName = ({ column, value }) => (column ? `${column}: ${value || "missing"}` : `class ${value || "missing"}`);

/** The rows of a table of groups, each of which filters the page. */
const setUpGroups = (table, groups) => {
  const lines = all("tbody tr", table).map((row) => ({ row, place: Number(row.dataset.group), group: groups[row.dataset.group] }));
  for (const { row, place, group } of lines) {
    const button = make("button", "", "filter-button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(...row.cells[0].childNodes);
    row.cells[0].append(button);
    const key = `${table.dataset.groups} ${place}`;
    const ranks = new Set(group.prototypes.map((prototype) => prototype + 1));
    button.addEventListener("click", () => filterBy({ key, words: groupName(group), ranks, hasPoint: (at) => isMember(group.points, at) }));
    onFilter((filter) => button.setAttribute("aria-pressed", String(filter?.key === key)));
  }
  return (state, relatives) => {
    const farthest = Math.max(...relatives);
    for (const { row, place, group } of lines) {
      const shares = group.prototypes.map((prototype) => state.shares[prototype] ?? 0).filter((share) => share > 0);
      const [weight, number, distance] = [...row.cells].slice(-3);
      const sum = shares.reduce((total, share) => total + share, 0);
      putNumber(weight, sum, percent(sum));
      putNumber(number, shares.length, count(shares.length));
      putRelative(distance, relatives[place], farthest);
    }
    sortAgain(table);
  };
};

const setUpCoverage = (view, first, nearestOf) => {
  const section = byId("coverage");
  if (!section || !view.coverage) return () => {};
  const { sizes } = view.coverage;
  const figure = section.querySelector(".distances");
  const chart = figure.querySelector(".histogram");
  const finding = section.querySelector(".finding");
  const tables = all("table.groups", section).map((table) => [table.dataset.groups, setUpGroups(table, view.coverage[table.dataset.groups])]);
  let shown = upTo(sizes, first.size);
  let state = first;

  /** The part of the histogram that a bar covers; the farthest row is in the last one. */
  const edges = (bar) => [bar, bar + 1].map((edge) => (shown.largest * edge) / shown.bars.length);
  const barOf = (distance) => Math.min(shown.bars.length - 1, Math.floor(((shown.largest > 0 ? distance / shown.largest : 0) * shown.bars.length)));
  const barWords = (bar) => `distance ${edges(bar).map(short).join(" to ")}`;
  const filterByBar = (bar) => {
    const near = nearestOf({ ...state, size: shown.n_prototypes, whole: state.whole });
    if (!near) return;
    const hasPoint = (at) => barOf(near.distances[at]) === bar;
    const ranks = new Set();
    near.nearest.forEach((prototype, at) => prototype >= 0 && hasPoint(at) && ranks.add(prototype + 1));
    filterBy({ key: `distance ${bar}`, words: barWords(bar), ranks, hasPoint });
  };
  const bars = makeBars(chart, { shares: shown.bars, n_ordered: shown.bars.length }, (bar) => `${barWords(bar)}\n${percent(shown.bars[bar])} of rows`, filterByBar);
  onFilter((filter) => bars.mark(filter?.key.startsWith("distance ") ? Number(filter.key.slice(9)) : null));

  /** Shows the run with another number of prototypes. */
  return (next) => {
    const moved = next.size !== state.size;
    state = next;
    shown = upTo(sizes, next.size);
    // The bars have other ranges now.
    if (moved) endFilter("distance ");
    figure.hidden = !shown;
    if (!shown) return;
    if (finding) finding.textContent = shown.worst ?? "";
    tellSize(byId("coverage-text"), shown.n_prototypes, next, "");
    const layout = layoutOf({ shares: shown.bars, n_ordered: shown.bars.length });
    chart.querySelector(".row-bars").setAttribute("d", barPath(shown.bars, Math.max(...shown.bars), layout));
    const ticks = new Set(shown.ticks.map((place) => toTenth(layout.across(place))));
    chart.querySelector(".ticks").setAttribute("d", [...ticks].map((x) => `M${x} ${HISTOGRAM.tick}`).join(""));
    chart.querySelector("text.end").textContent = shown.end;
    figure.querySelector(".distances-text").textContent = shown.remark;
    for (const [kind, update] of tables) update(next, shown[kind]);
    bars.describe();
  };
};
