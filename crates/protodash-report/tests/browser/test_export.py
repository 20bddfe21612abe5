"""Saving tables and charts, and copying the calls that make a page again."""

import csv
import io
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import result_of

SVG = "{http://www.w3.org/2000/svg}"

CATCH = """window.saved = [];
URL.createObjectURL = (blob) => { window.saved.push(blob); return "about:blank#saved"; };
HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };"""

SAVE = """const [label, done] = arguments;
window.saved.length = 0;
[...document.querySelectorAll("#savers button")].find((button) => button.getAttribute("aria-label") === label).click();
const wait = setInterval(async () => {
  if (!window.saved.length) return;
  clearInterval(wait);
  const bytes = new Uint8Array(await window.saved[0].arrayBuffer());
  done([window.savedName, [...bytes]]);
}, 20);"""


def saved(page, label: str) -> tuple[str, bytes]:
    """The name and content of the file that a button saves."""
    page.run(CATCH)
    name, content = page.driver.execute_async_script(SAVE, label)
    return name, bytes(content)


def test_the_table_is_saved_as_it_is_shown(browser, pages):
    page = browser("adults")
    result = result_of(pages("adults"))
    page.slide("#size", 3)
    name, content = saved(page, "Save as CSV: Table of prototypes")
    lines = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    assert name == "table-of-prototypes.csv" and len(lines) == 3
    for line, prototype, weight in zip(lines, result["prototypes"], result["weights_path"][2]):
        assert (int(line["row"]), line["id"]) == (prototype["source_index"], prototype["id"])
        assert float(line["weight"]) == pytest.approx(weight, rel=1e-9)
        assert line["education"]


def test_texts_that_need_quotes_survive(browser, pages):
    page = browser("nasty")
    _, content = saved(page, "Save as CSV: Table of prototypes")
    lines = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    prototypes = [one for one in result_of(pages("nasty"))["prototypes"] if one["weight"] > 0]
    assert [(line["id"], line["label"]) for line in lines] == [(one["id"], one["label"]) for one in prototypes]


@pytest.mark.parametrize("name", ["adults", "methods", "one_size", "tables", "study", "both"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_charts_stand_alone(name, theme, browser):
    page = browser(name, theme=theme)
    labels = [button.get_attribute("aria-label") for button in page.all("#savers button")]
    charts = [label for label in labels if label.startswith("Save as SVG")]
    assert charts
    for label in charts:
        _, content = saved(page, label)
        drawing = ElementTree.fromstring(content)
        assert drawing.tag == f"{SVG}svg" and drawing.find(f"{SVG}title").text in label
        # The title can be read, too, in lines that fit.
        texts = [part.text or "" for part in drawing.iter(f"{SVG}text")]
        assert drawing.find(f"{SVG}title").text.split()[0] in " ".join(texts)
        # Every look is an attribute with a value: no stylesheet, no variable, nothing from elsewhere.
        assert not any(key in part.attrib for part in drawing.iter() for key in ("class", "style"))
        assert b"var(" not in content and b"href" not in content
        painted = [part for part in drawing.iter() if part.get("stroke", "none") != "none" or part.get("fill", "none") != "none"]
        assert len(painted) > 5
    _, content = saved(page, charts[0].replace("SVG", "PNG"))
    assert content.startswith(b"\x89PNG") and int.from_bytes(content[16:20], "big") == 1600 and len(content) > 5_000


@pytest.mark.parametrize(("name", "label"), [("adults", "education: rows and prototypes by weight"), ("both_adults", "education: rows, and prototypes of A and B by weight")])
def test_categories_are_saved_as_a_drawing(name, label, browser):
    page = browser(name)
    column = f'ul.levels[aria-label="{label}"]'
    levels = page.texts(f"{column} .level-name")
    file, content = saved(page, f"Save as SVG: {label}")
    drawing = ElementTree.fromstring(content)
    texts = [part.text for part in drawing.iter(f"{SVG}text")]
    assert file.startswith("education-rows-and") and file.endswith(".svg") and len(levels) > 3
    # Long names are cut.
    assert all(any(text and level.startswith(text.rstrip("…")) for text in texts) for level in levels)
    assert {text for text in page.texts(f"{column} .level-text")} <= set(texts)
    widths = [float(bar.get("width")) for bar in drawing.iter(f"{SVG}rect")]
    shown = page.run("return [...document.querySelectorAll(`${arguments[0]} rect`)].map((bar) => Number(bar.getAttribute('width')))", column)
    assert all(width in widths for width in shown) and max(shown) == 100
    _, content = saved(page, f"Save as PNG: {label}")
    assert content.startswith(b"\x89PNG") and len(content) > 5_000


def test_calls_are_shown_and_copied(browser):
    page = browser("adults")
    command = page.one("#call-command").text
    assert command.startswith("protodash select nhanes_adults.csv -m 8 --kernel inverse-multiquadric --bandwidth ")
    assert "protodash.kernels.InverseMultiquadric(bandwidth=" in page.one("#call-python").text
    page.run("window.copied = []; navigator.clipboard.writeText = async (text) => { window.copied.push(text); };")
    for button in page.all("button.copy"):
        page.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", button)
        button.click()
    assert page.run("return window.copied") == [page.texts("#call-command")[0], page.texts("#call-python")[0]]
    assert page.all("button.copy")[0].text == "Copied"


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))


