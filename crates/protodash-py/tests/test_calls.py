"""Wrong calls: each raises a ValueError or a TypeError that says what was given and what is allowed."""

import itertools

import numpy as np
import protodash
import pyarrow as pa
import pytest
from protodash import _native
from protodash.kernels import Gaussian, Polynomial

ROWS = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 9.0]])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_prototypes": 0}, ValueError, "0 prototypes requested; at least 1 is needed"),
        ({"n_prototypes": -3}, ValueError, "n_prototypes is -3; it must be at least 1"),
        ({"n_prototypes": 2.0}, TypeError, "n_prototypes is of type float; it must be a whole number, at least 1"),
        ({"n_prototypes": True}, TypeError, "n_prototypes is of type bool; it must be a whole number, at least 1"),
        ({"n_prototypes": 4}, ValueError, "cannot choose 4 prototypes from 3 source rows"),
        ({"min_gain": -1.0}, ValueError, "min_gain is -1; it must be a finite number, at least 0"),
        ({"min_gain": "much"}, TypeError, "min_gain is of type str; it must be a number"),
        ({"method": "protodasch"}, ValueError, "unknown method 'protodasch'; allowed are protodash, protogreedy, swap, l2c, p-lasso, k-medoids, coverage, k-means, farthest-first, random"),
        ({"weights": "any"}, ValueError, "unknown weights 'any'; allowed are nonnegative, convex, equal, shares, own"),
        ({"kernel": "xyz"}, ValueError, 'unknown kernel "xyz"; known kernels are gaussian, laplacian, '),
        ({"kernel": "rbf"}, ValueError, 'unknown kernel "rbf"; did you mean "gaussian"?'),
        ({"kernel": 3}, TypeError, "kernel is of type int; it must be a name, a kernel or a function of two blocks"),
        ({"kernel": "linear", "bandwidth": 2.0}, ValueError, "the linear kernel has no bandwidth"),
        ({"kernel": Gaussian(1.0), "bandwidth": 2.0}, ValueError, "bandwidth applies only to a kernel passed by name"),
        ({"bandwidth": 0.0}, ValueError, "bandwidth is 0; it must be above 0 and finite (1e-150 to 1e150)"),
        ({"bandwidth": -2}, ValueError, "bandwidth is -2; it must be above 0 and finite (1e-150 to 1e150)"),
        ({"bandwidth": "wide"}, ValueError, 'unknown bandwidth "wide"; it must be auto, median, cv or a number above 0'),
        ({"bandwidth": None}, TypeError, "bandwidth is of type NoneType; it must be a number"),
        ({"target": ROWS[:, :1]}, ValueError, "the target has 1 column and the source has 2; they must have the same number"),
        ({"target_weights": [1.0]}, ValueError, "there is 1 target weight for 3 target rows; there must be one for each"),
        ({"target_weights": [1.0, -1.0, 0.0]}, ValueError, "target weight 1 is -1; weights must be finite and at least 0"),
        ({"target_weights": [0, 0, 0]}, ValueError, "all target weights are 0; at least one must be positive"),
        ({"target_weights": [[1.0]]}, TypeError, "target_weights must be numbers in one dimension, not float64 in 2"),
        ({"target_energy": "guess"}, ValueError, "unknown target_energy 'guess'; allowed are exact, sample, skip"),
        ({"means": "some"}, ValueError, "unknown means 'some'; allowed are auto, full, racing"),
        ({"tolerance": 1.0}, ValueError, "tolerance is 1; it must be at least 0 and below 1"),
        ({"seed": -1}, ValueError, "seed is -1; it must be at least 0"),
        ({"seed": 2**64}, ValueError, "seed is 18446744073709551616; it must be at most 18446744073709551615"),
        ({"n_prototypes": 2**70}, ValueError, "n_prototypes is 1180591620717411303424; it must be at most "),
        ({"n_threads": 10**6}, ValueError, "n_threads is 1000000; it must be at most 1024"),
        ({"bandwidth": np.ones(1)}, TypeError, "bandwidth is of type ndarray; it must be a number"),
        ({"min_gain": np.ones(1)}, TypeError, "min_gain is of type ndarray; it must be a number"),
        ({"min_gain": float("nan")}, ValueError, "min_gain is NaN; it must be a finite number, at least 0"),
        ({"kernel": Gaussian}, TypeError, "kernel is the class Gaussian; pass an object, Gaussian(...)"),
        ({"n_threads": 0}, ValueError, "n_threads is 0; it must be at least 1"),
        ({"memory": "much"}, ValueError, "memory is 'much'; it must be a number of bytes, or a number with KB"),
        ({"memory": 1.5}, TypeError, "memory is of type float; it must be a number of bytes or text"),
        ({"progress": 7}, TypeError, "progress is of type int; it must be True, False, a function of stage"),
        ({"columns": ["a"]}, ValueError, "columns refers to columns of a table, but the source is an array"),
        ({"missing": "mean"}, ValueError, "missing refers to columns of a table, but the source is an array"),
        ({"target_gram": ROWS}, ValueError, 'target_gram requires kernel="precomputed"'),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named(options, error, message):
    with pytest.raises(error) as caught:
        protodash.select(ROWS, **options)
    assert str(caught.value).startswith(message)


