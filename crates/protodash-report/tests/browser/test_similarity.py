"""The heat map of the prototypes' similarities: values, order, linking, the slider and the keyboard."""

import re

from conftest import view_of
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys


def squares(page) -> int:
    """The number of prototypes along a side."""
    return page.run("return (document.querySelector('#similarities').viewBox.baseVal.width - 16) / 10")


def value(similarity: dict, line: int, column: int) -> float:
    """The similarity of a pair, by its places."""
    less, more = min(line, column), max(line, column)
    return similarity["pairs"][more * (more - 1) // 2 + less] / 1000


def test_a_square_tells_its_pair_and_its_similarity(browser, pages):
    similarity = view_of(pages("adults"))["similarity"]
    page = browser("adults")
    heat = page.bring("#similarities")
    side = heat.size["width"] / (16 + 80)
    # Offsets are from the middle; the third line and the fifth column.
    ActionChains(page.driver).move_to_element_with_offset(heat, round((16 + 45 - 48) * side), round((16 + 25 - 48) * side)).perform()
    first, last = page.texts(".tip")[0].split("\n")
    line, column = similarity["ranks"][2], similarity["ranks"][4]
    assert first.startswith(f"prototypes {line} (") and f" and {column} (" in first
    assert abs(float(last.removeprefix("similarity ")) - value(similarity, 2, 4)) < 1e-9


def test_neighbours_are_more_similar_than_others(pages):
    similarity = view_of(pages("digits"))["similarity"]
    n = len(similarity["ranks"])
    beside = [value(similarity, at, at + 1) for at in range(n - 1)]
    apart = [value(similarity, line, column) for line in range(n) for column in range(line - 1)]
    assert sum(beside) / len(beside) > 1.1 * sum(apart) / len(apart)


def test_the_keyboard_reaches_a_pair_and_picks_its_prototype(browser, pages):
    ranks = view_of(pages("adults"))["similarity"]["ranks"]
    page = browser("adults")
    heat = page.bring("#similarities")
    # The first key shows the first square.
    heat.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.texts("#similarity-text")[0].startswith(f"prototypes {ranks[1]} (")
    heat.send_keys(Keys.ENTER)
    assert page.run("return document.querySelector('.card.here').dataset.rank") == str(ranks[1])
    assert page.run("return document.querySelector('#similarity-picked').getAttribute('d')").startswith(f"M16 {16 + 10}h80")


def test_it_follows_the_slider(browser, pages):
    ranks = view_of(pages("adults"))["similarity"]["ranks"]
    page = browser("adults")
    before = page.run("return [...document.querySelectorAll('#similarities .shade')].map((path) => path.getAttribute('d').length)")
    page.bring("#similarities")
    page.slide("#size", 3)
    assert squares(page) == 3
    numbers = page.run("return [...document.querySelectorAll('#similarities .down:not([hidden])')].map((text) => Number(text.textContent))")
    assert sorted(numbers) == [1, 2, 3] and [rank for rank in ranks if rank <= 3] == numbers
    page.slide("#size", 8)
    assert squares(page) == 8
    # The script draws what the page came with.
    after = page.run("return [...document.querySelectorAll('#similarities .shade')].map((path) => path.getAttribute('d').length)")
    assert sum(after) >= sum(before) > 0


def test_of_many_prototypes_the_heaviest_are_shown(browser, pages):
    page = browser("many")
    assert squares(page) == 60
    assert re.match(r"Of [\d,]+ prototypes, the heaviest 60 are shown\. ", page.texts("#similarity p")[1])
    page.bring("#similarities")
    page.slide("#size", 5)
    assert squares(page) <= 5
