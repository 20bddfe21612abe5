"""The estimators: scikit-learn's own checks, pipelines, and use without scikit-learn."""

import subprocess
import sys

import numpy as np
import protodash
import pytest
from conftest import optional

pandas, sklearn = optional("pandas"), optional("sklearn")

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
    protodash.Coverage: "coverage",
    protodash.KMeans: "k-means",
    protodash.FarthestFirst: "farthest-first",
    protodash.Random: "random",
}
ESTIMATORS = list(METHODS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [*ESTIMATORS, protodash.PrototypeClassifier])
def test_the_checks_of_scikit_learn_pass(kind):
    results = check_estimator(kind(), on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] != "passed"}
    # scikit-learn skips the check that needs the array API, unless an environment variable enables it.
    failed.pop("check_array_api_input", None)
    assert not failed
    assert len(results) > 45


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_estimator_chooses_the_same_rows_as_select(wine, kind):
    if kind._draws:
        wine = wine[np.lexsort(wine.T[::-1])]  # the order in which rows are drawn from
    estimator = kind(n_prototypes=6, bandwidth=3.0, weights="convex").fit(wine)
    selection = protodash.select(wine, n_prototypes=6, bandwidth=3.0, weights="convex", method=METHODS[kind])
    assert estimator.prototype_indices_.tolist() == selection.indices.tolist()
    assert estimator.weights_.tobytes() == selection.weights.tobytes()
    assert estimator.explained_ == selection.explained
    assert estimator.score(wine) == pytest.approx(selection.explained, rel=1e-9)
    assert estimator.labels_.tolist() == selection.nearest.tolist() == estimator.predict(wine).tolist()
    similarities = protodash.kernels.InverseMultiquadric(3.0)(wine, wine[selection.indices])
    np.testing.assert_allclose(estimator.transform(wine), similarities, rtol=1e-12)


def test_a_separate_target(wine):
    target, source = wine[:60], wine[60:]
    estimator = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target)
    assert estimator.prototype_indices_.tolist() == protodash.select(source, target, 4, bandwidth=3.0).indices.tolist()
    weights = np.r_[np.ones(30), np.zeros(30)]
    weighted = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target, sample_weight=weights)
    half = protodash.ProtoDash(n_prototypes=4, bandwidth=3.0).fit(source, target=target[:30])
    assert weighted.prototype_indices_.tolist() == half.prototype_indices_.tolist()
    assert len(estimator.labels_) == 60


def test_rows_of_weight_zero_are_not_chosen(wine):
    weights = np.ones(len(wine))
    weights[::2] = 0
    estimator = protodash.ProtoDash(n_prototypes=5).fit(wine, sample_weight=weights)
    assert (estimator.prototype_indices_ % 2 == 1).all()
    alone = protodash.ProtoDash(n_prototypes=5).fit(wine[1::2])
    np.testing.assert_allclose(estimator.prototypes_, alone.prototypes_)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_weights_equal_repetitions_and_row_order_does_not_matter(wine, kind):
    draw = np.random.default_rng(1)
    weights = draw.integers(0, 4, len(wine))
    shuffled = draw.permutation(len(wine))
    options = {"n_prototypes": 7, "random_state": 3}
    weighted = kind(**options).fit(wine[shuffled], sample_weight=weights[shuffled])
    repeated = kind(**options).fit(np.repeat(wine, weights, axis=0))
    np.testing.assert_array_equal(weighted.prototypes_, repeated.prototypes_)
    np.testing.assert_allclose(weighted.weights_, repeated.weights_, rtol=1e-8)
    assert weighted.explained_ == pytest.approx(repeated.explained_)
    assert (wine[shuffled][weighted.prototype_indices_] == weighted.prototypes_).all()
    assert (np.repeat(wine, weights, axis=0)[repeated.prototype_indices_] == repeated.prototypes_).all()
    assert len(weighted.labels_) == len(wine) and len(repeated.labels_) == weights.sum()
    assert weighted.labels_.tolist() == weighted.predict(wine[shuffled]).tolist()


def test_the_selection_of_an_estimator_refers_to_rows_of_x(wine):
    rows = np.vstack([wine[:3], wine])
    estimator = protodash.ProtoDash(n_prototypes=5).fit(rows, np.arange(len(rows)))
    selection = estimator.selection_
    assert selection.indices.tolist() == estimator.prototype_indices_.tolist()
    assert selection.labels == selection.indices.tolist()
    found = selection.criticisms(4)
    assert found.labels == found.indices.tolist()
    assert not {3, 4, 5} & set(found.indices)  # copies of the first three


