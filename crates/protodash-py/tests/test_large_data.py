"""Samples, rows of length 1, and embeddings in columns of tables, in data sets and in memory maps."""

import numpy as np
import protodash
import pytest
from conftest import optional

pandas, polars, pyarrow = optional("pandas"), optional("polars"), optional("pyarrow")


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(5).normal(size=(300, 6)).astype(np.float32)


def chosen(selection):
    return list(zip(selection.indices.tolist(), selection.weights.tolist(), strict=True))


def test_a_sample_of_an_array_is_that_of_a_table(rows):
    frame = pandas.DataFrame(rows, columns=list("abcdef"))
    options = {"n_prototypes": 6, "source_sample": 80, "target_sample": 120, "seed": 4}
    selection = protodash.select(rows, **options)
    assert chosen(selection) == chosen(protodash.select(frame, scale="none", **options))
    assert (selection.n_source, selection.n_target) == (80, 120)
    drawn = np.flatnonzero(np.isin(np.arange(300), selection._data.source.numbers))
    assert set(selection.indices) <= set(drawn) and len(drawn) == 80 and drawn[-1] >= 80


def test_a_sample_is_the_rows_themselves(rows):
    selection = protodash.select(rows, n_prototypes=5, source_sample=80, bandwidth=1.0)
    drawn = selection._data.source.numbers
    alone = protodash.select(rows[drawn], rows, n_prototypes=5, bandwidth=1.0)
    assert chosen(selection) == [(drawn[index], weight) for index, weight in chosen(alone)]
    same = protodash.select(rows, n_prototypes=5, source_sample=80, target_sample=80, bandwidth=1.0)
    assert same.n_target == 80 and same.explained >= protodash.select(rows[drawn], n_prototypes=5, bandwidth=1.0).explained
    everything = protodash.select(rows, n_prototypes=5, source_sample=1000, target_sample=1000, bandwidth=1.0)
    assert chosen(everything) == chosen(protodash.select(rows, n_prototypes=5, bandwidth=1.0))


def test_ids_labels_and_weights_follow_the_sample(rows):
    ids, labels = [f"row {row}" for row in range(300)], np.arange(300) % 3
    weights = np.linspace(1, 2, 300)
    selection = protodash.select(
        rows, n_prototypes=5, id=ids, label=labels, target_weights=weights, source_sample=70, target_sample=90
    )
    assert selection.ids == [f"row {index}" for index in selection.indices]
    assert list(selection.labels) == [labels[index] for index in selection.indices]
    data = selection._data
    assert data.target_weights.tolist() == weights[data.target.numbers].tolist()
    assert data.target.labels == labels[data.target.numbers].tolist()


def test_criticisms_after_loading_use_the_same_sample(rows, tmp_path):
    selection = protodash.select(rows, n_prototypes=5, source_sample=80, target_sample=90, seed=2, normalize=True)
    selection.save(tmp_path / "selection.json")
    loaded = protodash.Selection.load(tmp_path / "selection.json")
    expected = selection.criticisms(4)
    assert loaded.criticisms(4, source=rows).indices.tolist() == expected.indices.tolist()
    assert set(expected.indices) <= set(selection._data.source.numbers)


def test_samples_need_rows(rows):
    with pytest.raises(ValueError, match="source_sample is 0; it must be at least 1"):
        protodash.select(rows, source_sample=0)
    with pytest.raises(ValueError, match="target_sample draws rows, but the source holds kernel values"):
        protodash.select(rows @ rows.T, kernel="precomputed", target_sample=5)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_normalized_rows_have_length_1(rows, precision):
    rows = rows.astype(precision)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    selection = protodash.select(rows, n_prototypes=6, normalize=True, bandwidth=0.5)
    expected = protodash.select((rows / lengths).astype(precision), n_prototypes=6, bandwidth=0.5)
    assert selection.indices.tolist() == expected.indices.tolist()
    assert selection.weights == pytest.approx(expected.weights, rel=1e-4)
    assert not any("length 1" in note for note in selection.notes)


def test_rows_of_zeros_are_noted(rows):
    with_zeros = np.vstack([rows, np.zeros((2, 6), np.float32)])
    selection = protodash.select(with_zeros, normalize=True)
    assert "2 rows of zeros cannot be scaled to length 1; left unchanged" in selection.notes


def test_embeddings_in_columns_of_every_table(rows, tmp_path):
    expected = chosen(protodash.select(rows, n_prototypes=5))
    lists = [row.tolist() for row in rows]
    typed = pyarrow.array(lists, pyarrow.list_(pyarrow.float32()))
    tables = [
        pandas.DataFrame({"embedding": list(rows)}),
        pandas.DataFrame({"embedding": lists}).map(lambda row: np.array(row, np.float32)),
        polars.DataFrame({"embedding": rows}),
        pyarrow.table({"embedding": typed}),
        pyarrow.table({"embedding": pyarrow.array(lists, pyarrow.list_(pyarrow.float32(), 6))}),
    ]
    for table in tables:
        selection = protodash.select(table, scale="none", n_prototypes=5)
        assert chosen(selection) == expected, type(table)
        assert selection._data.source.matrix.dtype == np.float32
    whole = pandas.DataFrame({"embedding": [[1, 2], [3, 4], [5, 7], [1, 1]]})
    assert protodash.select(whole, scale="none", n_prototypes=2)._data.source.matrix[2].tolist() == [5, 7]


def test_ragged_and_other_lists_are_rejected(rows):
    ragged = pandas.DataFrame({"embedding": [[1.0, 2.0], [3.0, 4.0], [5.0]]})
    with pytest.raises(ValueError, match='row 2 .*, column "embedding": the list has 1 element; all lists must have 2'):
        protodash.select(ragged)
    texts = pandas.DataFrame({"words": [["a"], ["b"]], "x": [1.0, 2.0]})
    with pytest.raises(TypeError, match='column "words" holds objects of type list'):
        protodash.select(texts)


def test_data_sets_of_hugging_face(rows):
    datasets = optional("datasets")
    whole = datasets.Dataset.from_dict({"embedding": rows, "name": [f"row {row}" for row in range(300)]})
    picked = whole.select(range(299, 99, -1))
    selection = protodash.select(picked, id="name", scale="none", n_prototypes=5)
    expected = protodash.select(rows[:99:-1], n_prototypes=5)
    assert selection.indices.tolist() == expected.indices.tolist()
    assert selection.ids == [f"row {299 - index}" for index in selection.indices]
    with pytest.raises(TypeError, match=r"pass one split, such as data\['train'\]"):
        protodash.select(datasets.DatasetDict({"train": whole}))


def test_a_memory_map_is_not_copied(rows, tmp_path):
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    selection = protodash.select(mapped, n_prototypes=5)
    assert np.shares_memory(selection._data.source.matrix, mapped)
    assert chosen(selection) == chosen(protodash.select(rows, n_prototypes=5))
