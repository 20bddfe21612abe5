"""Prototypes per class and covariate shift: the same as in the command, and worked by hand."""

import json
import subprocess

import numpy as np
import protodash
import pytest
from conftest import TESTDATA, optional

pandas, polars = optional("pandas"), optional("polars")


def by_command(command, folder, *arguments):
    path = folder / "command.json"
    subprocess.run([command, "select", *arguments, "--quiet", "-o", path], check=True, cwd=TESTDATA)
    return json.loads(path.read_text())


def by_python(selection, folder):
    path = folder / "python.json"
    selection.save(path)
    again = folder / "again.json"
    protodash.Selection.load(path).save(again)
    assert again.read_bytes() == path.read_bytes()
    return json.loads(path.read_text())


def without_source(document):
    document["data"] = {key: value for key, value in document["data"].items() if key != "source"}
    return document


@pytest.mark.parametrize("allocation", ["equal", "proportional"])
@pytest.mark.parametrize("method", ["protodash", "k-medoids"])
def test_prototypes_per_class_match_the_command(command, tmp_path, allocation, method):
    arguments = ["wine.csv", "--label", "label", "-m", "8", "--per-label", allocation, "--method", method]
    expected = by_command(command, tmp_path, *arguments)
    for read in (pandas.read_csv, polars.read_csv):
        selection = protodash.select(
            read(TESTDATA / "wine.csv"), n_prototypes=8, label="label", per_label=allocation, method=method
        )
        assert without_source(by_python(selection, tmp_path)) == without_source(expected)
    assert [entry["n_prototypes"] for entry in selection.per_label["classes"]] == [3, 3, 2]


def test_given_numbers_match_the_command(command, tmp_path):
    expected = by_command(command, tmp_path, "wine.csv", "--label", "label", "--per-label", "class_2=3,class_0=5")
    wine = pandas.read_csv(TESTDATA / "wine.csv")
    selection = protodash.select(wine, label="label", per_label={"class_2": 3, "class_0": 5})
    assert without_source(by_python(selection, tmp_path)) == without_source(expected)
    assert [entry["n_prototypes"] for entry in selection.per_label["classes"]] == [5, 0, 3]
    assert sorted(selection.labels) == ["class_0"] * 5 + ["class_2"] * 3
    assert selection.constraints["explained_without"] > selection.explained
    assert selection.constraints["quotas"] == []
    again = protodash.select(wine, n_prototypes=8, label="label", per_label={"class_0": 5, "class_1": 0, "class_2": 3})
    assert again.indices.tolist() == selection.indices.tolist()


def test_classes_of_arrays(digits):
    rows, labels = digits
    selection = protodash.select(rows, n_prototypes=20, label=labels, per_label="equal")
    assert sorted(selection.labels) == sorted([*range(10)] * 2)
    assert selection.labels == labels[selection.indices].tolist()
    assert selection.per_label["allocation"] == "equal"
    assert [entry["label"] for entry in selection.per_label["classes"]] == [str(digit) for digit in range(10)]
    assert sum(entry["share"] for entry in selection.per_label["classes"]) == pytest.approx(1.0)
    half = protodash.select(
        rows[:900], rows[900:], 20, label=labels[:900], target_labels=labels[900:], per_label="proportional"
    )
    assert set(half.labels) == set(range(10))
    threes = protodash.select(rows, label=labels, per_label={3: 4, 8: 1})
    assert sorted(threes.labels) == [3, 3, 3, 3, 8]
    assert half.prefix(10).per_label is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_label": "equal"}, "per_label needs the class of each row; pass label"),
        ({"per_label": "fair", "label": [0, 1, 1]}, "unknown per_label 'fair'; allowed are proportional, equal"),
        ({"per_label": {"a": 1, "z": 1}, "label": list("abb")}, 'no target row is of class "z". The classes are a, b'),
        ({"per_label": {"b": 3}, "n_prototypes": 3, "label": list("abb")}, 'class "b": 3 prototypes requested, but it has only 2 source rows'),
        ({"per_label": {"b": 0}, "n_prototypes": None, "label": list("abb")}, "0 prototypes requested; at least 1 is needed"),
        ({"per_label": {"b": -1}, "label": list("abb")}, "per_label['b'] is -1; it must be at least 0"),
        ({"per_label": {"b": 1}, "label": list("abb")}, "n_prototypes is 2, but the numbers of per_label add up to 1; omit n_prototypes"),
        ({"per_label": {"b": 1}}, "per_label needs the class of each row; pass label"),
        ({"per_label": "equal", "label": list("abb"), "target": [[1.0]]}, "per_label also needs the class of each target row; pass target_labels"),
        ({"per_label": "equal", "label": list("abb"), "target": [[1.0], [2.0]], "target_labels": list("ac")}, 'class "c" has 1 target row and no source row to represent it'),
        ({"per_label": "equal", "label": list("abb"), "target": [[1.0], [2.0]], "target_labels": "a"}, "target_labels has 1 values for 2 target rows; there must be one for each"),
        ({"label": list("abb"), "target_labels": list("abb")}, "target_labels requires a target"),
        ({"shift": True}, "shift compares the source with a separate target, but none was given"),
        ({"shift": True, "target": [[1.0]], "kernel": lambda x, y: x @ y.T}, "shift compares features, but kernel values have none"),
    ],
)  # fmt: skip
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(ValueError) as caught:
        protodash.select([[0.0], [1.0], [2.0]], **{"n_prototypes": 2, "bandwidth": "auto" if "kernel" in options else 1.0, **options})
    assert str(caught.value) == message


