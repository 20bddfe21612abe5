// The prototype that the reader picked, and what a search or a filter finds: every part of the page follows.

const followers = { picked: [], found: [], filtered: [] };
let picked = null;
let searched = null;
let filter = null;

/** Calls `show` with the rank of the picked prototype, or null, whenever it changes. */
const onPick = (show) => followers.picked.push(show);

/**
 * Calls `show` whenever search or filter change, with a set of ranks and a function that tells whether a point of the map is
 * found, given its nearest prototype; either is null for all. The third argument tells whether another row is found by the search, null for
 * all.
 */
const onSearch = (show) => followers.found.push(show);

/** Calls `show` with the filter, or null, whenever it changes. */
const onFilter = (show) => followers.filtered.push(show);

/** Both of two functions or sets; null stands for everything. */
const both = (one, other, meet) => (one && other ? meet(one, other) : (one ?? other));

const showFound = () => {
  const ranks = both(searched?.ranks ?? null, filter?.ranks ?? null, (one, other) => new Set([...one].filter((rank) => other.has(rank))));
  const hasPoint = both(searched?.hasPoint ?? null, filter?.hasPoint ?? null, (one, other) => (...point) => one(...point) && other(...point));
  for (const show of followers.found) show(ranks, hasPoint, searched?.hasRow ?? null);
};

/** Shows only what belongs to a bar or a group; the same one again ends the filter. */
const filterBy = (next) => {
  filter = next && filter?.key === next.key ? null : next;
  for (const show of followers.filtered) show(filter);
  showFound();
};

/** Ends a filter whose key begins like this. */
const endFilter = (beginning) => filter?.key.startsWith(beginning) && filterBy(null);

/** The filter in words, with a button that ends it. */
const setUpFilter = () => {
  const [box, words, button] = [make("div", "", "filter scripted"), make("span"), make("button", "Show all")];
  box.setAttribute("role", "status");
  box.hidden = true;
  button.type = "button";
  button.addEventListener("click", () => filterBy(null));
  box.append("Only ", words, button);
  document.body.append(box);
  onFilter((filter) => {
    box.hidden = !filter;
    words.replaceChildren(...(filter ? [shownName(filter.words)] : []));
  });
};

/** Picks a prototype; the same one again is no longer picked. */
const pick = (rank) => {
  picked = picked === rank ? null : rank;
  for (const show of followers.picked) show(picked);
};

/** Makes an element a button that can be pressed. */
const makeButton = (element, name, act) => {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-pressed", "false");
  element.setAttribute("aria-label", name);
  element.addEventListener("click", act);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return element;
};

/** Makes an element a button that picks a prototype. */
const makePicker = (element, rank) => makeButton(element, `prototype ${rank}`, () => pick(rank));

/** Everything that is written about a prototype, in lower case. */
const wordsOf = (row, columns) =>
  [row.id ?? "", row.label ?? "", `row ${row.index}`, ...(row.shown ?? []), ...(row.cells ?? []).map(({ text }, at) => `${columns[at][0]} ${text}`)]
    .join("\n")
    .toLowerCase();

/** Tells whether a point is found: by what is written about it, by its class, or through its nearest prototype. */
const pointFinder = ({ map }, asked, wanted, ranks) => {
  const words = (at) => [map.id?.[at] ?? "", map.label?.[at] ?? "", `row ${map.index[at]}`, map.text?.[at] ?? ""].join("\n").toLowerCase();
  return (at, nearest) => {
    if (wanted && map.label) return `=${map.label[at] ?? ""}` === wanted && (!asked.length || ranks.has(nearest + 1) || asked.every((word) => words(at).includes(word)));
    return ranks.has(nearest + 1) || (asked.length > 0 && asked.every((word) => words(at).includes(word)));
  };
};

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
      searched = null;
      showFound();
      return;
    }
    words ??= view.prototypes.map((row) => wordsOf(row, view.columns));
    const found = new Set();
    const isClass = (row) => !wanted || `=${row.label ?? ""}` === wanted;
    view.prototypes.forEach((row, at) => {
      if (isClass(row) && asked.every((word) => words[at].includes(word))) found.add(at + 1);
    });
    const hasRow = (row) => isClass(row) && asked.every((word) => wordsOf(row, view.columns).includes(word));
    text.textContent = `${count(found.size)} of ${plural(view.prototypes.length, "prototype")}`;
    searched = { ranks: found, hasRow, hasPoint: view.map ? pointFinder(view, asked, wanted, found) : null };
    showFound();
  };
  box.addEventListener("input", search);
  filter?.addEventListener("change", search);
  // A reloaded page may still have what was typed.
  if (box.value || filter?.value) search();
};
