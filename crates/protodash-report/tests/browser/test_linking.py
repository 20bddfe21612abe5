"""Everything linked: a picked prototype, the search, the headline, and large pages that stay small."""

import pytest
from conftest import result_of, view_of
from selenium.webdriver.common.keys import Keys


def picked(page) -> dict[str, list[str]]:
    """What each part of the page marks as picked."""
    return page.run(
        """const ranks = (selector) => [...document.querySelectorAll(selector)].map((e) => e.dataset.rank);
        return { map: ranks(".map-prototype.here"), cards: ranks(".card.here"), table: ranks("#prototype-table tr.here") }"""
    )


@pytest.mark.parametrize("start", ['.map-prototype[data-rank="3"]', '.card[data-rank="3"] .rank', '#prototype-table tr[data-rank="3"] .picker'])
def test_a_prototype_picked_anywhere_is_marked_everywhere(start, browser):
    page = browser("adults")
    page.bring("#all-distributions").click()
    page.bring(start).send_keys(Keys.ENTER)
    assert picked(page) == {"map": ["3"], "cards": ["3"], "table": ["3"]}
    # One mark in each column: a tick for numbers, a category otherwise.
    marks = page.run("return document.querySelectorAll(\".picked-tick:not([d='']), .levels .here\").length")
    assert marks == page.count(".distribution")
    assert page.one(start).get_attribute("aria-pressed") == "true"
    page.bring(start).send_keys(Keys.ENTER)
    assert picked(page) == {"map": [], "cards": [], "table": []}


def test_the_map_leads_to_the_card_of_the_picked_prototype(browser):
    page = browser("adults")
    page.bring('.map-prototype[data-rank="2"]').send_keys(Keys.ENTER)
    page.run("document.documentElement.style.scrollBehavior = 'auto'")
    page.one("#map-text a").click()
    top = page.run("return document.querySelector('#prototype-2').getBoundingClientRect().top")
    assert 0 <= top < page.run("return innerHeight")


def test_the_search_filters_cards_table_and_map(browser, pages):
    view = view_of(pages("adults"))
    place = [name for name, _ in view["columns"]].index("smoking")
    smokers = {str(at + 1) for at, row in enumerate(view["prototypes"]) if row["cells"][place]["text"] == "every day"}
    assert 0 < len(smokers) < 8
    page = browser("adults")
    page.bring("#search").send_keys("smoking EVERY day")
    ranks = lambda selector: set(page.run("return [...document.querySelectorAll(arguments[0])].map((e) => e.dataset.rank)", selector))
    assert ranks("#cards .card:not(.later)") == smokers
    assert ranks("#prototype-table tbody tr:not([hidden])") == smokers
    assert ranks(".map-prototype:not(.aside)") == smokers
    assert page.texts("#search-text") == [f"{len(smokers)} of 8 prototypes"]
    # The filter stays while the slider moves, and both end together.
    page.slide("#size", 4)
    assert ranks("#cards .card:not(.later)") == {rank for rank in smokers if int(rank) <= 4}
    page.one("#search").clear()
    page.one("#search").send_keys(" ", Keys.BACKSPACE)
    assert len(ranks("#cards .card:not(.later)")) == 4 and page.texts("#search-text") == [""]


def test_the_search_filters_criticisms_and_says_if_nothing_matches(browser, pages):
    view = view_of(pages("adults"))
    place = [name for name, _ in view["columns"]].index("education")
    education = [row["cells"][place]["text"] for row in view["criticisms"][:3]]
    page = browser("adults")
    page.bring("#criticisms")
    shown = lambda: page.run("return [...document.querySelectorAll('#criticism-cards .card:not([hidden])')].map((card) => Number(card.dataset.criticism))")
    assert shown() == [1, 2, 3]
    search = page.bring("#search")
    search.send_keys(education[0])
    page.bring("#criticisms")
    assert 1 in shown() and set(shown()) >= {at + 1 for at, text in enumerate(education) if text == education[0]}
    search.send_keys(" nowhere")
    assert shown() == [] and page.one("#criticisms-text").text == "No criticism matches."
    assert page.one("#cards-text").text == "No prototype matches." and page.count("#cards .card:not(.later)") == 0
    search.clear()
    search.send_keys(" ", Keys.BACKSPACE)
    assert shown() == [1, 2, 3] and not page.one("#criticisms-text").is_displayed()


