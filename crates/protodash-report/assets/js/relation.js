// The page of a relation.

setUpTheme();
setUpDownload();
setUpSorting();
{
  const view = readData("view");
  setUpEdges(view);
  setUpGraph(view);
}
