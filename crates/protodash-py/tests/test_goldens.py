"""The goldens of the repository, through the drop-in for AIX360 and `select`; see testdata/goldens/README.md."""

import json

import numpy as np
import protodash
import pytest
from conftest import TESTDATA, cells, optional
from protodash.aix360 import ProtodashExplainer


def cases(name):
    return json.loads((TESTDATA / "goldens" / name).read_text())


def explained(case):
    target, source = data(case)
    gaussian = case["kernel"] == "gaussian"
    explainer = ProtodashExplainer()
    explainer.set_params()
    return explainer.explain(
        target,
        source,
        case["n_prototypes"],
        kernelType="Gaussian" if gaussian else "other",
        sigma=case["bandwidth"] if gaussian else 2,
        optimizer="osqp",
    )


@pytest.mark.parametrize("case", cases("protodash.json"), ids=lambda case: case["case"])
def test_the_drop_in_matches_aix360(case):
    returned = explained(case)
    assert isinstance(returned, tuple)
    weights, indices, objective = returned
    assert (weights.dtype, indices.dtype, objective.dtype) == (np.float64, np.int64, np.float64)
    assert weights.shape == indices.shape == objective.shape == (case["n_prototypes"],)
    assert_same((weights, indices, objective), case["aix360"])


@pytest.mark.parametrize("case", cases("differences.json"), ids=lambda case: case["case"])
def test_bugs_of_aix360_are_not_reproduced(case):
    weights, indices, objective = explained(case)
    assert_same((weights, indices, objective), case["exact"])
    assert (weights >= 0).all()
    if case["difference"] == "row 0 is never chosen":
        assert 0 in indices and 0 not in case["aix360"]["indices"]
    elif case["difference"] == "rows of weight 0 after the optimum":
        assert len(indices) < len(case["aix360"]["indices"])
    else:
        assert indices[0] != case["aix360"]["indices"][0]


@pytest.mark.parametrize("case", cases("protogreedy.json"), ids=lambda case: case["case"])
def test_protogreedy_matches_the_exact_reference(case):
    target, source = data(case)
    selection = protodash.select(
        source,
        target,
        case["n_prototypes"],
        method="protogreedy",
        kernel=case["kernel"],
        bandwidth=case["bandwidth"] or "auto",
    )
    assert_same((selection.weights, selection.indices, selection.objective), case["exact"])
    assert selection.stopped == case["exact"]["stopped"]


def test_the_drop_in_does_not_scale_data_frames(wine):
    rows = wine * np.arange(1, 14)
    expected = ProtodashExplainer().explain(rows[:60], rows[60:], m=5, kernelType="Gaussian", sigma=20)
    for library in (optional("pandas"), optional("polars")):
        target, source = library.DataFrame(rows)[:60], library.DataFrame(rows)[60:]
        found = ProtodashExplainer().explain(target, source, m=5, kernelType="Gaussian", sigma=20)
        assert all(ours.tobytes() == theirs.tobytes() for ours, theirs in zip(found, expected, strict=True))
    table = optional("pyarrow").table({f"x{column}": rows[:, column] for column in range(13)})
    found = ProtodashExplainer().explain(table.slice(0, 60), table.slice(60), m=5, kernelType="Gaussian", sigma=20)
    assert found[1].tolist() == expected[1].tolist()
    nullable = optional("pandas").DataFrame(rows).astype({0: "Float64", 1: "double[pyarrow]"})
    found = ProtodashExplainer().explain(nullable[:60], nullable[60:], m=5, kernelType="Gaussian", sigma=20)
    assert found[1].tolist() == expected[1].tolist()
    words = optional("pandas").DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})
    with pytest.raises(TypeError, match="^Y has no numbers in column 1; encode it first, or pass the table to protodash.select$"):
        ProtodashExplainer().explain(words, words, m=1)


def test_the_signature_is_that_of_aix360(wine):
    by_position = ProtodashExplainer().explain(wine, wine, 3, "Gaussian", 2, "cvxpy")
    by_name = ProtodashExplainer().explain(X=wine, Y=wine, m=3, kernelType="Gaussian", sigma=2, optimizer="osqp")
    assert by_position[1].tolist() == by_name[1].tolist()
    linear = ProtodashExplainer().explain(wine + 3, wine + 3, 3)
    assert linear[1].tolist() == protodash.select(wine + 3, n_prototypes=3, kernel="linear").indices.tolist()
    with pytest.raises(ValueError, match="^optimizer is 'scs'; it must be 'cvxpy' or 'osqp'$"):
        ProtodashExplainer().explain(wine, wine, 3, optimizer="scs")
    with pytest.warns(UserWarning, match="^kernelType 'RBF' means the linear kernel, as in AIX360$"):
        ProtodashExplainer().explain(wine, wine, 3, kernelType="RBF")


def assert_same(ours, theirs):
    """The same rows in the same order, weights to 1e-6 of the largest, objectives to 1e-6."""
    weights, indices, objective = ours
    assert indices.tolist() == theirs["indices"]
    np.testing.assert_allclose(weights, theirs["weights"], rtol=0, atol=1e-6 * max(theirs["weights"]))
    np.testing.assert_allclose(objective, theirs["objective"], rtol=1e-6)


def data(case):
    """Target and source of a case."""
    description = case["data"]
    with open(TESTDATA / description["file"]) as file:
        has_label = file.readline().startswith("label")
    rows = cells(description["file"])
    features = [row[1 if has_label else 0 :] for row in rows]
    if description["encoding"] == "one_hot":
        encoded = one_hot(features, description["missing"] == "zero")
    else:
        encoded = np.array(features, dtype=float)
    target, source = (encoded[rows_of(description[role], rows)] for role in ("target", "source"))
    shift, width = scaling(description["scale"], source)
    return (target - shift) / width, (source - shift) / width


def rows_of(part, rows):
    def kept(row):
        label = rows[row][0]
        return part["label"] in (None, label) and (part["not_label"] is None or part["not_label"] != label)

    return [row for row in range(part["from"], part["to"]) if kept(row)]


def one_hot(rows, missing_is_zero):
    def value(cell):
        return ("0.0" if missing_is_zero else "") if cell == "" else str(float(cell))

    columns = [np.array([value(cell) for cell in column]) for column in zip(*rows, strict=True)]
    return np.hstack([(column[:, None] == np.unique(column)).astype(float) for column in columns])


def scaling(rule, source):
    if rule == "standard":
        return source.mean(0), source.std(0)
    if rule == "minmax":
        return source.min(0), source.max(0) - source.min(0)
    return 0.0, 1.0
