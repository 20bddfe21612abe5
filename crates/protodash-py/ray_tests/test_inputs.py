"""What is read: parts of all kinds, files behind URLs, datasets of Ray; and what is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import mixed, numbers, text, use_worker, write_parts

import protodash.ray
from protodash.ray._worker import Worker

Command = Callable[..., bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_parts(numbers(60, 1, np.float64), tmp_path / "parts", 2)
    return tmp_path


def error_of(folder: Path, **options: Any) -> str:
    with pytest.raises(ValueError, match=".*") as raised:
        protodash.ray.select(folder / "parts" / "*.parquet", n_prototypes=3, n_workers=2, **options)
    return str(raised.value)


def test_bad_files_give_the_errors_of_the_command(cluster: str, folder: Path) -> None:
    parts = folder / "parts"
    pq.write_table(pa.table({"x0": [1.0], "other": [2.0]}), parts / "part-2.parquet")
    error = error_of(folder)
    assert "part-2.parquet" in error and "all parts must have the same columns" in error
    (parts / "part-2.parquet").write_bytes(b"PAR1 and nothing more")
    assert "part-2.parquet" in error_of(folder)
    (parts / "part-2.parquet").unlink()
    assert "x9" in error_of(folder, columns=["x9"])
    with pytest.raises(ValueError, match="none"):
        protodash.ray.select(folder / "none" / "*.parquet", n_prototypes=3, n_workers=2)


def test_a_part_may_have_no_rows_but_not_no_bytes(cluster: str, folder: Path) -> None:
    parts = folder / "parts"
    expected = text(protodash.ray.select(parts, n_prototypes=3, n_workers=2))
    pq.write_table(numbers(60, 1, np.float64).slice(0, 0), parts / "part-2.parquet")
    assert text(protodash.ray.select(parts, n_prototypes=3, n_workers=2)) == expected
    # What Spark leaves beside its parts is not one of them.
    (parts / "_SUCCESS").touch()
    assert text(protodash.ray.select(parts, n_prototypes=3, n_workers=2)) == expected
    (parts / "part-3.parquet").touch()
    assert "part-3.parquet has no bytes; if it was not copied completely" in error_of(folder)


def test_sparse_rows_are_refused_before_means_are_computed(cluster: str, tmp_path: Path) -> None:
    lines = [f"{row % 2} {1 + row % 3}:{row} {5 + row % 7}:1.5\n" for row in range(40)]
    (tmp_path / "rows.svm").write_text("".join(lines))
    with pytest.raises(ValueError, match="sparse rows.* cannot be a table"):
        protodash.ray.select(tmp_path / "rows.svm", n_prototypes=3, n_workers=1)


def test_files_behind_a_url_give_the_bytes_of_the_command(
    cluster: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = write_parts(mixed(300, 1), tmp_path / "parts", 3)
    expected = command(source, "--n-prototypes", "5", "--missing", "mean", "--id", "person", "--drop", "class", cwd=tmp_path)
    for given in [f"file://{tmp_path}/{source}", f"local://{tmp_path}/parts"]:
        found = protodash.ray.select(given, n_prototypes=5, n_workers=2, missing="mean", id="person", drop=["class"])
        # The path is the only difference.
        assert text(found).replace(given, source).encode() == expected, given
    with pytest.raises(FileNotFoundError, match=r"file:.*none.*: there is no such file"):
        protodash.ray.select(f"file://{tmp_path}/none/*.parquet", n_prototypes=5, n_workers=1)
    (tmp_path / "parts" / "part-3.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(ValueError, match=f"file://{tmp_path}/parts/part-3.parquet"):
        protodash.ray.select(f"file://{tmp_path}/parts", n_prototypes=5, n_workers=1)
    with pytest.raises(ValueError, match="[Pp]rotocol"):
        protodash.ray.select("nonsense://parts", n_prototypes=5, n_workers=1)


def test_a_dataset_of_ray_is_the_table_with_its_rows_in_order(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray.data

    ray.data.DataContext.get_current().enable_progress_bars = False
    table, other = mixed(500, 1), mixed(300, 2)
    options: dict[str, Any] = {"n_prototypes": 6, "id": "person", "label": "class", "missing": "mean", "scale": "standard"}
    expected = protodash.select(table, other, **options, means="full")
    expected.save(tmp_path / "expected.json")
    blocks = [table.slice(start, 70) for start in range(0, 500, 70)]

    class Watching(Worker):
        """A worker that notes how many rows it has."""

        def describe(self, level: str) -> dict[str, Any]:
            facts = super().describe(level)
            (tmp_path / f"{os.getpid()}").write_text(str(facts["n_source"]))
            return facts

    use_worker(Watching, monkeypatch)
    # Not computed yet, in the order of the rows.
    source = ray.data.from_arrow(blocks).map_batches(lambda batch: batch, batch_format="pyarrow", batch_size=None)
    protodash.ray.select(source, ray.data.from_arrow(other), n_workers=2, **options).save(tmp_path / "found.json")
    assert (tmp_path / "found.json").read_bytes() == (tmp_path / "expected.json").read_bytes()
    assert not (tmp_path / f"{os.getpid()}").exists()
    with pytest.raises(TypeError, match="one of source and target is a ray.data.Dataset and the other is not"):
        protodash.ray.select(source, "parts/*.parquet")