def test_the_slider_is_above_curve_and_map_and_stays_below_the_contents(browser):
    page = browser("adults", width=1400)
    edges = lambda name: page.run("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.top, box.bottom]", name)
    assert edges(".size")[1] <= edges("#sizes")[0] and edges(".size")[1] <= edges("#map")[0]
    for width in [1400, 900, 360]:
        page = browser("adults", width=width)
        page.run("document.querySelector('#prototypes').scrollIntoView({ block: 'start', behavior: 'instant' })")
        gap = edges(".size")[0] - edges("nav.contents")[1]
        assert -1 <= gap <= 1.5, gap


def test_a_class_can_be_chosen(browser, pages):
    page = browser("digits")
    labels = {str(at + 1): found["label"] for at, found in enumerate(result_of(pages("digits"))["prototypes"])}
    wanted = labels["1"]
    page.run(
        """const filter = document.querySelector("#class-filter");
        filter.value = `=${arguments[0]}`;
        filter.dispatchEvent(new Event("change"));""",
        wanted,
    )
    shown = page.run("return [...document.querySelectorAll('#cards .card:not(.later)')].map((card) => card.dataset.rank)")
    assert set(shown) == {rank for rank, label in labels.items() if label == wanted}


def test_the_findings_follow_the_slider(browser, pages):
    result = result_of(pages("adults"))
    page = browser("adults")
    whole = page.texts("p.lead, p.also")
    page.slide("#size", 3)
    explained = 2 * result["objective"][2] / result["target_energy"]
    assert f"3 of 1,200 rows explain {100 * explained:.1f} % of the data" in page.texts("p.lead")[0]
    at_three = page.texts("p.lead, p.also")
    page.slide("#size", 8)
    assert page.texts("p.lead, p.also") == whole != at_three
    assert browser("adults3").texts("p.lead, p.also") == at_three


READ = """
const rows = (selector) => [...document.querySelectorAll(selector)];
const text = (element) => element.textContent.replace(/\\s+/g, " ").trim();
return {
    cards: rows("#cards .card:not(.later)").map((card) => [card.dataset.rank, text(card.querySelector(".stands-number"))]),
    examples: rows("#cards .card:not(.later) .examples:not([hidden])").map((place) => [text(place.querySelector("summary")), ...[...place.querySelectorAll("li")].map(text)]),
    images: rows("#cards .card:not(.later) .examples:not([hidden]) li .image").map((image) => getComputedStyle(image).backgroundImage),
    criticisms: rows("#criticism-cards .card").map((card) => [text(card.querySelector("h3")), text(card.querySelector(".score"))]),
    crosses: rows("#plane .map-criticism:not([hidden])").length,
    bars: document.querySelector(".distances .row-bars").getAttribute("d"),
    ticks: document.querySelector(".distances .ticks").getAttribute("d").split("M").toSorted().join("M"),
    remark: text(document.querySelector(".distances-text")),
    classes: rows("table[data-groups=classes] tbody tr").map((row) => [...row.cells].map(text)).toSorted(),
    apart: rows(".distribution .gap").map(text),
}"""


