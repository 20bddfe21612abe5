"""Fixed rows, excluded rows and continued runs."""

import numpy as np
import pytest

import protodash

ROWS = np.random.default_rng(1).normal(size=(60, 3))


def test_fixed_rows_come_first_and_the_number_counts_new_rows():
    selection = protodash.select(ROWS, n_prototypes=4, fixed=[7, 3], exclude=[0, 1])
    assert selection.indices[:2].tolist() == [7, 3]
    assert (len(selection), selection.n_fixed) == (6, 2)
    assert not {0, 1} & set(selection.indices.tolist())
    assert 0 < selection.explained_by_fixed < selection.explained
    assert str(selection).startswith("2 fixed rows alone explain ")
    free = protodash.select(ROWS, n_prototypes=5)
    rest = protodash.select(ROWS, n_prototypes=3, fixed=free.indices[:2])
    assert rest.indices.tolist() == free.indices.tolist()
    assert free.explained_by_fixed is None


def test_rows_of_another_array_join_as_prototypes_but_are_not_represented():
    pool, labelled = ROWS[5:], ROWS[:5]
    selection = protodash.select(pool, n_prototypes=3, fixed=labelled, kernel="gaussian", bandwidth=1.0)
    assert selection.indices[:5].tolist() == [55, 56, 57, 58, 59]
    assert (selection.n_source, selection.n_target, selection.n_fixed) == (60, 55, 5)
    same = protodash.select(
        np.concatenate([pool, labelled]), pool, 3, fixed=range(55, 60), kernel="gaussian", bandwidth=1.0
    )
    assert same.indices.tolist() == selection.indices.tolist()
    with pytest.raises(ValueError, match="fixed has 2 columns and source has 3"):
        protodash.select(pool, fixed=labelled[:, :2])
    with pytest.raises(ValueError, match="source_sample cannot be combined"):
        protodash.select(pool, fixed=labelled, source_sample=9)


def test_tables_name_rows_by_id():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    table = pandas.DataFrame({"name": [f"n{row}" for row in range(60)], "x": ROWS[:, 0], "y": ROWS[:, 1]})
    selection = protodash.select(table, n_prototypes=2, id="name", fixed=["n9"], exclude=["n1", "n2"])
    assert selection.ids[0] == "n9"
    pool, labelled = table[:55], table[55:]
    joined = protodash.select(pool, n_prototypes=2, id="name", fixed=labelled)
    assert joined.ids[:5] == [f"n{row}" for row in range(55, 60)]
    also = protodash.select(polars.from_pandas(pool), n_prototypes=2, id="name", fixed=polars.from_pandas(labelled))
    assert also.indices.tolist() == joined.indices.tolist()
    for given in ("fixed", "exclude"):
        with pytest.raises(ValueError, match=f"{given}.*no source row has this id"):
            protodash.select(table, id="name", **{given: ["n3", "nobody"]})
    with pytest.raises(ValueError, match="column 'y' is in only one of source and fixed"):
        protodash.select(pool, fixed=labelled.drop(columns="y"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed": [60]}, "fixed names row 60, but the source has 60 rows; rows are counted from 0"),
        ({"exclude": [-1]}, "exclude names row -1"),
        ({"fixed": [3], "exclude": [3]}, "source row 3 is both fixed and excluded"),
        ({"exclude": range(60)}, "no source row is left to choose"),
        ({"fixed": [3], "method": "swap"}, "swap does not support fixed, excluded or resumed rows"),
        ({"fixed": [3], "label": [0] * 60, "per_label": "equal"}, "cannot be fixed or excluded in a selection per class"),
    ],
)
def test_wrong_rows_are_rejected(options, message):
    with pytest.raises(ValueError, match=message):
        protodash.select(ROWS, n_prototypes=2, **options)


def test_names_that_are_no_rows_are_rejected():
    with pytest.raises(TypeError, match="rows are named by numbers"):
        protodash.select(ROWS, fixed=["a"])
    with pytest.raises(TypeError, match="must be a list of row numbers or ids"):
        protodash.select(ROWS, exclude=3)