def test_a_saved_result_of_an_estimator_refers_to_rows_of_x(wine, tmp_path):
    rows = np.vstack([wine, wine])
    order = np.random.default_rng(0).permutation(len(rows))
    for kind in (protodash.ProtoDash, protodash.Random):
        estimator = kind(n_prototypes=5).fit(rows[order])
        selection = estimator.selection_
        assert (selection.n_source, selection.n_target) == (356, 356)
        assert selection.nearest.tolist() == estimator.labels_.tolist()
        assert selection.n_represented.tolist() == np.bincount(estimator.labels_, minlength=5).tolist()
        assert selection.prefix(2).n_represented.sum() == 356
        selection.save(tmp_path / "result.json")
        selection.report(tmp_path / "own.html", title="Wine")
        back = protodash.Selection.load(tmp_path / "result.json")
        back.report(tmp_path / "page.html", source=rows[order], title="Wine")
        assert back.criticisms(1, source=rows[order]).indices.tolist() == selection.criticisms(1).indices.tolist()
        assert (tmp_path / "own.html").read_text() == (tmp_path / "page.html").read_text()


BAD_WEIGHTS = [
    (-np.ones(178), r"^sample_weight is -1.0 for row 0; it must be finite and at least 0$"),
    (np.r_[1.0, -2.0, np.ones(176)], r"^sample_weight is -2.0 for row 1; it must be finite and at least 0$"),
    (np.r_[1.0, np.nan, np.ones(176)], r"^sample_weight is nan for row 1; it must be finite and at least 0$"),
    (np.ones(3), r"^sample_weight has the shape \(3,\) for 178 rows; it must be \(178,\)$"),
    (np.zeros(178), r"^sample_weight is zero for every row; at least one weight must be above zero$"),
    (0.0, r"^sample_weight is zero for every row; "),
    (["a"] * 178, r"^sample_weight must be a number for each row: "),
    (np.ma.masked_array(np.ones(178), mask=np.arange(178) == 3), "^sample_weight is an array with masked values; "),
]  # fmt: skip


@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS)
@pytest.mark.parametrize("installed", [True, False])
def test_invalid_weights_are_rejected(wine, monkeypatch, installed, weights, message):
    from protodash import _sklearn

    monkeypatch.setattr(_sklearn, "HAS_SKLEARN", installed)
    with pytest.raises(ValueError, match=message):
        protodash.ProtoDash(n_prototypes=2).fit(wine, sample_weight=weights)
    with pytest.raises(ValueError, match=message):
        protodash.ProtoDash(n_prototypes=2).fit(wine[:20], target=wine, sample_weight=weights)


def test_masked_rows_are_rejected(wine):
    with pytest.raises(ValueError, match="^X is an array with masked values; no value may be masked$"):
        protodash.ProtoDash(n_prototypes=2).fit(np.ma.masked_array(wine, mask=wine > 2))


def test_rows_are_checked_without_scikit_learn_too(wine, monkeypatch):
    from protodash import _sklearn

    monkeypatch.setattr(_sklearn, "HAS_SKLEARN", False)
    estimator = protodash.ProtoDash(n_prototypes=2).fit(wine)
    with pytest.raises(ValueError, match="^the X is an array with masked values; no value may be masked$"):
        estimator.predict(np.ma.masked_array(wine, mask=wine > 2))
    wrong = wine.copy()
    wrong[3, 2] = np.nan
    for ask in (estimator.predict, estimator.transform, estimator.score, estimator.fit):
        with pytest.raises(ValueError, match="^X has NaN in row 3, column 2; every value must be finite$"):
            ask(wrong)


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_a_score_checks_the_classes_as_fit_does(wine):
    labels = np.array(["pos", "neg"])[(wine[:, 0] > 0).astype(int)]
    estimator = protodash.ProtoDash(n_prototypes=5).fit(wine, labels)
    expected = estimator.score(wine, labels)
    assert estimator.score(wine, labels[:, None]) == expected
    assert estimator.score(wine, pandas.DataFrame({"y": labels})) == expected
    for wrong in (["pos"], labels[:9], pandas.DataFrame({"y": labels[:9]})):
        with pytest.raises(ValueError, match=r"^y has the shape \(.,\) for 178 rows; it must be \(178,\)$"):
            estimator.score(wine, wrong)


