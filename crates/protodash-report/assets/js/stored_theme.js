// Before anything is drawn: says that scripts run, and takes up the theme that was chosen last time.
document.documentElement.classList.add("js");
try {
  const stored = localStorage.getItem("protodash-theme");
  if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
} catch {
  // A page opened from a file may not be allowed to remember anything.
}