@pytest.mark.parametrize("method", ["protodash", "protogreedy", "l2c", "random"])
def test_a_continued_run_is_the_fresh_run(tmp_path, method):
    path = tmp_path / "few.json"
    few = protodash.select(ROWS, n_prototypes=6, method=method, fixed=[5], exclude=[2])
    few.save(path)
    fresh = protodash.select(ROWS, n_prototypes=20, method=method, fixed=[5], exclude=[2])
    for resume in (few, path, str(path)):
        more = protodash.select(ROWS, n_prototypes=20, method=method, fixed=[5], exclude=[2], resume=resume)
        more.save(tmp_path / "more.json")
        fresh.save(tmp_path / "fresh.json")
        assert (tmp_path / "more.json").read_bytes() == (tmp_path / "fresh.json").read_bytes()


def test_a_run_with_other_data_or_options_is_not_continued():
    few = protodash.select(ROWS, n_prototypes=4)
    with pytest.raises(ValueError, match='its method is "protodash", now it is "protogreedy"'):
        protodash.select(ROWS, n_prototypes=8, method="protogreedy", resume=few)
    with pytest.raises(ValueError, match="its number of source rows is 60, now it is 50"):
        protodash.select(ROWS[:50], n_prototypes=8, resume=few)
    bandwidth = few.kernel.bandwidth
    other = ROWS.copy()
    other[few.indices[0]] += 1.0
    with pytest.raises(ValueError, match="the values in its rows, or their weights, are not those of these data"):
        protodash.select(other, n_prototypes=8, bandwidth=bandwidth, resume=few)


def test_rows_of_the_source_are_fixed_there():
    by_number = protodash.select(ROWS, n_prototypes=3, fixed=[7, 4], bandwidth=1.0)
    by_rows = protodash.select(ROWS, n_prototypes=3, fixed=ROWS[[7, 4]], bandwidth=1.0)
    assert by_rows.indices.tolist() == by_number.indices.tolist() and by_rows.n_source == len(ROWS)
    # Equal rows stand for the next copy; a row that the source lacks makes all of them join it.
    copies = np.vstack([ROWS, ROWS[7:8]])
    assert protodash.select(copies, n_prototypes=2, fixed=ROWS[[7, 7]]).indices[:2].tolist() == [7, 60]
    joined = protodash.select(ROWS, n_prototypes=2, fixed=np.vstack([ROWS[7], ROWS[7] + 1]), bandwidth=1.0)
    assert joined.indices[:2].tolist() == [60, 61]
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(ROWS, columns=["x", "y", "z"]).assign(name=[f"r{row}" for row in range(60)])
    chosen = protodash.select(table, n_prototypes=2, drop=["name"], fixed=table.iloc[[9, 3]], source_where="x > -99")
    assert chosen.indices[:2].tolist() == [9, 3] and chosen.n_source == 60
    changed = table.iloc[[9, 3]].assign(x=0.0)
    assert protodash.select(table, n_prototypes=2, id="name", fixed=changed).indices[:2].tolist() == [9, 3]


def test_rows_of_another_table_are_excluded():
    free = protodash.select(ROWS, n_prototypes=5, bandwidth=1.0)
    wrong = np.vstack([ROWS[free.indices[:2]], [[1e6, 1e6, 1e6]]])
    without = protodash.select(ROWS, n_prototypes=5, bandwidth=1.0, exclude=wrong)
    by_number = protodash.select(ROWS, n_prototypes=5, bandwidth=1.0, exclude=free.indices[:2])
    assert without.indices.tolist() == by_number.indices.tolist()
    assert "excluded 2 rows equal to 2 of the 3 rows of exclude" in without.notes
    with pytest.raises(ValueError, match="exclude has 1 row, but no source row is equal to one of them"):
        protodash.select(ROWS, n_prototypes=5, exclude=[[1e6, 1e6, 1e6]])
    with pytest.raises(ValueError, match="exclude has 1 columns and source has 3"):
        protodash.select(ROWS, n_prototypes=5, exclude=[[1e6]])
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="source and exclude must both be tables or both be arrays"):
        protodash.select(ROWS, n_prototypes=5, exclude=pandas.DataFrame(ROWS))
    table = pandas.DataFrame(ROWS, columns=["x", "y", "z"]).assign(name=[f"r{row % 30}" for row in range(60)])
    by_id = protodash.select(table, n_prototypes=5, id="name", exclude=pandas.DataFrame({"name": ["r4", "nobody"]}))
    assert "excluded 2 rows with the id of 1 of the 2 rows of exclude" in by_id.notes
    assert not {4, 34} & set(by_id.indices.tolist())
    with pytest.raises(ValueError, match="\"y\"|'y'"):
        protodash.select(table, n_prototypes=5, drop=["name"], exclude=table[["x", "z", "name"]])


