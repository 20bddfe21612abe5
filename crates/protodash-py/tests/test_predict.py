"""The nearest prototype of new rows."""

import pickle

import numpy as np
import protodash
import pytest
from conftest import optional
from protodash.kernels import Hamming

pandas, polars = optional("pandas"), optional("polars")
RNG = np.random.default_rng(5)
ROWS, NEW = RNG.normal(size=(120, 3)), RNG.normal(size=(40, 3))
LABELS = np.where(ROWS[:, 0] > 0, "right", "left")


def nearest_by_hand(selection, rows):
    """The prototype with weight and the smallest squared distance in feature space, up to k(x, x)."""
    prototypes = ROWS[selection.indices]
    own = np.diagonal(selection.kernel(prototypes, prototypes))
    distances = own - 2 * selection.kernel(rows, prototypes)
    distances[:, selection.weights <= 0] = np.inf
    return distances.argmin(axis=1)


@pytest.mark.parametrize("options", [{}, {"kernel": "linear"}, {"kernel": "cosine"}, {"method": "k-medoids"}])
def test_rows_get_the_nearest_prototype_in_feature_space(options):
    selection = protodash.select(ROWS, n_prototypes=8, label=LABELS, **options)
    expected = nearest_by_hand(selection, NEW)
    assert selection.predict(NEW).tolist() == [selection.labels[place] for place in expected]
    assert protodash.select(ROWS, n_prototypes=8, **options).predict(NEW).tolist() == expected.tolist()


def test_it_is_the_rule_of_the_estimators_and_of_nearest():
    selection = protodash.select(ROWS, n_prototypes=8, bandwidth=1.0, label=LABELS)
    model = protodash.ProtoDash(n_prototypes=8, bandwidth=1.0).fit(ROWS, LABELS)
    assert model.prototype_indices_.tolist() == selection.indices.tolist()
    assert selection.predict(NEW).tolist() == model.predict(NEW).tolist() == model.selection_.predict(NEW).tolist()
    assert protodash.select(ROWS, n_prototypes=8).predict(ROWS).tolist() == protodash.select(ROWS, n_prototypes=8).nearest.tolist()
    accuracy = protodash.compare(ROWS, n_prototypes=8, method="protodash", bandwidth=1.0, label=LABELS).accuracy[0]
    assert np.mean(selection.predict(ROWS) == LABELS) == pytest.approx(accuracy)


def test_labels_keep_their_type():
    numbers = protodash.select(ROWS, n_prototypes=4, label=(ROWS[:, 0] > 0).astype(int)).predict(NEW)
    assert numbers.dtype.kind == "i" and set(numbers.tolist()) <= {0, 1}
    mixed = protodash.select([[0.0], [9.0]], n_prototypes=2, bandwidth=1.0, label=[7, "seven"]).predict([[1.0], [8.0]])
    assert mixed.tolist() == [7, "seven"]


def test_tables_are_encoded_like_the_source():
    table = pandas.DataFrame({"name": [f"p{row}" for row in range(120)], "x": ROWS[:, 0] * 1e6, "y": ROWS[:, 1], "side": LABELS})
    table["city"] = np.where(ROWS[:, 2] > 0, "Ulm", "Bonn")
    selection = protodash.select(table, n_prototypes=6, id="name", label="side")
    # The source itself gets the nearest prototypes of the run, also row by row, without ids and labels, from polars, with
    # a category that the source does not have, and with a constant column.
    labels = [selection.labels[place] for place in selection.nearest]
    assert selection.predict(table).tolist() == labels
    bare = table[["city", "y", "x"]]
    assert selection.predict(bare).tolist() == labels
    assert [selection.predict(bare[row : row + 1])[0] for row in range(5)] == labels[:5]
    unseen = bare.assign(city="Rome")
    assert len(selection.predict(unseen)) == 120
    of_polars = protodash.select(polars.from_pandas(table), n_prototypes=6, id="name", label="side")
    assert of_polars.predict(polars.from_pandas(bare)).tolist() == labels
    with pytest.raises(TypeError, match="the selection was made from a table, but rows is of type ndarray"):
        selection.predict(NEW)
    with pytest.raises(ValueError, match='"y"|\'y\''):
        selection.predict(table[["x", "city"]])


