"""Checks of every page: no messages or requests, responsive, valid and accessible."""

from collections import Counter

import html5lib
import pytest
from axe_core_python.selenium import Axe
from conftest import CALLS

# These pages differ from others in size only.
PAGES = sorted(CALLS.keys() - {"wide", "crowd"})


@pytest.mark.parametrize("name", PAGES)
def test_it_opens_without_messages_or_requests_and_fits_every_width(name, browser, screenshots):
    for width, theme in [(360, "light"), (360, "dark"), (900, "light"), (1600, "light"), (1600, "dark")]:
        page = browser(name, width=width, theme=theme)
        widest = page.run("return document.documentElement.scrollWidth")
        assert widest <= width, f"the page is {widest} wide"
        picture = screenshots / f"{name}-{width}-{theme}.png"
        assert page.driver.save_screenshot(str(picture))
        assert page.messages() == [] and page.requests() == []


@pytest.mark.parametrize("name", PAGES)
def test_it_is_valid_html(name, pages):
    text = pages(name).read_text(encoding="utf-8")
    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    elements = [element for element in document.iter() if isinstance(element.tag, str)]
    ids = Counter(element.get("id") for element in elements if element.get("id"))
    assert [id for id, times in ids.items() if times > 1] == []
    for element in elements:
        named = [element.get("for"), element.get("aria-labelledby")]
        link = element.get("href", "")
        named.append(link[1:] if link.startswith("#") else None)
        assert all(id in ids for id in named if id), element.attrib
        assert "style" not in element.attrib and not any(key.startswith("on") for key in element.attrib)


@pytest.mark.parametrize("name", [*"adults digits explained methods tables brief study criticized shown letters classes shift both fixed".split()])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible(name, theme, browser):
    page = browser(name, theme=theme)
    found = Axe().run(page.driver)["violations"]
    told = [(rule["id"], rule["help"], [node["html"][:120] for node in rule["nodes"][:3]]) for rule in found]
    assert told == []


@pytest.mark.parametrize("name", PAGES)
def test_the_layout_does_not_shift_while_it_loads(name, browser):
    page = browser(name)
    shift = page.driver.execute_async_script(
        """const done = arguments[0];
        let sum = 0;
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
            .observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 300);"""
    )
    assert shift == 0


@pytest.mark.parametrize("name", ["adults", "methods", "tables", "study", "both"])
def test_it_shows_its_findings_without_a_script_and_in_print(name, browser):
    page = browser(name, script=False)
    assert page.one("h1").is_displayed() and page.one("p.lead").is_displayed()
    assert not any(element.is_displayed() for element in page.all(".scripted"))
    assert page.one("svg").is_displayed()
    printed = page.command("Page.printToPDF", printBackground=False)["data"]
    assert len(printed) > 20_000


def test_explanations_are_shown_without_a_script_and_in_print(browser):
    page = browser("explained", script=False)
    assert page.one("h1").is_displayed() and page.one("p.lead").is_displayed()
    assert not any(element.is_displayed() for element in page.all(".scripted"))
    # The list, and the first rows next to their prototypes.
    assert page.one("#explained-table").is_displayed() and page.count("#explained > article") == 5
    assert all(article.is_displayed() for article in page.all("#explained > article"))
    assert len(page.command("Page.printToPDF", printBackground=False)["data"]) > 20_000


@pytest.mark.parametrize("name", ["adults", "methods", "tables", "study", "explained", "both"])
def test_print_is_light_even_if_the_screen_is_dark(name, browser):
    page = browser(name, theme="dark")
    page.one("#theme").click()
    page.one("#theme").click()
    page.command("Emulation.setEmulatedMedia", media="print")
    assert page.background() == "rgb(255, 255, 255)"
    assert page.run("return getComputedStyle(document.querySelector('h1')).color") == "rgb(27, 31, 39)"
    page.command("Emulation.setEmulatedMedia", media="")
    page.run("localStorage.clear()")


@pytest.mark.parametrize("name", PAGES)
def test_no_other_script_runs(name, browser):
    page = browser(name)
    page.run(
        """const script = document.createElement("script");
        script.textContent = "window.intruder = true";
        document.body.append(script);
        document.querySelector("h1").setAttribute("onclick", "window.intruder = true");
        document.querySelector("h1").click();"""
    )
    assert page.run("return window.intruder") is None
    refused = page.messages()
    assert refused and all("Content Security Policy" in message for message in refused)


@pytest.mark.parametrize("name", ["adults", "methods", "tables", "study"])
def test_light_and_dark_follow_the_system_until_the_button_is_pressed(name, browser):
    light = browser(name, theme="light").background()
    page = browser(name, theme="dark")
    dark = page.background()
    assert light != dark
    page.one("#theme").click()
    assert page.background() == light
    page.one("#theme").click()
    assert page.background() == dark
    # The choice would be remembered: later pages must start without one.
    page.run("localStorage.clear()")
