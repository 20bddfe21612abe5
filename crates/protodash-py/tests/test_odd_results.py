"""Odd results: Python must match the numbers and words of `testdata/odd_results.json`, like the command."""

import json
import pickle

import numpy as np
import protodash
import pytest
from conftest import TESTDATA

TABLE = json.loads((TESTDATA / "odd_results.json").read_text(encoding="utf-8"))
CASES = [case for case in TABLE if "rows" not in case]
EXPLANATIONS = [case for case in TABLE if "rows" in case]
NUMBERS = ("objective_final", "target_energy", "target_energy_standard_error", "mmd2", "explained", "explained_standard_error")


def selected(case):
    target = case.get("target")
    if target is not None:
        target = np.repeat(np.array(target), case.get("repeat_target", 1), axis=0)
    return protodash.select(np.array(case["source"]), target, **case["options"])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_python_has_the_numbers_and_words_of_the_library(case, tmp_path):
    expected, selection = case["expected"], selected(case)
    selection.save(tmp_path / "result.json")
    for found in (selection, pickle.loads(pickle.dumps(selection)), protodash.Selection.load(tmp_path / "result.json")):
        for name in NUMBERS:
            assert getattr(found, name) == expected[name], name
        for name in ("indices", "weights", "shares"):
            assert getattr(found, name).tolist() == expected[name], name
        assert found.stopped == expected["stopped"]
    shown = repr(selection)
    for text in expected["sentences"] + expected["shares_text"]:
        assert text in shown


@pytest.mark.parametrize("case", EXPLANATIONS, ids=[case["name"] for case in EXPLANATIONS])
def test_explanations_have_the_numbers_and_words_of_the_library(case):
    found = protodash.explain(np.array(case["source"]), np.array(case["rows"]), **case["options"])
    assert case["expected"]["sentence"] in repr(found)
    for row, expected in zip(found, case["expected"]["rows"], strict=True):
        assert row.explained == expected["explained"] and row.sentence == expected["sentence"]
        assert [one.index for one in row.prototypes] == expected["indices"]
        lines = repr(row).splitlines()
        assert lines[0] == expected["sentence"]
        shown = [line for line in lines[1:] if line.startswith("  row ")]
        for line, share, distance in zip(shown, expected["shares_text"], expected["distances_text"], strict=True):
            assert f": {share} of weight, distance {distance}" in line
