// The page of a comparison.

setUpTheme();
setUpDownload();
setUpSorting();
setUpPaper();
setUpExport();
