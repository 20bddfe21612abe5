"""Selections: display, pickling, saving, data frames and plots."""

import copy
import json
import pickle
import subprocess

import numpy as np
import protodash
import pytest
from conftest import TESTDATA, optional

matplotlib, pandas, polars = optional("matplotlib"), optional("pandas"), optional("polars")
matplotlib.use("Agg")
FAR = np.array([[0.0], [100.0], [100.0]])


def test_it_prints_as_a_table():
    selection = protodash.select(FAR, n_prototypes=2, bandwidth=1.0, id=["<a>", "b", "c"])
    shown = repr(selection).splitlines()
    assert shown[0].startswith("rows are 100 % nearer to a prototype than to the nearest of 2 random rows; 2 of 3 rows explain")
    assert shown[-6:] == [
        "rank  row  id   weight  of weight  nearest rows",
        "   1    1  b    0.6667     66.7 %             2",
        "      x0 100",
        "   2    0  <a>  0.3333     33.3 %             1",
        "      x0 0",
        "inverse-multiquadric kernel, bandwidth 1.000, 1 feature, protodash, nonnegative weights",
    ]
    html = selection._repr_html_()
    assert "<td>&lt;a&gt;</td>" in html and "<a>" not in html
    assert "<td>0.5</td>" not in selection.criticisms(1)._repr_html_()


def test_it_says_what_sets_each_prototype_apart(tmp_path, command):
    table = pandas.read_csv(TESTDATA / "nhanes_adults.csv")
    selection = protodash.select(table, n_prototypes=3, id="id", missing="category")
    looks = [line.strip() for line in repr(selection).splitlines() if line.startswith("      ")]
    assert len(looks) == 3 and all(len(line) <= 74 for line in looks)
    # The command describes the same rows in the same words where it has as much room.
    call = [command, "select", TESTDATA / "nhanes_adults.csv", "--id", "id", "--missing", "category", "-m", "3"]
    shown = subprocess.run([*map(str, call)], capture_output=True, text=True, check=True).stdout
    words = [word for line in looks for word in line.split(", ")]
    assert sum(word in shown for word in words) == len(words)
    assert all(f"<td>{line}</td>".replace("'", "&#x27;") in selection._repr_html_() for line in looks)
    assert "<th>looks like</th>" in selection._repr_html_()
    # A file has no rows to describe, a pickle keeps the lines, and fewer prototypes have fewer.
    selection.save(tmp_path / "result.json")
    assert "looks like" not in protodash.Selection.load(tmp_path / "result.json")._repr_html_()
    assert repr(pickle.loads(pickle.dumps(selection))) == repr(selection)
    assert repr(selection.prefix(2)).splitlines()[-4].strip() == looks[0]
    images = protodash.select(np.zeros((4, 2, 2)) + np.arange(4)[:, None, None], n_prototypes=1)
    assert "looks like" not in images._repr_html_()
    # Rows of a sample are described by their own values.
    some = protodash.select(10.0 * np.arange(60)[:, None], n_prototypes=2, source_sample=20, bandwidth=30.0)
    lines = repr(some).splitlines()
    assert [f"      x0 {10 * index}" in lines for index in some.indices] == [True, True]


def test_many_prototypes_are_counted(digits):
    shown = repr(protodash.select(digits[0], n_prototypes=70))
    assert shown.splitlines()[-2] == "and 10 more"


def test_it_pickles_without_its_data(wine):
    selection = protodash.select(wine, n_prototypes=4)
    pickled = pickle.dumps(selection)
    assert len(pickled) < 8 * wine.size / 2
    back = pickle.loads(pickled)
    assert repr(back) == repr(selection)
    with pytest.raises(ValueError, match="pass them again with source= and target=$"):
        back.criticisms(2)
    assert back.criticisms(2, source=wine).indices.tolist() == selection.criticisms(2).indices.tolist()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_keep_the_data(wine, duplicate):
    selection = protodash.select(wine, n_prototypes=4)
    copied = duplicate(selection)
    assert repr(copied) == repr(selection)
    assert copied.criticisms(2).indices.tolist() == selection.criticisms(2).indices.tolist()
    assert copied.nearest.tolist() == selection.nearest.tolist()
    assert copied._data is selection._data
    if duplicate is copy.deepcopy:
        copied.weights[0] = 7.0
        assert selection.weights[0] != 7.0


def test_a_target_without_its_source_is_rejected(wine, tmp_path):
    selection = protodash.select(wine[:90], wine[90:], 3)
    for name, given in (("target", wine[:40]), ("target_weights", np.ones(88))):
        message = f"^{name} requires source; pass all data again, or none to use those of the selection$"
        for ask in (selection.criticisms, lambda **data: selection.report(tmp_path / "page.html", **data)):
            with pytest.raises(ValueError, match=message):
                ask(**{name: given})