@pytest.mark.parametrize("name", ["adults", "digits"])
def test_at_any_size_the_page_is_that_of_a_run_for_that_size(name, browser):
    page = browser(name)
    whole = page.run(READ)["criticisms"]
    page.slide("#size", 3)
    # Parts that were never visible are drawn when they are.
    for part in ["#map", "#coverage", "#criticisms", "#table"]:
        page.bring(part)
        page.slide("#size", 3)
    found = page.run(READ)
    # And back.
    page.slide("#size", 8 if name == "adults" else 12)
    page.bring("#criticisms")
    assert page.run(READ)["criticisms"] == whole != found["criticisms"]
    alone = browser(f"{name}3")
    expected = alone.run(READ)
    # Ranges of numbers depend on the number of prototypes, and with them the differences.
    found.pop("apart"), expected.pop("apart")
    assert len(expected["examples"]) == 3 and len(expected["criticisms"]) > 2
    assert found["crosses"] == expected["crosses"] == len(expected["criticisms"])
    for part in expected:
        assert found[part] == expected[part], part


def test_the_nearest_prototype_of_a_point_follows_the_slider(browser):
    page = browser("adults")
    page.bring('.map-prototype[data-rank="2"]').send_keys(Keys.ENTER)
    for size in [2, 5, 8]:
        page.slide("#size", size)
        page.bring("#map")
        n_points = page.run("return document.querySelector('#chosen-points').getAttribute('d').split('M').length - 1")
        assert str(n_points) == page.texts('.card[data-rank="2"] .stands-number')[0]
    page.slide("#size", 1)
    assert "not among the first 1" in page.texts("#map-text")[0]


SHOWN = """const ranks = (selector) => [...document.querySelectorAll(selector)].map((e) => e.dataset.rank).toSorted();
const points = (selector) => [...document.querySelectorAll(selector)].reduce((sum, path) => sum + path.getAttribute("d").split("M").length - 1, 0);
return { cards: ranks("#cards .card:not(.later)"), table: ranks("#prototype-table tbody tr:not([hidden])"),
    map: ranks(".map-prototype:not(.aside)"), points: points("#plane [id^=dots-]"), aside: points("#aside-points") }"""


def test_a_bar_of_the_distances_filters_the_page(browser, pages):
    page = browser("adults")
    page.bring("#coverage")
    shares = view_of(pages("adults"))["coverage"]["sizes"][-1]["bars"]
    bar = max(range(24), key=lambda at: shares[at])
    page.run("document.querySelectorAll('.distances .bar-cover')[arguments[0]].dispatchEvent(new MouseEvent('click'))", bar)
    page.bring("#map")
    shown = page.run(SHOWN)
    assert shown["points"] == round(1200 * shares[bar]) and shown["points"] + shown["aside"] == 1200
    assert 0 < len(shown["cards"]) and shown["cards"] == shown["table"] == shown["map"]
    assert page.one(".filter").is_displayed() and page.texts(".filter span")[0].startswith("distance ")
    # Another size has other bars, which end the filter.
    page.bring("#coverage")
    page.slide("#size", 5)
    assert not page.one(".filter").is_displayed() and len(page.run(SHOWN)["cards"]) == 5


