// The bars of a histogram as buttons: with the pointer, or with arrow keys and Enter.

/** Lays a button over each bar; `words` describes one, and `act` is called with its place. */
const makeBars = (chart, layout, words, act) => {
  const { step, across } = layoutOf(layout);
  const covers = layout.shares.map((_, bar) => {
    const cover = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of Object.entries({ class: "bar-cover", x: across(bar), y: 0, width: step, height: HISTOGRAM.base })) cover.setAttribute(name, String(value));
    makeButton(cover, "", () => act(bar));
    // One stop for the tabulator key; arrow keys lead to the others.
    cover.setAttribute("tabindex", bar ? "-1" : "0");
    return cover;
  });
  chart.addEventListener("keydown", (event) => {
    const here = covers.indexOf(event.target);
    const next = covers[here + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0)];
    if (here < 0 || !next || next === event.target) return;
    event.preventDefault();
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  // A drawing with buttons is a group.
  chart.setAttribute("role", "group");
  chart.append(...covers);
  const bars = {
    describe: () => covers.forEach((cover, bar) => cover.setAttribute("aria-label", words(bar))),
    mark: (marked) => {
      covers.forEach((cover, bar) => {
        cover.classList.toggle("here", bar === marked);
        cover.setAttribute("aria-pressed", String(bar === marked));
      });
    },
  };
  bars.describe();
  return bars;
};
