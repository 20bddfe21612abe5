"""Which arrays are accepted, and that none is copied unnecessarily."""

import pickle
import subprocess
import sys

import numpy as np
import protodash
import pytest
from conftest import optional

sparse = optional("scipy.sparse")


KINDS = ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"]


def misaligned(rows):
    """The same numbers, misaligned by one byte."""
    values = np.empty(rows.nbytes + 1, dtype=np.uint8)[1:].view(rows.dtype).reshape(rows.shape)
    values[:] = rows
    assert not values.flags.aligned
    return values


def matrix_of(data, **options):
    return protodash.select(data, n_prototypes=1, bandwidth=1.0, **options)._data.source.matrix


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_c_ordered_arrays_are_not_copied(dtype):
    rows = np.arange(12, dtype=dtype).reshape(6, 2)
    assert np.shares_memory(matrix_of(rows), rows)
    rows.flags.writeable = False
    assert np.shares_memory(matrix_of(rows), rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: np.asfortranarray(rows),
        lambda rows: np.repeat(rows, 2, axis=0)[::2],
        lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
        lambda rows: rows.astype(">f8"),
        lambda rows: rows.astype(np.int64),
        lambda rows: rows.astype(np.uint32),
        lambda rows: rows.tolist(),
        lambda rows: np.ma.masked_array(rows, mask=False),
        lambda rows: rows[::-1][::-1],
        lambda rows: misaligned(rows),
        lambda rows: memoryview(rows),
        lambda rows: np.frombuffer(rows.tobytes()).reshape(rows.shape),
    ],
)
def test_other_layouts_and_integers_give_the_same_result(change):
    rows = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0], [0.0, 2.0]])
    expected = protodash.select(rows, n_prototypes=3, bandwidth=1.0)
    found = protodash.select(change(rows), n_prototypes=3, bandwidth=1.0)
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.weights.tobytes() == expected.weights.tobytes()


def test_weights_may_have_any_layout():
    rows = np.array([[0.0], [1.0], [5.0]])
    expected = protodash.select(rows, n_prototypes=2, bandwidth=1.0, target_weights=[1.0, 2.0, 3.0])
    for weights in (misaligned(np.array([1.0, 2.0, 3.0])), np.array([3.0, 2.0, 1.0])[::-1], np.array([1, 2, 3], dtype=">i2")):
        found = protodash.select(rows, n_prototypes=2, bandwidth=1.0, target_weights=weights)
        assert found.weights.tobytes() == expected.weights.tobytes()


def test_masked_weights_are_rejected():
    weights = np.ma.masked_array([1.0, 1e9, 1.0], mask=[False, True, False])
    with pytest.raises(ValueError, match="^target_weights is an array with masked values; no value may be masked$"):
        protodash.select(np.eye(3), target_weights=weights)
    assert len(protodash.select(np.eye(3), n_prototypes=1, target_weights=np.ma.masked_array([1.0, 2.0, 3.0]))) == 1


def test_errors_about_the_target_name_it(wine):
    with pytest.raises(ValueError, match="^the target has NaN in row 2, column 1; every value must be finite$"):
        protodash.select(wine, np.where(np.arange(26).reshape(2, 13) == 14, np.nan, 0.0)[[0, 0, 1]])


def test_small_numbers_are_exact_in_single_precision():
    rows = np.array([[0, 255], [17, 3]])
    for dtype in (np.uint8, np.int16, np.float16, np.float32):
        assert matrix_of(rows.astype(dtype)).dtype == np.float32
    for dtype in (np.int32, np.int64, np.float64):
        assert matrix_of(rows.astype(dtype)).dtype == np.float64


def test_mixed_precision_becomes_double():
    rows = np.array([[0.0], [1.0], [4.0]])
    single = protodash.select(rows.astype(np.float32), rows, n_prototypes=2, bandwidth=1.0)
    double = protodash.select(rows, rows.copy(), n_prototypes=2, bandwidth=1.0)
    assert single.weights.tobytes() == double.weights.tobytes()


def test_single_precision_chooses_the_same_digits(digits):
    double = protodash.select(digits[0], n_prototypes=10, bandwidth=25.0)
    single = protodash.select(digits[0].astype(np.float32), n_prototypes=10, bandwidth=25.0)
    assert single.indices.tolist() == double.indices.tolist()
    np.testing.assert_allclose(single.weights, double.weights, rtol=1e-6)


