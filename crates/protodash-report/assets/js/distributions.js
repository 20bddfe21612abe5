// The columns among rows and prototypes: redrawn and sorted again for any number of prototypes.

const COLUMNS_AT_FIRST = 12;
const PLACES_PER_BAR = 20;
const MOST_TICKS = 200;

/** The drawing of a histogram, as in the Rust code. */
const HISTOGRAM = { width: 280, edge: 4, base: 84, highest: 76, gap: 0.6, tick: "86v6" };

const toTenth = (value) => String(Math.round(10 * value) / 10);

/** The place of each prototype: its bar, and how far it is across it. */
const placesOf = (codes) => Float32Array.from({ length: codes.length / 2 }, (_, at) => parseInt(codes.slice(2 * at, 2 * at + 2), 36) / PLACES_PER_BAR);

/** The share of weight in each bar. */
const weightsOf = ({ shares: bars, places }, shares) => {
  const weights = new Array(bars.length).fill(0);
  for (let at = 0; at < shares.length; at += 1) weights[Math.floor(places[at])] += shares[at];
  return weights;
};

/** How far rows and prototypes are apart: the same formula as in the Rust code. */
const differenceOf = ({ shares: bars, n_ordered: ordered }, weights) => {
  const gaps = bars.map((share, bar) => share - weights[bar]);
  if (!ordered) return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / 2;
  let [sum, largest] = [0, 0];
  for (const gap of gaps) {
    sum += gap;
    largest = Math.max(largest, Math.abs(sum));
  }
  return largest;
};

const layoutOf = ({ shares, n_ordered: ordered }) => {
  const { width, edge, gap } = HISTOGRAM;
  const apart = shares.length - ordered;
  const step = (width - 2 * edge) / Math.max(1, ordered + (apart ? apart + gap : 0));
  return { step, across: (place) => edge + (place + (place >= ordered ? gap : 0)) * step };
};

const barPath = (shares, highest, { step, across }) =>
  shares
    .map((share, at) => {
      if (share <= 0) return "";
      const height = toTenth((HISTOGRAM.highest * share) / highest);
      return `M${toTenth(across(at) + 0.5)} ${HISTOGRAM.base}v-${height}h${toTenth(Math.max(0.5, step - 1))}v${height}z`;
    })
    .join("");

const drawHistogram = (item, column, weights, shares) => {
  const layout = layoutOf(column);
  const highest = Math.max(...column.shares, ...weights);
  item.querySelector(".row-bars").setAttribute("d", barPath(column.shares, highest, layout));
  item.querySelector(".weight-bars").setAttribute("d", barPath(weights, highest, layout));
  const ticks = new Set();
  const few = shares.filter((share) => share > 0).length <= MOST_TICKS;
  if (few) shares.forEach((share, at) => share > 0 && ticks.add(toTenth(layout.across(column.places[at]))));
  item.querySelector(".ticks").setAttribute("d", [...ticks].map((x) => `M${x} ${HISTOGRAM.tick}`).join(""));
};

const drawLevels = (item, column, weights) => {
  const highest = Math.max(...column.shares, ...weights);
  for (const [at, line] of [...item.querySelectorAll(".levels > li")].entries()) {
    line.querySelector(".row-bars").setAttribute("width", toTenth((100 * column.shares[at]) / highest));
    line.querySelector(".weight-fill").setAttribute("width", toTenth((100 * weights[at]) / highest));
    line.querySelector(".level-weight").textContent = wholePercent(weights[at]);
  }
};

/** Marks the picked prototype: its tick, or its category. */
const markPicked = (item, column, rank) => {
  const place = rank === null ? null : column.places[rank - 1];
  if (column.n_ordered) {
    const path = place === null ? "" : `M${toTenth(layoutOf(column).across(place))} ${HISTOGRAM.base + 12}v-${HISTOGRAM.highest + 12}`;
    item.querySelector(".picked-tick").setAttribute("d", path);
  } else item.querySelectorAll(".levels > li").forEach((line, at) => line.classList.toggle("here", place !== null && at === Math.floor(place)));
};

/** The bar of a histogram under the pointer, in words. */
const describeBar = (event, item, column, weights) => {
  const box = item.querySelector(".histogram").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * HISTOGRAM.width;
  const { step, across } = layoutOf(column);
  const bar = column.shares.findIndex((_, at) => x >= across(at) && x < across(at) + step);
  if (bar < 0) return null;
  return `${column.names[bar]}\n${percent(column.shares[bar])} of rows\n${percent(weights[bar])} of weight`;
};

const setUpDistributions = (view, first) => {
  const list = byId("distribution-list");
  if (!list) return () => {};
  const columns = view.distributions.map((column) => ({ ...column, places: placesOf(column.places) }));
  const items = all(".distribution", list).map((item) => ({ item, column: columns[item.dataset.column] }));
  for (const { item, column } of items) {
    const place = item.dataset.column;
    const filterByBar = (bar) => {
      const ranks = new Set();
      column.places.forEach((prototype, at) => Math.floor(prototype) === bar && ranks.add(at + 1));
      const hasPoint = column.points ? (at) => parseInt(column.points[at] ?? "z", 36) === bar : null;
      filterBy({ key: `column ${place} ${bar}`, words: `${item.querySelector("h3 bdi")?.title || item.querySelector("h3 bdi")?.textContent}: ${column.names[bar]}`, ranks, hasPoint });
    };
    const barOf = (filter) => (filter?.key.startsWith(`column ${place} `) ? Number(filter.key.split(" ")[2]) : null);
    if (column.n_ordered) {
      const words = (bar) => `${column.names[bar]}\n${percent(column.shares[bar])} of rows`;
      const bars = makeBars(item.querySelector(".histogram"), column, words, filterByBar);
      onFilter((filter) => bars.mark(barOf(filter)));
    } else {
      const names = [...item.querySelectorAll(".level-name")];
      for (const [bar, name] of names.entries()) makeButton(name, column.names[bar] || "missing", () => filterByBar(bar));
      onFilter((filter) => names.forEach((name, bar) => name.setAttribute("aria-pressed", String(bar === barOf(filter)))));
    }
  }
  const more = byId("all-distributions");
  let state = first;
  let limit = COLUMNS_AT_FIRST;

  const draw = () => {
    for (const one of items) {
      one.weights = weightsOf(one.column, state.shares);
      one.difference = differenceOf(one.column, one.weights);
    }
    items.sort((one, other) => other.difference - one.difference || one.item.dataset.column - other.item.dataset.column);
    for (const [place, { item, column, weights, difference }] of items.entries()) {
      item.classList.toggle("later", place >= limit);
      if (place >= limit) continue;
      item.querySelector(".gap").textContent = wholePercent(difference);
      markPicked(item, column, picked);
      if (column.n_ordered) drawHistogram(item, column, weights, state.shares);
      else drawLevels(item, column, weights);
    }
    list.append(...items.map(({ item }) => item));
  };
  onPick((rank) => {
    for (const { item, column } of items) markPicked(item, column, rank);
  });
  more?.addEventListener("click", () => {
    limit = Infinity;
    more.hidden = true;
    draw();
  });
  list.addEventListener("pointermove", (event) => {
    const item = event.target.closest(".histogram")?.closest(".distribution");
    const column = item && columns[item.dataset.column];
    const words = column && describeBar(event, item, column, weightsOf(column, state.shares));
    if (words) showTip(event, words);
    else hideTip();
  });
  list.addEventListener("pointerleave", hideTip);

  /** Shows the run with another number of prototypes. */
  return (next) => {
    state = next;
    draw();
  };
};
