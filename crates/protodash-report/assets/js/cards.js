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
  share: card.querySelector(".share"),
  weight: card.querySelector(".weight .quiet"),
  bar: card.querySelector(".bar .full"),
  stands: card.querySelector(".stands-number"),
  examples: card.querySelector(".examples"),
});

const fillCard = ({ share, weight, bar, stands, examples }, rank, state, largest) => {
  share.textContent = percent(state.shares[rank - 1]);
  weight.textContent = `(weight ${short(state.weights[rank - 1])})`;
  bar.setAttribute("width", String(largest > 0 ? (100 * state.shares[rank - 1]) / largest : 0));
  if (stands) stands.textContent = state.stands ? count(state.stands[rank - 1]) : "?";
  // The examples belong to the complete run.
  if (examples) examples.hidden = !state.whole;
};

const setUpCards = (first) => {
  const list = byId("cards");
  const parts = new Map(all(".card", list).map((card) => [Number(card.dataset.rank), cardParts(card)]));
  const [order, text, more] = [byId("order"), byId("cards-text"), byId("all-cards")];
  let state = first;
  let limit = CARDS_AT_FIRST;
  let visible = new Set([...parts].filter(([, { card }]) => !card.classList.contains("later")).map(([rank]) => rank));

  const draw = () => {
    const { words, value } = ORDERS[order.value];
    // Rows without weight are not prototypes.
    const ranks = Array.from({ length: state.size }, (_, place) => place + 1).filter((rank) => state.weights[rank - 1] > 0);
    ranks.sort((one, other) => value(state, other) - value(state, one) || one - other);
    const shown = ranks.slice(0, limit);
    const now = new Set(shown);
    for (const rank of visible) if (!now.has(rank)) parts.get(rank).card.classList.add("later");
    visible = now;
    const largest = state.shares.reduce((most, share) => Math.max(most, share), 0);
    for (const rank of shown) {
      fillCard(parts.get(rank), rank, state, largest);
      parts.get(rank).card.classList.remove("later");
    }
    list.append(...shown.map((rank) => parts.get(rank).card));
    more.hidden = shown.length === ranks.length;
    more.textContent = `Show all ${count(ranks.length)}`;
    text.textContent = more.hidden ? words : `${words} Showing ${count(shown.length)} of ${count(ranks.length)}.`;
  };
  const showAll = () => {
    limit = Infinity;
    draw();
  };
  order.addEventListener("change", draw);
  more.addEventListener("click", showAll);
  addEventListener("beforeprint", () => !more.hidden && showAll());

  /** Shows the run with another number of prototypes. */
  return (next) => {
    state = next;
    draw();
  };
};
