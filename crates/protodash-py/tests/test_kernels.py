"""Kernels by name, as objects, as custom functions and as matrices."""

import pathlib
import pickle

import kernel_stub
import numpy as np
import protodash
import pytest
from protodash import _native, kernels

NAMES = [definition["name"] for definition in _native.kernel_definitions()]
OBJECTS = {name: kernels.kernel_class(name) for name in NAMES}


def test_every_kernel_of_the_core_is_a_class_here():
    assert {"gaussian", "inverse-multiquadric", "hamming"} <= set(NAMES)
    for name, kind in OBJECTS.items():
        assert getattr(kernels, kind.__name__) is kind
        assert (kind.name, kind.__module__, kind.__name__ in kernels.__all__) == (name, "protodash.kernels", True)
        assert kind() == pickle.loads(pickle.dumps(kind()))
    assert kernels.InverseMultiquadric is OBJECTS["inverse-multiquadric"]


def test_the_types_of_the_classes_are_up_to_date():
    stub = pathlib.Path(__file__).parent.parent / "python/protodash/_kernel_classes.pyi"
    assert stub.read_text() == kernel_stub.stub()


def test_objects_are_equal_by_their_parameters():
    assert kernels.Gaussian(2) == kernels.Gaussian(bandwidth=2.0) != kernels.Gaussian(3.0)
    assert repr(kernels.Gaussian(2)) == "Gaussian(bandwidth=2.0)"
    assert repr(kernels.Polynomial(offset=0.5)) == "Polynomial(degree=3, scale=None, offset=0.5)"
    assert kernels.Gaussian(2.0) != kernels.Laplacian(2.0)
    with pytest.raises(AttributeError):
        kernels.Gaussian(2.0).bandwidth = 3.0


def same(one, other, rtol=1e-9):
    assert one.indices.tolist() == other.indices.tolist()
    np.testing.assert_allclose(one.weights, other.weights, rtol=rtol)
    np.testing.assert_allclose(one.objective, other.objective, rtol=rtol)


@pytest.mark.parametrize("name", OBJECTS)
def test_a_name_and_an_object_give_the_same_result(wine, name):
    named = protodash.select(wine, n_prototypes=4, kernel=name)
    same(named, protodash.select(wine, n_prototypes=4, kernel=OBJECTS[name]()))
    # With every parameter a number, the resolved kernel gives the same run.
    same(named, protodash.select(wine, n_prototypes=4, kernel=named.kernel))
    assert named.kernel.name == name and not named.kernel.depends_on_data()


@pytest.mark.parametrize("name", OBJECTS)
def test_a_custom_function_matches_the_built_in_kernel(wine, name):
    target, source = wine[:50], wine[40:]
    expected = protodash.select(source, target, 5, kernel=name)
    kernel = expected.kernel
    same(expected, protodash.select(source, target, 5, kernel=lambda x, y: kernel(x, y)))
    assert expected.n_features == protodash.select(source, target, 5, kernel=lambda x, y: kernel(x, y)).n_features
    matrices = protodash.select(kernel(source, source), kernel(target, source), 5, kernel="precomputed")
    same(expected, matrices)
    assert matrices.explained is None
    gram = kernel(target, target)
    known = protodash.select(kernel(source, source), kernel(target, source), 5, kernel="precomputed", target_gram=gram)
    assert known.explained == pytest.approx(expected.explained, rel=1e-9)


def test_values_by_hand():
    x, y = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 0.0]])
    np.testing.assert_allclose(kernels.Gaussian(5.0)(x, y), [[1.0], [np.exp(-0.5)]])
    np.testing.assert_allclose(kernels.Laplacian(7.0)(x, y), [[1.0], [np.exp(-1.0)]])
    np.testing.assert_allclose(kernels.InverseMultiquadric(5.0)(x, y), [[1.0], [0.5**0.5]])
    np.testing.assert_allclose(kernels.Polynomial(2, offset=3.0)(x, x), [[9.0, 9.0], [9.0, 15.5**2]])


def test_blocks_cover_every_pair(monkeypatch, wine):
    from protodash import _blocks

    expected = protodash.select(wine, n_prototypes=4, kernel=lambda x, y: np.exp(-((x[:, None] - y) ** 2).sum(2) / 50))
    monkeypatch.setattr(_blocks, "BLOCK", 17)
    same(expected, protodash.select(wine, n_prototypes=4, kernel=lambda x, y: np.exp(-((x[:, None] - y) ** 2).sum(2) / 50)))


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda x, y: np.ones(len(x)), ValueError, "the kernel returned an array of shape (178,) for blocks of 178 and 178"),
        (lambda x, y: np.full((len(x), len(y)), "a"), TypeError, "the kernel returned values of type <U1; they must be"),
        (lambda x, y: np.full((len(x), len(y)), np.nan), ValueError, "the kernel returned NaN for the rows [ 1.5186 -0.5622  0.2321 ...  0.3622  1.8479  1.013 ] and ["),
        (lambda x, y: -(x @ y.T), ValueError, "the kernel matrix is not positive semi-definite"),
        (lambda x, y: np.arange(len(x) * len(y)).reshape(len(x), -1), ValueError, "the kernel matrix is not symmetric"),
    ],
)  # fmt: skip
def test_an_invalid_kernel_function_is_rejected(wine, function, error, message):
    with pytest.raises(error) as caught:
        protodash.select(wine, kernel=function)
    assert str(caught.value).startswith(message)


