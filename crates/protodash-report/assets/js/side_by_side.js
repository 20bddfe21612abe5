// The page of two selections side by side.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
// Large pages are compressed, and browsers unpack asynchronously.
const comparedView = loadData("view");
comparedView.then((view) => {
  setUpCells(view);
  document.documentElement.dataset.ready = "true";
});
