"""The checkpoint of a run on a cluster: what it stores, what it survives, what it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from protodash.ray._journal import Journal

RUN: dict[str, Any] = {"data": "sha256:1", "options": {"method": "protodash", "seed": 0, "share": 0.1}}
MEANS = [b"", b"the means of some rows", bytes(range(256)) * 9]


def written(path: Path, rows: list[int]) -> bytes:
    journal = Journal(path, RUN)
    for size, row in enumerate(rows, 1):
        journal.record(size, row)
    journal.close()
    return path.read_bytes()


def rows_in(path: Path) -> list[int]:
    journal = Journal(path, RUN)
    journal.close()
    return journal.rows


def test_rows_are_on_disk_before_the_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    journal = Journal(path, RUN)
    assert journal.rows == []
    for size, row in enumerate([7, 3, 1_000_000], 1):
        before = path.read_bytes()
        journal.record(size, row)
        assert path.read_bytes().startswith(before) and path.read_bytes() != before
    journal.close()
    again = Journal(path, RUN)
    assert again.rows == [7, 3, 1_000_000]
    # A continued run reports its first rows again.
    again.record(1, 7)
    again.record(4, 9)
    again.close()
    assert rows_in(path) == [7, 3, 1_000_000, 9]


def test_a_run_that_chooses_other_rows_is_an_error(tmp_path: Path) -> None:
    written(tmp_path / "run", [7, 3])
    journal = Journal(tmp_path / "run", RUN)
    with pytest.raises(ValueError, match="has row 3 as number 2, but this run chose row 5"):
        journal.record(2, 5)
    journal.close()


def test_a_journal_cut_at_any_byte_loses_only_what_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "run"
    lengths = [len(written(path, [11, 22, 33][:size])) for size in range(4) if not path.unlink(missing_ok=True)]
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        complete = sum(length >= end for end in lengths[1:])
        assert rows_in(path) == [11, 22, 33][:complete], length
        # What follows is appended to complete records.
        journal = Journal(path, RUN)
        journal.record(complete + 1, 44)
        journal.close()
        assert rows_in(path) == [*[11, 22, 33][:complete], 44], length


def test_a_damaged_last_record_is_ignored_and_an_earlier_one_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = written(path, [11, 22])
    starts = [match.end() for match in re.finditer(b"\n", whole)]
    for place in range(starts[0], starts[1] - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ValueError, match=f"damaged at byte {starts[0]}; delete it"):
            Journal(path, RUN)
    path.write_bytes(whole[:-2] + b"?\n")
    assert rows_in(path) == [11]


def test_other_files_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    for content in [b"Chapter 1\n", b"deadbeef", b"deadbeef is what\nwe eat\n", bytes(2000)]:
        path.write_bytes(content)
        if content == b"deadbeef":  # as a first line cut off would be
            continue
        with pytest.raises(ValueError, match="is not a journal of protodash"):
            Journal(path, RUN)
        assert path.read_bytes() == content


def test_the_journal_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    content = written(path, [11])
    other = {**RUN, "data": "sha256:2"}
    with pytest.raises(ValueError, match="another run: its data is sha256:1, that of this call sha256:2"):
        Journal(path, other)
    with pytest.raises(ValueError, match="its version is None, that of this call 9"):
        Journal(path, {**RUN, "version": 9})
    with pytest.raises(ValueError, match="its data is sha256:1, that of this call None"):
        Journal(path, {"options": RUN["options"]})
    assert path.read_bytes() == content


def test_two_runs_cannot_have_the_same_checkpoint(tmp_path: Path) -> None:
    first = Journal(tmp_path / "run", RUN)
    with pytest.raises(ValueError, match="in use by another run"):
        Journal(tmp_path / "run", RUN)
    first.close()
    Journal(tmp_path / "run", RUN).close()


def test_means_are_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "run"
    journal = Journal(path, RUN)
    assert journal.load_means(0) is None
    for task, means in enumerate(MEANS):
        journal.save_means(task, means)
    journal.close()
    journal = Journal(path, RUN)
    assert [journal.load_means(task) for task in range(4)] == [*MEANS, None]
    part = tmp_path / "run.means" / "part-0001"
    content = part.read_bytes()
    for length in range(len(content)):
        part.write_bytes(content[:length])
        assert journal.load_means(1) is None
    journal.close()


def test_a_finished_run_keeps_its_result_and_no_means(tmp_path: Path) -> None:
    path = tmp_path / "run"
    result = '{"name": "Vadsø",\n "weights": [0.1]}\n'
    journal = Journal(path, RUN)
    for size, row in enumerate([11, 22], 1):
        journal.record(size, row)
    journal.save_means(0, MEANS[1])
    unfinished = path.read_bytes()
    journal.finish(result)
    assert journal.result == result
    journal.close()
    assert list(tmp_path.iterdir()) == [path]
    whole = path.read_bytes()
    for length in range(len(unfinished), len(whole) + 1):
        path.write_bytes(whole[:length])
        # The process died after the record was written and before the means were removed.
        (tmp_path / "run.means").mkdir(exist_ok=True)
        (tmp_path / "run.means" / "part-0000").touch()
        journal = Journal(path, RUN)
        journal.close()
        is_whole = length == len(whole)
        assert (journal.rows, journal.result) == ([11, 22], result if is_whole else None), length
        assert (tmp_path / "run.means").exists() != is_whole
    with pytest.raises(ValueError, match="another run: its seed is 0, that of this call 1"):
        Journal(path, {**RUN, "options": {**RUN["options"], "seed": 1}})
    assert path.read_bytes() == whole


def test_a_new_run_does_not_use_means_of_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "run"
    journal = Journal(path, RUN)
    journal.save_means(0, MEANS[1])
    journal.close()
    path.unlink()
    journal = Journal(path, {**RUN, "data": "sha256:2"})
    assert journal.load_means(0) is None
    journal.close()


def test_without_a_path_nothing_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    journal = Journal(None, RUN)
    journal.record(1, 5)
    journal.save_means(0, MEANS[1])
    assert (journal.rows, journal.load_means(0)) == ([5], None)
    journal.finish("{}")
    assert journal.result == "{}"
    assert list(tmp_path.iterdir()) == []
