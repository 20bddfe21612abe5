// The prototype that the reader picked, and which prototypes a search finds: every part of the page follows.

const followers = { picked: [], found: [] };
let picked = null;

/** Calls `show` with the rank of the picked prototype, or null, whenever it changes. */
const onPick = (show) => followers.picked.push(show);

/** Calls `show` with a set of ranks, or null for all, whenever the search changes. */
const onSearch = (show) => followers.found.push(show);

/** Picks a prototype; the same one again is no longer picked. */
const pick = (rank) => {
  picked = picked === rank ? null : rank;
  for (const show of followers.picked) show(picked);
};

/** Makes an element a button that picks a prototype. */
const makePicker = (element, rank) => {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-pressed", "false");
  element.setAttribute("aria-label", `prototype ${rank}`);
  element.addEventListener("click", () => pick(rank));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(rank);
  });
  return element;
};

/** Everything that is written about a prototype, in lower case. */
const wordsOf = (row, columns) =>
  [row.id ?? "", row.label ?? "", `row ${row.index}`, ...(row.shown ?? []), ...(row.cells ?? []).map(({ text }, at) => `${columns[at][0]} ${text}`)]
    .join("\n")
    .toLowerCase();

const setUpSearch = (view) => {
  const [box, filter, text] = [byId("search"), byId("class-filter"), byId("search-text")];
  if (!box) return;
  // Made on the first search: it takes a while for hundreds of columns.
  let words = null;
  const search = () => {
    const asked = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = filter?.value ?? "";
    if (!asked.length && !wanted) {
      text.textContent = "";
      for (const show of followers.found) show(null);
      return;
    }
    words ??= view.prototypes.map((row) => wordsOf(row, view.columns));
    const found = new Set();
    view.prototypes.forEach((row, at) => {
      const isClass = !wanted || `=${row.label ?? ""}` === wanted;
      if (isClass && asked.every((word) => words[at].includes(word))) found.add(at + 1);
    });
    text.textContent = `${count(found.size)} of ${plural(view.prototypes.length, "prototype")}`;
    for (const show of followers.found) show(found);
  };
  box.addEventListener("input", search);
  filter?.addEventListener("change", search);
  // A reloaded page may still have what was typed.
  if (box.value || filter?.value) search();
};
