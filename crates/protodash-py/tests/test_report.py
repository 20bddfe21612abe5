"""HTML reports: the same as the command's, with the columns of Python's tables."""

import base64
import json
import re
import subprocess
import zlib
from html import unescape

import numpy as np
import protodash
import pytest
from conftest import TESTDATA, optional

pandas, polars, pyarrow = optional("pandas"), optional("polars"), optional("pyarrow")
PEOPLE = {
    "age": [31.0, 32.5, 30.0, 70.0, 71.0, 69.0],
    "city": ["Ulm", "Ulm", "Bonn", "Bonn", "Bonn", None],
    "married": [True, False, True, True, True, True],
}
NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"]


def embedded(html, name):
    """One of the JSON documents in a page; long ones are compressed."""
    attributes, text = re.search(rf'<script([^>]*id="{name}"[^>]*)>(.*?)</script>', html, re.DOTALL).groups()
    return json.loads(zlib.decompress(base64.b64decode(text), -15) if "data-packed" in attributes else text)


def written(selection, path, **options):
    selection.report(path, **options)
    return path.read_text(encoding="utf-8")


def texts(html):
    """The visible text, without tags."""
    return unescape(re.sub(r"<[^>]+>", "\n", re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL)))


def test_it_contains_the_saved_result(tmp_path, wine):
    selection = protodash.select(wine, n_prototypes=5)
    criticisms = selection.criticisms(3)
    html = written(selection, tmp_path / "page.html", criticisms=criticisms)
    selection.save(tmp_path / "result.json", criticisms)
    assert embedded(html, "result") == json.loads((tmp_path / "result.json").read_text())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page.html", "result.json"]
    assert "<title>Prototypes</title>" in html
    for index in [*selection.indices, *criticisms.indices]:
        assert f"row {index}" in texts(html)


def test_the_columns_of_an_array_are_numbered_as_those_of_a_file(tmp_path, wine, command):
    np.save(tmp_path / "wine.npy", wine.astype(np.float32))
    selection = protodash.select(wine.astype(np.float32), n_prototypes=5)
    ours = written(selection, tmp_path / "ours.html", criticisms=selection.criticisms(2))
    theirs = of_command(command, tmp_path, "wine.npy", "-m5", "--n-criticisms=2")
    assert embedded(ours, "view") == embedded(theirs, "view")
    assert [name for name, _ in embedded(ours, "view")["columns"]] == [f"x{column}" for column in range(13)]


def of_command(command, folder, *arguments):
    page = folder / "theirs.html"
    subprocess.run([command, "select", *arguments, "--report", page, "--quiet"], cwd=folder, check=True, capture_output=True)
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_table_and_its_file_make_the_same_page(kind, tmp_path, command):
    file = TESTDATA / "nhanes_adults.csv"
    frame = pandas.read_csv(file)
    table = {"pandas": lambda: frame, "polars": lambda: polars.read_csv(file, infer_schema_length=None)}
    rows = table.get(kind, lambda: pyarrow.Table.from_pandas(frame, preserve_index=False))()
    selection = protodash.select(rows, n_prototypes=6, id="id", label="smoking", missing="category")
    ours = written(selection, tmp_path / "ours.html", criticisms=selection.criticisms(3), title="Prototypes of nhanes_adults.csv")
    flags = ["--id=id", "--label=smoking", "--missing=category", "-m6", "--n-criticisms=3"]
    theirs = of_command(command, tmp_path, str(file), *flags)
    assert embedded(ours, "view") == embedded(theirs, "view")
    assert without_origin(ours) == without_origin(theirs)
    results = embedded(ours, "result"), embedded(theirs, "result")
    assert [{**result, "data": None} for result in results][0] == {**results[1], "data": None}


def without_origin(html):
    """The visible part of a page without the names of the data and the calls, which name them too."""
    body = texts(html[html.index("</dl>") : html.index('<div class="call">')])
    return [line for line in body.splitlines() if line.strip()]


def test_two_tables_and_conditions_make_the_page_of_the_command(tmp_path, command):
    file = TESTDATA / "nhanes_adults.csv"
    frame = pandas.read_csv(file)
    never, daily = "smoking = 'never'", "smoking = 'every day'"
    options = {"missing": "category", "id": "id", "drop": ["smoking"]}
    selection = protodash.select(frame, n_prototypes=4, source_where=never, target_where=daily, **options)
    criticisms = selection.criticisms(2, among="target")
    ours = written(selection, tmp_path / "ours.html", criticisms=criticisms)
    flags = ["--id=id", "--drop=smoking", "--missing=category", "-m4", "--n-criticisms=2", "--criticize-among=target"]
    theirs = of_command(command, tmp_path, str(file), *flags, "--source-where", never, "--target-where", daily)
    assert embedded(ours, "view") == embedded(theirs, "view")
    assert "<title>Source rows that represent the target</title>" in ours


