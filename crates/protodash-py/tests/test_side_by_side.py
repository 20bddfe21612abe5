"""Reports of two selections side by side."""

import subprocess
from html import unescape

import protodash
import pytest
from conftest import TESTDATA, optional

pandas = optional("pandas")


def page_of(selection, path, **options):
    selection.report(path, **options)
    return unescape(path.read_text(encoding="utf-8"))


def test_both_selections_are_on_the_page(tmp_path, wine):
    first = protodash.select(wine, n_prototypes=6)
    second = protodash.select(wine, n_prototypes=6, method="random", seed=3)
    page = page_of(first, tmp_path / "both.html", against=second)
    assert "<title>Two selections, A and B</title>" in page
    assert "The runs differ in method (protodash, random) and seed (0, 3)." in page
    one, other = (set(found.indices[found.weights > 0]) for found in (first, second))
    for heading, number in [("In both", len(one & other)), ("Only in A", len(one - other)), ("Only in B", len(other - one))]:
        assert f"<h3>{heading} ({number})</h3>" in page
    assert "other-bars" in page.split("<main")[1]


def test_a_table_and_its_file_make_the_same_page(tmp_path, command):
    file = TESTDATA / "nhanes_adults.csv"
    for name, bandwidth in [("a", 2), ("b", 4)]:
        flags = ["--id=id", "--missing=category", "-m6", f"--bandwidth={bandwidth}", f"--output={name}.json", "--quiet"]
        subprocess.run([command, "select", str(file), *flags], cwd=tmp_path, check=True)
    theirs = ["report", "a.json", "b.json", "--data", str(file), "--output=theirs.html", "--quiet"]
    subprocess.run([command, *theirs], cwd=tmp_path, check=True)
    first, second = (protodash.Selection.load(tmp_path / f"{name}.json") for name in "ab")
    first.report(tmp_path / "ours.html", against=second, source=pandas.read_csv(file))
    assert (tmp_path / "ours.html").read_bytes() == (tmp_path / "theirs.html").read_bytes()


def test_bandwidths_are_compared_without_the_kernel(tmp_path, wine):
    first, second = (protodash.select(wine, n_prototypes=4, bandwidth=bandwidth) for bandwidth in (1.0, 3.0))
    page = page_of(first, tmp_path / "both.html", against=second)
    lead = page.split('<p class="lead">')[1].split("</p>")[0]
    assert lead.startswith("In the features, whatever the kernel, rows are ")
    assert "which cannot be compared: their kernels differ" in page
    assert 'id="curve-a"' in page and 'id="curve-b"' in page


def test_without_data_the_page_says_what_is_missing(tmp_path, wine):
    selection = protodash.select(wine, n_prototypes=3)
    selection.save(tmp_path / "a.json")
    first = protodash.Selection.load(tmp_path / "a.json")
    page = page_of(first, tmp_path / "both.html", against=selection.prefix(2))
    assert "values and images of rows, and distributions: they need the data" in page.lower()


def test_what_cannot_be_compared_is_refused(tmp_path, wine):
    selection = protodash.select(wine, n_prototypes=3, id=[f"row {row}" for row in range(len(wine))])
    with pytest.raises(TypeError, match="^against is of type str; it must be a Selection$"):
        selection.report(tmp_path / "both.html", against="other")
    with pytest.raises(ValueError, match="^criticisms are not shown for two selections side by side"):
        selection.report(tmp_path / "both.html", against=selection, criticisms=selection.criticisms(1))
    other = protodash.select(wine, n_prototypes=3, id=[f"line {row}" for row in range(len(wine))])
    with pytest.raises(ValueError, match='^row [0-9]+ is "row [0-9]+" in A and "line [0-9]+" in B: '):
        selection.report(tmp_path / "both.html", against=other)
    assert not (tmp_path / "both.html").exists()
