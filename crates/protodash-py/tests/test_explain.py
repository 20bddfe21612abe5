"""Explanations of individual rows."""

import json
import pickle
import subprocess

import numpy as np
import protodash
import pytest
from conftest import TESTDATA

RNG = np.random.default_rng(3)
SOURCE = RNG.normal(size=(200, 4))
ROWS = RNG.normal(size=(12, 4))


def test_an_explanation_is_the_selection_for_the_row_alone():
    found = protodash.explain(SOURCE, ROWS, n_prototypes=4, kernel="gaussian", bandwidth=1.5)
    assert len(found) == 12
    for row, explanation in enumerate(found):
        alone = protodash.select(SOURCE, ROWS[row : row + 1], 4, kernel="gaussian", bandwidth=1.5)
        weighted = alone.weights > 0  # rows that later ones made superfluous are not listed
        assert [one.index for one in explanation.prototypes] == alone.indices[weighted].tolist()
        np.testing.assert_allclose([one.share for one in explanation.prototypes], alone.shares[weighted], atol=1e-9)
        assert explanation.explained == pytest.approx(alone.explained)
        distances = [np.linalg.norm(SOURCE[one.index] - ROWS[row]) for one in explanation.prototypes]
        np.testing.assert_allclose([one.distance for one in explanation.prototypes], distances)


def test_classes_restrict_the_rows_and_far_rows_have_nothing_similar():
    classes, predicted = np.arange(200) % 3, np.array([0, 1, 2, 9] * 3)
    found = protodash.explain(SOURCE, ROWS + [[0], [0], [99], [0]] * 3, same=(classes, predicted), n_prototypes=3)
    for explanation, label in zip(found, predicted, strict=True):
        assert all(classes[one.index] == label for one in explanation.prototypes)
        assert explanation.label == str(label)
    assert [explanation.similar for explanation in found[2::4]] == [False] * 3
    assert found[3].prototypes == [] and found[3].nearest_distance is None
    assert "no row to choose from" in repr(found[3]) and "nothing similar" in repr(found[2])
    with pytest.raises(ValueError, match="same has 3 values for 12 explained rows; there must be one for each"):
        protodash.explain(SOURCE, ROWS, same=(classes, [1, 2, 3]))
    with pytest.raises(TypeError, match="same must be .* one sequence is enough only if rows are rows of the source"):
        protodash.explain(SOURCE, ROWS, same=classes)


def test_no_row_explains_itself():
    found = protodash.explain(SOURCE, SOURCE, n_prototypes=2)
    assert all(one.index != explanation.row for explanation in found for one in explanation.prototypes)
    # Rows by number are those rows.
    some = protodash.explain(SOURCE, np.array([7, 3]), n_prototypes=2)
    assert list(some) == [found[3], found[7]]
    assert list(protodash.explain(SOURCE, 7, n_prototypes=2)) == [found[7]]
    with pytest.raises(ValueError, match="rows names row 200, but the source has 200 rows; rows are counted from 0"):
        protodash.explain(SOURCE, [1, 200])
    with pytest.raises(TypeError, match="rows names row 0.5 of type float"):
        protodash.explain(SOURCE, [1, 0.5])


def test_rows_of_a_table_by_condition_do_not_explain_themselves(tmp_path, command):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(TESTDATA / "wine.csv")
    by_condition = protodash.explain(table, "alcohol > 14", n_prototypes=3, label="label")
    numbers = np.flatnonzero(table["alcohol"] > 14)
    assert [one.row for one in by_condition] == numbers.tolist()
    assert list(protodash.explain(table, numbers, n_prototypes=3, label="label")) == list(by_condition)
    assert all(one.index != row.row for row in by_condition for one in row.prototypes)
    # Only rows of the source explain; the rows to explain may be others.
    where = {"source_where": "alcohol < 14", "label": "label"}
    for rows in ("alcohol > 14", numbers):
        found = protodash.explain(table, rows, n_prototypes=3, **where)
        assert [one.row for one in found] == numbers.tolist()
        assert all(table["alcohol"][one.index] < 14 for row in found for one in row.prototypes)
    assert len(protodash.explain(table, table, **where)) == (table["alcohol"] < 14).sum()
    # The command says the same.
    (tmp_path / "wine.csv").write_bytes((TESTDATA / "wine.csv").read_bytes())
    call = "explain wine.csv --label label --rows alcohol>14 -m 3 -q -o found.json"
    subprocess.run([command, *call.split()], cwd=tmp_path, check=True, capture_output=True)
    assert list(protodash.Explanations.load(tmp_path / "found.json")) == list(by_condition)
    with pytest.raises(TypeError, match="rows is the condition 'x0 > 1', which needs a table"):
        protodash.explain(SOURCE, "x0 > 1")


