"""Tables: the same rows, weights and messages as the command has for the same table in a file."""

import datetime
import json
import subprocess
from decimal import Decimal

import numpy as np
import protodash
import pytest
from conftest import TESTDATA, optional

pandas, polars, pyarrow = optional("pandas"), optional("polars"), optional("pyarrow")

# The first versions of pyarrow with a stream had it for tables only.
HAS_STREAM = hasattr(pyarrow.ChunkedArray, "__arrow_c_stream__")
CHUNKS_REFUSED = "source: its Arrow stream cannot be read: " if HAS_STREAM else "the source has 1 dimension; "
PEOPLE = {
    "name": ["Ada", "Emmy", "Sofia", "Mary"],
    "age": [36.0, 53.0, None, 61.0],
    "city": ["London", "Erlangen", "Stockholm", "London"],
    "member": [True, False, True, True],
}


def frames(data):
    """The same table as every kind of object."""
    arrow = pyarrow.table(data)
    return [pandas.DataFrame(data), polars.DataFrame(data), arrow, arrow.to_reader()]


def read(name):
    return [pandas.read_csv(TESTDATA / name), polars.read_csv(TESTDATA / name, infer_schema_length=None)]


def commanded(command, tmp_path, *arguments):
    path = tmp_path / "command.json"
    subprocess.run([command, "select", *arguments, "--quiet", "-o", path], check=True, cwd=TESTDATA)
    return json.loads(path.read_text())


def saved(selection, tmp_path, **options):
    path = tmp_path / "python.json"
    selection.save(path, **options)
    return json.loads(path.read_text())


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["nhanes_adults.csv", "--id", "id", "--missing", "category", "-m", "5"], {"id": "id", "missing": "category"}),
        (
            ["nhanes_adults.csv", "--id", "id", "--missing", "category", "--drop", "smoking", "-m", "4"]
            + ["--source-where", "smoking = 'never'", "--target-where", "smoking = 'every day'"],
            {"id": "id", "missing": "category", "drop": ["smoking"], "n_prototypes": 4}
            | {"source_where": "smoking = 'never'", "target_where": "smoking = 'every day'"},
        ),
        (["wine.csv", "--label", "label", "-m", "5", "--bandwidth", "cv"], {"label": "label", "bandwidth": "cv"}),
        (["wine.csv", "--drop", "label", "-m", "5", "--bandwidth", "cv", "--kernel", "laplacian"], {"drop": ["label"], "bandwidth": "cv", "kernel": "laplacian"}),
        (["wine.csv", "--label", "label", "-m", "5", "--scale", "minmax"], {"label": "label", "scale": "minmax"}),
        (
            ["wine.csv", "--label", "label", "-m", "5", "--normalize", "--source-sample", "60", "--target-sample", "99", "--seed", "3"],
            {"label": "label", "normalize": True, "source_sample": 60, "target_sample": 99, "seed": 3},
        ),
        (
            ["wine.csv", "--drop", "label", "-m", "4", "--source-sample", "50", "--target-sample", "50"],
            {"drop": ["label"], "n_prototypes": 4, "source_sample": 50, "target_sample": 50},
        ),
        (["wine.csv", "--columns", "alcohol,hue", "-m", "5", "--scale", "none"], {"columns": ["alcohol", "hue"], "scale": "none"}),
        (["digits.csv", "--label", "label", "-m", "5", "--kernel", "hamming"], {"label": "label", "kernel": "hamming"}),
        (["nhanes_adults.csv", "--columns", "age,gender", "-m", "5", "--target-weight", "id"], {"columns": ["age", "gender"], "target_weights": "id"}),
    ],
)  # fmt: skip
def test_a_table_gives_the_same_result_as_its_file(command, tmp_path, arguments, options):
    expected = commanded(command, tmp_path, *arguments)
    for frame in read(arguments[0]):
        selection = protodash.select(frame, **{"n_prototypes": 5, **options})
        found = saved(selection, tmp_path)
        for document in (found, expected):
            document["data"].pop("source", None)
        # Notes name settings as each front end writes them.
        for document in (found, expected):
            document["notes"] = [note.split(";")[0] for note in document["notes"]]
        assert found == expected