def test_equal_rows_have_no_median_bandwidth():
    with pytest.raises(ValueError, match="^all 2 rows are equal, so the median distance is 0; set the bandwidth"):
        protodash.select(np.ones((2, 2)))


def test_kernels_check_their_parameters():
    with pytest.raises(ValueError, match="^degree is 0; it must be a whole number from 1 to 1000$"):
        Polynomial(degree=0)
    with pytest.raises(TypeError, match="^scale is of type str; it must be a number$"):
        Polynomial(2, scale="wide")
    with pytest.raises(ValueError, match="^offset is -1; it must be a finite number, at least 0$"):
        protodash.select(ROWS, kernel=Polynomial(offset=-1.0))


def test_a_memory_limit_above_the_ram_is_allowed():
    for memory in ("99999999TiB", 2**80):
        assert len(protodash.select(ROWS, n_prototypes=2, memory=memory)) == 2


def test_a_prefix_must_be_an_integer():
    selection = protodash.select(ROWS, n_prototypes=2)
    for given, kind in ((1.5, "float"), ("a", "str")):
        with pytest.raises(TypeError, match=f"^n_prototypes is of type {kind}; it must be a whole number, at least 1$"):
            selection.prefix(given)
    with pytest.raises(ValueError, match="^n_criticisms is 1180591620717411303424; it must be at most "):
        selection.criticisms(2**70)


def test_a_panic_becomes_an_exception(capfd):
    with pytest.raises(RuntimeError, match="^internal error of protodash, please report it: on purpose$"):
        _native.panics()
    assert "on purpose" in capfd.readouterr().err


def test_any_call_returns_a_selection_or_raises():
    """No combination of strange data and options may panic."""
    data = [ROWS, ROWS * 1e200, ROWS * 1e-300, np.ones((3, 2)), ROWS.astype(np.float32) * 1e37, ROWS - 4, np.eye(3)[:, :2]]
    names = ["gaussian", "laplacian", "matern32", "matern52", "inverse-multiquadric", "linear", "polynomial", "cosine"]
    options = itertools.product(data, names + ["hamming"], ["protodash", "protogreedy", "swap"], ["convex", "equal"])
    outcomes = {"selection": 0, "error": 0}
    for rows, kernel, method, weights in options:
        try:
            selection = protodash.select(rows, n_prototypes=2, kernel=kernel, method=method, weights=weights)
            assert np.isfinite(selection.weights).all()
            outcomes["selection"] += 1
        except ValueError:
            outcomes["error"] += 1
    assert min(outcomes.values()) > 10