def test_a_fit_without_prototypes_predicts_minus_one(wine):
    estimator = protodash.ProtoDash(min_gain=1e9).fit(wine)
    assert len(estimator.prototypes_) == 0
    assert estimator.predict(wine).tolist() == estimator.labels_.tolist() == [-1] * 178
    assert estimator.transform(wine).shape == (178, 0)
    assert estimator.score(wine) == 0.0
    with pytest.raises(ValueError, match="^no prototype has weight, so there is no class to predict; fit with a smaller"):
        protodash.ProtoDash(min_gain=1e9).fit(wine, wine[:, 0] > 0).predict(wine)


def test_n_prototypes_means_the_same_as_in_select(wine):
    every = protodash.ProtoDash(n_prototypes="all", bandwidth=0.5).fit(wine[:20])
    assert every.prototype_indices_.tolist() == protodash.select(wine[:20], None, "all", bandwidth=0.5).indices.tolist()
    with pytest.raises(ValueError, match='^unknown number of prototypes "many"; it must be a positive integer, a percentage'):
        protodash.ProtoDash(n_prototypes="many").fit(wine)
    with pytest.raises(TypeError, match="^n_prototypes is of type float; it must be a whole number, at least 1$"):
        protodash.ProtoDash(n_prototypes=2.5).fit(wine)


def test_the_lasso_takes_the_next_smaller_number():
    grid = np.array([[x, y] for x in range(3) for y in range(4)], dtype=float)
    with pytest.warns(UserWarning, match="^no lasso penalty gives exactly 10 prototypes; .*; using [0-9] instead$"):
        estimator = protodash.PLasso(n_prototypes=10).fit(grid)
    assert 1 <= len(estimator.prototype_indices_) < 10
    with pytest.raises(ValueError, match="^no lasso penalty gives exactly 10 prototypes; "):
        protodash.select(grid, n_prototypes=10, method="p-lasso")


def test_n_jobs_and_random_state_follow_scikit_learn(wine):
    expected = protodash.Random(n_prototypes=5, random_state=7).fit(wine).prototype_indices_.tolist()
    for n_jobs in (1, -1, -2, None):
        found = protodash.Random(n_prototypes=5, random_state=7, n_jobs=n_jobs).fit(wine)
        assert found.prototype_indices_.tolist() == expected
        assert found.transform(wine).shape == (178, 5)
    with pytest.raises(ValueError, match="^n_jobs is 0; it must be None, a number of threads, or -1 for every core$"):
        protodash.Random(n_jobs=0).fit(wine)
    for state in (np.random.RandomState, np.random.default_rng):
        drawn = [protodash.Random(n_prototypes=5, random_state=state(1)).fit(wine).prototype_indices_ for _ in range(2)]
        assert drawn[0].tolist() == drawn[1].tolist()
    assert len(protodash.Random(n_prototypes=5, random_state=None).fit(wine).prototype_indices_) == 5


def test_scores_hold_no_large_matrix(monkeypatch, wine):
    from protodash import estimators

    estimator = protodash.ProtoDash(n_prototypes=5).fit(wine)
    expected = estimator.score(wine)
    monkeypatch.setattr(estimators, "BLOCK", 1000)
    assert estimator.score(wine) == pytest.approx(expected, rel=1e-12)


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


def test_sparse_rows_and_custom_kernels(wine):
    rows = np.maximum(wine, 0)
    dense = protodash.ProtoDash(n_prototypes=4, kernel="gaussian", bandwidth=2.0).fit(rows)
    sparse = protodash.ProtoDash(n_prototypes=4, kernel="gaussian", bandwidth=2.0).fit(scipy.sparse.csr_array(rows))
    own = protodash.ProtoDash(n_prototypes=4, kernel=lambda x, y: protodash.kernels.Gaussian(2.0)(x, y)).fit(rows)
    for other in (sparse, own):
        assert other.prototype_indices_.tolist() == dense.prototype_indices_.tolist()
        np.testing.assert_allclose(other.transform(rows), dense.transform(rows), rtol=1e-12)
        assert other.predict(rows).tolist() == dense.predict(rows).tolist()


