"""The page of a selection: slider, table, map, cells, download, and text that stays text."""

import json

import pytest
from conftest import NASTY, known_weights, result_of
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


@pytest.mark.parametrize("name", ["adults", "digits", "many", "brief"])
def test_the_slider_shows_the_run_at_any_size(name, browser, pages):
    result = result_of(pages(name))
    weights_of = known_weights(result)
    page = browser(name)
    for size in [1, 3, sorted(weights_of)[-2]]:
        page.slide("#size", size)
        if size > 60:
            assert page.count("#cards .card:not(.later)") == 60
            page.bring("#all-cards").click()
        assert page.count("#cards .card:not(.later)") == size
        page.bring("#table")
        page.slide("#size", size)
        assert page.count("#prototype-table tbody tr:not([hidden])") == size
        weights = weights_of[size]
        shares = {str(rank + 1): weight / sum(weights) for rank, weight in enumerate(weights)}
        shown = page.run(
            """return Object.fromEntries([...document.querySelectorAll("#cards .card:not(.later)")]
                .map((card) => [card.dataset.rank, card.querySelector(".share").textContent]))"""
        )
        assert shown.keys() == shares.keys()
        assert all(abs(float(text.rstrip("\u00a0%")) / 100 - shares[rank]) < 6e-4 for rank, text in shown.items())
        order = page.run("return [...document.querySelectorAll('#cards .card:not(.later)')].map((card) => card.dataset.rank)")
        assert [shares[rank] for rank in order] == sorted(shares.values(), reverse=True)
        if result["explained"]:
            explained = 2 * result["objective"][size - 1] / result["target_energy"]
            told = page.texts("#size-text")[0].split(", ")[1].removesuffix("\u00a0% explained")
            assert abs(float(told) / 100 - explained) < 6e-4


def test_the_slider_of_a_long_run_stops_at_known_sizes(browser, pages):
    sizes = sorted(known_weights(result_of(pages("many"))))
    assert sizes[499] == 500 and sizes[500] > 501 and sizes[-1] == 1000
    page = browser("many")
    for move, stop in [(999, sizes[-2]), (sizes[-2] + 1, 1000), (501, 500), (501, sizes[500])]:
        page.slide("#size", move)
        assert page.one("#size").get_property("value") == str(stop)
        assert page.texts("#size-text")[0].startswith(f"{stop:,} prototypes")


def test_the_slider_moves_by_keyboard_and_updates_the_map(browser):
    page = browser("adults")
    slider = page.one("#size")
    slider.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    page.bring("#map")
    page.slide("#size", int(slider.get_attribute("value")))
    assert slider.get_attribute("value") == "6"
    assert page.count(".map-prototype:not([hidden])") == 6
    assert "6 prototypes" in slider.get_attribute("aria-valuetext")


def test_a_slider_moved_while_the_page_loads_takes_effect(browser):
    moved = """new MutationObserver((_, observer) => {
        const slider = document.querySelector("#size");
        if (!slider) return;
        slider.value = 3;
        observer.disconnect();
    }).observe(document, { childList: true, subtree: true });"""
    page = browser("adults", early=moved)
    assert page.count("#cards .card:not(.later)") == 3
    assert page.texts("#size-text")[0].startswith("3 prototypes, ")


def test_represented_rows_sum_to_all_rows_at_every_size(browser):
    page = browser("adults")
    for size in range(1, 9):
        page.slide("#size", size)
        numbers = page.texts("#cards .card:not(.later) .stands-number")
        assert sum(int(number.replace(",", "")) for number in numbers) == 1200


@pytest.mark.parametrize("column", ["weight", "row", "nearest rows", "age"])
def test_the_table_is_sorted_by_the_clicked_column(column, browser):
    page = browser("adults")
    heads = page.texts("#prototype-table thead th")
    place = heads.index(column) + 1
    button = page.bring(f"#prototype-table thead th:nth-child({place}) button")
    read = """return [...document.querySelectorAll(`#prototype-table tbody td:nth-child(${arguments[0]})`)]
        .map((cell) => Number(cell.dataset.value ?? cell.textContent))"""
    button.click()
    once = page.run(read, place)
    assert once in [sorted(once), sorted(once, reverse=True)]
    button.send_keys(Keys.ENTER)
    assert page.run(read, place) == once[::-1]
    assert page.count("#prototype-table th[aria-sort]") == 1


