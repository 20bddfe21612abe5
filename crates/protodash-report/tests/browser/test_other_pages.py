"""The pages of a comparison, of a relation and of a study."""

from itertools import groupby

from selenium.webdriver.common.keys import Keys


def test_methods_have_curves_bars_and_galleries(browser):
    page = browser("methods")
    assert page.count("#quality svg.chart") == 3
    # Ten methods, each with three sizes.
    assert page.count("#objective .line") == 10 and page.count("#objective .mark") == 30
    assert page.count("#time .bars") == 3
    assert page.count(".gallery-size") == 3 and page.count(".gallery-size[open]") == 1
    assert page.count(".gallery-size[open] .thumbnails > li") == 10 * 4


def test_methods_can_be_distinguished_without_colour(browser):
    page = browser("methods")
    looks = page.run(
        "return [...document.querySelectorAll('#objective g')].filter(g => g.querySelector('.line')).map(g =>"
        " getComputedStyle(g.querySelector('.line')).strokeDasharray + ' ' + g.querySelector('.mark').getAttribute('d'))"
    )
    assert len(looks) == 10 and len(set(looks)) == 10


def test_methods_are_sorted(browser):
    page = browser("methods")
    page.bring("#outcome-table thead th:nth-child(4) button").click()
    values = page.run("return [...document.querySelectorAll('#outcome-table tbody tr')].map((row) => Number(row.cells[3].dataset.value))")
    assert values == sorted(values, reverse=True) and len(values) == 30


def test_one_size_has_bars_instead_of_curves(browser):
    page = browser("one_size")
    assert page.count("#quality svg.chart") == 0 and page.count("#quality .bars") == 3


def test_long_names_stay_in_their_column(browser):
    page = browser("name_methods")
    over = page.run(
        """return [...document.querySelectorAll(".gallery-size[open] .method")].filter((method) => {
            const right = method.getBoundingClientRect().right;
            return [...method.querySelectorAll("*")].some((part) => part.getBoundingClientRect().right > right + 1);
        }).length"""
    )
    assert page.count(".gallery-size[open] .method") > 3 and over == 0


def test_the_graph_shows_the_requested_number_of_arrows(browser):
    page = browser("tables")
    n_edges = page.count("#network .edge")
    page.slide("#edges", 1)
    assert page.count("#network .edge:not([hidden])") == 1
    page.slide("#edges", n_edges)
    assert page.count("#network .edge:not([hidden])") == n_edges


def test_a_table_shows_its_ranking(browser):
    page = browser("tables")
    node = page.bring('.node[data-table="1"]')
    node.send_keys(Keys.ENTER)
    assert page.texts("#ranking h3") == ["health is represented by", "health represents"]
    assert page.count("#ranking ol:first-of-type li") >= 2
    assert page.count(".edge.into") == page.count("#ranking ol:first-of-type li")
    node.send_keys(Keys.ENTER)
    assert page.texts("#ranking h3") == []


def test_a_study_has_its_claims_with_verdicts_in_words(browser):
    page = browser("study")
    verdicts = page.texts("#claim-table .verdict")
    assert len(verdicts) == 27
    known = ["✓ holds", "✗ does not hold", "? undecided", "– cannot be checked"]
    assert all(verdict in known for verdict in verdicts)
    # Visual judgements have no condition.
    assert verdicts.count("– cannot be checked") == 3
    assert page.count("#claim-table .criterion") == 24
    page.bring("#claim-table thead th:nth-child(4) button").click()
    shown = page.texts("#claim-table .verdict")
    assert sorted(shown) == sorted(verdicts)
    # In any order of the symbols: equal ones are adjacent.
    assert len([verdict for verdict, _ in groupby(shown)]) == len(set(verdicts))


def test_a_study_has_curves_with_bands_and_bars_with_intervals(browser):
    page = browser("study")
    assert page.count("#figures figure") == 6
    # Accuracy and objective over sizes and skews have eight methods each, oversampling has two.
    assert page.count("#figures svg.chart .line") == 3 * 8 + 2
    assert page.count("#figures svg.chart .band") > 20
    assert page.count(".intervals .whisker") > 0
    page.bring("#figures .numbers summary").click()
    assert page.one("#figures .numbers table").is_displayed()


def test_the_images_of_a_study_are_painted(browser):
    page = browser("study")
    assert page.count(".study-gallery") == 7
    painted = page.run(
        """return [...document.querySelectorAll(".strip .image")]
            .map((image) => [getComputedStyle(image).backgroundImage.slice(0, 26), image.getBoundingClientRect().width > 15])"""
    )
    assert len(painted) == 3 * 4 * 10 + 4 * 3 * 3
    assert all(image == ['url("data:image/png;base64', True] for image in painted)


def test_a_study_opens_with_three_sentences_and_says_how_it_was_run(browser):
    page = browser("study")
    assert len(page.texts("p.lead")) == 1 and len(page.texts("p.also")) == 2
    words = dict(zip(page.texts("#run dt"), page.texts("#run dd"), strict=True))
    assert page.texts("#call-command")[0].startswith("protodash-studies mnist --data mnist --quick")
    assert words["seed"] == "0" and words["trials"] == "2"
