// The page of a relation.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
{
  const view = readData("view");
  setUpEdges(view);
  setUpGraph(view);
}
