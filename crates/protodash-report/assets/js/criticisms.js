// The rows represented worst, at any number of prototypes; cards and crosses belong together.

const criticismFollowers = [];
let pickedCriticism = null;

/** Calls `show` with the place of the picked criticism among all of the page, or null. */
const onPickCriticism = (show) => criticismFollowers.push(show);

const pickCriticism = (place) => {
  pickedCriticism = pickedCriticism === place ? null : place;
  for (const show of criticismFollowers) show(pickedCriticism);
};

/** Makes an element a button that picks a criticism. */
const makeCriticismPicker = (element, place) => makeButton(element, `criticism ${place + 1}`, () => pickCriticism(place));

/** The criticisms of a run: their places among all of the page, worst first, and the number of prototypes they are of. */
const setUpCriticismsOf = (view) => {
  const whole = all("#criticism-cards .card").map((_, place) => [place, null]);
  return (state) => {
    const smaller = state.whole ? null : upTo(view.smaller_criticisms, state.size);
    return smaller ? { found: smaller.found, size: smaller.n_prototypes } : { found: state.whole ? whole : [], size: state.size };
  };
};

/** Says of how many prototypes something is, unless they are those of the slider. */
const tellSize = (element, size, state, nothing) => {
  if (!element) return;
  element.hidden = size === state.size;
  element.textContent = size === null ? nothing : `Those of the first ${plural(size, "prototype")}, the nearest known number.`;
};

const setUpCriticisms = (view, criticismsOf) => {
  const list = byId("criticism-cards");
  if (!list) return () => {};
  const parts = [...all(".card", list), ...elementsOf(view.criticism_cards)].map((card, place) => {
    const part = { card, rank: card.querySelector(".rank"), score: card.querySelector(".score") };
    part.own = { text: part.score.textContent, value: part.score.dataset.value };
    makeCriticismPicker(part.rank, place);
    return part;
  });
  onPickCriticism((picked) => {
    parts.forEach(({ card, rank }, place) => {
      card.classList.toggle("here", place === picked);
      rank.setAttribute("aria-pressed", String(place === picked));
    });
  });
  const text = byId("criticisms-text");
  let hasRow = null;
  let state = { whole: true, size: view.prototypes.length };
  /** Hides the cards that the search does not find; says so if it finds none. */
  const filter = (found) => {
    let number = 0;
    for (const [place] of found) {
      parts[place].card.hidden = hasRow !== null && !hasRow(view.criticisms[place]);
      if (!parts[place].card.hidden) number += 1;
    }
    if (number || !found.length) return;
    text.hidden = false;
    text.textContent = "No criticism matches.";
  };
  const update = () => {
    const { found, size } = criticismsOf(state);
    tellSize(text, found.length ? size : null, state, "Known for the complete run only.");
    filter(found);
  };
  onSearch((ranks, hasPoint, matches) => {
    hasRow = matches;
    update();
  });
  return (next) => {
    state = next;
    const { found } = criticismsOf(next);
    found.forEach(([place, score], rank) => {
      parts[place].rank.textContent = String(rank + 1);
      parts[place].rank.setAttribute("aria-label", `criticism ${rank + 1}`);
      const own = score === null ? parts[place].own : { text: short(score), value: score };
      parts[place].score.textContent = own.text;
      parts[place].score.dataset.value = String(own.value);
    });
    list.replaceChildren(...found.map(([place]) => parts[place].card));
    update();
  };
};
