"""Tables that share a key: the numbers of the command, as arrays."""

import json
import subprocess

import numpy as np
import protodash
import pytest
from conftest import ROOT, optional

pandas = optional("pandas")
NAMES = ["early_childhood", "health", "income", "occupation"]


@pytest.fixture(scope="module")
def tables():
    return {name: pandas.read_csv(ROOT / f"testdata/relate/{name}.csv") for name in NAMES}


def without_paths(text):
    found = json.loads(text)
    for table in found["tables"]:
        table["path"] = None
    found["notes"] = len(found["notes"])  # they name files and flags, or tables and keywords
    return found


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--all-categorical"], {"categorical": "all"}),
        (["--all-categorical", "--keys", "all", "--kernel", "linear"], {"categorical": "all", "keys": "all", "kernel": "linear"}),
        (["--drop", "INQ080", "-m", "4", "--best", "2", "--method", "l2c"], {"drop": ["INQ080"], "n_prototypes": 4, "best": 2, "method": "l2c"}),
    ],
)
def test_the_json_is_that_of_the_command(tables, command, tmp_path, flags, options):
    out = tmp_path / "tables.json"
    paths = [str(ROOT / f"testdata/relate/{name}.csv") for name in NAMES]
    subprocess.run([command, "relate", *paths, "--key", "SEQN", *flags, "-q", "-o", out], check=True)
    assert without_paths(protodash.relate(tables, key="SEQN", **options).to_json()) == without_paths(out.read_text())


def test_three_tables_by_hand():
    # The tables of the command's own test; b's prototypes represent a and c best.
    a = pandas.DataFrame({"id": [1, 2, 3, 4], "p": [1, 1, 1, 0], "q": [0, 0, 0, 1]})
    b = pandas.DataFrame({"x": [1, 2, 1], "id": [3, 1, 2]})
    c = pandas.DataFrame({"id": [4, 3], "p": [1, 0], "q": [0, 1]})
    relation = protodash.relate({"a": a, "b": b, "c": c}, "id", n_prototypes=1, kernel="linear", scale="none")
    nan = np.nan
    np.testing.assert_allclose(relation.explained, [[0.9, 1, 0.5], [1, 1, 1], [0.5, 1, 0.5]], atol=1e-12)
    np.testing.assert_allclose(relation.rank, [[nan, 1, 2], [1.5, nan, 1.5], [2, 1, nan]])
    assert relation.edges == [("b", "a"), ("a", "b"), ("c", "b"), ("b", "c")]
    assert relation.tables["a"].keys == ["1"]
    assert relation.tables["a"].weights.tolist() == [0.75]
    assert relation.tables["b"].average_rank == 1.0
    assert "b represents the other tables best" in repr(relation)


def test_a_frame_and_files(tables, tmp_path):
    relation = protodash.relate(tables, key="SEQN", categorical="all", n_prototypes=3)
    frame = relation.to_frame()
    assert len(frame) == 10
    assert set(frame.columns) >= {"target", "source", "n_keys", "explained", "own_explained", "rank"}
    relation.save(tmp_path / "tables.json")
    relation.report(tmp_path / "tables.html")
    assert (tmp_path / "tables.html").read_text().startswith("<!DOCTYPE html>")


def test_invalid_calls(tables):
    with pytest.raises(ValueError, match="relate needs at least two tables"):
        protodash.relate({"income": tables["income"]}, key="SEQN")
    with pytest.raises(TypeError, match="table 'b' is of type ndarray"):
        protodash.relate({"a": tables["income"], "b": np.zeros((2, 2))}, key="SEQN")
    with pytest.raises(ValueError, match='there is no column "ident"'):
        protodash.relate(tables, key="ident")
    with pytest.raises(ValueError, match='none of the 4 tables has a column "nothing"'):
        protodash.relate(tables, key="SEQN", drop=["nothing"])
    with pytest.raises(ValueError, match="relate needs a built-in kernel"):
        protodash.relate(tables, key="SEQN", kernel=lambda x, y: x @ y.T)


def test_a_table_whose_mean_is_zero_is_rejected_by_name():
    tables = {name: pandas.DataFrame({"id": [1, 2, 3], "x": [1.0, 2.0, 4.0]}) for name in ["age", "height"]}
    with pytest.raises(ValueError, match=r"age: under this kernel the mean is 0(.|\n)*use another kernel or scale"):
        protodash.relate(tables, key="id", kernel="linear", scale="standard")


def test_notes_name_the_table_the_column_and_the_keyword():
    keys = np.arange(40)
    tables = {
        "a": pandas.DataFrame({"id": keys, "height": keys % 7, "number": 900 + keys}),
        "b": pandas.DataFrame({"id": keys, "x": keys % 5}),
    }
    relation = protodash.relate(tables, key="id", n_prototypes=3)
    assert relation.notes == [
        'a: integer column "number" has only distinct values, so it looks like an id but is used as a feature; exclude it '
        'with drop=["number"]'
    ]
    assert json.loads(relation.to_json())["notes"] == relation.notes
    assert protodash.relate(tables, key="id", n_prototypes=3, drop=["number"]).notes == []