def test_images_are_rows(digits):
    pictures = digits[0][:200].reshape(-1, 8, 8)
    flat = protodash.select(digits[0][:200], n_prototypes=3)
    assert protodash.select(pictures, n_prototypes=3).indices.tolist() == flat.indices.tolist()


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (np.array([["a", "b"]]), TypeError, "the source has values of type <U1; allowed are float64, float32, float16, integers and booleans"),
        (np.array([[1 + 2j]]), TypeError, "the source has values of type complex128; allowed are"),
        (np.array([[np.datetime64("2020-01-01")]]), TypeError, "the source has values of type datetime64"),
        (np.array([[object()]]), TypeError, "the source has values of type object; allowed are"),
        ("rows", TypeError, "the source is of type str; an array or a table is expected"),
        (None, TypeError, "the source is of type NoneType; an array or a table is expected"),
        ([[1.0, 2.0], [3.0]], ValueError, "the source is not a matrix: "),
        (np.zeros(3), ValueError, "the source has 1 dimension; it must have 2"),
        (np.zeros((1, 1, 1, 1)), ValueError, "the source has 4 dimensions; it must have 2, or 3 if its rows are images"),
        (np.zeros((0, 3)), ValueError, "the source has 0 rows and 3 columns; both must be at least 1"),
        (np.zeros((3, 0)), ValueError, "the source has 3 rows and 0 columns; both must be at least 1"),
        (np.array([[1.0], [np.nan]]), ValueError, "the source has NaN in row 1, column 0; every value must be finite"),
        (np.array([[1.0], [np.inf]], dtype=np.float16), ValueError, "the source has inf in row 1, column 0; every value"),
        (np.array([[1.0]], dtype=np.longdouble), TypeError, "the source has values of type "),
        (np.array([[1]], dtype="m8[s]"), TypeError, "the source has values of type timedelta64[s]; allowed are"),
        (np.zeros((2, 2), dtype=[("a", float)]), TypeError, "the source has values of type [('a', '<f8')]; allowed are"),
        ([[10**30], [1]], TypeError, "the source has values of type object; allowed are"),
        (np.float64(3.0), ValueError, "the source has 0 dimensions; it must have 2, or 3 if its rows are images"),
        (iter([[1.0]]), TypeError, "the source is of type list_iterator; an array or a table is expected"),
        (object(), TypeError, "the source is of type object; an array or a table is expected"),
        (sparse.csr_matrix(np.array([[1j]])), TypeError, "the source has values of type complex128; allowed are"),
        (sparse.csr_matrix(np.array([[np.nan], [1.0]])), ValueError, "the source has NaN in row 0, column 0; every value"),
        (np.array([[1.0], [-np.inf]]), ValueError, "the source has -inf in row 1, column 0; every value must be finite"),
        (np.ma.masked_array([[1.0], [2.0]], [[0], [1]]), ValueError, "the source is an array with masked values"),
    ],
)  # fmt: skip
def test_invalid_matrices_are_rejected(data, error, message):
    with pytest.raises(error) as caught:
        protodash.select(data, bandwidth=1.0)
    assert str(caught.value).startswith(message)


LAYOUTS = [sparse.coo_array, *[getattr(sparse, f"{kind}_matrix") for kind in KINDS]]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", [*protodash._native.SPARSE_KERNELS, "laplacian", "polynomial"])
def test_sparse_rows_give_the_result_of_dense_rows(layout, kernel):
    rows = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [6.0, 5.0], [0.0, 2.0]])
    expected = protodash.select(rows, rows[1:], n_prototypes=3, kernel=kernel)
    found = protodash.select(layout(rows), layout(rows[1:]), n_prototypes=3, kernel=kernel)
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.weights == pytest.approx(expected.weights, rel=1e-12)
    assert found.kernel.parameters() == pytest.approx(expected.kernel.parameters(), rel=1e-12)
    mixed = protodash.select(layout(rows), rows[1:], n_prototypes=3, kernel=kernel)
    assert mixed.indices.tolist() == expected.indices.tolist()


def words(n_rows, n_columns, seed=0):
    """Rows like word counts: a few columns are common, most are rare."""
    generator = np.random.default_rng(seed)
    columns = np.minimum(n_columns - 1, (generator.pareto(0.5, (n_rows, 20)) * 3).astype(int))
    rows = np.repeat(np.arange(n_rows), 20)
    values = generator.uniform(0.5, 2.0, 20 * n_rows).astype(np.float32)
    # Values that share a place are added.
    return sparse.coo_matrix((values, (rows, columns.ravel())), shape=(n_rows, n_columns)).tocsr()


