// The page of two selections side by side.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
// Large pages are compressed, and browsers unpack asynchronously.
const comparedView = byId("view").dataset.packed ? unpacked("view").then(JSON.parse) : Promise.resolve(readData("view"));
comparedView.then((view) => {
  setUpCells(view);
  document.documentElement.dataset.ready = "true";
});