def test_every_column_is_saved_however_many_there_are(browser, pages):
    page = browser("wide")
    page.slide("#size", 40)
    name, content = saved(page, "Save as CSV: Prototypes with all columns")
    lines = rows_of(content)
    result = result_of(pages("wide"))
    with pages("wide").with_name("wide.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert name == "prototypes-with-all-columns.csv" and 0 < len(lines) <= 40
    for line in lines:
        prototype = result["prototypes"][int(line["rank"]) - 1]
        assert int(line["row"]) == prototype["source_index"]
        assert float(line["weight"]) == pytest.approx(result["weights_path"][39][int(line["rank"]) - 1], rel=1e-9)
        for column, value in table[prototype["source_index"]].items():
            assert float(line[column]) == float(value)


def test_images_are_saved_with_their_names_and_weights(browser, pages):
    page = browser("digits")
    lines = rows_of(saved(page, "Save as CSV: Prototypes with all columns")[1])
    weighted = [one for one in result_of(pages("digits"))["prototypes"] if one["weight"] > 0]
    found = [(int(line["row"]), line["label"], float(line["weight"])) for line in lines]
    assert found == [(one["source_index"], one["label"], pytest.approx(one["weight"])) for one in weighted]


def test_criticisms_are_saved_with_their_scores_and_columns(browser, pages):
    page = browser("adults")
    lines = rows_of(saved(page, "Save as CSV: Criticisms with all columns")[1])
    criticisms = result_of(pages("adults"))["criticisms"]
    assert [int(line["row"]) for line in lines] == [one["source_index"] for one in criticisms]
    assert [float(line["score"]) for line in lines] == [pytest.approx(one["score"]) for one in criticisms]
    assert all(line["education"] for line in lines)
    # Those of another size are saved as they are shown.
    page.slide("#size", 3)
    others = rows_of(saved(page, "Save as CSV: Criticisms with all columns")[1])
    shown = page.texts("#criticism-cards .score")
    assert len(others) == 3 and others != lines
    assert [float(line["score"]) for line in others] == [pytest.approx(float(score), rel=1e-3) for score in shown]


def test_explanations_are_saved_and_can_be_made_again(browser, pages):
    page = browser("explained")
    lines = rows_of(saved(page, "Save as CSV: Rows with their prototypes")[1])
    pairs = [(found, one) for found in result_of(pages("explained"))["explanations"] for one in found["prototypes"]]
    assert [(int(line["row"]), int(line["source row"])) for line in lines] == [(found["row"], one["source_index"]) for found, one in pairs]
    assert [float(line["weight"]) for line in lines] == [pytest.approx(one["weight"]) for _, one in pairs]
    command = page.texts("#call-command")[0]
    assert command.startswith("protodash explain nhanes_adults.csv --rows 'age>75' -m 4 --kernel ")


def test_a_comparison_can_be_made_again(browser):
    page = browser("one_size")
    assert page.texts("#call-command")[0].startswith("protodash compare wine.csv -m 5 --kernel ")
    assert "comparison = protodash.compare(" in page.texts("#call-python")[0]
