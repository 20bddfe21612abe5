"""The JSON of any number of workers is that of the command, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import mixed, numbers, write_parts

import protodash.ray

Command = Callable[..., bytes]


def saved(selection: protodash.Selection, folder: Path) -> bytes:
    selection.save(folder / "ray.json")
    return (folder / "ray.json").read_bytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_number_of_workers_gives_the_bytes_of_the_command(
    cluster: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    # More than 8,192 rows: their kernel mean is computed in parts.
    source = write_parts(numbers(9000, 1, dtype), tmp_path / "parts", 5)
    expected = command(source, "--n-prototypes", "12", cwd=tmp_path)
    for n_workers in [1, 2, 4, 7]:
        selection = protodash.ray.select(source, n_prototypes=12, n_workers=n_workers)
        assert saved(selection, tmp_path) == expected, n_workers


def test_tables_with_another_target_and_all_options(
    cluster: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, target = write_parts(mixed(700, 1), tmp_path / "all", 3), write_parts(mixed(900, 2), tmp_path / "new", 2)
    flags = ["--target", target, "--id", "person", "--label", "class", "--missing", "mean", "--method", "protogreedy"]
    flags += ["--weights", "convex", "--scale", "robust", "--source-where", "age > 30", "--drop", "member", "--seed", "5"]
    expected = command(source, "--n-prototypes", "9", *flags, cwd=tmp_path)
    selection = protodash.ray.select(
        source,
        target,
        9,
        n_workers=3,
        id="person",
        label="class",
        missing="mean",
        method="protogreedy",
        weights="convex",
        scale="robust",
        source_where="age > 30",
        drop=["member"],
        seed=5,
    )
    assert saved(selection, tmp_path) == expected
    assert selection.ids is not None and selection.ids[0].startswith("p")
    assert "Selection" in type(selection).__name__ and len(repr(selection)) > 100


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({"n_prototypes": "1%", "kernel": "laplacian", "bandwidth": 0.7}, ["--n-prototypes", "1%", "--kernel", "laplacian", "--bandwidth", "0.7"]),
        ({"n_prototypes": None, "min_gain": 0.001}, ["--n-prototypes", "all", "--min-gain", "0.001"]),
        ({"n_prototypes": 6, "kernel": "linear", "weights": "shares"}, ["--n-prototypes", "6", "--kernel", "linear", "--weights", "shares"]),
        ({"n_prototypes": 6, "max_weight": 0.2, "target_weights": "x4"}, ["--n-prototypes", "6", "--max-weight", "0.2", "--target-weight", "x4"]),
    ],
)
def test_numbers_kernels_and_weights(
    cluster: str,
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, Any],
    flags: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = write_parts(numbers(500, 3, np.float64), tmp_path / "parts", 2)
    expected = command(source, *flags, cwd=tmp_path)
    assert saved(protodash.ray.select(source, n_workers=2, **options), tmp_path) == expected


def test_progress_names_both_stages(cluster: str, tmp_path: Path) -> None:
    source = tmp_path / write_parts(numbers(9000, 1, np.float32), tmp_path / "parts", 2)
    seen: list[tuple[str, int, int]] = []
    protodash.ray.select(source, n_prototypes=3, n_workers=2, progress=lambda *news: seen.append(news))
    assert ("kernel mean", 1, 2) in seen and ("kernel mean", 2, 2) in seen
    assert {stage for stage, *_ in seen} >= {"kernel mean", "search"}


def test_rows_pass_between_processes_only_if_they_are_chosen(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from protodash.ray import _cluster

    n_bytes = 0
    receive = _cluster.WatchedWorker.receive

    def counted(worker: Any, ticket: Any, seconds: float) -> bytes | None:
        nonlocal n_bytes
        reply = receive(worker, ticket, seconds)
        n_bytes += len(reply or b"")
        return reply

    monkeypatch.setattr(_cluster.WatchedWorker, "receive", counted)
    source = tmp_path / write_parts(numbers(9000, 1, np.float64), tmp_path / "parts", 2)
    protodash.ray.select(source, n_prototypes=10, n_workers=2)
    # The rows take 360,000 bytes.
    assert 0 < n_bytes < 20_000
