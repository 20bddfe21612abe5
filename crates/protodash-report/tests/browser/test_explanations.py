"""The page of explanations: moving between rows, search, filters, differences."""

from conftest import result_of


def shown_row(page) -> str:
    """The name of the row that the page explains."""
    assert page.count("#explained > article") == 1
    return page.one("#explained h3").text


def test_rows_are_picked_in_the_list_and_with_buttons(browser, pages):
    page = browser("explained")
    rows = result_of(pages("explained"))["explanations"]
    name = lambda at: f"{rows[at]['id']} (row {rows[at]['row']:,})"
    assert shown_row(page) == name(0) and page.one("#explained-text").text == f"1 of {len(rows)}"
    page.bring("#next").click()
    assert shown_row(page) == name(1)
    page.bring("#previous").click()
    page.bring("#previous").click()
    # Beyond the first row comes the last; it was not in the page before.
    assert shown_row(page) == name(len(rows) - 1)
    heads = page.texts("#explained thead th")
    for one in rows[-1]["prototypes"]:
        assert any(f"row {one['source_index']:,}" in head and f"{100 * one['share']:.1f}" in head for head in heads)
    buttons = page.all("#explained-table .picker")
    page.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", buttons[20])
    buttons[20].click()
    assert shown_row(page) == name(20)
    assert buttons[20].get_attribute("aria-pressed") == "true" and page.count("#explained-table tr.here") == 1


def test_search_and_filters_narrow_the_list(browser, pages):
    page = browser("explained")
    rows = result_of(pages("explained"))["explanations"]
    page.one("#find-row").send_keys(rows[7]["id"])
    assert page.count("#explained-table tbody tr:not([hidden])") == 1
    assert rows[7]["id"] in shown_row(page) and page.one("#find-text").text == f"1 row of {len(rows)}"
    page.one("#find-row").clear()
    page.run("document.querySelector('#find-row').dispatchEvent(new Event('input'))")
    alone = [row for row in rows if not row["similar"]]
    page.bring("#only-alone").click()
    assert page.count("#explained-table tbody tr:not([hidden])") == len(alone) > 0
    assert shown_row(page).startswith(alone[0]["id"])
    assert page.one("#explained .finding").text.startswith("Nothing similar")


def test_differences_can_be_shown_alone_and_sorted(browser):
    page = browser("explained")
    lines = "return [...document.querySelectorAll('#explained tbody:last-child tr')].filter((line) => line.offsetParent).length"
    every = page.run(lines)
    page.bring("#only-differing").click()
    assert 0 < page.run(lines) < every
    page.bring("#next").click()
    assert 0 < page.run(lines) < every
    page.bring("#only-differing").click()
    page.bring("#explained thead th:last-child button").click()
    values = page.run("return [...document.querySelectorAll('#explained tbody:last-child td:last-child')].map((cell) => Number(cell.dataset.value))")
    assert len(values) == every and values == sorted(values, reverse=True)
    # The lines above them stay where they are.
    assert page.one("#explained tbody:first-of-type th").text == "label"


def test_the_keyboard_is_enough(browser):
    page = browser("explained")
    page.run("document.querySelector('#next').focus()")
    before = shown_row(page)
    page.driver.switch_to.active_element.send_keys(" ")
    assert shown_row(page) != before
    page.run("document.querySelectorAll('#explained-table .picker')[3].focus()")
    page.driver.switch_to.active_element.send_keys("\ue007")
    assert page.one("#explained-text").text.startswith("4 of")


def test_images_are_shown(browser):
    page = browser("explained_digits")
    assert page.count("#explained .image") == 4 and page.count("#only-differing") == 0


def test_the_first_rows_are_shown_without_a_script(browser):
    page = browser("explained", script=False)
    assert page.count("#explained > article") == 5
    assert all(article.is_displayed() for article in page.all("#explained > article"))
