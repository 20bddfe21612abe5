// The cards for a number of prototypes: which are visible, their weights and their order.

// Only the first cards are shown until the reader asks for more, which keeps the slider smooth.
const CARDS_AT_FIRST = 60;

const ORDERS = {
  weight: { words: "Heaviest first.", value: (state, rank) => state.shares[rank - 1] },
  rank: { words: "In order of choice.", value: (state, rank) => -rank },
  stands: { words: "Most nearest rows first.", value: (state, rank) => state.stands?.[rank - 1] ?? 0 },
};

const cardParts = (card) => ({
  card,
  picker: makePicker(card.querySelector(".rank"), Number(card.dataset.rank)),
  share: card.querySelector(".share"),
  weight: card.querySelector(".weight .quiet"),
  bar: card.querySelector(".bar .full"),
  stands: card.querySelector(".stands-number"),
  examples: card.querySelector(".examples"),
});

const fillCard = (part, rank, state, largest, showExamples) => {
  const { share, weight, bar, stands } = part;
  share.textContent = percent(state.shares[rank - 1]);
  weight.textContent = `(weight ${short(state.weights[rank - 1])})`;
  bar.setAttribute("width", String(largest > 0 ? (100 * state.shares[rank - 1]) / largest : 0));
  if (stands) stands.textContent = state.stands ? count(state.stands[rank - 1]) : "?";
  showExamples(part, rank, state);
};

/** The elements of HTML that the page was made with: its text is escaped. */
const elementsOf = (html) => [...new DOMParser().parseFromString(`<ol>${html}`, "text/html").querySelectorAll("ol > li")];

/** `later` is the HTML of the cards that are not in the page yet. */
const setUpCards = (first, later, showExamples) => {
  const list = byId("cards");
  const parts = new Map(all(".card", list).map((card) => [Number(card.dataset.rank), cardParts(card)]));
  // Thousands of elements: added only when one of them is needed.
  const partsOf = (rank) => {
    if (!parts.has(rank) && later !== null) {
      for (const card of elementsOf(later)) parts.set(Number(card.dataset.rank), cardParts(document.adoptNode(card)));
      later = null;
    }
    return parts.get(rank);
  };
  const [order, text, more] = [byId("order"), byId("cards-text"), byId("all-cards")];
  let state = first;
  let limit = CARDS_AT_FIRST;
  let found = null;
  let visible = new Set([...parts].filter(([, { card }]) => !card.classList.contains("later")).map(([rank]) => rank));

  const draw = () => {
    const { words, value } = ORDERS[order.value];
    // Rows without weight are not prototypes.
    const ranks = Array.from({ length: state.size }, (_, place) => place + 1).filter((rank) => state.weights[rank - 1] > 0 && (found?.has(rank) ?? true));
    ranks.sort((one, other) => value(state, other) - value(state, one) || one - other);
    const shown = ranks.slice(0, limit);
    const now = new Set(shown);
    for (const rank of visible) if (!now.has(rank)) partsOf(rank).card.classList.add("later");
    visible = now;
    const largest = state.shares.reduce((most, share) => Math.max(most, share), 0);
    for (const rank of shown) {
      fillCard(partsOf(rank), rank, state, largest, showExamples);
      partsOf(rank).card.classList.remove("later");
    }
    list.append(...shown.map((rank) => partsOf(rank).card));
    if (picked !== null) partsOf(picked)?.card.classList.add("here");
    more.hidden = shown.length === ranks.length;
    more.textContent = `Show all ${count(ranks.length)}`;
    if (!ranks.length) text.textContent = "No prototype matches.";
    else text.textContent = more.hidden ? words : `${words} Showing ${count(shown.length)} of ${count(ranks.length)}.`;
  };
  const showAll = () => {
    limit = Infinity;
    draw();
  };
  onSearch((ranks) => {
    found = ranks;
    draw();
  });
  onPick((rank) => {
    for (const [other, { card, picker }] of parts) {
      card.classList.toggle("here", other === rank);
      picker.setAttribute("aria-pressed", String(other === rank));
    }
  });
  order.addEventListener("change", draw);
  more.addEventListener("click", showAll);
  addEventListener("beforeprint", () => !more.hidden && showAll());

  /** Shows the run with another number of prototypes. */
  return (next) => {
    state = next;
    draw();
  };
};