def test_classes_come_from_a_model_or_once_for_rows_of_the_source():
    class Model:
        def predict(self, rows):
            return np.where(np.asarray(rows)[:, 0] > 0, "high", "low")

    classes = Model().predict(SOURCE)
    pair = protodash.explain(SOURCE, ROWS, same=(classes, Model().predict(ROWS)), n_prototypes=2)
    assert list(protodash.explain(SOURCE, ROWS, same=Model(), n_prototypes=2)) == list(pair)
    assert list(protodash.explain(SOURCE, ROWS, same=Model().predict, n_prototypes=2)) == list(pair)
    alone = protodash.explain(SOURCE, [5, 9], same=classes, n_prototypes=2)
    assert list(protodash.explain(SOURCE, [5, 9], same=Model(), n_prototypes=2)) == list(alone)
    swapped = protodash.explain(SOURCE, [9, 5], same=(classes, classes[[9, 5]]), n_prototypes=2)
    assert list(swapped) == list(alone)
    assert [row.label for row in alone] == classes[[5, 9]].tolist()
    assert all(classes[one.index] == row.label for row in alone for one in row.prototypes)
    every = protodash.explain(SOURCE, SOURCE, same=classes.tolist(), n_prototypes=2)
    assert [every[5], every[9]] == list(alone)


def test_labels_are_shown_and_the_bandwidth_can_be_cross_validated():
    pandas = pytest.importorskip("pandas")
    labels = ["even", "odd"] * 100
    found = protodash.explain(SOURCE, [4], n_prototypes=3, label=labels)
    assert found[0].label == "even" and [one.label for one in found[0].prototypes] == [labels[one.index] for one in found[0].prototypes]
    table = pandas.DataFrame(SOURCE, columns=list("abcd")).assign(kind=labels)
    with pytest.raises(ValueError, match="same names column 'kind', so label cannot be given too"):
        protodash.explain(table, [4], same="kind", label="a")
    # The bandwidth is that of a selection from the source alone, whatever the rows.
    best = protodash.select(SOURCE, n_prototypes=5, bandwidth="cv").kernel.bandwidth
    for rows in (ROWS, 1e3 * ROWS):
        one = protodash.explain(SOURCE, rows, bandwidth="cv")
        assert json.loads(one.to_json())["kernel"]["bandwidth"] == best == one._data.kernel.bandwidth


def test_frames_and_files(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    classes, predicted = np.arange(200) % 3, np.array([0, 1, 2, 9] * 3)
    found = protodash.explain(SOURCE, ROWS, same=(classes, predicted), n_prototypes=3)
    frame = found.to_frame("pandas")
    assert isinstance(frame, pandas.DataFrame) and isinstance(found.to_frame("polars"), polars.DataFrame)
    assert len(frame) == len(found.records()) == len(found.to_frame("polars"))
    assert "source_id" not in frame.columns and "source_label" in frame.columns
    # A row without prototypes has one line.
    empty = frame[frame["row"] == 3]
    assert len(empty) == 1 and empty["source_index"].isna().all()
    shares = frame.groupby("row")["share"].sum()
    np.testing.assert_allclose(shares[shares.index % 4 != 3], 1.0)
    assert isinstance(protodash.explain(polars.DataFrame(SOURCE), polars.DataFrame(ROWS)).to_frame(), polars.DataFrame)
    found.save(tmp_path / "found.json")
    loaded = protodash.Explanations.load(tmp_path / "found.json")
    assert list(loaded) == list(found) and repr(loaded) == repr(found) and loaded.limit == found.limit
    loaded.report(tmp_path / "page.html")
    with pytest.raises(ValueError, match="loaded or pickled without them"):
        loaded.report(tmp_path / "page.html", image_shape=(2, 2))
    (tmp_path / "other.json").write_text('{"schema": 1}')
    with pytest.raises(ValueError, match="other.json: "):
        protodash.Explanations.load(tmp_path / "other.json")


def test_shown_columns_are_in_the_report_only(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"title": ["First", "Second", "Third"], "x": [1.0, 2.0, 4.0]})
    found = protodash.explain(table, [0], n_prototypes=1, show=["title"])
    assert "title" not in repr(found)
    found.report(tmp_path / "page.html")
    assert "Second" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_tables_say_what_is_alike_and_what_differs(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"name": list("abcd"), "age": [30, 31, 60, 61], "city": ["Ulm", "Bonn", "Ulm", "Bonn"]})
    rows = pandas.DataFrame({"name": ["x"], "age": [30], "city": ["Bonn"]})
    found = protodash.explain(table, rows, n_prototypes=1, id="name")
    assert found[0].prototypes[0].id == "b"
    assert found[0].prototypes[0].alike[0] == "city Bonn"
    assert pandas.DataFrame(found.records())["source_index"].tolist() == [1]
    found.save(tmp_path / "found.json")
    assert json.loads((tmp_path / "found.json").read_text())["explanations"][0]["prototypes"][0]["id"] == "b"


