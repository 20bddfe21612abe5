// The graph of tables: the number of arrows, and the ranking of the selected table.

const setUpEdges = (view) => {
  const slider = byId("edges");
  if (!slider) return;
  const edges = all("#network .edge");
  const text = byId("edges-text");
  const show = () => {
    const shown = Number(slider.value);
    edges.forEach((edge, place) => edge.toggleAttribute("hidden", place >= shown));
    const { rank } = view.pairs[shown - 1];
    text.textContent = `${count(shown)} of ${count(edges.length)}, up to rank ${rank}`;
    slider.setAttribute("aria-valuetext", text.textContent);
  };
  slider.addEventListener("input", show);
  show();
};

/** A list of tables with the share each explains. */
const rankedList = (title, pairs, nameOf) => {
  const list = make("ol");
  for (const pair of pairs) {
    const item = make("li", nameOf(pair));
    item.value = Math.max(1, Math.round(pair.rank));
    item.append(make("span", percent(pair.explained), "quiet"));
    list.append(item);
  }
  return pairs.length ? [make("h3", title), list] : [make("h3", title), make("p", "no table", "quiet")];
};

const setUpGraph = (view) => {
  const nodes = all("#network .node");
  const edges = all("#network .edge");
  const panel = byId("ranking");
  let here = null;
  const choose = (table) => {
    here = here === table ? null : table;
    for (const node of nodes) node.classList.toggle("here", Number(node.dataset.table) === here);
    for (const edge of edges) {
      const [into, out] = [Number(edge.dataset.target) === here, Number(edge.dataset.source) === here];
      edge.classList.toggle("into", into);
      edge.classList.toggle("out", out);
      edge.classList.toggle("aside", here !== null && !into && !out);
    }
    panel.replaceChildren();
    if (here === null) return;
    const byRank = (one, other) => one.rank - other.rank || other.explained - one.explained;
    const name = view.tables[here].name;
    const into = view.pairs.filter((pair) => pair.target === here).sort(byRank);
    const out = view.pairs.filter((pair) => pair.source === here).sort(byRank);
    panel.append(
      ...rankedList(`${name} is represented by`, into, (pair) => view.tables[pair.source].name),
      ...rankedList(`${name} represents`, out, (pair) => view.tables[pair.target].name),
    );
  };
  for (const node of nodes) {
    const table = Number(node.dataset.table);
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", view.tables[table].name);
    node.addEventListener("click", () => choose(table));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(table);
    });
  }
};