def test_values_are_shown_as_the_table_has_them(tmp_path):
    frame = pandas.DataFrame(PEOPLE, index=NAMES)
    frame["city"] = frame["city"].astype("category")
    html = written(protodash.select(frame, n_prototypes=6, missing="category"), tmp_path / "page.html")
    shown = texts(html)
    for word in (*NAMES, "Ulm", "Bonn", "missing", "true", "32.5", "age", "city", "married"):
        assert word in shown, word
    assert "city=" not in shown
    assert [name for name, _ in embedded(html, "view")["columns"]] == ["age", "city", "married"]


def test_rows_are_shown_as_images(tmp_path, digits):
    pictures, labels = digits[0][:300], digits[1][:300]
    flat = protodash.select(pictures, n_prototypes=8, label=labels)
    html = written(flat, tmp_path / "page.html", image_shape=(8, 8))
    # Prototypes and the rows they represent.
    assert html.count("data:image/png;base64,") > 8
    assert {row["label"] for row in embedded(html, "view")["prototypes"]} == {str(label) for label in flat.labels}
    solid = protodash.select(pictures.reshape(-1, 8, 8), n_prototypes=8, label=labels)
    assert written(solid, tmp_path / "solid.html") == html


def test_the_images_are_those_of_the_command(tmp_path, digits, command):
    selection = protodash.select(pandas.read_csv(TESTDATA / "digits.csv"), n_prototypes=5, label="label", scale="none")
    ours = written(selection, tmp_path / "ours.html", image_shape=[8, 8])
    flags = ["--label=label", "--scale=none", "-m5", "--image-shape=8x8"]
    theirs = of_command(command, tmp_path, str(TESTDATA / "digits.csv"), *flags)
    images = [re.findall(r"data:image/png;base64,[^)\"']+", page) for page in (ours, theirs)]
    assert images[0] == images[1] and images[0]
    assert embedded(ours, "view") == embedded(theirs, "view")


def test_nothing_is_requested_from_outside(tmp_path, wine):
    html = written(protodash.select(wine, n_prototypes=4), tmp_path / "page.html")
    assert "default-src 'none'" in unescape(html)
    assert not re.search(r"""(?:src|href|url\()\s*=?\s*["']?(?:https?:)?//""", html)


def test_hostile_text_stays_text(tmp_path):
    hostile = '</script><script>alert(1)</script><img src="//evil.example/x" onerror=alert(2)>'
    frame = pandas.DataFrame({hostile: [1.0, 2.0, 9.0], "word": [hostile, "a", "b"]}, index=[hostile, "y", "z"])
    selection = protodash.select(frame, n_prototypes=3)
    html = written(selection, tmp_path / "page.html", title=hostile, criticisms=selection.criticisms(1))
    assert "<script>alert" not in html and "<img" not in html
    assert f"<title>{hostile}" not in html and hostile in texts(html)
    assert html.count("<script") == html.count("</script>")


