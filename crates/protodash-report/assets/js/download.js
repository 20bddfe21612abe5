// Downloads the result embedded in the page.

const setUpDownload = () => {
  const button = byId("download");
  if (!button) return;
  button.addEventListener("click", () => {
    const file = new Blob([byId("result").textContent], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = button.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
};