def test_the_command_criticizes_results_saved_by_python(command, tmp_path):
    frame = read("nhanes_adults.csv")[0]
    selection = protodash.select(frame, n_prototypes=4, id="id", missing="category")
    path = tmp_path / "result.json"
    selection.save(path)
    arguments = ["criticize", path, "nhanes_adults.csv", "--n-criticisms", "3", "--quiet", "-o", tmp_path / "found.json"]
    subprocess.run([command, *arguments], check=True, cwd=TESTDATA)
    found = json.loads((tmp_path / "found.json").read_text())["criticisms"]
    criticisms = selection.criticisms(3)
    assert [criticism["source_index"] for criticism in found] == criticisms.indices.tolist()
    assert [criticism["id"] for criticism in found] == [str(name) for name in criticisms.ids]
    again = protodash.Selection.load(path)
    assert again.criticisms(3, source=frame).indices.tolist() == criticisms.indices.tolist()


def test_every_kind_of_table_gives_the_same():
    options = {"id": "name", "missing": "category", "n_prototypes": 2}
    runs = [protodash.select(frame, **options) for frame in frames(PEOPLE)]
    features = ["age", "age=(missing)", "city=Erlangen", "city=London", "city=Stockholm", "member=false", "member=true"]
    for run in runs:
        assert run._data.features == features
        assert run.indices.tolist() == runs[0].indices.tolist()
        assert run.weights.tobytes() == runs[0].weights.tobytes()
        assert run.ids == [PEOPLE["name"][index] for index in run.indices]


def test_types_of_pandas():
    plain = pandas.DataFrame({"x": [1.0, 2.0, 7.0, 4.0], "y": ["a", "b", "a", None], "z": [True, False, True, True]})
    expected = protodash.select(plain, n_prototypes=3, missing="category")
    changed = [
        plain.astype({"x": "Int64", "y": "category", "z": "boolean"}),
        plain.astype({"x": "int16", "y": "string", "z": "bool[pyarrow]"}),
        plain.astype({"x": "float32", "y": "object", "z": "object"}),
        plain.astype({"x": "double[pyarrow]", "y": "string[pyarrow]"}),
        plain.astype({"x": "object"}),
    ]
    for frame in changed:
        selection = protodash.select(frame, n_prototypes=3, missing="category")
        assert selection.indices.tolist() == expected.indices.tolist()
        np.testing.assert_allclose(selection.weights, expected.weights, rtol=1e-6)
        assert selection._data.features == expected._data.features


def test_times_are_numbers_or_categories_as_in_a_file():
    times = [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 5, 6, 7), datetime.datetime(2020, 1, 1)]
    for frame in (pandas.DataFrame({"t": times}), polars.DataFrame({"t": times})):
        numbers = protodash.select(frame, n_prototypes=1, scale="none")._data
        assert (numbers.features, numbers.source.matrix[:, 0].tolist()) == (["t"], [18262.0, 18753 + 7 / 24, 18262.0])
        features = protodash.select(frame, n_prototypes=1, categorical=["t"])._data.features
        assert features == ["t=2020-01-01T00:00:00", "t=2021-05-06T07:00:00"]
    aware = pandas.DataFrame({"t": pandas.to_datetime(times).tz_localize("Europe/Berlin")})
    assert protodash.select(aware, n_prototypes=1, categorical=["t"])._data.features[0] == "t=2019-12-31T23:00:00Z"
    assert protodash.select(aware, n_prototypes=1, scale="none")._data.source.matrix[0, 0] == 18262 - 1 / 24


def test_dates_decimals_and_missing_values():
    days = [datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 2)]
    frame = pandas.DataFrame({"day": days, "price": [Decimal("1.5"), Decimal(2), None]})
    selection = protodash.select(frame, n_prototypes=1, missing="category", scale="none")
    assert selection._data.features == ["day", "day=(missing)", "price", "price=(missing)"]
    assert selection._data.source.matrix[0].tolist() == [18262.0, 0.0, 1.5, 0.0]
    nothing = polars.DataFrame({"x": [1.0, 2.0], "empty": [None, None]})
    assert protodash.select(nothing, n_prototypes=1, missing="category")._data.features[0] == "x"


