// The slider for the number of prototypes.

/** The run cut at this many prototypes. */
const runAt = (size, view, result) => {
  const weights = result.weights_path[size - 1];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    size,
    whole: size === view.prototypes.length,
    weights,
    shares: weights.map((weight) => (total > 0 ? weight / total : 0)),
    stands: view.n_represented[size - 1] ?? null,
  };
};

/** The complete run, which the page shows first. */
const wholeRun = (view) => {
  const result = readData("result");
  const size = view.prototypes.length;
  if (result?.weights_path?.length === size) return runAt(size, view, result);
  return runAt(size, view, { weights_path: { [size - 1]: view.weights } });
};

const setUpSize = (view, shows) => {
  const slider = byId("size");
  if (!slider) return;
  const result = readData("result");
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
    const size = Number(slider.value);
    text.textContent = describe(size);
    slider.setAttribute("aria-valuetext", text.textContent);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(across(size)));
    const state = runAt(size, view, result);
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