def test_numbers_sort_as_numbers_and_missing_values_last(browser):
    page = browser("names")
    place = page.texts("#prototype-table thead th").index("size") + 1
    button = page.bring(f"#prototype-table thead th:nth-child({place}) button")
    read = lambda: page.texts(f"#prototype-table tbody td:nth-child({place})")
    button.click()
    down = read()
    button.click()
    up = read()
    n_lacking = down.count("missing")
    assert 0 < n_lacking < len(down)
    assert down[-n_lacking:] == up[-n_lacking:] == ["missing"] * n_lacking
    numbers = [float(text) for text in down[:-n_lacking]]
    assert numbers == sorted(numbers, reverse=True) and [float(text) for text in up[:-n_lacking]] == numbers[::-1]
    assert len({len(text) for text in down}) > 1


def test_a_sorted_table_stays_sorted_when_the_slider_moves(browser):
    page = browser("digits")
    place = page.texts("#prototype-table thead th").index("weight") + 1
    page.bring(f"#prototype-table thead th:nth-child({place}) button").click()
    for size in [5, 9]:
        page.slide("#size", size)
        shown = page.run(
            """return [...document.querySelectorAll("#prototype-table tbody tr:not([hidden])")]
                .map((row) => Number(row.cells[arguments[0] - 1].dataset.value))""",
            place,
        )
        assert len(shown) == size and shown == sorted(shown, reverse=True)


def test_long_numbers_are_rounded_with_all_digits_in_a_tooltip(browser):
    page = browser("names")
    shown = page.run("return [...document.querySelectorAll('#prototype-table td [title]')].map(e => [e.textContent, e.title])")
    digits = [(short, whole) for short, whole in shown if whole[0].isdigit() and "id" not in whole]
    assert digits and all(len(short) <= 8 < len(whole) for short, whole in digits)
    assert all(abs(float(short) - float(whole)) < 1e-4 for short, whole in digits)


def test_long_names_are_shortened(browser):
    page = browser("names")
    longest = page.run("return Math.max(...[...document.querySelectorAll('#cards bdi, #table bdi')].map(e => e.textContent.length))")
    assert longest == 61
    # Cells shown on demand are shortened too.
    assert page.run("return document.querySelector('.card').offsetHeight") < 500
    assert "label missing" in page.texts("#cards .label")
    assert "missing" in page.texts(".map-legend label")


@pytest.mark.parametrize("name", ["adults", "digits", "many"])
def test_the_table_of_contents_links_to_its_sections(name, browser):
    page = browser(name)
    places = page.run("return [...document.querySelectorAll('nav.contents a')].map((a) => a.hash)")
    for place in reversed(places):
        page.run("document.documentElement.style.scrollBehavior = 'auto'; document.querySelector(`nav a[href='${arguments[0]}']`).click()", place)
        top, at_end = page.run(
            """return [document.querySelector(arguments[0]).getBoundingClientRect().top,
                scrollY + innerHeight >= document.documentElement.scrollHeight - 2]""",
            place,
        )
        assert 0 <= top < 200 or at_end, (place, top)


def test_in_print_tables_fit_and_all_details_are_open(browser):
    page = browser("adults", width=720)
    page.command("Emulation.setEmulatedMedia", media="print")
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.count("details:not([open])") == 0
    assert page.run("return document.documentElement.scrollWidth") <= 720
    assert not any(element.is_displayed() for element in page.all(".scripted"))
    sizes = page.run("return [...new Set([...document.querySelectorAll('#prototype-table td')].map(e => getComputedStyle(e).fontSize))]")
    assert len(sizes) == 1
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.count("details[open]") == 0
    page.command("Emulation.setEmulatedMedia", media="")


def test_the_name_of_an_axis_is_above_its_numbers(browser):
    page = browser("adults")
    name, numbers = page.run(
        """const bottom = (text) => text.getBoundingClientRect().bottom;
        const top = (text) => text.getBoundingClientRect().top;
        const chart = document.querySelector("#curve");
        return [bottom(chart.querySelector(".name:not(.middle)")), Math.min(...[...chart.querySelectorAll(".tick")].map(top))]"""
    )
    assert name <= numbers