def test_a_loaded_result_makes_the_brief_page_of_the_command(tmp_path, wine, command):
    selection = protodash.select(wine, n_prototypes=5, label=[str(row % 3) for row in range(len(wine))])
    selection.save(tmp_path / "result.json", selection.criticisms(2))
    back = protodash.Selection.load(tmp_path / "result.json")
    ours = written(back, tmp_path / "ours.html")
    run = [command, "report", "result.json", "-o", "theirs.html", "--quiet"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    theirs = (tmp_path / "theirs.html").read_text(encoding="utf-8")
    assert [embedded(ours, name) for name in ("view", "result")] == [embedded(theirs, name) for name in ("view", "result")]
    assert "use “report(path, source=...)” to add them" in texts(ours)
    whole = written(back, tmp_path / "whole.html", source=wine)
    expected = written(selection, tmp_path / "expected.html", criticisms=selection.criticisms(2))
    view, wanted = embedded(whole, "view"), embedded(expected, "view")
    assert view["prototypes"] == wanted["prototypes"]
    # The result has the labels of the prototypes only.
    labels, classes = wanted["map"].pop("label"), wanted["map"].pop("class")
    assert set(labels) == {"0", "1", "2"} and set(classes) == {0, 1, 2} and set(view["map"].pop("class")) == {None}
    assert view["map"] == wanted["map"]


def test_a_result_of_the_command_has_the_title_of_its_file(tmp_path, command):
    arguments = [command, "select", TESTDATA / "wine.csv", "-m3", "-o", "wine.json", "--quiet"]
    subprocess.run(arguments, cwd=tmp_path, check=True, capture_output=True)
    html = written(protodash.Selection.load(tmp_path / "wine.json"), tmp_path / "page.html")
    assert "<title>Prototypes of wine.csv</title>" in html


def test_prefixes_classes_shift_and_bandwidths_have_pages(tmp_path, digits):
    rows, labels = digits[0][:400], digits[1][:400]
    whole = protodash.select(rows, n_prototypes=10, label=labels, per_label="equal")
    assert "Classes" in texts(written(whole, tmp_path / "classes.html"))
    assert len(embedded(written(whole.prefix(4), tmp_path / "four.html"), "view")["prototypes"]) == 4
    shifted = protodash.select(rows[:200], rows[200:], 5, shift=True)
    assert embedded(written(shifted, tmp_path / "shift.html"), "result")["covariate_shift"]["features"]
    tried = protodash.select(rows[:80], n_prototypes=4, bandwidth="cv")
    assert "bandwidths" in texts(written(tried, tmp_path / "cv.html"))


def test_kernel_values_have_no_columns_to_show(tmp_path, wine):
    # Columns with a mean of 0 would leave nothing to explain.
    shifted = wine + 1
    html = written(protodash.select(shifted @ shifted.T, n_prototypes=3, kernel="precomputed"), tmp_path / "page.html")
    assert "a kernel matrix does not hold them" in html
    # The map is the kernel's own view, which needs no columns.
    codes = written(protodash.select(np.round(wine), n_prototypes=3, kernel="hamming"), tmp_path / "codes.html")
    for page in (html, codes):
        assert "of the kernel's variance" in texts(page) and len(embedded(page, "view")["map"]["places"]) == 2


@pytest.mark.parametrize("memory", [None, 50_000])
def test_a_custom_kernel_shows_the_same_as_the_built_in_one(tmp_path, wine, memory):
    def similar(x, y):
        return np.exp(-((x[:, None] - y) ** 2).sum(2) / 18)

    for target in (None, wine[:100] + 0.1):
        ours = protodash.select(wine, target, 5, kernel="gaussian", bandwidth=3.0)
        own = protodash.select(wine, target, 5, kernel=similar, memory=memory)
        views = [
            embedded(written(selection, tmp_path / "page.html", criticisms=selection.criticisms(2)), "view")
            for selection in (ours, own)
        ]
        assert [name for name, _ in views[1]["columns"]] == [f"x{column}" for column in range(13)]
        # Three views: that of the kernel, equal up to rounding, that of the columns, and neighbours, which rounding may move.
        pairs = list(zip(views[0]["map"]["places"], views[1]["map"]["places"], strict=True))
        assert len(pairs) == 3 and any(ours_at == own_at for ours_at, own_at in pairs)
        near = [all(abs(one - other) <= 1 for one, other in zip(ours_at["x"], own_at["x"], strict=True)) for ours_at, own_at in pairs]
        assert sum(near) >= 2
        for one, other in zip(views[0]["prototypes"], views[1]["prototypes"], strict=True):
            assert {**other, "weight": None, "share": None, "gain": None} == {**one, "weight": None, "share": None, "gain": None}


def test_a_custom_kernel_shows_tables_and_images(tmp_path, digits):
    frame = pandas.DataFrame(PEOPLE, index=NAMES)
    people = protodash.select(frame, n_prototypes=3, missing="category", kernel=lambda x, y: x @ y.T)
    html = written(people, tmp_path / "page.html")
    for word in ("Ulm", "Bonn", "age", "city", "married", "70"):
        assert word in texts(html), word
    pictures = protodash.select(digits[0][:300], n_prototypes=4, kernel=lambda x, y: x @ y.T)
    assert written(pictures, tmp_path / "page.html", image_shape=(8, 8)).count("data:image/png;base64,") > 4


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_frame_that_loses_columns_later_is_shown_as_it_was(kind, tmp_path):
    frame = pandas.DataFrame(PEOPLE) if kind == "pandas" else polars.DataFrame(PEOPLE)
    selection = protodash.select(frame, n_prototypes=3, missing="category")
    expected = written(selection, tmp_path / "before.html")
    if kind == "pandas":
        del frame["city"]
        frame["age"] = 0.0
        frame.index = list("uvwxyz")
    else:
        frame.drop_in_place("city")
        frame[0, "age"] = 0.0
    assert written(selection, tmp_path / "after.html") == expected
    assert list(selection.to_frame().columns)[-3:] == list(PEOPLE)


@pytest.mark.parametrize(
    ("path", "options", "error", "message"),
    [
        ("page.txt", {}, ValueError, r"page\.txt ends in \.txt; it must end in \.html$"),
        ("page", {}, ValueError, r"page has no extension; it must end in \.html$"),
        ("absent/page.html", {}, FileNotFoundError, r"page\.html: cannot be written: there is no folder .*absent; create it first$"),
        ("page.html", {"image_shape": (4, 4)}, ValueError, r"^image shape 4x4 has 16 values, but the rows have 13 feature columns$"),
        ("page.html", {"image_shape": "4x4"}, ValueError, r"^image_shape is '4x4'; it must be height and width, or "),
        ("page.html", {"image_shape": (0, 4)}, ValueError, r"^image_shape is \(0, 4\); it must be"),
        ("page.html", {"image_shape": (13, 1, 2)}, ValueError, r"1, 3 or 4 channels$"),
        ("page.html", {"title": 5}, TypeError, "^title is of type int; it must be text$"),
        ("page.html", {"source": np.zeros((5, 13))}, ValueError, "^the selection was made from 178 source rows, but these data have 5$"),
    ],
)
def test_a_failed_report_leaves_no_file(tmp_path, wine, path, options, error, message):
    selection = protodash.select(wine, n_prototypes=2)
    with pytest.raises(error, match=message):
        selection.report(tmp_path / path, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_rejected(tmp_path, wine):
    (tmp_path / "page.html").mkdir()
    with pytest.raises(IsADirectoryError, match="specify a file name$"):
        protodash.select(wine, n_prototypes=2).report(tmp_path / "page.html")


def test_a_failed_report_keeps_the_old_file(tmp_path, wine):
    selection = protodash.select(wine, n_prototypes=2)
    (tmp_path / "page.html").write_text("old")

    def fails(*_):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="^stop$"):
        selection.report(tmp_path / "page.html", progress=fails)
    assert (tmp_path / "page.html").read_text() == "old"
    stages = []
    selection.report(tmp_path / "page.html", progress=lambda *news: stages.append(news[0]))
    assert "drawing the map" in stages and (tmp_path / "page.html").read_text() != "old"


def test_shown_columns_are_those_of_the_command(tmp_path, command):
    frame = pandas.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "title": ["Dusk", "Dawn", "<b>", "Noon"], "note": list("abcd")})
    frame.to_csv(tmp_path / "a.csv", index=False)
    selection = protodash.select(frame, n_prototypes=2, show=["Title", "note"])
    page = written(selection, tmp_path / "python.html", title="t")
    assert selection.n_features == 1
    subprocess.run([command, "select", "a.csv", "-m", "2", "--show", "Title,note", "--report", "a.html", "-q"], cwd=tmp_path, check=True)
    cards = lambda html: re.search(r'<ol class="cards".*?</ol>', html, re.DOTALL)[0]
    assert cards(page) == cards((tmp_path / "a.html").read_text(encoding="utf-8"))
    selection.save(tmp_path / "a.json")
    again = written(protodash.Selection.load(tmp_path / "a.json"), tmp_path / "again.html", source=frame, title="t")
    assert cards(again) == cards(page)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_bytes_are_shown_as_images_and_are_no_features(kind, tmp_path):
    library = {"pandas": pandas, "polars": polars}[kind]
    files = [b"GIF89a\x05\0\x07\0" + bytes([row]) for row in range(4)]
    frame = library.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "photo": files})
    page = written(protodash.select(frame, n_prototypes=2, show=["photo"]), tmp_path / "a.html")
    assert 'class="image photo i0"' in page and "data:image/gif;base64," in page
    with pytest.raises(TypeError, match="photo"):
        protodash.select(frame, n_prototypes=2)


