// The slider for the number of prototypes.

/** The weights at this many prototypes; a long result does not have them for every number. */
const weightsAt = (size, result) =>
  result?.weights_path?.[size - 1] ?? result?.later_weights?.find((weights) => weights.length === size);

/** The numbers of prototypes whose weights are known. */
const knownSizes = (result) => [...result.weights_path, ...(result.later_weights ?? [])].map((weights) => weights.length);

/** The number of rows nearest to each of this many prototypes; null if they were not counted. */
const countsAt = (size, { n_represented: counts }) => (counts[size - 1]?.length === size ? counts[size - 1] : (counts.find((of) => of.length === size) ?? null));

/** The run cut at this many prototypes. */
const runAt = (size, view, weights) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    size,
    whole: size === view.prototypes.length,
    weights,
    shares: weights.map((weight) => (total > 0 ? weight / total : 0)),
    stands: countsAt(size, view) ?? (size === view.prototypes.length ? view.stands : null),
  };
};

/** The complete run, which the page shows first. */
const wholeRun = (view) => {
  const size = view.prototypes.length;
  return runAt(size, view, weightsAt(size, readData("result")) ?? view.weights);
};

const setUpSize = (view, shows) => {
  const slider = byId("size");
  const result = readData("result");
  if (!slider || !result?.weights_path?.length) return;
  const sizes = knownSizes(result);
  let shown = view.prototypes.length;
  // In the direction of the move, so that one step of the keyboard gets to the next known size.
  const known = (size) => (size > shown ? sizes.find((other) => other >= size) : sizes.findLast((other) => other <= size)) ?? shown;
  const text = byId("size-text");
  const [curve, cursor] = [byId("curve"), byId("cursor")];
  const across = (size) => {
    const { first, last, left, right } = curve.dataset;
    return Number(left) + ((size - first) / (last - first)) * (right - left);
  };
  const describe = (size) => {
    const reached = view.explained.length ? `${percent(view.explained[size - 1])} explained` : `objective ${short(view.objective[size - 1])}`;
    return `${plural(size, "prototype")}, ${reached}`;
  };
  const show = () => {
    const size = known(Number(slider.value));
    shown = size;
    slider.value = String(size);
    text.textContent = describe(size);
    slider.setAttribute("aria-valuetext", text.textContent);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(across(size)));
    const state = runAt(size, view, weightsAt(size, result));
    for (const display of shows) display(state);
  };
  // At most one update per frame, however fast the slider moves.
  let waiting = false;
  slider.addEventListener("input", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show();
    });
  });
  // The slider may have been moved while the page was loading.
  if (Number(slider.value) === view.prototypes.length) text.textContent = describe(view.prototypes.length);
  else show();
};