def test_numbers_on_the_map_fit_into_their_circles(browser):
    page = browser("many")
    page.bring("#map")
    for size in [1000, 300, 5]:
        page.slide("#size", size)
        too_wide = page.run(
            """return [...document.querySelectorAll(".map-prototype:not([hidden])")].filter((mark) => {
                const [circle, number] = mark.children;
                return !number.hasAttribute("hidden") && number.getBBox().width > 2 * circle.r.baseVal.value;
            }).length"""
        )
        assert too_wide == 0


def test_a_prototype_of_the_map_shows_the_rows_it_represents(browser):
    page = browser("adults")
    mark = page.bring('.map-prototype[data-rank="2"]')
    mark.send_keys(Keys.ENTER)
    n_points = page.run("return document.querySelector('#chosen-points').getAttribute('d').split('M').length - 1")
    n_rows = page.texts('.card[data-rank="2"] .stands-number')[0]
    assert n_points == int(n_rows)
    assert page.texts("#map-text") == [f"Prototype 2 represents the {n_rows} large dots. Go to its card"]
    assert page.count(".card.here") == 1


def test_the_map_describes_the_point_under_the_pointer(browser):
    page = browser("adults")
    mark = page.bring('.map-prototype[data-rank="1"]')
    ActionChains(page.driver).move_to_element(mark).perform()
    assert page.texts(".tip")[0].startswith("prototype 1")


def test_a_class_can_be_hidden_on_the_map(browser):
    page = browser("adults")
    box = page.bring("#class-0")
    box.click()
    assert page.count(".dots[hidden]") == 1


def test_a_card_shows_all_columns_on_demand(browser):
    page = browser("adults")
    button = page.bring("#cards .card .more")
    few = page.count("#cards .card:first-child .cells tbody tr")
    button.click()
    assert page.count("#cards .card:first-child .cells tbody tr") == 16 > few
    button.click()
    assert page.count("#cards .card:first-child .cells tbody tr") == few


def test_images_are_painted(browser):
    page = browser("digits")
    painted = page.run(
        """return [...document.querySelectorAll("#cards .card-head > .image")]
            .map((image) => [getComputedStyle(image).backgroundImage.slice(0, 26), image.getBoundingClientRect().width > 40])"""
    )
    assert len(painted) == 12
    assert all(image == ['url("data:image/png;base64', True] for image in painted)


def test_the_download_is_the_result(browser, pages):
    page = browser("adults")
    text = page.driver.execute_async_script(
        """const done = arguments[0];
        URL.createObjectURL = (blob) => { blob.text().then(done); return "about:blank#saved"; };
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelector("#download").click();"""
    )
    assert json.loads(text) == result_of(pages("adults"))


def test_text_from_the_data_is_shown_and_never_run(browser):
    page = browser("nasty")
    # A script from the data would have opened a dialog, and every further command would fail.
    assert NASTY in "".join(page.texts("#cards"))
    assert "<img src=x onerror=alert(1)>" in "".join(page.texts("#cards"))
    assert page.count("#cards img, #cards script, #table img, #table script") == 0
    for button in page.all(".more"):
        button.click()
    page.slide("#size", 2)
    mark = page.bring('.map-prototype[data-rank="1"]')
    ActionChains(page.driver).move_to_element(mark).perform()
    assert NASTY in page.texts(".tip")[0]
    assert page.count("body > script") == 3


def test_a_long_text_is_shortened_and_expands_on_demand(browser):
    page = browser("wordy")
    height = lambda: page.run("return document.querySelector('.card').offsetHeight")
    assert height() < 800
    # Every text is unique, so none is unusual: it is in the table, and in the card on demand.
    long = "#prototype-table .long"
    page.bring(long)
    shown = lambda: page.run("return document.querySelector(arguments[0]).innerText", long)
    assert len(shown()) == 121 and shown().endswith("…")
    page.run("document.querySelector(arguments[0]).click()", f"{long} summary")
    assert len(shown()) > 2900
    # The script that shows all columns shortens it too.
    page.bring(".more").click()
    # The value and the typical one.
    assert page.count(".card:first-child .long") == 2 and height() < 1200


def test_on_a_phone_two_images_fit_side_by_side(browser):
    page = browser("digits", width=360)
    tops = page.run("return [...document.querySelectorAll('.gallery > *')].slice(0, 2).map(card => card.offsetTop)")
    assert len(tops) == 2 and tops[0] == tops[1]
