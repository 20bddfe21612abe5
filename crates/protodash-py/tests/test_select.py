"""Results of `select`, worked by hand or compared with another way to compute them."""

import json

import numpy as np
import protodash
import pytest

FAR = np.array([[0.0], [100.0]])


def test_two_rows_too_far_apart_to_be_similar():
    # μ = (½, ½), K = I: w = μ and l = ½ μᵀμ; ‖μ‖² = ½.
    selection = protodash.select(FAR, n_prototypes=2, kernel="gaussian", bandwidth=1.0)
    assert selection.indices.tolist() == [0, 1]
    assert selection.weights.tolist() == [0.5, 0.5]
    assert selection.objective.tolist() == [0.125, 0.25]
    assert selection.gains.tolist() == [0.125, 0.125]
    assert selection.shares.tolist() == [0.5, 0.5]
    assert selection.n_represented.tolist() == [1, 1]
    assert (selection.mmd2, selection.explained, selection.stopped) == (0.0, 1.0, "n_prototypes")
    assert (selection.n_target, selection.n_source, selection.n_features) == (2, 2, 1)


def test_a_prefix_equals_a_run_for_fewer(wine):
    long, short = protodash.select(wine, n_prototypes=6), protodash.select(wine, n_prototypes=4)
    cut = long.prefix(4)
    for name in ("indices", "weights", "objective", "n_represented"):
        assert getattr(cut, name).tolist() == getattr(short, name).tolist()
    assert cut.explained == short.explained
    with pytest.raises(ValueError, match="^n_prototypes is 7; the run has 6, so it must be 1 to 6$"):
        long.prefix(7)


def test_the_default_of_ten_may_not_be_reached(wine):
    assert len(protodash.select(wine)) == 10
    assert len(protodash.select(FAR, bandwidth=1.0)) == 2
    with pytest.raises(ValueError, match="^cannot choose 10 prototypes from 2 source rows\nhint: use n_prototypes=2 or fewer$"):
        protodash.select(FAR, n_prototypes=10, bandwidth=1.0)


def test_min_gain_alone_can_set_the_number(wine):
    selection = protodash.select(wine, min_gain=1e-3)
    assert selection.stopped == "min_gain"
    assert (selection.gains >= 1e-3).all()
    assert protodash.select(wine, n_prototypes=None).stopped == "optimal"


def test_target_and_source_differ(wine):
    target, source = wine[:60], wine[60:]
    selection = protodash.select(source, target, n_prototypes=5)
    assert (selection.n_target, selection.n_source) == (60, 118)
    assert protodash.select(source, target, n_prototypes=5, target_energy="skip").explained is None
    # A sample has 2,000 rows; smaller targets are used in full.
    few = protodash.select(source, target, n_prototypes=5, target_energy="sample")
    assert (few.explained, few.explained_standard_error) == (selection.explained, None)
    many = np.repeat(target, 40, axis=0)
    sampled = protodash.select(source, many, n_prototypes=5, kernel=selection.kernel, target_energy="sample")
    assert sampled.explained_standard_error > 0
    assert abs(sampled.explained - selection.explained) < 5 * sampled.explained_standard_error


def test_weights_of_the_target_count(wine):
    weights = np.zeros(len(wine))
    weights[:60] = 3.0
    weighted = protodash.select(wine, n_prototypes=4, bandwidth=3.0, target_weights=weights)
    alone = protodash.select(wine, wine[:60], n_prototypes=4, bandwidth=3.0)
    assert weighted.indices.tolist() == alone.indices.tolist()
    np.testing.assert_allclose(weighted.weights, alone.weights, rtol=1e-9)


@pytest.mark.parametrize("method", ["protodash", "protogreedy", "swap", "l2c", "p-lasso", "k-medoids", "coverage", "k-means", "farthest-first", "random"])
@pytest.mark.parametrize("weights", ["nonnegative", "convex", "equal", "shares", "own"])
def test_methods_and_weights(wine, method, weights):
    selection = protodash.select(wine, n_prototypes=4, method=method, weights=weights)
    assert (selection.method, selection.weights_rule) == (method, weights)
    assert len(set(selection.indices)) == 4
    if weights in ("convex", "equal", "shares"):
        assert abs(selection.weights.sum() - 1.0) < 1e-12