FAR = ["9999-12-31", "2024-01-01", "0001-02-03"]


@pytest.mark.parametrize("unit", ["s", "ms", "us"])
def test_distant_times_are_read_correctly(unit):
    times = pandas.Series(np.array(FAR, dtype=f"datetime64[{unit}]"))
    written = ["t=0001-02-03T00:00:00", "t=2024-01-01T00:00:00", "t=9999-12-31T00:00:00"]
    arrow = times.astype(pandas.ArrowDtype(pyarrow.timestamp(unit)))
    for column in (times, arrow, polars.Series(times.tolist())):
        frame = (polars if isinstance(column, polars.Series) else pandas).DataFrame({"t": column})
        assert protodash.select(frame, n_prototypes=1, categorical=["t"])._data.features == written
    frame = pandas.DataFrame({"t": times, "x": [1.0, 2.0, 3.0]})
    labels = protodash.select(frame, n_prototypes=3, label="t").labels
    assert sorted(f"t={label.isoformat()}" for label in labels) == written
    last = protodash.select(frame, n_prototypes=1, drop=["t"], source_where="t > '9000'", target_where="t > '9000'")
    assert last.indices.tolist() == [0]
    aware = pandas.DataFrame({"t": times.dt.tz_localize("UTC")})
    assert protodash.select(aware, n_prototypes=1, categorical=["t"])._data.features == [f"{text}Z" for text in written]


def test_times_in_an_object_column_equal_a_time_column():
    times = [datetime.datetime(2020, 1, 1), datetime.datetime(2021, 5, 6, 7, 8, 9, 120000), datetime.datetime(2020, 1, 1)]
    zone = datetime.timezone(datetime.timedelta(hours=2))
    for values in (times, [time.replace(tzinfo=zone) for time in times], [pandas.Timestamp(time) for time in times]):
        plain = pandas.DataFrame({"t": values})
        objects = pandas.DataFrame({"t": pandas.Series(values, dtype=object)})
        expected = protodash.select(plain, n_prototypes=1, categorical=["t"])._data.features
        assert protodash.select(objects, n_prototypes=1, categorical=["t"])._data.features == expected
    days = pandas.Series([datetime.date(9999, 12, 31), datetime.date(2020, 1, 1)] * 2)
    frame = pandas.DataFrame({"day": days.astype(pandas.ArrowDtype(pyarrow.date32()))})
    listed = protodash.select(frame, n_prototypes=1, categorical=["day"])
    assert listed._data.features == ["day=2020-01-01", "day=9999-12-31"]


def test_integers_keep_their_digits():
    numbers = [10**17 + 1, 10**17 + 2, None]
    columns = [pandas.Series(numbers, dtype=object), pandas.Series(pandas.Categorical(numbers)), pandas.Series(numbers, dtype="Int64")]
    for column in columns:
        frame = pandas.DataFrame({"x": [0.0, 1.0, 2.0], "n": column})
        for role in ("label", "id"):
            selection = protodash.select(frame, n_prototypes=3, **{role: "n"})
            found = selection.labels if role == "label" else selection.ids
            assert {value for value in found if not pandas.isna(value)} == {10**17 + 1, 10**17 + 2}
    unsigned = pandas.DataFrame({"x": [0.0, 1.0], "n": pandas.Series([2**64 - 1, 2**64 - 2], dtype=object)})
    assert set(protodash.select(unsigned, n_prototypes=2, label="n").labels) == {2**64 - 1, 2**64 - 2}
    for inexact in ([10**30, 1], [2**53 + 1, 0.5]):
        with pytest.raises(TypeError, match='^source: column "n" holds integers that float64 cannot represent exactly; '):
            protodash.select(pandas.DataFrame({"n": pandas.Series(inexact, dtype=object)}), n_prototypes=1)


