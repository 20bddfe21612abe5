// Runs before anything is drawn: marks the page as scripted and restores the chosen theme.
document.documentElement.classList.add("js");
try {
  const stored = localStorage.getItem("protodash-theme");
  if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
} catch {
  // A page opened from a file may have no storage.
}