def test_what_follows_a_selection_of_sparse_rows(tmp_path):
    source, target = words(120, 300), words(80, 300, seed=1)
    dense = source.toarray(), target.toarray()
    labels = [index % 3 for index in range(120)]
    options = {"n_prototypes": 6, "kernel": "cosine", "normalize": True, "label": labels, "exclude": [3]}
    found = protodash.select(source, target, shift=True, **options)
    expected = protodash.select(*dense, shift=True, **options)
    assert found.indices.tolist() == expected.indices.tolist()
    assert found.objective == pytest.approx(expected.objective, rel=1e-5)  # of float32 and float64 rows of length 1
    shifts = [selection.covariate_shift.features for selection in (found, expected)]
    means = [[feature["weighted_mean"] for feature in features] for features in shifts]
    assert means[0] == pytest.approx(means[1], abs=1e-6)
    assert [row for row, _ in found.criticisms(4)] == [row for row, _ in expected.criticisms(4)]
    found.report(tmp_path / "sparse.html")
    page = (tmp_path / "sparse.html").read_text(encoding="utf-8")
    assert found.n_features == 300 and "<svg" in page
    assert " of 300 columns: shown are those in which the rows on this page have their largest values" in page
    assert found.predict(target).tolist() == expected.predict(dense[1]).tolist() == found.predict(dense[1]).tolist()
    shown = repr(found)
    assert " x" in shown and " 0," not in shown, shown
    again = pickle.loads(pickle.dumps(found))
    assert again.indices.tolist() == found.indices.tolist()
    samples = {"source_sample": 50, "target_sample": 40, "n_prototypes": 3, "seed": 2}
    sampled = [protodash.select(rows, **samples).indices.tolist() for rows in (source, dense[0])]
    assert sampled[0] == sampled[1]
    fixed = protodash.select(source, fixed=target[:2], n_prototypes=3)
    assert fixed.indices.tolist()[:2] == [120, 121]
    explained = [protodash.explain(rows, others[:5], n_prototypes=2) for rows, others in ((source, target), dense)]
    assert [row.prototypes[0].index for row in explained[0]] == [row.prototypes[0].index for row in explained[1]]
    assert any(one.alike for one in explained[0][0].prototypes) and explained[0][0].prototypes[0].differs
    explained[0].report(tmp_path / "explained.html")
    compared = [protodash.compare(rows, method=["protodash", "k-medoids"], n_prototypes=4) for rows in (source, dense[0])]
    assert compared[0].objective == pytest.approx(compared[1].objective, rel=1e-5)


@pytest.mark.parametrize("name", ["ProtoDash", "ProtoGreedy", "Random", "KMedoids", "KMeans", "PrototypeClassifier"])
def test_estimators_keep_rows_sparse(name):
    source = sparse.vstack([words(90, 200), words(30, 200)])  # with copies
    dense = source.toarray().astype(np.float64)
    classes = np.arange(120) % 3
    estimator = getattr(protodash, name)
    models = [estimator(5, kernel="cosine", memory="1MiB").fit(rows, classes) for rows in (source, dense)]
    assert models[0].prototype_indices_.tolist() == models[1].prototype_indices_.tolist()
    assert models[0].weights_ == pytest.approx(models[1].weights_, rel=1e-9)
    assert models[0].predict(source).tolist() == models[1].predict(dense).tolist() == models[0].predict(dense).tolist()
    assert models[0].transform(source) == pytest.approx(models[1].transform(dense), abs=1e-12)
    assert models[0].predict_proba(source) == pytest.approx(models[1].predict_proba(dense), rel=1e-6)
    assert models[0].score(source, classes) == models[1].score(dense, classes)
    if name != "PrototypeClassifier":
        assert models[0].score(source) == pytest.approx(models[1].score(dense), rel=1e-9)
    assert models[0].labels_.tolist() == models[1].labels_.tolist()
    # Centres of clusters have no zeros.
    assert sparse.issparse(models[0].prototypes_) == (name != "KMeans")
    wide = sparse.hstack([source, sparse.csr_matrix((120, 10_000_000))]).tocsr()
    if name != "KMeans":
        weights = np.arange(120) % 4
        model = estimator(3, memory="1MiB").fit(wide, classes, target=wide[:50], sample_weight=weights[:50])
        assert model.prototypes_.shape == (3, 10_000_200)
        assert len(model.labels_) == 50


def test_scipy_is_not_imported():
    script = "import sys, protodash; protodash.select([[0.0], [1.0]], bandwidth=1.0); sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_sparse_rows_are_not_made_dense():
    diagonal = sparse.eye(1000, format="csr")
    with pytest.raises(ValueError, match="needs 8000000 bytes, more than the 1000000 allowed; increase memory="):
        protodash.select(diagonal, memory=1_000_000, kernel="laplacian")
    assert len(protodash.select(diagonal, memory=100_000)) == 10
    with pytest.raises(ValueError, match="1000 values in 1000 rows and needs 36000 bytes, more than the 1000 allowed"):
        protodash.select(diagonal, memory=1000)
    # As dense rows of float64, these would be 80 GB.
    wide = sparse.hstack([words(1000, 3000), sparse.csr_matrix((1000, 10_000_000))]).tocsr()
    assert len(protodash.select(wide, n_prototypes=3, memory="200MiB")) == 3


def test_damaged_sparse_rows_are_rejected():
    rows = sparse.csr_matrix(np.eye(3))
    rows.indices[1] = 7
    with pytest.raises(ValueError, match="row 1 of a sparse matrix has a value in column 7; columns go from 0 to 2"):
        protodash.select(rows, bandwidth=1.0)
    rows = sparse.csr_matrix(np.eye(3))
    rows.indptr[1] = 3
    rows.indptr[2] = 1
    with pytest.raises(ValueError, match="a sparse matrix is damaged: its row pointers decrease"):
        protodash.select(rows, bandwidth=1.0)
    zeros = sparse.csr_matrix([[3.0, 4.0], [0.0, 0.0], [0.0, 0.0]])
    found = protodash.select(zeros, normalize=True, bandwidth=1.0, n_prototypes=1)
    assert found.notes == ["2 rows of zeros cannot be scaled to length 1; left unchanged"]

