// The map: zoom, tooltips, the rows of a prototype, toggling classes, both views, any number of prototypes.

const NEAR = 14;

/** Font size at which a number fits into its circle, as in the Rust code; null if it does not fit. */
const numberSize = (radius, rank) => {
  const size = Math.min(12, (2.5 * radius) / String(rank).length);
  return size < 7 ? null : size.toFixed(1);
};

/** What is drawn at a point: a dot (the end of a line), a hollow triangle, or a cross, as in the Rust code. */
const SHAPES = ["h0", "m0-3.6l3.4 5.8h-6.8z", "m-3 0h6m-3-3v6"];

const setUpMap = (view, nearestOf, criticismsOf) => {
  const plane = byId("plane");
  if (!plane) return () => {};
  const { map } = view;
  const marks = all(".map-prototype", plane);
  const crosses = all(".map-criticism", plane);
  const chosen = byId("chosen-points");
  const words = byId("map-text");
  const { width, height } = plane.viewBox.baseVal;
  const faded = byId("aside-points");
  let state = { size: marks.length, whole: true };
  let here = null;
  // Which points a search or a filter finds; null for all.
  let isFound = null;

  // Places are in tenths of a unit. Target rows come first, then rows of a separate source.
  let places = map.places[0];
  const groups = new Map();
  for (let at = 0; at < map.index.length; at += 1) {
    const group = at >= map.n_target ? "source" : (map.class[at] ?? 0);
    if (!groups.has(group)) groups.set(group, { path: byId(`dots-${group}`), points: [] });
    groups.get(group).points.push(at);
  }
  const hidden = new Set();
  const isHidden = (at) => hidden.has(at >= map.n_target ? "source" : (map.class[at] ?? 0));
  for (const box of all("input[data-class]")) {
    box.addEventListener("change", () => {
      const group = box.dataset.class === "source" ? "source" : Number(box.dataset.class);
      if (box.checked) hidden.delete(group);
      else hidden.add(group);
      byId(`dots-${group}`).toggleAttribute("hidden", !box.checked);
      draw();
    });
  }

  const x = (at) => (places.x[at] / 10 - part.left) * part.scale;
  const y = (at) => (places.y[at] / 10 - part.top) * part.scale;
  const pathOf = (points, shape) => {
    const drawn = [];
    for (const at of points) {
      const [across, down] = [x(at), y(at)];
      if (across > -9 && down > -9 && across < width + 9 && down < height + 9) drawn.push(`M${across.toFixed(1)} ${down.toFixed(1)}${shape}`);
    }
    return drawn.join("");
  };
  const chosenPoints = () => {
    const points = [];
    const { nearest } = nearestOf(state);
    for (let at = 0; here !== null && at < map.n_target; at += 1) if (nearest[at] === here - 1 && !isHidden(at)) points.push(at);
    return points;
  };
  const translate = (mark, [across, down]) =>
    mark.setAttribute("transform", `translate(${((across / 10 - part.left) * part.scale).toFixed(1)} ${((down / 10 - part.top) * part.scale).toFixed(1)})`);
  const draw = () => {
    const { nearest } = nearestOf(state);
    const aside = [];
    for (const [group, { path, points }] of groups) {
      const found = isFound ? points.filter((at) => isFound(at, nearest[at] ?? -1)) : points;
      path.setAttribute("d", pathOf(found, group === "source" ? SHAPES[0] : SHAPES[Math.floor(group / 10)]));
      if (isFound && !hidden.has(group)) for (const at of points) if (!isFound(at, nearest[at] ?? -1)) aside.push(at);
    }
    faded.setAttribute("d", pathOf(aside, SHAPES[0]));
    chosen.setAttribute("d", pathOf(chosenPoints(), SHAPES[0]));
    for (const mark of marks) translate(mark, places.prototypes[mark.dataset.rank - 1]);
    for (const mark of crosses) translate(mark, places.criticisms[mark.dataset.criticism - 1]);
  };
  const { part, place } = setUpZoom(plane, draw);

  const rowName = (id, index) => (id ? `${id} (row ${count(index)})` : `row ${count(index)}`);
  const describePoint = (at) => {
    const isSource = at >= map.n_target;
    const lines = [`${isSource ? "source " : ""}${rowName(map.id?.[at], map.index[at])}`];
    const label = map.label?.[at] ?? null;
    if (label !== null) lines.push(label || "missing");
    if (map.text) lines.push(map.text[at]);
    const nearest = isSource ? -1 : nearestOf(state).nearest[at];
    if (nearest >= 0) lines.push(`represented by prototype ${nearest + 1}`);
    return lines.filter(Boolean).join("\n");
  };
  const describeRow = (title, row) => [title, rowName(row.id, row.index), row.label === "" ? "missing" : row.label, ...(row.shown ?? []).map(clippedText)].filter(Boolean).join("\n");

  /** The image of a point, or its thumbnail. */
  const pointImage = (at) => {
    const sheet = map.thumbnails;
    if (sheet && at < map.n_target && at % sheet.step === 0) return tipImage(sheet.image, sheet, at / sheet.step);
    return map.image?.[at] ?? null;
  };

  const nearestPoint = (event) => {
    const [across, down] = place(event);
    let [best, least] = [null, NEAR * NEAR];
    for (let at = 0; at < map.index.length; at += 1) {
      const distance = (x(at) - across) ** 2 + (y(at) - down) ** 2;
      if (distance < least && !isHidden(at)) [best, least] = [at, distance];
    }
    return best;
  };

  plane.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    const mark = event.target.closest(".map-prototype, .map-criticism");
    if (mark?.dataset.rank) {
      const row = view.prototypes[mark.dataset.rank - 1];
      showTip(event, describeRow(`prototype ${mark.dataset.rank}`, row), row.image ?? null);
    } else if (mark) {
      const row = view.criticisms[mark.dataset.criticism - 1];
      showTip(event, describeRow(mark.getAttribute("aria-label"), row), row.image ?? null);
    } else {
      const at = nearestPoint(event);
      if (at === null) hideTip();
      else showTip(event, describePoint(at), pointImage(at));
    }
  });
  plane.addEventListener("pointerleave", hideTip);

  const showPicked = (rank) => {
    here = rank;
    for (const mark of marks) {
      mark.classList.toggle("here", Number(mark.dataset.rank) === here);
      mark.setAttribute("aria-pressed", String(Number(mark.dataset.rank) === here));
    }
    const points = chosenPoints();
    chosen.setAttribute("d", pathOf(points, SHAPES[0]));
    words.replaceChildren();
    if (here === null) return;
    if (here > state.size) words.append(`Prototype ${here} is not among the first ${state.size}. `);
    else words.append(`Prototype ${here} represents the ${plural(points.length, "large dot")}. `);
    if (byId(`prototype-${here}`)) {
      const link = make("a", "Go to its card");
      link.href = `#prototype-${here}`;
      words.append(link);
    }
  };
  for (const mark of marks) makePicker(mark, Number(mark.dataset.rank));
  onPick(showPicked);
  for (const mark of crosses) makeCriticismPicker(mark, mark.dataset.criticism - 1);
  onPickCriticism((place) => {
    for (const mark of crosses) {
      mark.classList.toggle("here", mark.dataset.criticism - 1 === place);
      mark.setAttribute("aria-pressed", String(mark.dataset.criticism - 1 === place));
    }
  });
  onSearch((ranks, hasPoint) => {
    isFound = hasPoint;
    draw();
    for (const mark of marks) mark.classList.toggle("aside", !(ranks?.has(Number(mark.dataset.rank)) ?? true));
  });
  // An image with interactive parts is a group.
  plane.setAttribute("role", "group");
  plane.setAttribute("aria-label", "Map of the data. Plus and minus zoom, arrow keys move, 0 shows all.");

  byId("map-view")?.addEventListener("change", ({ target }) => {
    places = map.places[Number(target.value)];
    for (const caption of all(".map-caption")) caption.hidden = caption.dataset.view !== target.value;
    draw();
  });

  /** Shows the run with another number of prototypes. */
  return (next) => {
    state = next;
    if (here !== null) showPicked(here);
    if (isFound) draw();
    const ranks = new Map(criticismsOf(next).found.map(([place], rank) => [place, rank + 1]));
    for (const mark of crosses) {
      const rank = ranks.get(mark.dataset.criticism - 1);
      mark.toggleAttribute("hidden", rank === undefined);
      if (rank !== undefined) mark.setAttribute("aria-label", `criticism ${rank}`);
    }
    const least = leastRadius(next.size);
    for (const mark of marks) {
      const rank = Number(mark.dataset.rank);
      mark.toggleAttribute("hidden", rank > next.size);
      if (rank > next.size) continue;
      const radius = least + 20 * Math.sqrt(Math.max(0, next.shares[rank - 1]));
      const [circle, number] = mark.children;
      circle.setAttribute("r", String(radius));
      const size = numberSize(radius, rank);
      number.toggleAttribute("hidden", size === null);
      if (size !== null) number.setAttribute("font-size", size);
    }
  };
};

/** The radius of a prototype without weight: smaller if there are many, so that the rows stay visible. */
const leastRadius = (number) => Math.max(2, 6 * Math.min(1, Math.sqrt(40 / number)));