def test_a_prefix_without_data_is_counted_on_those_given(wine, tmp_path):
    selection = protodash.select(wine, n_prototypes=4)
    selection.save(tmp_path / "whole.json")
    selection.prefix(2).save(tmp_path / "two.json")
    for back in (protodash.Selection.load(tmp_path / "whole.json"), pickle.loads(pickle.dumps(selection))):
        back.prefix(2).save(tmp_path / "again.json", source=wine)
        assert json.loads((tmp_path / "again.json").read_text()) == json.loads((tmp_path / "two.json").read_text())
        back.prefix(2).report(tmp_path / "page.html", source=wine)
        for write in (back.prefix(2).save, back.prefix(2).report):
            with pytest.raises(ValueError, match="; pass the data again with source= and target= to save or report, or"):
                write(tmp_path / "none.html")


def test_invalid_criticisms_are_rejected(wine, tmp_path):
    selection = protodash.select(wine, n_prototypes=2)
    for write in (selection.save, selection.report):
        with pytest.raises(TypeError, match=r"^criticisms is of type int; it must be what selection.criticisms\(...\) returns$"):
            write(tmp_path / "page.html", criticisms=3)


def test_a_negative_share_explained_is_reported():
    source, target = np.array([[9.0], [8.0]]), np.array([[1.0], [1.0]])
    selection = protodash.select(source, target, 1, kernel="linear", weights="convex")
    assert selection.explained == -48.0  # 2 (1·8 − ½·8²)/1²
    assert "1 of 2 source rows explains -4800.0 % of the 2 target rows, worse than no prototypes" in repr(selection)


def test_a_pickle_has_classes_shift_and_curve(digits):
    rows, labels = digits[0][:200], digits[1][:200]
    selection = protodash.select(
        rows[:150], rows[150:], 10, label=labels[:150], target_labels=labels[150:], per_label="equal", shift=True, bandwidth="cv"
    )
    back = pickle.loads(pickle.dumps(selection))
    assert repr(back) == repr(selection) and repr(back.covariate_shift) == repr(selection.covariate_shift)
    assert (back.labels, back.per_label, back.bandwidth_curve) == (selection.labels, selection.per_label, selection.bandwidth_curve)
    assert back.covariate_shift.weights.tolist() == selection.covariate_shift.weights.tolist()


def test_a_saved_result_survives_a_round_trip(tmp_path, wine):
    target, source = wine[:70], wine[60:]
    selection = protodash.select(source, target, 5, target_energy="sample", label=[str(i) for i in range(118)])
    criticisms = selection.criticisms(3)
    path = tmp_path / "result.json"
    selection.save(path, criticisms)
    back = protodash.Selection.load(path)
    for name in ("indices", "weights", "objective", "shares", "gains", "n_represented"):
        assert getattr(back, name).tobytes() == getattr(selection, name).tobytes()
    assert (back.kernel, back.labels, back.stopped) == (selection.kernel, selection.labels, selection.stopped)
    assert (back.mmd2, back.explained) == (selection.mmd2, selection.explained)
    assert back.criticisms(2).indices.tolist() == criticisms.indices[:2].tolist()
    assert back.prefix(2).weights.tolist() == selection.prefix(2).weights.tolist()
    again = tmp_path / "again.json"
    back.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["again.json", "result.json"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["wine.csv", "--label", "label", "-m", "7", "--n-criticisms", "3"],
        ["wine.csv", "--drop", "label", "-m", "4", "--kernel", "polynomial", "--weights", "convex"],
        ["breast_cancer.csv", "--label", "label", "-m", "30", "--method", "swap", "--bandwidth", "0.1"],
        ["digits.csv", "--label", "label", "--target-where", "label = 3", "--source-where", "label <> 3", "--kernel", "linear"],
        ["wine.csv", "--label", "label", "-m", "6", "--bandwidth", "cv"],
        ["digits.csv", "--label", "label", "-m", "20", "--per-label", "equal"],
    ],
)  # fmt: skip
def test_a_result_of_the_command_is_saved_to_the_same_bytes(tmp_path, command, arguments):
    path = tmp_path / "result.json"
    subprocess.run([command, "select", *arguments, "--quiet", "-o", path], check=True, cwd=TESTDATA)
    again = tmp_path / "again.json"
    protodash.Selection.load(path).save(again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("weights", "is not a protodash result: it is not JSON ("),
        ("[1]", 'is not a protodash result: it has no "schema"'),
        ('{"schema": 2}', "has schema 2; this version reads schema 1"),
        ('{"schema": 1}', "is not a complete result: missing field `method`"),
    ],
)
def test_invalid_results_are_rejected(tmp_path, content, message):
    path = tmp_path / "no.json"
    path.write_text(content)
    with pytest.raises(ValueError) as caught:
        protodash.Selection.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    with pytest.raises(FileNotFoundError):
        protodash.Selection.load(tmp_path / "none.json")