def test_an_explanation_does_not_depend_on_the_other_rows():
    pandas = pytest.importorskip("pandas")
    others = np.vstack([ROWS[:1], 1e4 * ROWS])
    assert protodash.explain(SOURCE, others)[0] == protodash.explain(SOURCE, ROWS[:1])[0]
    source, rows = (pandas.DataFrame(values, columns=list("abcd")) for values in (SOURCE, others))
    found, alone = protodash.explain(source, rows), protodash.explain(source, rows[:1])
    assert found[0] == alone[0] and found.limit == alone.limit
    # Alike and different are measured in spreads of the source, also for a single row, which has none.
    assert any(" and " in text for one in alone[0].prototypes for text in one.alike)


def test_a_source_of_equal_rows_is_similar_only_to_an_equal_row():
    found = protodash.explain([[1.0, 2.0]] * 3, [[1.0, 2.0], [1.0, 2.5]], kernel="gaussian", bandwidth=1.0)
    assert found.limit is None and [one.similar for one in found] == [True, False]


def test_the_number_of_threads_changes_nothing():
    texts = [protodash.explain(SOURCE, ROWS, n_threads=n_threads).to_json() for n_threads in (1, 3)]
    assert texts[0] == texts[1]


def test_wrong_calls_are_rejected():
    with pytest.raises(ValueError, match="explain needs a built-in kernel"):
        protodash.explain(SOURCE, ROWS, kernel=lambda x, y: x @ y.T)
    with pytest.raises(ValueError, match="similar_share is 2; it must be from 0 to 1"):
        protodash.explain(SOURCE, ROWS, similar_share=2)
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"kind": ["a", "b", "a"], "x": [1.0, 2.0, 4.0]})
    with pytest.raises(ValueError, match="rows have no column 'kind', which same names"):
        protodash.explain(table, table[["x"]], same="kind")
    with pytest.raises(TypeError, match="did you mean n_prototypes|it is called n_prototypes"):
        protodash.explain(SOURCE, ROWS, k=3)


def test_the_report_shows_rows_next_to_their_prototypes(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"name": list("abcd"), "age": [30, 31, 60, 61], "city": ["Ulm", "Bonn", "Ulm", "<b>Bonn"]})
    rows = pandas.DataFrame({"name": ["x", "y"], "age": [30, 900], "city": ["Bonn", "Ulm"]})
    found = protodash.explain(table, rows, n_prototypes=2, id="name")
    found.report(tmp_path / "page.html", title="Why these?")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>Why these?</title>" in page and "<b>Bonn" not in page
    assert "Nothing similar" in page and "differs" in page and page.count("<article") == 2
    # Pickled explanations have no rows to show, and say so.
    pickle.loads(pickle.dumps(found)).report(tmp_path / "brief.html")
    assert "Not shown on this page" in (tmp_path / "brief.html").read_text(encoding="utf-8")


def test_images_and_wrong_reports(tmp_path):
    pictures = RNG.random((30, 4, 5))
    found = protodash.explain(pictures, pictures[:3], n_prototypes=2)
    found.report(tmp_path / "page.html")
    assert 'viewBox="0 0 5 4"' in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="image shape 3x3 has 9 values, but the rows have 20"):
        found.report(tmp_path / "other.html", image_shape=(3, 3))
    with pytest.raises(ValueError, match="must end in .html"):
        found.report(tmp_path / "page.pdf")
    with pytest.raises(TypeError, match="it must be text"):
        found.report(tmp_path / "page.html", title=3)


def test_only_categories_that_the_source_lacks_are_noted(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"kind": ["a", "b", "c", "a"], "x": [1.0, 2.0, 3.0, 4.0]})

    def notes(rows):
        protodash.explain(table, rows, n_prototypes=1).save(tmp_path / "explained.json")
        return json.loads((tmp_path / "explained.json").read_text())["notes"]

    assert notes(table[:1]) == []
    new = pandas.DataFrame({"kind": ["d"], "x": [1.0]})
    assert notes(new) == ['column "kind" has "d" only in the target']
