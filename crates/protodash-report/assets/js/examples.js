// The rows that a prototype represents, at any number of prototypes whose examples are in the page.

/** What the summary of examples says: the same words as in the Rust code. */
const examplesWords = (shown, represented) => {
  if (shown < represented) return `${count(shown)} of these rows`;
  return shown === 1 ? "this row" : `these ${count(shown)} rows`;
};

/** Returns a function that puts the examples of a run on the card of a prototype. */
const setUpExamples = (view) => {
  const sizes = new Map(view.smaller_examples);
  let items = null;
  const own = new Map();
  /** The place for examples, as it is on the cards of prototypes that have some. */
  const makePlace = (card) => {
    const place = make("details", "", "examples");
    const list = make("ul", "", document.querySelector(".example-images") ? "example-images" : "example-rows");
    place.append(make("summary"), make("p", "From most to least similar.", "quiet"), list);
    card.append(place);
    return place;
  };
  return (part, rank, state) => {
    const places = state.whole ? null : (sizes.get(state.size)?.[rank - 1] ?? []);
    if (!part.examples && !places?.length) return;
    part.examples ??= makePlace(part.card);
    const [summary, list] = [part.examples.querySelector("summary"), part.examples.querySelector("ul")];
    if (!own.has(rank)) own.set(rank, { words: summary.textContent, rows: [...list.children] });
    if (state.whole) {
      const { words, rows } = own.get(rank);
      part.examples.hidden = !rows.length;
      summary.textContent = words;
      list.replaceChildren(...rows);
      return;
    }
    part.examples.hidden = !places.length;
    if (!places.length) return;
    items ??= elementsOf(view.examples).map((item) => document.adoptNode(item));
    list.replaceChildren(...places.map((place) => items[place]));
    summary.textContent = examplesWords(places.length, state.stands?.[rank - 1] ?? 0);
  };
};
