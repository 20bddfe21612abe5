"""Shared fixtures: the sample data of the repository, and the command to compare with."""

from __future__ import annotations

import csv
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
TESTDATA = ROOT / "testdata"


def optional(name: str) -> Any:
    """An optional package. Without it the tests of a file are skipped, if that is intended."""
    return pytest.importorskip(name) if os.environ.get("PROTODASH_BARE") else import_module(name)


@pytest.fixture(scope="session")
def command() -> str:
    """The path of the command, which `cargo xtask python` builds."""
    path = os.environ.get("PROTODASH_COMMAND")
    if not path:
        reason = "the variable PROTODASH_COMMAND does not name the command; `cargo xtask python` sets it"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def wine() -> np.ndarray:
    """178 wines, 13 features, standardised."""
    rows = np.array([row[1:] for row in cells("wine.csv")], dtype=float)
    return (rows - rows.mean(0)) / rows.std(0)


@pytest.fixture(scope="session")
def digits() -> tuple[np.ndarray, np.ndarray]:
    """1,797 digits with 64 features, and their labels."""
    rows = cells("digits.csv")
    return np.array([row[1:] for row in rows], dtype=float), np.array([int(row[0]) for row in rows])


def cells(name: str) -> list[list[str]]:
    """The cells of a table of the repository, without its header."""
    with open(TESTDATA / name, newline="") as file:
        return list(csv.reader(file))[1:]