STRANGE = {
    "Interval": lambda n: pandas.cut(range(n), 2),
    "list": lambda n: [["a"]] * n,
    "Timedelta": lambda n: pandas.to_timedelta(range(n)),
    "numbers and text": lambda n: [1, "a"] * (n // 2),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_an_unsupported_column_can_be_excluded(kind, tmp_path):
    frame = pandas.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "strange": STRANGE[kind](4)})
    with pytest.raises(TypeError) as caught:
        protodash.select(frame, n_prototypes=1)
    assert 'source: column "strange" holds ' in str(caught.value) and kind in str(caught.value)
    assert str(caught.value).endswith('or exclude it with drop=["strange"]')
    for options in ({"drop": ["strange"]}, {"columns": ["x"]}):
        selection = protodash.select(frame, n_prototypes=2, **options)
        assert selection._data.features == ["x"]
        selection.report(tmp_path / "page.html")
    for options in ({"label": "strange", "columns": ["x"]}, {"columns": ["strange"]}, {"columns": ["x"], "source_where": "strange = 1"}):
        with pytest.raises(TypeError, match='column "strange" holds '):
            protodash.select(frame, n_prototypes=1, **options)


def test_lists_and_structs_of_arrow_are_rejected_too():
    table = pyarrow.table({"x": [0.0, 1.0], "l": [["a"], ["b"]], "s": [{"a": 1}, {"a": 2}], "b": [b"1", b"2"]})
    for frame in (table, polars.DataFrame(table)):
        with pytest.raises(TypeError, match='^source: column "l" is of type .*List.*\nhint: .* exclude it with drop='):
            protodash.select(frame, n_prototypes=1)
        for left in ("l", "s", "b"):
            others = [name for name in ("l", "s", "b") if name != left]
            with pytest.raises(TypeError, match=f'^source: column "{left}" is of type '):
                protodash.select(frame, n_prototypes=1, drop=others)
        assert protodash.select(frame, n_prototypes=1, drop=["l", "s", "b"])._data.features == ["x"]
        assert protodash.select(frame, n_prototypes=1, columns=["x"])._data.features == ["x"]
    plain = polars.DataFrame({"x": [0.0, 1.0], "l": [1, 2]})
    with pytest.raises(TypeError, match='^target: column "l" is of type '):
        protodash.select(plain, polars.DataFrame({"x": [0.0], "l": [["a"]]}), n_prototypes=1)


def test_lists_of_numbers_are_embeddings():
    vectors = np.arange(12, dtype=np.float32).reshape(6, 2) ** 2
    fixed = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.ravel()), 2)
    table = pyarrow.table({"e": fixed, "tokens": [[1]] * 5 + [[1, 2]]})
    expected = protodash.select(vectors, n_prototypes=2)
    for frame in (table, polars.DataFrame(table)):
        selection = protodash.select(frame, n_prototypes=2, drop=["tokens"])
        assert selection._data.features == ["e[0]", "e[1]"]
        assert selection._data.source.matrix.dtype == np.float32
        assert selection.indices.tolist() == expected.indices.tolist()
        with pytest.raises(ValueError, match='^source: row 5 .*, column "tokens": the list has 2 elements; all lists must have 1'):
            protodash.select(frame, n_prototypes=2)


def test_names_may_come_from_an_iterator():
    frame = pandas.DataFrame({"x": [0.0, 1.0, 5.0], "y": [1.0, 1.0, 2.0], "code": [1, 2, 1]})
    assert protodash.select(frame, n_prototypes=1, drop=iter(["y", "code"]))._data.features == ["x"]
    assert protodash.select(frame, n_prototypes=1, columns=(name for name in "xy"))._data.features == ["x", "y"]
    coded = protodash.select(frame, n_prototypes=1, columns=["code"], categorical=iter(["code"]))
    assert coded._data.features == ["code=1", "code=2"]


def test_hints_for_tables_in_memory_do_not_mention_files():
    with pytest.raises(ValueError, match="hint: check the code that creates the table$"):
        protodash.select(pandas.DataFrame({"x": []}))
    with pytest.raises(ValueError, match="hint: rename one of them$"):
        protodash.select(pandas.DataFrame([[1.0, 2.0]], columns=["x", "x"]))


