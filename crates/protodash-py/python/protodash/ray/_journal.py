"""The checkpoint of a run: a journal of chosen rows, and kernel means next to it.

A journal is text, a record on each line: the CRC-32 of the rest of the line, the number of the record, and its content as JSON.
Record 0 describes the run, the last one of a finished run is its result. Every record is on disk (fsync) before the run goes
on. A crash can leave only the last line incomplete, which is ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

_DIGEST = hashlib.sha256().digest_size


class Journal:
    """The rows that a run has chosen so far, in memory and on disk."""

    def __init__(self, path: str | os.PathLike[str] | None, run: dict[str, Any]) -> None:
        """Open the journal of this run; one of another run is an error. Without a path nothing is stored."""
        self.rows: list[int] = []
        self.result: str | None = None
        """The result of a finished run, as JSON."""
        self._path = None if path is None else Path(path)
        self._file: int | None = None
        if self._path is None:
            return
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._lock()
            self._read(run)
        except BaseException:
            self.close()
            raise

    def record(self, size: int, row: int) -> None:
        """Store the `size`-th row of the run, unless it is stored already."""
        if size <= len(self.rows):
            if self.rows[size - 1] != row:
                raise ValueError(f"{self._path} has row {self.rows[size - 1]} as number {size}, but this run chose row {row}")
            return
        self.rows.append(row)
        self._append(len(self.rows), {"row": row})

    def finish(self, result: str) -> None:
        """Stores the result, and removes the kernel means. The journal stays: nobody knows when the caller has saved the result."""
        self.result = result
        self._append(len(self.rows) + 1, {"result": result})
        if self._path is not None:
            self._remove_means()

    def load_means(self, task: int) -> bytes | None:
        """The stored result of a task of the kernel mean, if it is complete."""
        if self._path is None:
            return None
        try:
            content = self._means(task).read_bytes()
        except FileNotFoundError:
            return None
        digest, result = content[:_DIGEST], content[_DIGEST:]
        return result if hashlib.sha256(result).digest() == digest else None

    def save_means(self, task: int, result: bytes) -> None:
        """Store the result of a task of the kernel mean."""
        if self._path is None:
            return
        path = self._means(task)
        path.parent.mkdir(exist_ok=True)
        unfinished = path.with_suffix(".tmp")
        with open(unfinished, "wb") as file:
            file.write(hashlib.sha256(result).digest() + result)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)

    def close(self) -> None:
        """Close the file, and with it the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # Windows
            return
        assert self._file is not None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"{self._path} is in use by another run") from None

    def _read(self, run: dict[str, Any]) -> None:
        assert self._path is not None and self._file is not None
        content = self._path.read_bytes()
        records, length = _records(content, self._path)
        if not records:
            if content and not _may_start_a_journal(content):
                raise ValueError(f"{self._path} is not a journal of protodash; pass another checkpoint=")
            os.ftruncate(self._file, 0)
            self._remove_means()
            self._append(0, run)
            return
        _check_run(records[0], run, self._path)
        os.ftruncate(self._file, length)
        os.lseek(self._file, 0, os.SEEK_END)
        if "result" in records[-1]:
            self.result = records.pop()["result"]
            # A crash may have left them.
            self._remove_means()
        self.rows = [record["row"] for record in records[1:]]

    def _append(self, number: int, content: dict[str, Any]) -> None:
        if self._file is not None:
            _write(self._file, _line(number, content))
            os.fsync(self._file)

    def _means(self, task: int) -> Path:
        return self._folder() / f"part-{task:04}"

    def _folder(self) -> Path:
        assert self._path is not None
        return self._path.with_name(self._path.name + ".means")

    def _remove_means(self) -> None:
        folder = self._folder()
        parts: Iterable[Path] = folder.glob("part-*") if folder.is_dir() else ()
        for part in parts:
            part.unlink()
        if folder.is_dir():
            folder.rmdir()


def _line(number: int, content: dict[str, Any]) -> bytes:
    text = f"{number} {json.dumps(content, sort_keys=True)}"
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


def _write(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def _records(content: bytes, path: Path) -> tuple[list[dict[str, Any]], int]:
    """The complete records, and their length in bytes; a damaged record before the last is an error."""
    records: list[dict[str, Any]] = []
    length = 0
    for line in content.splitlines(keepends=True):
        record = _record(line, len(records))
        if record is None:
            if records and length + len(line) < len(content):
                raise ValueError(f"{path} is damaged at byte {length}; delete it to start over")
            break
        records.append(record)
        length += len(line)
    return records, length


def _record(line: bytes, number: int) -> dict[str, Any] | None:
    """The content of a line, if it is complete and has this number."""
    checksum, _, text = line.partition(b" ")
    if not text.endswith(b"\n") or checksum != f"{zlib.crc32(text[:-1]):08x}".encode():
        return None
    found, _, content = text.partition(b" ")
    return json.loads(content) if found == str(number).encode() else None


def _may_start_a_journal(content: bytes) -> bool:
    """Whether the content can be the beginning of an unfinished first line."""
    checksum, _, text = content.partition(b" ")
    is_hexadecimal = all(byte in b"0123456789abcdef" for byte in checksum)
    return is_hexadecimal and len(checksum) <= 8 and b"\n" not in content and b"0 {".startswith(text[:3])


def _check_run(found: dict[str, Any], run: dict[str, Any], path: Path) -> None:
    """Raise unless a journal belongs to this run."""
    for name, stored, given in _differences(found, json.loads(json.dumps(run))):
        raise ValueError(
            f"{path} is the journal of another run: its {name} is {stored}, that of this call {given}; "
            "repeat the call of that run, pass another checkpoint=, or delete the file"
        )


def _differences(found: dict[str, Any], expected: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield names that have other values, also in the dictionaries of a dictionary."""
    for name in {**expected, **found}:
        one, other = found.get(name), expected.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differences(one, other)
        elif one != other:
            yield name, one, other