def test_conditions_on_the_represented_rows_do_not_apply_to_new_ones():
    table = pandas.DataFrame({"x": ROWS[:, 0], "side": LABELS})
    selection = protodash.select(
        table, n_prototypes=3, drop=["side"], source_where="side = 'left'", target_where="side = 'right'", source_sample=40
    )
    places = selection.predict(table)
    assert len(places) == 120 and set(places.tolist()) <= set(range(3))
    assert places[selection.indices].tolist() == [0, 1, 2]


def test_arrays_are_scaled_to_length_1_and_codes_compared():
    selection = protodash.select(ROWS, n_prototypes=5, normalize=True)
    assert selection.predict(ROWS).tolist() == selection.predict(1000 * ROWS).tolist() == selection.nearest.tolist()
    table = pandas.DataFrame({"a": list("xxyyz") * 4, "b": list("uvuvu") * 4})
    codes = protodash.select(table, n_prototypes=3, kernel=Hamming())
    assert codes.predict(table).tolist() == codes.nearest.tolist()


def test_custom_kernels_and_kernel_matrices():
    def function(x, y):
        return np.exp(-((x[:, None] - y[None]) ** 2).sum(axis=2) / 2)

    gaussian = protodash.select(ROWS, n_prototypes=5, kernel="gaussian", bandwidth=1.0)
    custom = protodash.select(ROWS, n_prototypes=5, kernel=function)
    given = protodash.select(function(ROWS, ROWS), n_prototypes=5, kernel="precomputed")
    places = gaussian.predict(NEW).tolist()
    assert custom.predict(NEW).tolist() == given.predict(function(NEW, ROWS)).tolist() == places
    table = pandas.DataFrame(ROWS, columns=list("xyz"))
    of_table = protodash.select(table, n_prototypes=5, kernel=function, scale="none")
    assert of_table.predict(pandas.DataFrame(NEW, columns=list("xyz"))).tolist() == places
    with pytest.raises(ValueError, match="rows has 3 columns; it must have 120 kernel values, one for each source row"):
        given.predict(NEW)


def test_a_loaded_selection_needs_the_data_again(tmp_path):
    selection = protodash.select(ROWS, n_prototypes=5, label=LABELS)
    selection.save(tmp_path / "result.json")
    loaded = protodash.Selection.load(tmp_path / "result.json")
    for back in (loaded, pickle.loads(pickle.dumps(selection))):
        with pytest.raises(ValueError, match="loaded without its data, .* pass them again with source="):
            back.predict(NEW)
        assert back.predict(NEW, source=ROWS).tolist() == selection.predict(NEW).tolist()
        with pytest.raises(ValueError, match="made from 120 source rows, but these data have 119"):
            back.predict(NEW, source=ROWS[1:])


def test_fixed_rows_of_another_table_are_prototypes_too():
    selection = protodash.select(ROWS, n_prototypes=3, fixed=NEW[:2], bandwidth=1.0)
    assert selection.predict(NEW[:2]).tolist() == [0, 1]


def test_wrong_rows_are_rejected():
    selection = protodash.select(ROWS, n_prototypes=3)
    with pytest.raises(ValueError, match="rows has 2 columns; it must have 3 columns, as the source has"):
        selection.predict(NEW[:, :2])
    with pytest.raises(ValueError, match="the rows has 1 dimension|1 dimension"):
        selection.predict(NEW[0])


def test_without_prototypes_there_is_nothing_to_predict():
    rows = [[1.0], [-1.0]]
    assert protodash.select(rows, n_prototypes=1, kernel="linear").predict(rows).tolist() == [-1, -1]
    with pytest.raises(ValueError, match="no prototype has weight, so there is no label to predict"):
        protodash.select(rows, n_prototypes=1, kernel="linear", label=["a", "b"]).predict(rows)
