// The cards at a number of prototypes: which are there, with which weight, in which order.

const setUpCards = () => {
  const list = byId("cards");
  const cards = all(".card", list).map((card) => ({
    card,
    rank: Number(card.dataset.rank),
    share: card.querySelector(".share"),
    weight: card.querySelector(".weight .quiet"),
    bar: card.querySelector(".bar .full"),
    stands: card.querySelector(".stands-number"),
    examples: card.querySelector(".examples"),
  }));
  const order = byId("order");
  const text = byId("cards-text");
  let state = null;

  const key = { weight: (rank) => state.shares[rank - 1], rank: (rank) => -rank, stands: (rank) => state.stands?.[rank - 1] ?? 0 };
  const arrange = () => {
    const by = key[order.value];
    const shown = cards.filter(({ rank }) => rank <= state.size);
    shown.sort((one, other) => by(other.rank) - by(one.rank) || one.rank - other.rank);
    list.append(...shown.map(({ card }) => card));
    const words = { weight: "The heaviest first.", rank: "In the order in which they were chosen.", stands: "Those that stand for most first." };
    text.textContent = words[order.value];
  };
  order.addEventListener("change", () => state && arrange());

  /** Shows the run at one size. */
  return (next) => {
    state = next;
    const largest = Math.max(...next.shares, 0);
    for (const { card, rank, share, weight, bar, stands, examples } of cards) {
      card.hidden = rank > next.size;
      if (card.hidden) continue;
      share.textContent = percent(next.shares[rank - 1]);
      weight.textContent = `(weight ${short(next.weights[rank - 1])})`;
      bar.setAttribute("width", String(largest > 0 ? (100 * next.shares[rank - 1]) / largest : 0));
      stands.textContent = next.stands ? count(next.stands[rank - 1]) : "?";
      // The examples are those of the whole run.
      if (examples) examples.hidden = !next.whole;
    }
    arrange();
  };
};
