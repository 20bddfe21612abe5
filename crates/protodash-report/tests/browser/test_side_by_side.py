"""The page of two selections side by side."""

from conftest import NASTY


def test_it_leads_with_the_figure_without_a_kernel_where_bandwidths_differ(browser):
    page = browser("both")
    assert page.one("p.lead").text.startswith("In the features, whatever the kernel, rows are ")
    others = " ".join(page.texts("p.also"))
    assert "which cannot be compared: their kernels differ" in others and "A and B share " in others
    assert "method (protodash, protogreedy)" in others
    assert page.count("#curve-a .line") == 1 and page.count("#curve-b .line") == 1


def test_rows_are_in_three_columns_that_stack_on_a_phone(browser):
    for width, n_columns in [(1200, 3), (360, 1)]:
        page = browser("both", width=width)
        lefts = page.run("return [...document.querySelectorAll('.beside > div')].map((e) => e.getBoundingClientRect().left)")
        assert len(lefts) == 3 and len(set(lefts)) == n_columns
    heads = page.texts(".beside h3")
    numbers = [int(head.split("(")[1].rstrip(")")) for head in heads]
    assert [head.split(" (")[0] for head in heads] == ["In both", "Only in A", "Only in B"]
    assert numbers[0] + numbers[1] == 5 and numbers[0] + numbers[2] == 8
    assert page.count("#row-table tbody tr") == sum(numbers) == page.count(".beside .card")


def test_a_card_shows_all_its_columns_on_request(browser):
    page = browser("both")
    card = ".beside .card"
    few = page.run("return document.querySelector(arguments[0]).querySelectorAll('.cells tbody tr').length", card)
    page.bring(f"{card} button.more").click()
    assert page.run("return document.querySelector(arguments[0]).querySelectorAll('.cells tbody tr').length", card) == 13 > few


def test_both_outlines_are_on_every_distribution(browser):
    page = browser("both")
    n_charts = page.count("#distributions .histogram")
    assert n_charts == 13
    assert page.count("#distributions .histogram .weight-bars") == page.count("#distributions .histogram .other-bars") == n_charts


def test_images_and_calls_of_both_are_there(browser):
    page = browser("both_digits")
    assert page.count(".beside .card svg.image") == page.count(".beside .card") > 12
    assert page.count("#distributions") == 0
    assert [page.texts(f"#call-command-of-{side}")[0].split()[:3] for side in "ab"] == [["protodash", "select", "digits.csv"]] * 2


def test_text_from_the_data_stays_text(browser):
    page = browser("both_nasty")
    assert any(NASTY in name for name in page.texts(".beside .row-name"))
    assert page.count("img") == 0


def test_selections_of_two_files_are_matched_by_id(browser, pages):
    page = browser("two_years")
    assert page.texts("h1") == ["Two selections, A from nhanes_adults.csv and B from next_year.csv"]
    assert any("are matched by id" in note for note in page.texts(".remarks li"))
    # The rows of both files are the same in another order, and so are the prototypes.
    assert page.texts(".beside h3") == ["In both (8)", "Only in A (0)", "Only in B (0)"]
    assert page.count("#distributions .distribution") > 10
