// Downloads the result embedded in the page.

/** Saves a file under a name. */
const saveFile = (name, file) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const setUpDownload = () => {
  const button = byId("download");
  if (!button) return;
  button.addEventListener("click", async () => {
    saveFile(button.dataset.name, new Blob([await textOf("result")], { type: "application/json" }));
  });
};
