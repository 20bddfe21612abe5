"""Distributions of the columns and distances from the prototypes, compared with the file."""

import csv
import re
from itertools import accumulate

from conftest import known_weights, result_of, view_of
from pytest import approx
from selenium.webdriver.common.action_chains import ActionChains


def distributions_of(path) -> list[dict]:
    """The distributions in the data of a page, with the place of each prototype."""
    columns = view_of(path)["distributions"]
    for column in columns:
        codes = column["places"]
        column["places"] = [int(codes[at : at + 2], 36) / 20 for at in range(0, len(codes), 2)]
    return columns


def weights_of_bars(column: dict, shares: list[float]) -> list[float]:
    return [sum(share for share, place in zip(shares, column["places"]) if int(place) == bar) for bar in range(len(column["shares"]))]


def difference(column: dict, shares: list[float]) -> float:
    """How far rows and prototypes are apart in a column."""
    gaps = [share - weight for share, weight in zip(column["shares"], weights_of_bars(column, shares))]
    if column["n_ordered"]:
        return max(abs(gap) for gap in accumulate(gaps))
    return sum(map(abs, gaps)) / 2


def shown_differences(page) -> dict[str, float]:
    """The difference that the page shows for each visible column, in the order of the page."""
    shown = page.run(
        """return [...document.querySelectorAll(".distribution:not(.later)")]
            .map((item) => [item.dataset.column, item.querySelector(".gap").textContent])"""
    )
    return {int(column): float(text.rstrip("\u00a0%")) / 100 for column, text in shown}


def test_distributions_follow_the_slider_with_the_largest_difference_first(browser, pages):
    columns = distributions_of(pages("adults"))
    weights_at = known_weights(result_of(pages("adults")))
    assert any(column["n_ordered"] for column in columns) and not all(column["n_ordered"] for column in columns)
    page = browser("adults")
    page.bring("#distributions")
    for size in [8, 1, 5, 8]:
        page.slide("#size", size)
        shares = [weight / sum(weights_at[size]) for weight in weights_at[size]]
        expected = sorted((difference(column, shares) for column in columns), reverse=True)
        shown = shown_differences(page)
        assert len(shown) == 12 < len(columns)
        assert all(abs(told - difference(columns[column], shares)) < 6e-4 for column, told in shown.items())
        assert all(abs(told - wanted) < 6e-4 for told, wanted in zip(shown.values(), expected))
    page.bring("#all-distributions").click()
    assert len(shown_differences(page)) == len(columns)


