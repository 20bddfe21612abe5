// Saves rows with all their columns as CSV, also those that the page shows in part only.

const csvLines = (lines) => lines.map((line) => `${line.map((value) => csvField(String(value ?? ""))).join(",")}\r\n`).join("");

const cellTexts = (row, columns) => columns.map((_, at) => row.cells?.[at]?.exact ?? row.cells?.[at]?.text);

/** The prototypes as they are in the table, at the size of the slider, with every column. */
const prototypesCsv = async () => {
  const { prototypes, columns, shown = [] } = await loadData("view");
  const lines = [...byId("prototype-table").tBodies[0].rows].filter((line) => !line.hidden);
  const heads = ["rank", "row", "id", "label", ...shown, "weight", "of weight", ...columns.map(([name]) => name)];
  const ofLine = (line) => {
    const row = prototypes[line.dataset.rank - 1];
    const number = (kind) => line.querySelector(`.${kind}`)?.dataset.value;
    const texts = shown.map((_, at) => row.shown?.[at]);
    return [line.dataset.rank, row.index, row.id, row.label, ...texts, number("weight"), number("share"), ...cellTexts(row, columns)];
  };
  return csvLines([heads, ...lines.map(ofLine)]);
};

/** The criticisms on the page, at the size of the slider, with their scores and every column. */
const criticismsCsv = async () => {
  const { criticisms, columns, shown = [] } = await loadData("view");
  const heads = ["rank", "row", "id", "label", ...shown, "score", ...columns.map(([name]) => name)];
  const ofCard = (card, at) => {
    const row = criticisms[card.dataset.criticism - 1];
    const texts = shown.map((_, place) => row.shown?.[place]);
    return [at + 1, row.index, row.id, row.label, ...texts, card.querySelector(".score").dataset.value, ...cellTexts(row, columns)];
  };
  return csvLines([heads, ...all("#criticism-cards .card").map(ofCard)]);
};

/** A line for each explained row and each row that represents it. */
const explanationsCsv = async () => {
  const heads = ["row", "id", "label", "similar", "explained", "source row", "source id", "source label", "weight", "of weight", "distance"];
  const { explanations } = await loadData("result");
  const lines = explanations.flatMap((found) =>
    found.prototypes.map((one) => [
      ...[found.row, found.id, found.label, found.similar, found.explained],
      ...[one.source_index, one.id, one.label, one.weight, one.share, one.distance],
    ]),
  );
  return csvLines([heads, ...lines]);
};

/** A line of the list that saves rows. */
const rowSaver = (name, csv) => {
  const save = async () => {
    catchUp();
    saveFile(fileNameOf(name, "csv"), new Blob([await csv()], { type: "text/csv" }));
  };
  return saverLine(name, [["CSV", save]]);
};

/** Adds the rows of this page to what can be saved. */
const addRowSavers = () => {
  const savers = [];
  if (byId("prototype-table")) savers.push(rowSaver("Prototypes with all columns", prototypesCsv));
  if (byId("prototype-table") && document.querySelector("#criticisms .criticism")) savers.push(rowSaver("Criticisms with all columns", criticismsCsv));
  if (byId("explained-table")) savers.push(rowSaver("Rows with their prototypes", explanationsCsv));
  byId("savers").prepend(...savers);
};

addRowSavers();
