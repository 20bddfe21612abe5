// The heat map of the prototypes' similarities: values of pairs, the picked prototype, any number of prototypes.

const SQUARE = 10;
const HEAT_EDGE = 16;
const SHADES = 10;

const setUpSimilarity = (view) => {
  const heat = byId("similarities");
  if (!heat || !view.similarity) return () => {};
  const { ranks, pairs } = view.similarity;
  const [text, cursor, band] = [byId("similarity-text"), byId("similarity-cursor"), byId("similarity-picked")];
  const scale = heat.width.baseVal.value / heat.viewBox.baseVal.width;
  /** Places in the order of similarity that are shown. */
  let shown = ranks.map((_, at) => at);
  let at = null;
  let here = null;

  const value = (one, other) => {
    const [less, more] = [Math.min(one, other), Math.max(one, other)];
    return less === more ? 1 : pairs[(more * (more - 1)) / 2 + less] / 1000;
  };
  const name = (place) => {
    const { id, index } = view.prototypes[ranks[place] - 1];
    return `${ranks[place]} (${id ? clippedText(id) : `row ${count(index)}`})`;
  };
  const describe = ([line, column]) =>
    line === column ? `prototype ${name(shown[line])}` : `prototypes ${name(shown[line])} and ${name(shown[column])}\nsimilarity ${short(value(shown[line], shown[column]))}`;

  const pairAt = (event) => {
    const box = heat.getBoundingClientRect();
    const place = (offset, length) => Math.floor(((offset / length) * heat.viewBox.baseVal.width - HEAT_EDGE) / SQUARE);
    const found = [place(event.clientY - box.top, box.height), place(event.clientX - box.left, box.width)];
    return found.every((one) => one >= 0 && one < shown.length) ? found : null;
  };
  heat.addEventListener("pointermove", (event) => {
    const pair = pairAt(event);
    if (pair) showTip(event, describe(pair));
    else hideTip();
  });
  heat.addEventListener("pointerleave", hideTip);
  heat.addEventListener("click", (event) => {
    const pair = pairAt(event);
    if (pair) pick(ranks[shown[pair[0]]]);
  });

  const drawCursor = () => {
    cursor.setAttribute("d", at ? `M${HEAT_EDGE + at[1] * SQUARE} ${HEAT_EDGE + at[0] * SQUARE}h${SQUARE}v${SQUARE}h-${SQUARE}z` : "");
    text.textContent = at ? `${describe(at).replace("\n", ", ")}. Enter picks prototype ${ranks[shown[at[0]]]}.` : "";
  };
  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  heat.setAttribute("tabindex", "0");
  heat.setAttribute("role", "application");
  heat.setAttribute("aria-label", "Similarity of each pair of prototypes. Arrow keys move from pair to pair, Enter picks a prototype.");
  heat.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && at) pick(ranks[shown[at[0]]]);
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const within = (place) => Math.max(0, Math.min(shown.length - 1, place));
    at = at ? at.map((place, axis) => within(place + step[axis])) : [0, 0];
    drawCursor();
  });
  heat.addEventListener("blur", () => {
    at = null;
    drawCursor();
  });

  const drawBand = () => {
    const place = shown.findIndex((one) => ranks[one] === here);
    const [from, length] = [HEAT_EDGE + place * SQUARE, shown.length * SQUARE];
    const sides = [`M${HEAT_EDGE} ${from}h${length}v${SQUARE}h-${length}z`, `M${from} ${HEAT_EDGE}v${length}h${SQUARE}v-${length}z`];
    band.setAttribute("d", place < 0 ? "" : sides.join(""));
  };
  onPick((rank) => {
    here = rank;
    drawBand();
  });

  const shadeOf = (similarity) => Math.round(SHADES * Math.max(-1, Math.min(1, similarity)));
  const draw = () => {
    const paths = new Map();
    const add = (shade, line, from, to) => {
      if (!paths.has(shade)) paths.set(shade, []);
      paths.get(shade).push(`M${HEAT_EDGE + from * SQUARE} ${HEAT_EDGE + line * SQUARE + SQUARE / 2}h${(to - from) * SQUARE}`);
    };
    shown.forEach((one, line) => {
      const shades = shown.map((other) => shadeOf(value(one, other)));
      let from = 0;
      for (let to = 1; to <= shades.length; to += 1) {
        if (to < shades.length && shades[to] === shades[from]) continue;
        add(shades[from], line, from, to);
        from = to;
      }
      add("own", line, line, line + 1);
    });
    for (const path of all(".shade", heat)) path.setAttribute("d", (paths.get(path.id === "shade-own" ? "own" : Number(path.id.slice(6))) ?? []).join(""));
    const side = HEAT_EDGE + shown.length * SQUARE;
    heat.setAttribute("viewBox", `0 0 ${side} ${side}`);
    heat.setAttribute("width", String(side * scale));
    const places = new Map(shown.map((one, place) => [ranks[one], place]));
    for (const label of all("text", heat)) {
      const place = places.get(Number(label.dataset.rank));
      label.toggleAttribute("hidden", place === undefined);
      if (place !== undefined) label.setAttribute(label.classList.contains("across") ? "x" : "y", String(HEAT_EDGE + (place + 0.5) * SQUARE));
    }
    at = null;
    drawCursor();
    drawBand();
  };

  /** Shows the run with another number of prototypes: the same ones as far as they have a weight. */
  return ({ size, weights }) => {
    const places = ranks.map((_, place) => place);
    shown = places.filter((place) => ranks[place] <= size && weights[ranks[place] - 1] > 0);
    draw();
  };
};
