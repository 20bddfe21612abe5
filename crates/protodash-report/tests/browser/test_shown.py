"""Shown columns: titles, texts and images on cards and hovers, and in the search."""

from conftest import view_of
from selenium.webdriver.common.action_chains import ActionChains


def test_cards_show_titles_texts_and_images(browser):
    page = browser("shown")
    prototypes = view_of(page.path)["prototypes"]
    titles = {row["shown"][0] for row in prototypes}
    assert set(page.texts("#cards .shown div:first-child dd")) >= titles
    assert page.count("#cards .card-head > .image.photo") == len(prototypes)
    assert page.run("return getComputedStyle(document.querySelector('.image.photo')).backgroundImage").startswith('url("data:image/png')
    # The features are there, but closed.
    assert page.count("#cards details.features:not([open])") == len(prototypes)


def test_the_search_finds_shown_texts(browser):
    page = browser("shown")
    title = view_of(page.path)["prototypes"][0]["shown"][0]
    page.bring("#search").send_keys(title.lower())
    assert page.count("#cards .card:not(.later)") >= 1
    assert title in page.texts("#cards .card:not(.later) .shown dd")


def test_a_hover_shows_the_title_and_the_image(browser):
    page = browser("shown")
    row = view_of(page.path)["prototypes"][0]
    ActionChains(page.driver).move_to_element(page.bring('.map-prototype[data-rank="1"]')).perform()
    assert row["shown"][0] in page.one(".tip").text
    assert page.count(".tip .image") == 1
