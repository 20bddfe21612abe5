// The page of a study.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
{
  const view = readData("view");
  if (view.tables.length) {
    setUpEdges(view);
    setUpGraph(view);
  }
}