def test_an_exception_of_the_function_is_propagated(wine):
    with pytest.raises(ZeroDivisionError):
        protodash.select(wine, kernel=lambda x, y: 1 / 0)


@pytest.mark.parametrize("method", ["protodash", "protogreedy", "swap", "l2c", "p-lasso", "k-medoids", "coverage", "farthest-first"])
def test_values_that_do_not_fit_are_computed_in_blocks(digits, method):
    target, source = digits[0][:150], digits[0][100:400]
    asked = []

    def similar(x, y):
        asked.append(x.shape[0] * y.shape[0])
        return np.exp(-((x[:, None] - y) ** 2).sum(2) / 800)

    for other in (None, target):
        whole = protodash.select(source, other, 6, kernel=similar, method=method)
        asked.clear()
        blocks = protodash.select(source, other, 6, kernel=similar, method=method, memory=300_000)
        same(whole, blocks)
        assert blocks.explained == pytest.approx(whole.explained, rel=1e-9)
        assert max(asked) <= 96 * 96
        assert blocks.n_represented.tolist() == whole.n_represented.tolist()
        assert blocks.criticisms(3).indices.tolist() == whole.criticisms(3).indices.tolist()
        assert blocks.n_features == 64


def test_blocks_do_not_depend_on_the_number_of_threads(digits):
    runs = [
        protodash.select(digits[0][:500], n_prototypes=5, kernel=lambda x, y: x @ y.T, memory=100_000, n_threads=n_threads)
        for n_threads in (1, 3)
    ]
    assert runs[0].weights.tobytes() == runs[1].weights.tobytes()


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda x, y: 1 / 0, ZeroDivisionError, "division by zero"),
        (lambda x, y: np.ones(len(x)), ValueError, "the kernel returned an array of shape (96,) for blocks of 96 and 96"),
        (lambda x, y: np.full((len(x), len(y)), np.nan), ValueError, "the kernel returned NaN for the rows ["),
        (lambda x, y: -(x @ y.T), ValueError, "the kernel is not positive semi-definite"),
    ],
)  # fmt: skip
def test_an_invalid_kernel_function_in_blocks_is_rejected(wine, function, error, message):
    with pytest.raises(error) as caught:
        protodash.select(wine, kernel=function, memory=100_000)
    assert str(caught.value).startswith(message), caught.value


def test_a_precomputed_kernel_has_no_formula(wine):
    with pytest.raises(TypeError, match="no formula"):
        kernels.Precomputed()(wine, wine)
    with pytest.raises(ValueError, match="^the kernel matrix has 178 rows and 13 columns; it must be square\nhint: with"):
        protodash.select(wine, kernel="precomputed")


@pytest.mark.parametrize(
    ("target_gram", "message"),
    [
        (np.eye(3), "target_gram has 3 rows and 3 columns; with 2 target rows it must have 2 of each"),
        (np.ones((2, 3)), "target_gram has 2 rows and 3 columns; with 2 target rows it must have 2 of each"),
        (np.array([[1.0, np.nan], [0.0, 1.0]]), "target_gram has NaN in row 0, column 1; every value must be finite"),
        (np.array([[1.0, 0.5], [0.2, 1.0]]), "target_gram is not symmetric: row 0, column 1 has 0.5, row 1, column 0 has 0.2"),
        (np.array([[1.0, 2.0], [2.0, 1.0]]), "target_gram is not positive semi-definite: "),
    ],
)  # fmt: skip
def test_an_invalid_target_gram_is_reported(target_gram, message):
    with pytest.raises(ValueError) as caught:
        protodash.select(np.eye(3), np.full((2, 3), 0.2), 1, kernel="precomputed", target_gram=target_gram)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("definition", ["witness", "distance"])
def test_criticisms_among_the_target_need_its_kernel_values(wine, definition):
    selection = protodash.select(np.eye(3), np.full((2, 3), 0.2), 1, kernel="precomputed")
    with pytest.raises(ValueError, match="need the kernel values of its rows with each other; pass target_gram to select$"):
        selection.criticisms(1, definition=definition, among="target")
    own = protodash.select(wine[:50], wine[50:], 2, kernel=gaussian, target_energy="skip")
    with pytest.raises(ValueError, match='; select again with target_energy="exact"$'):
        own.criticisms(1, definition=definition, among="target")


def gaussian(x, y):
    """A function that can be pickled."""
    return protodash.kernels.Gaussian(3.0)(x, y)


def test_an_available_function_is_called_again(wine, tmp_path):
    selection = protodash.select(wine[:90], wine[90:], 4, kernel=gaussian)
    for back in (selection, pickle.loads(pickle.dumps(selection))):
        for among in ("source", "target"):
            again = back.criticisms(3, source=wine[:90], target=wine[90:], among=among)
            assert again.indices.tolist() == selection.criticisms(3, among=among).indices.tolist()
        back.report(tmp_path / "page.html", source=wine[:90], target=wine[90:])
    selection.save(tmp_path / "result.json")
    loaded = protodash.Selection.load(tmp_path / "result.json")
    with pytest.raises(ValueError, match="which a saved result does not contain, and the source has 90 rows"):
        loaded.criticisms(3, source=wine[:90], target=wine[90:])


@pytest.mark.parametrize("bandwidth", [1e-300, -1e-300, 1e300])
def test_a_bandwidth_out_of_range_is_shown_in_short_form(bandwidth):
    with pytest.raises(ValueError, match=r"^bandwidth is -?1e-?300; it must be above 0 and finite \(1e-150 to 1e150\)$"):
        protodash.select(np.eye(3), bandwidth=bandwidth)