def test_changed_values_are_other_data_even_where_prototypes_stay(tmp_path):
    rows = np.vstack([ROWS, ROWS[:1] + 1e-13])
    few = protodash.select(rows, n_prototypes=3, bandwidth=1.0)
    place = next(row for row in range(60) if row not in few.indices)
    other = rows.copy()
    other[place] = np.nextafter(other[place], 9.0)
    assert protodash.select(rows, n_prototypes=6, bandwidth=1.0, resume=few).n_source == 61
    with pytest.raises(ValueError, match="resume cannot continue this run: the values in its rows, or their weights, are not"):
        protodash.select(other, n_prototypes=6, bandwidth=1.0, resume=few)
    # A file without the hash is checked as before.
    few.save(tmp_path / "few.json")
    text = (tmp_path / "few.json").read_text()
    hashed = next(line for line in text.splitlines() if '"data_hash"' in line)
    (tmp_path / "few.json").write_text(text.replace(hashed + "\n", ""))
    assert len(protodash.select(other, n_prototypes=6, bandwidth=1.0, resume=tmp_path / "few.json")) == 6
    other[few.indices[0]] += 1.0
    with pytest.raises(ValueError, match="objective"):
        protodash.select(other, n_prototypes=6, bandwidth=1.0, resume=tmp_path / "few.json")


def test_a_selection_is_a_sequence_of_prototypes():
    selection = protodash.select(ROWS, n_prototypes=3, fixed=[7], label=[f"c{row % 2}" for row in range(60)])
    assert [one.index for one in selection] == selection.indices.tolist()
    first = selection[0]
    assert (first.index, first.fixed, first.label, selection[-1].fixed) == (7, True, "c1", False)
    assert sum(one.share for one in selection.prototypes) == pytest.approx(1.0)
    assert len(selection[1:]) == 3
    with pytest.raises(IndexError):
        selection[4]


def test_only_public_names_are_completed():
    from protodash import aix360, classifier, estimators, kernels

    for module in (protodash, aix360, classifier, estimators, kernels):
        assert sorted(module.__all__) == dir(module)


@pytest.mark.parametrize(
    "options",
    [
        {"fixed": [59, 7], "n_prototypes": 4},
        {"exclude": range(45, 60), "n_prototypes": 6},
        {"max_weight": 0.3, "min_effective": 5.5, "n_prototypes": 6},
        {"fixed": ROWS[:2] + 9, "n_prototypes": 4},
    ],
)
def test_the_bandwidth_is_cross_validated_on_rows_without_the_given_ones(options):
    found = protodash.select(ROWS, bandwidth="cv", **options)
    if isinstance(options.get("fixed"), list) or "fixed" not in options:
        plain = protodash.select(ROWS, n_prototypes=6, bandwidth="cv")
        assert found.kernel.bandwidth == plain.kernel.bandwidth
    assert len(found) == 6


def test_a_target_matrix_of_other_rows_is_named_as_the_argument():
    with pytest.raises(ValueError, match="^target has 3 columns for 2 source rows; it needs one for each\nhint: "):
        protodash.select(np.eye(2), np.full((4, 3), 0.1), 1, kernel="precomputed", target_energy="skip")