def test_an_array_has_no_columns_to_show_beside_its_own(wine):
    with pytest.raises(ValueError, match="show refers to columns of a table"):
        protodash.select(wine, show=["title"])


def test_the_page_shows_a_call_that_makes_the_selection_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    table = pandas.DataFrame({'a "quoted" name': rng.normal(size=60), "b": rng.normal(size=60), "kind\\n": ["x", "y's"] * 30})
    table["id"] = [f"row {row}" for row in range(60)]
    given = {"id": "id", "drop": ["b"], "method": "protogreedy", "weights": "convex", "seed": 4, "fixed": ["row 3"]}
    selection = protodash.select(table, n_prototypes=4, label="kind\\n", **given)
    selection.report("first.html", criticisms=selection.criticisms(2))
    page = (tmp_path / "first.html").read_text(encoding="utf-8")
    assert 'id="call-command"' not in page  # there is no file to name
    code = unescape(page.split('<code id="call-python">')[1].split("</code>")[0])
    space = {"source": table}
    exec(code, space)  # noqa: S102
    assert space["selection"].indices.tolist() == selection.indices.tolist()
    np.testing.assert_array_equal(space["selection"].weights, selection.weights)
    result = lambda page: page.split('id="result">')[1].split("</script>")[0]
    assert result((tmp_path / "page.html").read_text(encoding="utf-8")) == result(page)
