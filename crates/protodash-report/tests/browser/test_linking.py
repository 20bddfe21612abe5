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


def test_the_headline_follows_the_slider(browser, pages):
    result = result_of(pages("adults"))
    page = browser("adults")
    whole = page.texts("p.lead")
    assert not any(note.is_displayed() for note in page.all(".of-whole-run"))
    page.slide("#size", 3)
    explained = 2 * result["objective"][2] / result["target_energy"]
    assert f"3 of 1,200 rows explain {100 * explained:.1f} % of the data" in page.texts("p.lead")[0]
    assert all(note.is_displayed() for note in page.all(".of-whole-run")) and page.count(".of-whole-run") == 2
    page.slide("#size", 8)
    assert page.texts("p.lead") == whole


def test_the_curve_is_next_to_the_map_in_a_wide_window(browser):
    places = lambda page: page.run("return ['#sizes', '#map'].map((id) => document.querySelector(id).getBoundingClientRect()).map(({ top, left }) => [top, left])")
    (curve, map) = places(browser("adults", width=1600))
    assert curve[0] == map[0] and curve[1] < map[1]
    (curve, map) = places(browser("adults", width=900))
    assert curve[0] < map[0] and curve[1] == map[1]


@pytest.mark.parametrize("name", ["adults", "methods", "tables"])
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