def test_a_negative_weight_is_rejected(tmp_path, wine):
    path = tmp_path / "result.json"
    protodash.select(wine, n_prototypes=1).save(path)
    document = json.loads(path.read_text())
    document["prototypes"][0]["weight"] = -1.0
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match="is -1; weights must be finite and at least 0$"):
        protodash.Selection.load(path)


def test_data_frames(wine):
    selection = protodash.select(wine, n_prototypes=3, label=list(range(178)))
    columns = ["source_index", "label", "weight", "share", "gain", "n_represented"]
    for library in (pandas, polars):
        frame = selection.to_frame(library.__name__)
        assert isinstance(frame, library.DataFrame)
        assert list(frame.columns) == columns
        assert frame["source_index"].to_list() == selection.indices.tolist()
        criticisms = selection.criticisms(2, among="target").to_frame(library.__name__)
        assert list(criticisms.columns) == ["target_index", "label", "score"]
    with pytest.raises(ValueError, match="^unknown kind of data frame 'arrow'; allowed are pandas and polars$"):
        selection.to_frame("arrow")


def test_plots(digits):
    selection = protodash.select(digits[0].reshape(-1, 8, 8), n_prototypes=12)
    axes = selection.plot_objective()
    assert axes.get_ylabel() == "explained"
    assert len(axes.lines[0].get_xdata()) == 13  # from 0 prototypes on
    assert len(selection.plot_weights(axes).patches) == 12
    figure = selection.plot_images()
    assert sum(bool(axes.images) for axes in figure.axes) == 12
    with pytest.raises(ValueError, match="^n_columns is 0; it must be at least 1$"):
        selection.plot_images(n_columns=0)
    with pytest.raises(ValueError, match="^images of 5 x 5 do not match rows of 64 features$"):
        selection.plot_images(shape=(5, 5))
    matplotlib.pyplot.close("all")


def test_the_comparison_with_random_rows(digits):
    selection = protodash.select(digits[0], n_prototypes=10, label=digits[1])
    chance = selection.baseline
    assert chance["n_draws"] == 5 and chance["n_rows"] == 1000
    assert 0 < chance["nearer_than_random"] < 1
    assert chance["random_explained"] < selection.explained
    assert chance["random_explained_path"][-1] == chance["random_explained"]
    assert chance["nearer_than_random_path"][-1] == [len(selection.indices), chance["nearer_than_random"]]
    assert chance["distance"] > 0 and "best_distance" not in chance and "best_explained" not in chance
    found = {str(label) for label in selection.labels}
    assert selection.classes_without_prototype == sorted({str(label) for label in digits[1]} - found)
    assert protodash.select(digits[0], n_prototypes=2).classes_without_prototype is None


def test_no_selection_is_better_than_all_rows_of_another_source(digits):
    rows, _ = digits
    target, source = rows[:300], rows[300:700]
    chance = protodash.select(source, target, n_prototypes=5).baseline
    everything = protodash.select(source, target, n_prototypes="all")
    assert chance["best_explained"] == pytest.approx(everything.explained, abs=1e-12)
    assert chance["best_explained"] == everything.baseline["best_explained"]
    distances = np.sqrt(((target[:, None, :].astype(float) - source[None, :, :]) ** 2).sum(axis=2))
    assert chance["best_distance"] == pytest.approx(distances.min(axis=1).mean())
    assert chance["best_distance"] < chance["distance"]


def test_prototypes_of_a_class_represent_rows_of_that_class(digits):
    rows, labels = digits
    selection = protodash.select(rows, n_prototypes=20, label=labels, per_label="equal")
    for label in set(labels):
        counts = [count for count, own in zip(selection.n_represented, selection.labels, strict=True) if own == label]
        assert sum(counts) == sum(other == label for other in labels)


def test_a_long_run_has_every_prefix_in_memory_and_some_in_a_file(tmp_path):
    rows = np.random.default_rng(3).normal(size=(620, 2))
    selection = protodash.select(rows, n_prototypes="all", kernel="gaussian", bandwidth=0.01)
    assert len(selection) > 550
    assert len(selection.prefix(540).weights) == 540
    selection.save(tmp_path / "r.json")
    read = protodash.Selection.load(tmp_path / "r.json")
    for size in (1, 333, 500, 515, len(selection)):
        assert read.prefix(size).weights.tolist() == selection.prefix(size).weights.tolist()
    with pytest.raises(ValueError, match="no weights for 516 prototypes: .*; the next smaller one is 515"):
        read.prefix(516)
