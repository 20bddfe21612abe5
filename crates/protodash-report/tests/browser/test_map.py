"""The map: both views, zoom and pan, many classes, a separate source, and rows that stay visible."""

import re

from conftest import view_of
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

FRAME = "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
FIRST = "return document.querySelector('.map-prototype[data-rank=\"1\"]').getAttribute('transform')"


def place(page) -> list[float]:
    """Where the first prototype is in the drawing."""
    page.run(FRAME)
    return [float(value) for value in page.run(FIRST).removeprefix("translate(").removesuffix(")").split()]


def test_the_reader_can_choose_between_neighbours_kernel_and_columns(browser, pages):
    views = view_of(pages("adults"))["map"]["places"]
    page = browser("adults")
    captions = dict(zip(page.texts("#map-view option"), page.texts(".map-caption"), strict=True))
    assert "of the kernel's variance" in captions["kernel (kernel PCA)"] and "of the columns' variance" in captions["columns (PCA)"]
    # The most faithful view is first: for tables, not one that shows a few percent of the variance.
    preserved = [float(re.search(r"under the kernel, ([\d.]+)", caption)[1]) for caption in captions.values()]
    assert next(iter(captions)) == "neighbours (t-SNE)" and preserved == sorted(preserved, reverse=True)
    assert preserved[0] > 3 * preserved[1]
    for view in ["1", "2", "0"]:
        page.run("const box = document.querySelector('#map-view'); box.value = arguments[0]; box.dispatchEvent(new Event('change'))", view)
        expected = [value / 10 for value in views[int(view)]["prototypes"][0]]
        assert all(abs(found - wanted) < 0.06 for found, wanted in zip(place(page), expected, strict=True))
        assert [caption.is_displayed() for caption in page.all(".map-caption")] == [view == "0", view == "1", view == "2"]


def test_buttons_and_keys_zoom_move_and_reset(browser):
    page = browser("adults")
    start = place(page)
    assert not page.one("#map-reset").is_enabled()
    page.bring("#map-in").click()
    zoomed = place(page)
    # The middle stays where it is.
    assert all(abs((now - half) - 1.6 * (before - half)) < 0.2 for now, before, half in zip(zoomed, start, [400, 280], strict=True))
    plane = page.bring("#plane")
    plane.send_keys(Keys.ARROW_RIGHT)
    assert abs(place(page)[0] - (zoomed[0] - 60)) < 0.2
    plane.send_keys("0")
    assert place(page) == start and not page.one("#map-out").is_enabled()
    plane.send_keys("+")
    page.bring("#map-reset").click()
    assert place(page) == start


def test_the_wheel_zooms_a_map_that_was_clicked_and_the_page_scrolls_past_others(browser):
    page = browser("adults")
    turn = """const event = new WheelEvent("wheel", { deltaY: -200, clientX: 300, clientY: 300, bubbles: true, cancelable: true });
        document.querySelector("#plane").dispatchEvent(event);
        return event.defaultPrevented"""
    start = place(page)
    assert page.run(turn) is False and place(page) == start
    page.run("document.querySelector('#plane').focus()")
    assert page.run(turn) is True and place(page) != start


def test_a_drag_moves_the_map_and_picks_nothing(browser):
    page = browser("adults")
    page.bring("#map-in").click()
    page.one("#map-in").click()
    before = place(page)
    plane = page.bring("#plane")
    ActionChains(page.driver).move_to_element(plane).click_and_hold().move_by_offset(40, 20).move_by_offset(30, 10).release().perform()
    after = place(page)
    assert after[0] > before[0] + 30 and after[1] > before[1] + 10
    assert page.count(".map-prototype.here") == 0


def test_twenty_six_classes_differ_by_colour_and_shape(browser):
    page = browser("letters")
    looks = page.run(
        """return [...document.querySelectorAll("#plane .dots[id]")].filter((path) => path.id.startsWith("dots-")).map((path) => {
            const shape = path.getAttribute("d").replace(/^M[-\\d. ]+/, "").split("M")[0];
            return `${getComputedStyle(path).stroke} ${shape}`;
        })"""
    )
    assert len(looks) == len(set(looks)) == 26 and len({look.split(") ")[1] for look in looks}) == 3
    opacities = page.run("return [...document.querySelectorAll('#plane .dots[id^=dots-]')].map((path) => Number(getComputedStyle(path).strokeOpacity))")
    assert min(opacities) >= 0.75
    assert page.count(".map-legend input[data-class]") == 26


def test_target_and_source_are_both_drawn_when_they_differ(browser, pages):
    view = view_of(pages("shift"))["map"]
    assert 0 < view["n_target"] < len(view["index"])
    page = browser("shift")
    n_drawn = lambda id: page.run("return document.querySelector(arguments[0]).getAttribute('d').split('M').length - 1", id)
    assert n_drawn("#dots-source") == len(view["index"]) - view["n_target"]
    page.bring("#class-source").click()
    assert not page.one("#dots-source").is_displayed()
    assert "Grey squares are all" in page.texts("#map p")[0]


def test_rows_stay_visible_among_a_thousand_prototypes(browser):
    page = browser("many")
    covered = page.run(
        """return [...document.querySelectorAll(".map-prototype circle")].reduce((sum, { r }) => sum + Math.PI * r.baseVal.value ** 2, 0)"""
    )
    assert covered < 0.1 * 800 * 560


def test_ten_thousand_points_are_a_few_elements_that_zoom(browser, pages):
    assert len(view_of(pages("crowd"))["map"]["index"]) == 10_000
    page = browser("crowd")
    page.bring("#plane")
    # What a frame costs is the number of elements: all points of a class are one.
    assert page.run("return document.querySelectorAll('#plane *').length") < 50
    n_drawn = lambda: page.run("return document.querySelector('#dots-0').getAttribute('d').split('M').length - 1")
    assert n_drawn() == 10_000
    for _ in range(4):
        page.one("#map-in").click()
    # Points outside the window are not drawn. The map is drawn again at the next frame.
    wait = WebDriverWait(page.driver, 10)
    wait.until(lambda _: 0 < n_drawn() < 5_000)
    page.one("#map-reset").click()
    wait.until(lambda _: n_drawn() == 10_000)


def test_every_dot_of_images_has_a_thumbnail(browser, pages):
    points = view_of(pages("digits"))["map"]
    assert points["thumbnails"]["step"] == 1
    page = browser("digits")
    page.bring("#plane")
    for at in range(1, len(points["index"]), 97):
        page.run(
            """const [x, y] = arguments;
            const plane = document.querySelector("#plane");
            const box = plane.getBoundingClientRect();
            const place = { clientX: box.left + (x / 8000) * box.width, clientY: box.top + (y / 5600) * box.height };
            plane.dispatchEvent(new PointerEvent("pointermove", { ...place, bubbles: true }));""",
            points["places"][0]["x"][at],
            points["places"][0]["y"][at],
        )
        assert page.one(".tip .image").is_displayed()
        assert "data:image/png" in page.run("return getComputedStyle(document.querySelector('.tip .image')).backgroundImage")
