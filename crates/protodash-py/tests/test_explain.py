"""Explanations of individual rows."""

import json
import pickle

import numpy as np
import pytest

import protodash

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
    with pytest.raises(ValueError, match="there are 3 labels for 12 rows"):
        protodash.explain(SOURCE, ROWS, same=(classes, [1, 2, 3]))
    with pytest.raises(TypeError, match="same must be the name of a column"):
        protodash.explain(SOURCE, ROWS, same=classes)


def test_no_row_explains_itself():
    found = protodash.explain(SOURCE, SOURCE, n_prototypes=2)
    assert all(one.index != explanation.row for explanation in found for one in explanation.prototypes)


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
    texts = [protodash.explain(SOURCE, ROWS, n_threads=n_threads)._text for n_threads in (1, 3)]
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