def test_invalid_calls_are_rejected(wine):
    with pytest.raises(NotFittedError):
        protodash.ProtoDash().predict(wine)
    with pytest.raises(ValueError, match="^an estimator needs rows; pass kernel values to protodash.select$"):
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
classifier = protodash.PrototypeClassifier(n_prototypes=3, bandwidth=1.0).fit(rows, list("aabbc"))
assert classifier.score(rows, list("aabbc")) == 1.0
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_importing_the_package_imports_no_optional_package():
    others = ["sklearn", "pandas", "polars", "pyarrow", "scipy", "matplotlib"]
    script = f"import sys, protodash; print([name for name in {others} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout == "[]\n"


def test_an_estimator_fitted_with_classes_is_a_classifier(wine):
    from sklearn.base import is_classifier
    from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_score

    classes = np.repeat(["a", "b", "c"], [59, 71, 48])
    estimator = protodash.ProtoDash(n_prototypes=12).fit(wine, classes)
    assert is_classifier(estimator) and not is_classifier(protodash.ProtoDash().fit(wine))
    assert isinstance(check_cv(3, classes, classifier=is_classifier(estimator)), StratifiedKFold)
    assert cross_val_score(estimator, wine, classes, cv=3).min() > 0.7  # sorted classes: plain folds would score near 0
    assert estimator.classes_.tolist() == ["a", "b", "c"]

    shares = estimator.predict_proba(wine)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (estimator.classes_[shares.argmax(axis=1)] == estimator.predict(wine)).all()
    own = estimator.predict_proba(wine[estimator.prototype_indices_])
    assert (own.max(axis=1) == 1.0).all()
    assert not hasattr(protodash.ProtoDash().fit(wine), "predict_proba")


def test_the_classifier_is_one_before_it_is_fitted(wine, monkeypatch):
    from sklearn.base import is_classifier
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    splits = []
    split = StratifiedKFold.split
    monkeypatch.setattr(StratifiedKFold, "split", lambda *given, **groups: splits.append(given) or split(*given, **groups))
    classes = np.repeat(["a", "b", "c"], [59, 71, 48])
    estimator = protodash.PrototypeClassifier(n_prototypes=12)
    assert is_classifier(estimator) and not is_classifier(protodash.Coverage(n_prototypes=12))
    scores = cross_val_score(make_pipeline(StandardScaler(), estimator), wine, classes, cv=3)
    assert len(splits) == 1 and scores.min() > 0.8  # sorted classes: plain folds would score near 0
    with pytest.raises(ValueError, match="requires y to be passed"):
        estimator.fit(wine, None)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_the_classifier_chooses_as_the_method_does(wine, kind):
    classes = np.repeat(["a", "b", "c"], [59, 71, 48])
    ours = protodash.PrototypeClassifier(n_prototypes=6, method=METHODS[kind], bandwidth=3.0).fit(wine, classes)
    theirs = kind(n_prototypes=6, bandwidth=3.0).fit(wine, classes)
    assert ours.prototype_indices_.tolist() == theirs.prototype_indices_.tolist()
    assert ours.predict(wine).tolist() == theirs.predict(wine).tolist()
    assert ours.predict_proba(wine).tobytes() == theirs.predict_proba(wine).tobytes()
    assert clone(ours).get_params() == ours.get_params()
    frame = pandas.DataFrame(wine[:, :4], columns=list("wxyz"), index=np.arange(178) * 2)
    ours.fit(frame, classes)
    pandas.testing.assert_frame_equal(ours.prototypes_, frame.iloc[ours.prototype_indices_])
    assert ours.feature_names_in_.tolist() == list("wxyz")


def test_column_names_and_index_are_kept(wine):
    frame = pandas.DataFrame(wine[:, :4], columns=list("wxyz"), index=np.arange(178) * 2)
    estimator = protodash.ProtoDash(n_prototypes=5).fit(frame)
    assert estimator.feature_names_in_.tolist() == list("wxyz")
    pandas.testing.assert_frame_equal(estimator.prototypes_, frame.iloc[estimator.prototype_indices_])
    pandas.testing.assert_frame_equal(frame.loc[estimator.selection_.ids], estimator.prototypes_)
    assert estimator.transform(frame).shape == (178, 5)