def test_a_multi_level_index_names_the_rows():
    index = pandas.MultiIndex.from_product([["a", "b"], [1, 2]])
    selection = protodash.select(pandas.DataFrame({"x": [0.0, 0.1, 5.0, 5.1]}, index=index), n_prototypes=2)
    assert selection.ids == [index[row] for row in selection.indices]
    assert selection._document.ids == [f"{letter}, {number}" for letter, number in selection.ids]
    assert list(selection.to_frame().index) == [index[row] for row in selection.indices]


def test_an_outdated_library_is_reported():
    old = type("DataFrame", (), {"__module__": "polars.dataframe.frame"})
    with pytest.raises(TypeError, match="^this version of polars has no Arrow stream interface; use polars 1.3 or pyarrow 14 or later$"):
        protodash.select(old())


def test_the_index_of_pandas_names_the_rows():
    frame = pandas.DataFrame({"x": [0.0, 0.1, 5.0], "y": [1.0, 1.2, 9.0]}, index=["a", "b", "c"])
    selection = protodash.select(frame, n_prototypes=2, scale="none", bandwidth=1.0)
    assert selection.ids == [["a", "b", "c"][index] for index in selection.indices]
    chosen = selection.to_frame()
    assert list(chosen.index) == selection.ids
    columns = ["source_index", "prototype_weight", "prototype_share", "prototype_gain"]
    columns += ["prototype_n_represented", "x", "y"]
    assert list(chosen.columns) == columns
    assert chosen["x"].tolist() == frame["x"].iloc[selection.indices].tolist()
    in_polars = protodash.select(polars.DataFrame({"x": [0.0, 5.0]}), n_prototypes=1, bandwidth=1.0).to_frame()
    assert in_polars.columns == columns[:-1]
    assert selection.to_frame("polars").columns == [columns[0], "prototype_id", *columns[1:]]
    assert selection.to_frame("polars")["prototype_id"].to_list() == selection.ids
    assert protodash.select(frame.reset_index(drop=True), n_prototypes=1).ids is None


def test_a_frame_of_another_kind_has_the_columns_too():
    data = {"source_index": [7, 8, 9], "city": ["Ulm", "Bonn", None], "x": [0.0, 5.0, 9.0]}
    names = ["source_index_2", "prototype_weight", "prototype_share", "prototype_gain", "prototype_n_represented", *data]
    for table in frames(data):
        selection = protodash.select(table, n_prototypes=2, missing="category")
        for library in (pandas, polars):
            frame = selection.to_frame(library.__name__)
            assert list(frame.columns) == names
            assert frame["source_index_2"].to_list() == selection.indices.tolist()
            assert frame["source_index"].to_list() == [data["source_index"][row] for row in selection.indices]
            assert [city if isinstance(city, str) else None for city in frame["city"].to_list()] == [
                data["city"][row] for row in selection.indices
            ]
    strange = pandas.DataFrame({"x": [0.0, 5.0], "part": pandas.cut([1, 2], 2)})
    assert protodash.select(strange, n_prototypes=1, columns=["x"]).to_frame("polars")["part"].dtype == polars.Object


def test_rows_keep_their_numbers_under_a_condition():
    frame = polars.DataFrame({"x": [0.0, 9.0, 0.2, 9.1], "kind": ["a", "b", "a", "b"]})
    selection = protodash.select(
        frame, n_prototypes=1, source_where="kind = 'b'", target_where="kind = 'b'", drop=["kind"], label=list("wxyz")
    )
    assert selection.indices[0] in (1, 3)
    assert selection.labels == ["wxyz"[selection.indices[0]]]
    assert selection.n_source == 2
    assert selection.criticisms(1).indices[0] in {1, 3} - {selection.indices[0]}


