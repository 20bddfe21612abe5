"""Comparison of methods: the numbers of the command, as arrays."""

import json
import subprocess

import numpy as np
import protodash
import pytest
from conftest import ROOT, optional

pandas = optional("pandas")
METHODS = ["protodash", "protogreedy", "l2c", "random"]


@pytest.fixture(scope="module")
def wine():
    return pandas.read_csv(ROOT / "testdata/wine.csv")


def without_measurements(text):
    """The JSON without values that differ between runs or name the data."""
    found = json.loads(text)
    for outcome in found["results"]:
        outcome["seconds"] = outcome["peak_memory_bytes"] = None
    return found | {"preparation_seconds": None, "data": None}


def test_the_json_is_that_of_the_command(wine, command, tmp_path):
    out = tmp_path / "wine.json"
    arguments = ["--label", "label", "-m", "4,9", "--method", ",".join(METHODS), "--holdout", "0.2", "--seed", "3"]
    subprocess.run([command, "compare", ROOT / "testdata/wine.csv", *arguments, "-q", "-o", out], check=True)
    comparison = protodash.compare(wine, n_prototypes=[9, 4], method=METHODS, label="label", holdout=0.2, seed=3)
    assert without_measurements(comparison.to_json()) == without_measurements(out.read_text())


def test_coverage_is_that_of_the_command(wine, command, tmp_path):
    out = tmp_path / "wine.json"
    arguments = ["--label", "label", "-m", "4,9", "--method", "farthest-first,k-means,random", "--coverage"]
    subprocess.run([command, "compare", ROOT / "testdata/wine.csv", *arguments, "-q", "-o", out], check=True)
    methods = ["farthest-first", "k-means", "random"]
    comparison = protodash.compare(wine, n_prototypes=[4, 9], method=methods, label="label", coverage=True)
    assert without_measurements(comparison.to_json()) == without_measurements(out.read_text())
    saved = json.loads(out.read_text())
    for name in ["classes_touched", "mean_distance", "largest_distance", "typicality"]:
        found = getattr(comparison, name)
        assert found.tolist() == [outcome["coverage"][name] for outcome in saved["results"]]
        assert comparison.random_coverage[name].tolist() == [entry[name] for entry in saved["random_coverage"]]
        assert name in comparison.to_frame().columns
    assert comparison.random_coverage["n_prototypes"].tolist() == [4, 9]
    lines = repr(comparison).splitlines()
    assert sum("10-NN radius" in line for line in lines) == 2
    assert 'of 3 classes, random rows ' in lines[-1] or "no method touches" in lines[-1]
    path = tmp_path / "wine.html"
    comparison.report(path)
    assert "10-NN radius" in path.read_text(encoding="utf-8")
    unlabelled = protodash.compare(wine.drop(columns="label"), n_prototypes=9, method=methods, coverage=True)
    assert repr(unlabelled).endswith((': use method="k-means"', ': use method="farthest-first"'))
    assert np.isnan(unlabelled.classes_touched).all()
    without = protodash.compare(wine, n_prototypes=4, method="random", label="label")
    with pytest.raises(ValueError, match="coverage was not measured; pass coverage=True to compare"):
        without.typicality
    with pytest.raises(ValueError, match="pass coverage=True"):
        without.random_coverage


def test_every_method_chooses_the_same_rows_as_select(wine):
    rows = wine.drop(columns="label").to_numpy()
    comparison = protodash.compare(rows, n_prototypes=[3, 6], method=METHODS)
    assert comparison.method.tolist() == METHODS * 2
    assert comparison.n_prototypes.tolist() == [3] * 4 + [6] * 4
    for method, size, explained in zip(comparison.method, comparison.n_prototypes, comparison.explained, strict=True):
        alone = protodash.select(rows, n_prototypes=int(size), method=str(method), weights="own")
        indices, weights = comparison.prototypes(str(method), int(size))
        assert indices.tolist() == alone.indices.tolist()
        assert weights.tolist() == alone.weights.tolist()
        assert explained == alone.explained
    assert (comparison.objective_refitted >= comparison.objective - 1e-12).all()
    assert np.isnan(comparison.accuracy).all()


def test_shared_rows_and_confusion(wine):
    comparison = protodash.compare(wine, n_prototypes=5, method=["random", "protodash"], label="label", holdout=0.25)
    methods, shared = comparison.overlap(5)
    assert methods == ["random", "protodash"]
    chosen = [set(comparison.prototypes(method, 5)[0].tolist()) for method in methods]
    assert shared.tolist() == [[len(a & b) for b in chosen] for a in chosen]
    confusion = comparison.confusion("protodash", 5)
    assert confusion.sum() == comparison.n_test == 45
    assert np.trace(confusion) / 45 == comparison.accuracy[1]


def test_a_frame_a_table_and_files(wine, tmp_path):
    comparison = protodash.compare(wine, n_prototypes=[2, 3], method="protodash", drop=["label"])
    assert comparison.to_frame()["explained"].tolist() == comparison.explained.tolist()
    assert repr(comparison).startswith("2 prototypes\nmethod ")
    assert "protodash explains the most" in repr(comparison)
    comparison.save(tmp_path / "wine.json")
    assert json.loads((tmp_path / "wine.json").read_text())["schema"] == 1
    comparison.report(tmp_path / "wine.html", title="Wines & methods")
    assert "<title>Wines &amp; methods</title>" in (tmp_path / "wine.html").read_text()


def test_invalid_calls(wine):
    with pytest.raises(ValueError, match="unknown method 'k-modes'"):
        protodash.compare(wine, method="k-modes", drop=["label"])
    with pytest.raises(ValueError, match="holdout measures accuracy on held-out rows, which needs class labels"):
        protodash.compare(wine, drop=["label"], holdout=0.2)
    with pytest.raises(ValueError, match="holdout is 1"):
        protodash.compare(wine, label="label", holdout=1.0, method="random")
    with pytest.raises(ValueError, match="there is no result for 'swap' with 5 prototypes"):
        protodash.compare(wine, n_prototypes=5, drop=["label"], method="random").prototypes("swap", 5)


def test_kernels_of_products_have_no_vote(wine):
    for kernel, has_vote in [("gaussian", True), ("linear", False)]:
        compared = protodash.compare(wine, n_prototypes=4, method="protodash", label="label", scale="minmax", kernel=kernel)
        assert not np.isnan(compared.accuracy).any()
        assert np.isnan(compared.accuracy_weighted).all() == (not has_vote)
        assert ("vote" in str(compared)) == has_vote
