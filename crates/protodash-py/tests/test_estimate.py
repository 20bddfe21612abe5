"""Estimates from weighted prototypes: against NumPy, and what is refused."""

import numpy as np
import protodash
import pytest
from conftest import ROOT, optional

pandas = optional("pandas")


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(80, 3))


def test_figures_are_those_of_the_definition(rows):
    selection = protodash.select(rows, n_prototypes=7)
    scores = np.random.default_rng(1).random((80, 4))
    found = selection.estimate(scores)
    weights = selection.weights / selection.weights.sum()
    np.testing.assert_allclose(found.estimate, weights @ scores[selection.indices], rtol=1e-12)
    np.testing.assert_allclose(found.mean, scores.mean(0), rtol=1e-12)
    np.testing.assert_allclose(found.error, found.estimate - found.mean, atol=1e-15)
    m = (selection.weights > 0).sum()
    expected = scores.std(0, ddof=1) * np.sqrt((1 - m / 80) / m)
    np.testing.assert_allclose(found.random_standard_error, expected, rtol=1e-12)
    one = selection.estimate(scores[:, 2].tolist())
    assert (one.estimate, one.mean) == (found.estimate[2], found.mean[2])
    alone = selection.estimate(scores[selection.indices])
    np.testing.assert_allclose(alone.estimate, found.estimate, rtol=1e-12)
    assert (alone.mean, alone.error, alone.random_standard_error) == (None, None, None)
    assert selection.estimate(scores[selection.indices, 0] > 0.5).mean is None


def test_a_separate_target_has_scores_of_its_own(rows):
    selection = protodash.select(rows[:50], rows[50:], 5, target_weights=np.arange(30.0))
    scores = rows[:, 0] ** 2
    assert selection.estimate(scores[:50]).mean is None
    found = selection.estimate(scores[:50], target_scores=scores[50:])
    assert found.mean == pytest.approx(np.average(scores[50:], weights=np.arange(30.0)))
    assert found.random_standard_error is None
    with pytest.raises(ValueError, match="target_scores has 29 rows; there must be one for each of the 30 target rows"):
        selection.estimate(scores[:50], target_scores=scores[51:])


def test_scores_are_those_of_the_table_rows(rows, tmp_path):
    table = pandas.DataFrame(rows, columns=list("abc"))
    scores = np.arange(80.0)
    selection = protodash.select(table, n_prototypes=4, source_where="a > 0")
    found = selection.estimate(scores, target_scores=scores)
    weights = selection.weights / selection.weights.sum()
    assert found.estimate == pytest.approx(weights @ scores[selection.indices])
    assert found.mean == pytest.approx(39.5)
    assert selection.estimate(scores).mean is None
    whole = protodash.select(table, n_prototypes=4)
    whole.save(tmp_path / "r.json")
    loaded = protodash.Selection.load(tmp_path / "r.json")
    assert loaded.estimate(scores).mean == whole.estimate(scores).mean == pytest.approx(39.5)
    assert loaded.estimate(scores, target_weights=[1.0] * 40 + [0.0] * 40).mean == pytest.approx(19.5)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (([1.0] * 5,), ValueError, "scores has 5 rows; there must be one for each of the 80 source rows, or for each of the 7 prototypes"),
        ((["a"] * 80,), TypeError, "scores must be numbers: one for each row, or one row and one column for each model"),
        ((np.zeros((80, 2, 2)),), ValueError, "scores has shape (80, 2, 2); it must have one dimension, or rows and models"),
        (([float("nan")] * 80,), ValueError, "a value is NaN; it must be a finite number"),
        (([1.0] * 80, [1.0] * 80), ValueError, "target_scores are for a separate target, but source and target are the same rows"),
    ],
)  # fmt: skip
def test_bad_scores_are_rejected(rows, arguments, kind, message):
    selection = protodash.select(rows, n_prototypes=7)
    scores, target = (*arguments, None)[:2]
    with pytest.raises(kind) as caught:
        selection.estimate(scores, target_scores=target)
    assert str(caught.value) == message


def test_the_command_estimates_the_same(command, tmp_path):
    import json
    import subprocess

    table = pandas.read_csv(ROOT / "testdata/wine.csv")
    out = tmp_path / "r.json"
    arguments = ["--drop", "label", "--estimate", "alcohol,hue", "-m", "6", "-q", "-o", out]
    subprocess.run([command, "select", ROOT / "testdata/wine.csv", *arguments], check=True)
    saved = {entry["column"]: entry for entry in json.loads(out.read_text())["estimates"]}
    selection = protodash.select(table.drop(columns=["label", "alcohol", "hue"]), n_prototypes=6)
    for column in ["alcohol", "hue"]:
        found = selection.estimate(table[column])
        assert saved[column] == {"column": column, **{name: getattr(found, name) for name in vars(found)}}
