"""Atomic file writing."""

from __future__ import annotations

import os
import tempfile
from os import PathLike
from pathlib import Path


def check_writable(path: str | PathLike[str]) -> None:
    """Fail early with the OSError that writing would raise later."""
    handle, draft = _draft(path)
    os.close(handle)
    Path(draft).unlink()


def write_whole(path: str | PathLike[str], text: str) -> None:
    """Write the text to a temporary file next to the destination, then rename it."""
    handle, draft = _draft(path)
    destination = Path(path).resolve()
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, destination.stat().st_mode if destination.exists() else 0o666 & ~mask)
        os.replace(draft, destination)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _draft(path: str | PathLike[str]) -> tuple[int, str]:
    """An empty temporary file next to the destination; symlinks are resolved."""
    destination = Path(path).resolve()
    if destination.is_dir():
        raise IsADirectoryError(f"{os.fspath(path)}: cannot be written: it is a folder; specify a file name")
    try:
        return tempfile.mkstemp(prefix=".protodash-", suffix=".part", dir=destination.parent)
    except FileNotFoundError as error:
        text = f"{os.fspath(path)}: cannot be written: there is no folder {destination.parent}; create it first"
        raise FileNotFoundError(error.errno, text) from error
    except OSError as error:
        # The error without the name of the temporary file.
        raise type(error)(error.errno, f"{os.fspath(path)}: cannot be written: {error.strerror}") from error