def test_any_number_of_threads_gives_the_same_bits(digits):
    runs = [protodash.select(digits[0], n_prototypes=12, n_threads=n) for n in (1, 2, 3, None)]
    for run in runs[1:]:
        assert run.indices.tolist() == runs[0].indices.tolist()
        assert run.weights.tobytes() == runs[0].weights.tobytes()
        assert run.objective.tobytes() == runs[0].objective.tobytes()


def test_criticisms_are_not_prototypes(wine):
    selection = protodash.select(wine, n_prototypes=5)
    for definition in ("witness", "distance"):
        found = selection.criticisms(7, definition=definition)
        assert len(found) == 7
        assert not set(found.indices) & set(selection.indices)
    by_distance = selection.criticisms(3, definition="distance", among="target")
    assert by_distance.scores.tolist() == sorted(by_distance.scores, reverse=True)
    assert by_distance.among == "target"


def test_criticisms_of_changed_data_are_rejected():
    rows = np.array([[0.0], [0.5], [3.0], [7.0]])
    selection = protodash.select(rows, n_prototypes=2, bandwidth=1.0)
    rows += np.array([[0.0], [1.0], [0.0], [0.0]])
    with pytest.raises(ValueError, match="use the data that the selection was made from$"):
        selection.criticisms(1)


@pytest.mark.parametrize("nothing", [None, float("nan"), np.float32("nan")])
def test_a_missing_label_is_empty_as_in_a_file(tmp_path, nothing):
    rows = [[0.0], [100.0], [200.0], [300.0]]
    selection = protodash.select(rows, n_prototypes=2, bandwidth=1.0, id=[nothing, "b"] * 2, label=[nothing, "x"] * 2)
    selection.save(tmp_path / "result.json", selection.criticisms(2))
    saved = json.loads((tmp_path / "result.json").read_text())
    for rows in (saved["prototypes"], saved["criticisms"]):
        assert {(row["id"], row["label"]) for row in rows} == {("", ""), ("b", "x")}
    by_class = protodash.select(FAR, n_prototypes=2, bandwidth=1.0, label=[nothing, "x"], per_label="equal")
    assert [entry["label"] for entry in by_class.per_label["classes"]] == ["", "x"]
    assert "None" not in repr(selection) and "nan" not in repr(selection)


def test_ids_and_labels_of_arrays():
    selection = protodash.select(FAR, n_prototypes=2, bandwidth=1.0, id=["a", "b"], label=np.array([7, 8]))
    assert (selection.ids, selection.labels) == (["a", "b"], [7, 8])
    with pytest.raises(ValueError, match="^label has 1 values for 2 source rows; there must be one for each$"):
        protodash.select(FAR, label=[1])


def test_racing_selects_the_rows_of_the_full_mean():
    rows = np.random.default_rng(3).normal(size=(4000, 3))
    full = protodash.select(rows, n_prototypes=6, kernel="gaussian", means="full", seed=2)
    raced = protodash.select(rows, n_prototypes=6, kernel="gaussian", means="racing", seed=2)
    assert full.indices.tolist() == raced.indices.tolist()
    assert np.allclose(full.weights, raced.weights, rtol=1e-9)
    assert full.means == {"kind": "full", "confidence": 1.0, "tolerance": 0.0, "pairs": 4000 * 4001 // 2, "n_exact": 4000}
    assert raced.means["kind"] == "racing" and raced.means["n_exact"] <= 4000
    assert full.certified == full.explained
    assert 0.9 * raced.explained < raced.certified < raced.explained
    assert abs(raced.explained - full.explained) <= 5 * raced.explained_standard_error
    # Means that racing left out are computed when they are needed.
    assert raced.criticisms(3).indices.tolist() == full.criticisms(3).indices.tolist()
    near = protodash.select(rows, n_prototypes=6, kernel="gaussian", means="racing", tolerance=0.3)
    assert near.means["tolerance"] == 0.3
