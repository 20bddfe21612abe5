"""The estimators, by scikit-learn's own checks and in its pipelines; and without scikit-learn."""

import subprocess
import sys

import numpy as np
import pandas
import protodash
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

METHODS = {
    protodash.ProtoDash: "protodash",
    protodash.ProtoGreedy: "protogreedy",
    protodash.Swap: "swap",
    protodash.MMDCritic: "l2c",
    protodash.PLasso: "p-lasso",
    protodash.KMedoids: "k-medoids",
    protodash.Random: "random",
}
ESTIMATORS = list(METHODS)

SAMPLE_WEIGHT = {f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")}
# What these methods do not promise: drawing rows by number, and choosing with equal weights, repeated rows are not one
# heavy row; and the lasso's path on the table of these checks has no step with ten prototypes, which is an error.
NOT_PROMISED = {
    protodash.MMDCritic: SAMPLE_WEIGHT,
    protodash.KMedoids: SAMPLE_WEIGHT,
    protodash.Random: SAMPLE_WEIGHT,
    protodash.PLasso: {"check_sample_weights_pandas_series", "check_sample_weights_not_an_array"},
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_the_checks_of_scikit_learn_pass(kind):
    results = check_estimator(kind(), on_fail=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert failed == NOT_PROMISED.get(kind, set())
    assert sum(result["status"] == "passed" for result in results) > 45


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_estimator_chooses_what_select_chooses(wine, kind):
    estimator = kind(n_prototypes=6, bandwidth=3.0, weights="convex").fit(wine)
    selection = protodash.select(wine, n_prototypes=6, bandwidth=3.0, weights="convex", method=METHODS[kind])
    assert estimator.prototype_indices_.tolist() == selection.indices.tolist()
    assert estimator.weights_.tobytes() == selection.weights.tobytes()
    assert estimator.explained_ == selection.explained
    assert estimator.score(wine) == pytest.approx(selection.explained, rel=1e-9)
    assert estimator.labels_.tolist() == selection.nearest.tolist() == estimator.predict(wine).tolist()
    similarities = protodash.kernels.Gaussian(3.0)(wine, wine[selection.indices])
    np.testing.assert_allclose(estimator.transform(wine), similarities, rtol=1e-12)


def test_a_target_of_its_own(wine):
    target, source = wine[:60], wine[60:]
    estimator = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target)
    assert estimator.prototype_indices_.tolist() == protodash.select(source, target, 4, bandwidth=3.0).indices.tolist()
    weights = np.r_[np.ones(30), np.zeros(30)]
    weighted = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target, sample_weight=weights)
    half = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target[:30])
    assert weighted.prototype_indices_.tolist() == half.prototype_indices_.tolist()
    assert len(estimator.labels_) == 60


def test_rows_that_count_nothing_are_not_chosen(wine):
    weights = np.ones(len(wine))
    weights[::2] = 0
    estimator = protodash.ProtoDash(n_prototypes=5).fit(wine, sample_weight=weights)
    assert (estimator.prototype_indices_ % 2 == 1).all()
    alone = protodash.ProtoDash(n_prototypes=5).fit(wine[1::2])
    np.testing.assert_allclose(estimator.prototypes_, alone.prototypes_)


def test_with_classes_it_predicts_them(digits):
    rows, labels = digits
    names = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])[labels]
    estimator = protodash.ProtoDash(n_prototypes=120).fit(rows[:1200], names[:1200])
    predicted = estimator.predict(rows[1200:])
    assert set(predicted) <= set(names)
    assert estimator.score(rows[1200:], names[1200:]) == np.mean(predicted == names[1200:])
    assert estimator.score(rows[1200:], names[1200:]) > 0.8


def test_pipelines_grids_and_clones(digits):
    rows, labels = digits[0][:600], digits[1][:600]
    pipeline = make_pipeline(StandardScaler(), protodash.ProtoDash(), LogisticRegression(max_iter=500))
    grid = GridSearchCV(pipeline, {"protodash__n_prototypes": [2, 40]}, cv=3).fit(rows, labels)
    assert grid.best_params_ == {"protodash__n_prototypes": 40}
    copied = clone(protodash.Swap(n_prototypes=3, kernel=protodash.kernels.Laplacian(2.0)))
    assert copied.get_params()["kernel"] == protodash.kernels.Laplacian(2.0)
    assert not hasattr(copied, "prototypes_")


def test_set_output_names_the_columns(wine):
    estimator = protodash.ProtoDash(n_prototypes=3).set_output(transform="pandas").fit(wine)
    frame = estimator.transform(pandas.DataFrame(wine[:5], index=list("abcde")).to_numpy())
    assert list(frame.columns) == ["protodash0", "protodash1", "protodash2"]


def test_sparse_rows_and_functions_of_ones_own(wine):
    rows = np.maximum(wine, 0)
    dense = protodash.ProtoDash(n_prototypes=4, bandwidth=2.0).fit(rows)
    sparse = protodash.ProtoDash(n_prototypes=4, bandwidth=2.0).fit(scipy.sparse.csr_array(rows))
    own = protodash.ProtoDash(n_prototypes=4, kernel=lambda x, y: protodash.kernels.Gaussian(2.0)(x, y)).fit(rows)
    for other in (sparse, own):
        assert other.prototype_indices_.tolist() == dense.prototype_indices_.tolist()
        np.testing.assert_allclose(other.transform(rows), dense.transform(rows), rtol=1e-12)
        assert other.predict(rows).tolist() == dense.predict(rows).tolist()


def test_what_cannot_be_is_refused(wine):
    with pytest.raises(NotFittedError):
        protodash.ProtoDash().predict(wine)
    with pytest.raises(ValueError, match="^an estimator needs rows; give kernel values to protodash.select$"):
        protodash.ProtoDash(kernel="precomputed").fit(wine @ wine.T)
    with pytest.raises(ValueError, match=r"^y has the shape \(3,\) for 178 rows; it must be \(178,\)$"):
        protodash.ProtoDash().fit(wine, [1, 2, 3])


def test_without_scikit_learn():
    script = """
import sys
sys.modules["sklearn"] = None
import numpy as np, pickle, protodash
rows = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.1, 5.0], [9.0, 0.0]])
estimator = protodash.ProtoDash(n_prototypes=3, bandwidth=1.0)
assert repr(estimator) == "ProtoDash(n_prototypes=3, bandwidth=1.0)", repr(estimator)
try:
    estimator.predict(rows)
    raise SystemExit("not fitted")
except ValueError as error:
    assert str(error) == "this ProtoDash is not fitted yet"
assert estimator.fit_transform(rows, list("aabbc")).shape == (5, 3)
assert estimator.predict([[5.0, 4.9]]).tolist() == ["b"]
assert estimator.get_feature_names_out().tolist() == ["protodash0", "protodash1", "protodash2"]
assert estimator.set_params(n_prototypes=1).get_params()["n_prototypes"] == 1
try:
    estimator.set_params(m=1)
    raise SystemExit("no such parameter")
except ValueError as error:
    assert str(error).startswith("ProtoDash has no parameter 'm'; it has n_prototypes, kernel, ")
assert pickle.loads(pickle.dumps(estimator)).predict(rows).tolist() == list("aabbc")
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_importing_the_package_imports_none_of_the_others():
    others = ["sklearn", "pandas", "polars", "pyarrow", "scipy", "matplotlib"]
    script = f"import sys, protodash; print([name for name in {others} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "[]\n"
