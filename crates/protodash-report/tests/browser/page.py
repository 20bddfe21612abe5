"""A page in the browser: how it is looked at and what it did meanwhile."""

import json
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait


class Page:
    """A page opened at a width and in a theme."""

    def __init__(self, driver, path: Path, width=1200, height=900, theme="light", script=True, early=None):
        """Opens it; `early` is a script that runs before any of the page's own."""
        self.driver = driver
        self.path = path
        self.complaints: list[str] = []
        driver.get("about:blank")
        driver.get_log("browser"), driver.get_log("performance")
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        early = early and self.command("Page.addScriptToEvaluateOnNewDocument", source=early)["identifier"]
        driver.get(path.as_uri())
        # The driver may come back while a large page is still being read.
        WebDriverWait(driver, 60).until(lambda _: self.run("return document.readyState") == "complete")
        if early:
            self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=early)

    def command(self, name: str, **arguments):
        """A command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script: str, *arguments):
        """What a script returns that is run in the page."""
        return self.driver.execute_script(script, *arguments)

    def one(self, selector: str):
        """The first element for which a selector holds."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str):
        """All elements for which a selector holds."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def bring(self, selector: str):
        """The first element for which a selector holds, in the middle of the window."""
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })", element)
        return element

    def texts(self, selector: str) -> list[str]:
        """The text of each element, also of those that are out of sight."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def count(self, selector: str) -> int:
        """How many elements there are for which a selector holds."""
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def slide(self, selector: str, value: int) -> None:
        """Moves a slider, and waits until the page has been drawn."""
        self.driver.execute_async_script(
            """const [selector, value, done] = arguments;
            const slider = document.querySelector(selector);
            slider.value = value;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            requestAnimationFrame(() => requestAnimationFrame(() => done()));""",
            selector,
            value,
        )

    def background(self) -> str:
        """The colour of the page."""
        return self.run("return getComputedStyle(document.documentElement).backgroundColor")

    def messages(self) -> list[str]:
        """What the console said since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What was asked of anybody but the page itself."""
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        own = self.path.as_uri()
        return [url for url in asked if not url.startswith((own, "data:", "blob:", "about:"))]

    def close(self) -> None:
        """Makes sure that nothing was complained of and nothing asked for."""
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        assert self.messages() == []
        assert self.requests() == []