def test_a_shift_matches_the_command(command, tmp_path):
    arguments = ["nhanes_adults.csv", "--id", "id", "--missing", "category", "--drop", "smoking", "-m", "all", "--shift"]
    arguments += ["--source-where", "smoking = 'never'", "--target-where", "smoking = 'every day'"]
    expected = by_command(command, tmp_path, *arguments)
    for read in (pandas.read_csv, polars.read_csv):
        selection = protodash.select(
            read(TESTDATA / "nhanes_adults.csv"), n_prototypes="all", id="id", missing="category", drop=["smoking"], shift=True,
            source_where="smoking = 'never'", target_where="smoking = 'every day'",
        )  # fmt: skip
        assert without_source(by_python(selection, tmp_path)) == without_source(expected)
    shift = selection.covariate_shift
    assert selection.stopped == "optimal"
    # A weight for each row of the table, including those that the condition excludes.
    assert len(shift.weights) == len(polars.read_csv(TESTDATA / "nhanes_adults.csv")) > selection.n_source
    assert shift.weights[selection.indices].tobytes() == selection.weights.tobytes()
    assert shift.weights.sum() == pytest.approx(selection.weights.sum())
    for library in (pandas, polars):
        frame = shift.to_frame(library.__name__)
        assert list(frame.columns) == list(shift.features[0])
    before, after = (np.abs(frame[f"difference_{when}"].to_numpy()).max() for when in ("before", "after"))
    assert after < before / 2


def test_a_shift_by_hand():
    source, target = np.array([[0.0, 5.0], [1.0, 5.0]]), np.array([[1.0, 4.0], [1.0, 6.0]])
    selection = protodash.select(source, target, 1, bandwidth=1.0, shift=True)
    assert selection.indices.tolist() == [1]
    first, second = selection.covariate_shift.features
    assert (first["feature"], first["source_mean"], first["weighted_mean"], first["target_mean"]) == ("x0", 0.5, 1.0, 1.0)
    # The target does not vary: the unit is the source's standard deviation of ½.
    assert (first["difference_before"], first["difference_after"]) == (-1.0, 0.0)
    assert (second["feature"], second["target_standard_deviation"]) == ("x1", 1.0)
    assert selection.covariate_shift.effective_sample_size == 1.0
    assert repr(selection.covariate_shift).splitlines() == [
        "feature  source  weighted  target  gap before  gap after",
        "x0       0.5000     1.000   1.000       -1.00       0.00",
        "x1        5.000     5.000   5.000        0.00       0.00",
        "means of all features, largest gap first; gaps are in standard deviations of the target (of the source for features "
        "that are constant in the target); effective sample size 1.0 of 2 source rows; largest gap 1.00 before weighting, "
        "0.00 after",
    ]
    assert "<td>x0</td>" in selection.covariate_shift._repr_html_()
    assert protodash.select(source, target, 1, bandwidth=1.0).covariate_shift is None
