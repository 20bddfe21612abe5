"""A page in the browser: ways to inspect it, its console messages and its requests."""

import json
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait


class Page:
    """A page opened at a width and in a theme."""

    def __init__(self, driver, path: Path, width=1200, height=900, theme="light", script=True, early=None):
        """Opens it; `early` is a script that runs before the page's own."""
        self.driver = driver
        self.path = path
        self.has_script = script
        self.complaints: list[str] = []
        driver.get("about:blank")
        driver.get_log("browser"), driver.get_log("performance")
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        early = early and self.command("Page.addScriptToEvaluateOnNewDocument", source=early)["identifier"]
        driver.get(path.as_uri())
        # The driver may return while a large page is still loading.
        WebDriverWait(driver, 60).until(lambda _: self.run("return document.readyState") == "complete")
        if script:
            # Large pages are unpacked after they have loaded.
            ready = "return !document.querySelector('[data-packed]') || document.documentElement.dataset.ready === 'true'"
            WebDriverWait(driver, 60).until(lambda _: self.run(ready))
        if early:
            self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=early)

    def command(self, name: str, **arguments):
        """Runs a command of the Chrome DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script: str, *arguments):
        """Runs a script in the page and returns its result."""
        return self.driver.execute_script(script, *arguments)

    def one(self, selector: str):
        """The first element that matches a selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str):
        """All elements that match a selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def bring(self, selector: str):
        """The first element that matches a selector, scrolled to the middle of the window."""
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })", element)
        if self.has_script:
            # The page draws what it observes to be visible. Its observers are notified in the order of their creation.
            self.driver.execute_async_script(
                "const [element, done] = arguments; new IntersectionObserver(() => done()).observe(element);", element
            )
        return element

    def texts(self, selector: str) -> list[str]:
        """The text of each element, including hidden ones."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def count(self, selector: str) -> int:
        """The number of elements that match a selector."""
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def slide(self, selector: str, value: int) -> None:
        """Moves a slider, and waits until the page has been redrawn."""
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
        """The console messages since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Requests to anything other than the page itself."""
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        own = self.path.as_uri()
        return [url for url in asked if not url.startswith((own, "data:", "blob:", "about:"))]

    def close(self) -> None:
        """Checks that there were no console messages and no requests."""
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        assert self.messages() == []
        assert self.requests() == []
