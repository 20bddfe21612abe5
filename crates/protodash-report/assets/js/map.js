// The map: tooltips, the rows of a prototype, toggling classes, any number of prototypes.

const NEAR = 14;

/** Font size at which a number fits into its circle, as in the Rust code; null if it does not fit. */
const numberSize = (radius, rank) => {
  const size = Math.min(12, (2.7 * radius) / String(rank).length);
  return size < 7 ? null : size.toFixed(1);
};

const setUpMap = (view) => {
  const plane = byId("plane");
  if (!plane) return () => {};
  const { map } = view;
  const marks = all(".map-prototype", plane);
  const chosen = byId("chosen-points");
  const words = byId("map-text");
  let state = { size: marks.length, whole: true };
  let here = null;

  const hiddenClasses = new Set();
  for (const box of all("input[data-class]")) {
    box.addEventListener("change", () => {
      const place = Number(box.dataset.class);
      if (box.checked) hiddenClasses.delete(place);
      else hiddenClasses.add(place);
      byId(`dots-${place}`).toggleAttribute("hidden", !box.checked);
    });
  }

  const rowName = (id, index) => (id ? `${id} (row ${count(index)})` : `row ${count(index)}`);
  const describePoint = (at) => {
    const lines = [rowName(map.id?.[at], map.index[at])];
    if (map.label) lines.push(map.label[at] || "missing");
    if (map.text) lines.push(map.text[at]);
    if (map.nearest[at] !== null && state.whole) lines.push(`represented by prototype ${map.nearest[at] + 1}`);
    return lines.join("\n");
  };
  const describeRow = (title, row) => [title, rowName(row.id, row.index), row.label === "" ? "missing" : row.label, ...(row.shown ?? []).map(clippedText)].filter(Boolean).join("\n");

  const place = (event) => {
    const box = plane.getBoundingClientRect();
    const { width, height } = plane.viewBox.baseVal;
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  const nearestPoint = (event) => {
    const [x, y] = place(event);
    let [best, least] = [null, NEAR * NEAR];
    for (let at = 0; at < map.x.length; at += 1) {
      if (map.class[at] !== null && hiddenClasses.has(map.class[at])) continue;
      const distance = (map.x[at] - x) ** 2 + (map.y[at] - y) ** 2;
      if (distance < least) [best, least] = [at, distance];
    }
    return best;
  };

  plane.addEventListener("pointermove", (event) => {
    const mark = event.target.closest(".map-prototype, .map-criticism");
    if (mark?.dataset.rank) {
      const row = view.prototypes[mark.dataset.rank - 1];
      showTip(event, describeRow(`prototype ${mark.dataset.rank}`, row), row.image ?? null);
    } else if (mark) {
      const row = view.criticisms[mark.dataset.criticism - 1];
      showTip(event, describeRow(`criticism ${mark.dataset.criticism}`, row), row.image ?? null);
    } else {
      const at = nearestPoint(event);
      if (at === null) hideTip();
      else showTip(event, describePoint(at));
    }
  });
  plane.addEventListener("pointerleave", hideTip);

  const showPicked = (rank) => {
    here = rank;
    for (const mark of marks) {
      mark.classList.toggle("here", Number(mark.dataset.rank) === here);
      mark.setAttribute("aria-pressed", String(Number(mark.dataset.rank) === here));
    }
    const points = [];
    if (here !== null && state.whole) {
      for (let at = 0; at < map.x.length; at += 1) {
        if (map.nearest[at] === here - 1) points.push(`M${map.x[at]} ${map.y[at]}h0`);
      }
    }
    chosen.setAttribute("d", points.join(""));
    words.replaceChildren();
    if (here === null) return;
    if (state.whole) words.append(`Prototype ${here} represents the ${plural(points.length, "large dot")}. `);
    else words.append(`Prototype ${here}. Its rows are known for the complete run only. `);
    if (byId(`prototype-${here}`)) {
      const link = make("a", "Go to its card");
      link.href = `#prototype-${here}`;
      words.append(link);
    }
  };
  for (const mark of marks) makePicker(mark, Number(mark.dataset.rank));
  onPick(showPicked);
  onSearch((ranks) => {
    for (const mark of marks) mark.classList.toggle("aside", !(ranks?.has(Number(mark.dataset.rank)) ?? true));
  });
  // An image with interactive parts is a group.
  plane.setAttribute("role", "group");

  /** Shows the run with another number of prototypes. */
  return (next) => {
    state = next;
    if (here !== null) showPicked(here);
    for (const mark of marks) {
      const rank = Number(mark.dataset.rank);
      mark.toggleAttribute("hidden", rank > next.size);
      if (rank > next.size) continue;
      const radius = 6 + 20 * Math.sqrt(Math.max(0, next.shares[rank - 1]));
      const [circle, number] = mark.children;
      circle.setAttribute("r", String(radius));
      const size = numberSize(radius, rank);
      number.toggleAttribute("hidden", size === null);
      if (size !== null) number.setAttribute("font-size", size);
    }
  };
};