def test_a_custom_kernel_on_a_table():
    frame = pandas.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "y": list("aabb")})
    named = protodash.select(frame, n_prototypes=2, bandwidth=2.0)
    own = protodash.select(frame, n_prototypes=2, kernel=lambda x, y: protodash.kernels.Gaussian(2.0)(x, y))
    assert own.indices.tolist() == named.indices.tolist()
    assert own.n_features == named.n_features == 3


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_rows_of_tables_are_counted_as_rows_of_arrays(value):
    rows = np.arange(20.0).reshape(10, 2)
    rows[7, 1] = value
    with pytest.raises(ValueError, match="row 7, column 1"):
        protodash.select(rows, n_prototypes=1)
    with pytest.raises(ValueError, match=r"row 7 \(counted from 0\)"):
        protodash.select(pandas.DataFrame(rows, columns=["x", "y"]), n_prototypes=1)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"id": "name"}, 'source: missing values in column "age" (1 of 4 rows'),
        ({"id": "nam"}, 'source: there is no column "nam"; '),
        ({"id": "name", "drop": ["age", "wealth"]}, 'source: there is no column "wealth"; '),
        ({"id": "name", "missing": "mean", "source_where": "age >"}, "condition"),
        ({"columns": ["city"], "source_where": "city = 'Paris'"}, "source: "),
        ({"id": "name", "missing": "category", "memory": 10}, "source: "),
    ],
)
def test_errors_in_tables_name_no_flags(place, options, message):
    with pytest.raises(ValueError) as caught:
        protodash.select(frames(PEOPLE)[place], n_prototypes=1, **options)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "options", "error", "message"),
    [
        (pandas.DataFrame({"x": [1.0, "a", 2.0]}), {}, TypeError, 'source: column "x" holds numbers and text; a column must hold numbers, lists of numbers, text, times or booleans, all of one kind'),
        (pandas.DataFrame({"x": [object()]}), {}, TypeError, 'source: column "x" holds objects of type object; a column'),
        (pandas.DataFrame({"x": []}), {}, ValueError, "source: "),
        (pandas.DataFrame({"x": [1.0]}), {"target": np.ones((2, 1))}, TypeError, "the source is a table but the target is of type ndarray; both must be tables"),
        (np.ones((2, 1)), {"target": pandas.DataFrame({"x": [1.0]})}, TypeError, "the target is a table but the source is of type ndarray; both must be tables"),
        (pandas.DataFrame({"x": [1.0]}), {"scale": "log"}, ValueError, "unknown scale 'log'; allowed are none, standard, minmax, robust, rank"),
        (pandas.DataFrame({"x": [1.0]}), {"missing": "drop"}, ValueError, "unknown missing 'drop'; allowed are error, category, mean, zero"),
        (pandas.DataFrame({"x": [1.0]}), {"drop": "x"}, TypeError, "drop is 'x'; it must be a list of column names, as in drop=['x']"),
        (pandas.DataFrame({2: [1.0]}), {"drop": [2]}, TypeError, "drop has 2, of type int; column names are text, as in drop=['2']"),
        (pandas.DataFrame({"x": [1.0]}), {"drop": 3}, TypeError, "drop is 3; it must be a list of column names"),
        (pandas.DataFrame({"x": [1.0]}), {"columns": []}, ValueError, "columns is empty; name at least one feature, or omit it"),
        (pandas.DataFrame({"x": [1.0]}), {"id": 5}, TypeError, "id is of type int; it must be the name of a column, or one value for each source row"),
        (np.ones((2, 1)), {"label": 5}, TypeError, "label is of type int; it must be the name of a column, or one value for each"),
        (np.ones((2, 1)), {"label": np.array([[0], [1]])}, ValueError, "label has the shape (2, 1); it must be (2,), one value for each source row"),
        (np.ones((2, 1)), {"id": [[0], [1]]}, ValueError, "id has [0] for row 0; it must be one value for each source row, not a list"),
        (pandas.DataFrame({"x": [1.0]}), {"target": pandas.DataFrame({"x": [object()]})}, TypeError, 'target: column "x" holds objects'),
        (pandas.DataFrame({"x": [1.0]}), {"target": pandas.DataFrame()}, ValueError, "target: has no columns, at least 1 is needed"),
        (pandas.DataFrame({"x": [1.0]}), {"kernel": "precomputed"}, TypeError, "the source is a table; kernel values must be an array of numbers"),
        (pandas.DataFrame({"x": [1.0]}), {"label": [1, 2]}, ValueError, "label has 2 values for 1 source rows; there must be one for each"),
        (pandas.DataFrame(), {}, ValueError, "source: has no columns, at least 1 is needed"),
        (pandas.DataFrame({"x": [1 + 2j]}), {}, TypeError, 'source: column "x" holds objects of type complex; a column'),
        (pandas.DataFrame({"x": [["a"], ["b"]]}), {}, TypeError, 'source: column "x" holds objects of type list; a column'),
        (pandas.DataFrame([[1.0, 2.0]], columns=["x", "x"]), {}, ValueError, 'source: columns 1 and 2 are both called "x"; names must differ'),
        (pandas.DataFrame({"x": [1.0]}), {"source_where": 5}, TypeError, "source_where is of type int; it must be an SQL condition, as text"),
        (pandas.Series([1.0, 2.0]), {}, ValueError, "the source has 1 dimension; it must have 2"),
        (polars.Series([1.0, 2.0]), {}, ValueError, "the source has 1 dimension; it must have 2"),
        (polars.DataFrame({"x": [1.0]}).lazy(), {}, TypeError, "the source is of type LazyFrame; an array or a table is expected; collect it first"),
        (polars.DataFrame({"x": [["a"]]}), {}, TypeError, 'source: column "x" is of type LargeList('),
        (pyarrow.chunked_array([[1.0]]), {}, ValueError, CHUNKS_REFUSED),
    ],
)  # fmt: skip
def test_invalid_tables_are_rejected(source, options, error, message):
    with pytest.raises(error) as caught:
        protodash.select(source, n_prototypes=1, **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (
            {"a": [1.0, None, 3.0], "first name": ["x", "y", None]},
            {},
            'use missing="category", or exclude the columns with drop=["a", "first name"]',
        ),
        (
            {"a": [1.0, None, 3.0], 'the "b"': [1.0, 2.0, None]},
            {},
            'use missing="category", missing="mean", missing="zero", or exclude the columns with drop=["a", "the \\"b\\""]',
        ),
        ({"b": ["x", None, "y"]}, {"missing": "mean"}, 'use missing="category", which adds a "missing" category'),
        ({"b": ["x", "y"]}, {"drop": ["c"]}, "correct the name in drop"),
        ({"b": ["x", "y"], "w": [0.0, 0.0]}, {"target_weights": "w"}, "omit target_weights to weight all rows equally"),
    ],
)  # fmt: skip
def test_hints_name_keyword_arguments(table, options, message):
    with pytest.raises(ValueError, match="hint: ") as caught:
        protodash.select(pandas.DataFrame(table), n_prototypes=1, **options)
    assert f"hint: {message}" in str(caught.value)


def test_a_one_shot_reader_can_be_used_later(tmp_path):
    table = pyarrow.table({"age": [30.0, 31.0, 70.0], "city": ["Ulm", "Ulm", "Bonn"]})
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches())
    selection = protodash.select(reader, n_prototypes=2)
    assert selection.indices.tolist() == protodash.select(table, n_prototypes=2).indices.tolist()
    selection.report(tmp_path / "page.html")
    assert "Bonn" in (tmp_path / "page.html").read_text()


def test_hints_for_a_loaded_selection_name_no_keywords_of_select(tmp_path):
    frame = pandas.DataFrame({"x": [0.0, 1.0, 5.0], "y": [1.0, 1.0, 2.0]})
    protodash.select(frame, n_prototypes=1).save(tmp_path / "result.json")
    loaded = protodash.Selection.load(tmp_path / "result.json")
    with pytest.raises(ValueError, match="^source: missing values in column") as caught:
        loaded.criticisms(1, source=pandas.DataFrame({"x": [0.0, None, 5.0], "y": [1.0, 1.0, 2.0]}))
    assert "hint" not in str(caught.value)
