"""Tests with real processes of Ray on this machine. All are stopped at the end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"

import ray  # noqa: E402

LOGICAL_CPUS = 8
"""More than there are: what is tested is not speed."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of a cluster of one node, to which this process is connected."""
    ray.init(
        address="local",
        num_cpus=LOGICAL_CPUS,
        object_store_memory=100 << 20,
        include_dashboard=False,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


@pytest.fixture(scope="session")
def command() -> Callable[..., bytes]:
    """Run the command and return the JSON that it writes."""

    def run(*arguments: str, cwd: Path) -> bytes:
        output = cwd / "command.json"
        subprocess.run(
            [os.environ["PROTODASH_COMMAND"], "select", *arguments, "--means", "full", "--quiet", "-o", str(output)],
            cwd=cwd,
            check=True,
        )
        return output.read_bytes()

    return run


def numbers(n_rows: int, seed: int, dtype: Any) -> pa.Table:
    """Rows around four centres; every ninth is a copy of an earlier one."""
    random = np.random.default_rng(seed)
    rows = random.random((n_rows, 5)) + np.arange(n_rows)[:, None] % 4 * 0.8
    rows[9::9] = rows[: len(rows[9::9])]
    return pa.table({f"x{column}": pa.array(rows[:, column].astype(dtype)) for column in range(5)})


def mixed(n_rows: int, seed: int) -> pa.Table:
    """Numbers with gaps, texts, an id and a class."""
    random = np.random.default_rng(seed)
    ages = [None if row % 17 == 3 else float(age) for row, age in enumerate(random.integers(18, 90, n_rows))]
    towns = random.choice(["Oslo", "Bergen", "Vadsø"], n_rows)
    return pa.table(
        {
            "person": [f"p{row}" for row in range(n_rows)],
            "age": ages,
            "town": towns,
            "member": random.random(n_rows) < 0.3,
            "income": random.lognormal(10.0, 0.5, n_rows),
            "class": random.choice(["a", "b"], n_rows),
        }
    )


def write_parts(table: pa.Table, folder: Path, n_parts: int) -> str:
    """Write a table as Parquet parts of different sizes; returns their pattern, relative to the folder above."""
    folder.mkdir()
    bounds = [table.num_rows * part * (part + 1) // (n_parts * (n_parts + 1)) for part in range(n_parts + 1)]
    for part, (start, end) in enumerate(zip(bounds, bounds[1:])):
        pq.write_table(table.slice(start, end - start), folder / f"part-{part}.parquet")
    return f"{folder.name}/*.parquet"