def test_the_shares_of_categories_are_those_of_the_file(browser, pages, folder):
    with (folder / "nhanes_adults.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    result = result_of(pages("adults"))
    page = browser("adults")
    page.bring("#all-distributions").click()
    shown = page.run(
        """return [...document.querySelectorAll(".distribution")].filter((item) => item.querySelector(".levels")).map((item) =>
            [item.querySelector("h3 bdi").textContent, [...item.querySelectorAll(".levels > li")].map((line) =>
                [line.querySelector("bdi").textContent, ...line.querySelector(".level-text").textContent.split(" · ")])])"""
    )
    assert len(shown) > 3
    for column, levels in shown:
        for level, of_rows, of_weight in levels:
            if level.endswith("other categories"):
                continue
            has = lambda row: (row[column] or "missing") == level
            share = sum(map(has, rows)) / len(rows)
            weight = sum(found["share"] for found in result["prototypes"] if has(rows[found["source_index"]]))
            assert abs(float(of_rows.rstrip("\u00a0%")) / 100 - share) < 6e-4, (column, level)
            assert abs(float(of_weight.rstrip("\u00a0%")) / 100 - weight) < 6e-4, (column, level)


def test_the_script_draws_what_the_page_was_made_with(browser):
    read = """const drawn = (item, selector) => [...item.querySelectorAll(selector)].map((e) => e.getAttribute("d") ?? e.getAttribute("width")).join(" ");
        return Object.fromEntries([...document.querySelectorAll(".distribution")].map((item) =>
            [item.dataset.column, [drawn(item, ".row-bars, .weight-bars, .weight-fill"), drawn(item, ".ticks")]]))"""
    page = browser("adults")
    made = page.run(read)
    page.bring("#all-distributions").click()
    page.bring("#distributions")
    for size in [3, 8]:
        page.slide("#size", size)
    drawn = page.run(read)
    numbers = lambda path: sorted(float(number) for number in re.findall(r"[\d.]+", path))
    assert made.keys() == drawn.keys() and made != {}
    for column, (bars, ticks) in made.items():
        for before, after, apart in [(bars, drawn[column][0], 0.11), (ticks, drawn[column][1], 272 / 8 / 20)]:
            # The script knows the place of a tick to a twentieth of a bar, of which there are at least eight.
            one, other = numbers(before), numbers(after)
            assert len(one) == len(other) and all(abs(a - b) <= apart for a, b in zip(one, other)), column


def test_a_bar_says_its_shares(browser):
    page = browser("adults")
    chart = page.bring(".distribution:not(.later) .histogram")
    ActionChains(page.driver).move_to_element(chart).perform()
    name, rows, weight = page.texts(".tip")[0].split("\n")
    assert name and rows.endswith("of rows") and weight.endswith("of weight")


def test_without_a_script_all_distributions_are_shown(browser, pages):
    page = browser("adults", script=False)
    shown = [item.is_displayed() for item in page.all(".distribution")]
    assert len(shown) == len(distributions_of(pages("adults"))) and all(shown)


def test_groups_and_classes_have_the_shares_of_the_file(browser, pages, folder):
    with (folder / "nhanes_adults.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    page = browser("adults")
    page.bring("#coverage")
    lines = page.run(
        """return [...document.querySelectorAll("#coverage .groups")].map((table) => [...table.tBodies[0].rows].map((row) =>
            [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent)))"""
    )
    classes, groups = lines
    genders = {name: sum(row["gender"] == name for row in rows) / 1200 for name in ["female", "male"]}
    assert {name: float(share) for name, share, *_ in classes} == approx(genders)
    assert abs(sum(float(weight) for _, _, weight, *_ in classes) - 1) < 1e-9
    assert sum(int(number) for _, _, _, number, _ in classes) == 8
    # The distances of classes average to that of all rows.
    assert abs(sum(float(share) * float(far) for _, share, _, _, far in classes) - 1) < 1e-9
    distances = [float(far) for *_, far in groups]
    assert distances == sorted(distances, reverse=True)
    # Every category of a column of text with at least 1 % of the rows, and at most two ranges of a column of numbers.
    found = {(column, value) for column, value, *_ in groups}
    for column in ["education", "marital_status", "smoking", "work"]:
        shares = {level: sum((row[column] or "missing") == level for row in rows) / 1200 for level in {row[column] or "missing" for row in rows}}
        assert {(column, level) for level, share in shares.items() if share >= 0.01} == {pair for pair in found if pair[0] == column}
    ranges = [column for column, value in found if column in {"age", "height_cm", "weight_kg"} and value != "missing"]
    assert sorted(ranges) == sorted(2 * ["age", "height_cm", "weight_kg"])
    for column, value, share, *_ in groups:
        if value in {row[column] for row in rows}:
            assert abs(sum(row[column] == value for row in rows) / 1200 - float(share)) < 1e-9
    worst = max(classes[0], groups[0], key=lambda line: float(line[-1]))
    finding = page.texts("#coverage .finding")[0]
    assert f"{worst[-5]} (" in finding
    # Distances are those of the columns, which do not saturate as those of the kernel do.
    assert float(worst[-1]) > 1.2 and float(groups[-1][-1]) < 0.95
    empty = sum(int(line[-2]) == 0 for line in [*classes, *groups])
    assert empty > 4 and f"and {empty - 3 - (int(worst[-2]) == 0)} more groups" in finding


def test_images_have_distances_but_no_distributions_of_pixels(browser):
    page = browser("digits")
    assert page.count("#distributions") == 0 and page.count("#coverage .histogram") == 1
    assert page.count("#coverage .groups tbody tr") == 10
    # Four criticisms, some of which may be equally far away.
    assert 1 <= page.run("return document.querySelector('#coverage .ticks').getAttribute('d').split('M').length - 1") <= 4
