"""Every tutorial runs, from a folder with a link to `testdata`."""

import runpy

import pytest
from conftest import ROOT, optional

optional("pandas")
pyplot = optional("matplotlib.pyplot")

TUTORIALS = sorted((ROOT / "crates/protodash-py/tutorials").glob("*.py"))


def test_all_tutorials_exist():
    uses = [
        "correct_covariate_shift",
        "criticisms_in_images",
        "explain_a_credit_decision",
        "explain_training_data",
        "small_evaluation_set",
        "summarise_a_table",
    ]
    assert [tutorial.stem for tutorial in TUTORIALS] == uses


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda tutorial: tutorial.stem)
def test_a_tutorial_runs(tutorial, monkeypatch, tmp_path, capsys):
    pyplot.switch_backend("Agg")
    (tmp_path / "testdata").symlink_to(ROOT / "testdata")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(tutorial))
    assert capsys.readouterr().out
    pyplot.close("all")
