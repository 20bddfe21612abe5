// The page of explanations: one row at a time, picked from the list, by buttons or by search.

/** The explained row in HTML that the page was made with: its text is escaped. */
const explainedOf = (html) => document.adoptNode(new DOMParser().parseFromString(html, "text/html").querySelector("article"));

/** `later` is a promise of the HTML of the rows that are not in the page yet. */
const setUpExplained = (later) => {
  const [frame, table, box] = [byId("explained"), byId("explained-table"), byId("find-row")];
  const [text, found, alone] = [byId("explained-text"), byId("find-text"), byId("only-alone")];
  const known = new Map(all(".explained", frame).map((article) => [Number(article.dataset.at), article]));
  const nStatic = known.size;
  let here = 0;

  const articleOf = async (at) => {
    if (!known.has(at)) {
      const article = explainedOf((await later)[at - nStatic]);
      all("table.sortable", article).forEach(makeSortable);
      known.set(at, article);
    }
    return known.get(at);
  };
  const lines = () => [...sortedBody(table).rows].filter((line) => !line.hidden);
  const show = (at) => {
    here = at;
    articleOf(at).then((article) => {
      // The reader may have moved on while the page was unpacked.
      if (here !== at) return;
      article.classList.remove("later");
      frame.replaceChildren(article);
    });
    const shown = lines();
    const place = shown.findIndex((line) => Number(line.dataset.at) === at);
    if (text) text.textContent = place < 0 ? "" : `${count(place + 1)} of ${count(shown.length)}`;
    for (const line of sortedBody(table).rows) {
      const isHere = Number(line.dataset.at) === at;
      line.classList.toggle("here", isHere);
      line.cells[0].firstElementChild.setAttribute("aria-pressed", String(isHere));
    }
  };
  for (const line of sortedBody(table).rows) {
    const cell = line.cells[0];
    const button = make("button", cell.textContent, "picker");
    button.type = "button";
    button.setAttribute("aria-label", `Explain row ${cell.textContent}`);
    cell.replaceChildren(button);
    line.addEventListener("click", () => show(Number(line.dataset.at)));
  }

  /** Shows the row that is `step` lines further in the list, as it is sorted and filtered. */
  const move = (step) => {
    const shown = lines();
    if (!shown.length) return;
    const place = shown.findIndex((line) => Number(line.dataset.at) === here);
    const next = place < 0 ? 0 : (place + step + shown.length) % shown.length;
    show(Number(shown[next].dataset.at));
    // Only the frame of the list scrolls, not the page.
    const list = table.parentElement;
    const [top, bottom] = [shown[next].offsetTop - table.tHead.offsetHeight, shown[next].offsetTop + shown[next].offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  };
  byId("previous")?.addEventListener("click", () => move(-1));
  byId("next")?.addEventListener("click", () => move(1));

  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const line of sortedBody(table).rows) {
      const content = line.textContent.toLowerCase();
      const isAlone = line.querySelector(".alone") !== null;
      line.hidden = !words.every((word) => content.includes(word)) || (alone?.checked === true && !isAlone);
    }
    const shown = lines();
    const all = sortedBody(table).rows.length;
    found.textContent = shown.length === all ? "" : `${plural(shown.length, "row")} of ${count(all)}`;
    if (shown.length) show(shown.some((line) => Number(line.dataset.at) === here) ? here : Number(shown[0].dataset.at));
  };
  box.addEventListener("input", filter);
  alone?.addEventListener("change", filter);
  const only = byId("only-differing");
  only?.addEventListener("change", () => frame.classList.toggle("only-differing", only.checked));
  show(0);
};

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
if (byId("explained")) {
  // Large pages are compressed, and browsers unpack asynchronously.
  const view = loadData("view");
  setUpExplained(view.then(({ later }) => later));
  view.then(() => {
    document.documentElement.dataset.ready = "true";
  });
}