@pytest.mark.parametrize(("text", "size"), [("17", 17), ("8GiB", 8 << 30), ("1.5 mib", 3 << 19), ("200kB", 200_000), ("3b", 3), ("1TB", 10**12), ("9" * 400, 2**63 - 1)])
def test_memory_is_written_as_for_the_command(text, size):
    from protodash._memory import as_bytes

    assert as_bytes(text) == size
    for refused in ("", "GiB", "-1GiB", "8 giga", "5M", "nan", "0"):
        with pytest.raises(ValueError, match="it must be a number of bytes"):
            as_bytes(refused)
    with pytest.raises(ValueError, match="^memory is 0; it must be at least 1$"):
        as_bytes(0)


def test_the_number_of_prototypes_may_be_a_percentage_of_the_rows():
    rows = np.random.default_rng(3).normal(size=(178, 2))
    nine = protodash.select(rows, n_prototypes=9)
    assert protodash.select(rows, n_prototypes="5%").indices.tolist() == nine.indices.tolist()
    assert len(protodash.select(rows, n_prototypes="5%", source_sample=40)) == 2
    assert len(protodash.select(rows[:3], n_prototypes="1%")) == 1
    compared = protodash.compare(rows, n_prototypes=["5%", 2], method="random")
    assert compared.n_prototypes.tolist() == [2, 9]
    with pytest.raises(ValueError, match="^the percentage of prototypes is 0%; it must be above 0% and at most 100%$"):
        protodash.select(rows, n_prototypes="0%")
    with pytest.raises(ValueError, match='^unknown number of prototypes "ten"; it must be a positive integer, a percentage'):
        protodash.select(rows, n_prototypes="ten")
    with pytest.raises(ValueError, match='^n_prototypes is "all"; a comparison needs numbers'):
        protodash.compare(rows, n_prototypes="all")


def test_an_estimator_takes_a_percentage_of_its_rows():
    pytest.importorskip("sklearn")
    from protodash.estimators import ProtoDash

    rows = np.random.default_rng(3).normal(size=(60, 2))
    assert len(ProtoDash("5%").fit(rows).prototype_indices_) == 3
    assert len(ProtoDash("5%").fit(np.repeat(rows, 2, axis=0)).prototype_indices_) == 6


@pytest.mark.parametrize(
    ("source", "options", "hint"),
    [
        (ROWS, {"n_prototypes": 4}, "use n_prototypes=3 or fewer"),
        (ROWS, {"n_prototypes": 2, "max_weight": 0.1}, "raise max_weight, or choose more prototypes with n_prototypes"),
        (np.ones((3, 2)), {"kernel": "gaussian"}, "use bandwidth=1: if all rows are equal, the bandwidth has no effect"),
        (ROWS * 1e200, {"kernel": "linear"}, 'the values are too large for this kernel; use scale="standard" or scale="rank", or another kernel'),
        (ROWS, {"method": "k-means", "kernel": "hamming"}, 'use method="k-medoids"'),
        (ROWS * 1e200, {"kernel": "gaussian"}, 'change the unit of the values, or use scale="standard" or scale="rank"'),
        (ROWS, {"kernel": "precomputed"}, 'with kernel="precomputed", the source must be an n x n matrix of similarities; without it, the source is the data'),
        (ROWS, {"method": "swap", "cost": [1, 1, 1], "budget": 2}, 'use method="protodash", method="protogreedy", or method="random"'),
    ],
)  # fmt: skip
def test_hints_for_parameters_name_keyword_arguments(source, options, hint):
    with pytest.raises(ValueError, match="\nhint: ") as caught:
        protodash.select(source, **{"n_prototypes": 1, **options})
    assert str(caught.value).partition("\nhint: ")[2] == hint


def test_a_function_gives_no_hint_on_a_keyword_that_it_lacks():
    rows = {"a": {"key": [1, 2], "x": [1.0, 3.0]}, "b": {"key": [1, 2], "x": [3.0, 1.0]}}
    with pytest.raises(ValueError, match="so there is nothing to represent") as caught:
        protodash.relate({name: pa.table(columns) for name, columns in rows.items()}, key="key", kernel="linear")
    hint = str(caught.value).partition("\nhint: ")[2]
    assert hint == 'the linear kernel sees only the mean, which scale="standard" makes 0; use another kernel or scale'