def test_a_group_and_a_value_filter_the_page_also_by_keyboard(browser, pages):
    view = view_of(pages("adults"))
    page = browser("adults")
    group = view["coverage"]["groups"][0]
    button = page.bring("table[data-groups=groups] tbody tr:first-child .filter-button")
    button.send_keys(Keys.ENTER)
    shown = page.run(SHOWN)
    assert shown["cards"] == shown["table"] == sorted(str(at + 1) for at in group["prototypes"])
    share = page.run("return Number(document.querySelector('table[data-groups=groups] tbody tr').cells[2].dataset.value)")
    assert shown["points"] == round(1200 * share)
    assert button.get_attribute("aria-pressed") == "true"
    page.one(".filter button").click()
    assert len(page.run(SHOWN)["cards"]) == 8 and button.get_attribute("aria-pressed") == "false"
    # A bar of numbers, reached by arrow keys.
    first = page.bring(".distribution:not(.later) .bar-cover")
    column = int(page.run("return arguments[0].closest('.distribution').dataset.column", first))
    first.send_keys(Keys.ARROW_RIGHT)
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    shown = page.run(SHOWN)
    distribution = view["distributions"][column]
    codes = [int(distribution["places"][2 * at : 2 * at + 2], 36) // 20 for at in range(8)]
    assert shown["cards"] == sorted(str(at + 1) for at, bar in enumerate(codes) if bar == 1)
    assert shown["points"] == distribution["points"].count("1") == round(1200 * distribution["shares"][1])
    # A category.
    page.one(".filter button").click()
    page.bring("#all-distributions").click()
    name = page.bring(".levels .level-name")
    name.click()
    assert name.get_attribute("aria-pressed") == "true" and page.run(SHOWN)["aside"] > 0


def test_the_search_fades_the_points_of_other_prototypes(browser, pages):
    view = view_of(pages("digits"))
    page = browser("digits")
    page.bring("#search").send_keys("row 1797")
    page.bring("#map")
    assert page.run(SHOWN)["points"] <= 1
    page.one("#search").clear()
    wanted = view["prototypes"][0]["label"]
    page.run(
        """const filter = document.querySelector("#class-filter");
        document.querySelector("#search").dispatchEvent(new Event("input"));
        filter.value = `=${arguments[0]}`;
        filter.dispatchEvent(new Event("change"));""",
        wanted,
    )
    assert page.run(SHOWN)["points"] == view["map"]["label"].count(wanted)


def test_a_criticism_and_its_cross_are_marked_together(browser):
    page = browser("adults")
    page.bring('.map-criticism[data-criticism="2"]').send_keys(Keys.ENTER)
    marked = lambda: page.run("return [...document.querySelectorAll('.map-criticism.here, .card.criticism.here')].map((e) => e.dataset.criticism)")
    assert marked() == ["2", "2"]
    page.bring('.card[data-criticism="2"] .rank').send_keys(Keys.ENTER)
    assert marked() == []


def test_a_separate_target_is_told_what_no_selection_can_exceed(browser, pages):
    baseline = result_of(pages("two_files"))["baseline"]
    page = browser("two_files")
    assert any(f"can explain more than {100 * baseline['best_explained']:.1f} %" in line for line in page.texts("p.also"))
    assert page.count("#curve .s2 .line") == 1


def test_the_curve_is_next_to_the_map_in_a_wide_window(browser):
    places = lambda page: page.run("return ['#sizes', '#map'].map((id) => document.querySelector(id).getBoundingClientRect()).map(({ top, left }) => [top, left])")
    (curve, map) = places(browser("adults", width=1600))
    assert curve[0] == map[0] and curve[1] < map[1]
    (curve, map) = places(browser("adults", width=900))
    assert curve[0] < map[0] and curve[1] == map[1]


@pytest.mark.parametrize("name", ["adults", "methods", "tables", "explained", "both", "study", "classes", "shift"])
def test_no_table_header_is_blank(name, browser):
    heads = browser(name).texts("thead th, thead td")
    assert heads and all(text.strip() for text in heads)


def test_selection_criticism_and_classes_have_different_colours(browser):
    for theme in ["light", "dark"]:
        page = browser("adults", theme=theme)
        colours = page.run(
            """const style = getComputedStyle(document.documentElement);
            return ["--picked", "--warm", "--text", ...Array.from({ length: 10 }, (_, at) => `--s${at}`)].map((name) => style.getPropertyValue(name).trim())"""
        )
        assert len(set(colours)) == len(colours)


def test_a_thousand_prototypes_of_300_columns_stay_small_and_are_added_on_demand(browser, pages):
    size = pages("wide").stat().st_size
    assert size < 8_000_000, f"{size / 1e6:.1f} MB"
    page = browser("wide")
    assert page.count("#cards .card") == 60
    page.bring("#all-cards").click()
    assert page.count("#cards .card:not(.later)") == 1000
    page.bring('.card[data-rank="1000"] .more').click()
    assert page.count('.card[data-rank="1000"] .cells tbody tr') == 300
