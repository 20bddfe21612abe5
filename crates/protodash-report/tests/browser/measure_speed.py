"""Measures how fast large pages open and how fast the map zooms. No test: the figures depend on the machine.

python measure_speed.py COMMAND BROWSER DRIVER prints lines for docs/reports.md; the command should be an optimised build.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import CALLS, QUIET_FLAGS, crowd_table, wide_table
from page import Page
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

RUNS = 5

# The time of each frame while the map zooms in and out, and what drawing it took.
ZOOM = """
const done = arguments[0];
const plane = document.querySelector("#plane");
plane.focus();
const times = [];
let last = null;
const step = (now) => {
  if (last !== null) times.push(now - last);
  last = now;
  if (times.length === 60) return done(times);
  plane.dispatchEvent(new KeyboardEvent("keydown", { key: times.length % 20 < 10 ? "+" : "-", bubbles: true, cancelable: true }));
  requestAnimationFrame(step);
};
requestAnimationFrame(step);"""


def ready(page: Page) -> float:
    """Milliseconds until everything works; small pages are ready when they have loaded."""
    return page.run(
        """const [mark] = performance.getEntriesByName("ready");
        return mark?.startTime ?? performance.getEntriesByType("navigation")[0].loadEventEnd"""
    )


def main(command: str, browser: str, driver: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "wide.csv").write_text(wide_table(), encoding="utf-8")
        (folder / "crowd.csv").write_text(crowd_table(), encoding="utf-8")
        for page in ["wide", "crowd"]:
            call = CALLS[page].format(f"{page}.html").split()
            subprocess.run([command, *call, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in QUIET_FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        started = webdriver.Chrome(options=options, service=Service(driver))
        try:
            wide = statistics.median(ready(Page(started, folder / "wide.html", width=1400)) for _ in range(RUNS))
            crowd = Page(started, folder / "crowd.html", width=1400)
            crowd.bring("#plane")
            frames = sorted(started.execute_async_script(ZOOM))
            version = started.capabilities["browserVersion"]
        finally:
            started.quit()
        size = (folder / "wide.html").stat().st_size / 1e6
    print(f"machine: {processor()}, {os.cpu_count()} cores, Chromium {version} without a graphics card")
    print(f"1,000 prototypes of 300 columns ({size:.1f} MB): ready after {wide / 1000:.2f} s (median of {RUNS})")
    print(f"10,000 points, zooming: {statistics.median(frames):.0f} ms a frame (median of {len(frames)}), 95 % within {frames[56]:.0f} ms")


def processor() -> str:
    """The name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main(*sys.argv[1:])
