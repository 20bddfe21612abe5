"""Odd results: Python must match the numbers and words of `testdata/odd_results.json`, like the command."""

import json
import pickle

import numpy as np
import protodash
import pytest
from conftest import TESTDATA

CASES = json.loads((TESTDATA / "odd_results.json").read_text(encoding="utf-8"))
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
