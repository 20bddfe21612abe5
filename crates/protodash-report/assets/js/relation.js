// The page of a relation.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
{
  const view = readData("view");
  setUpEdges(view);
  setUpGraph(view);
}
