"""What a run reads: files that all nodes have, files behind URLs, or the blocks of a dataset of Ray."""

from __future__ import annotations

import glob
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Files:
    """A file, a folder or a pattern in a file system that all nodes have mounted."""

    given: str
    """The path as the caller wrote it, which the result has."""
    path: str

    @contextmanager
    def opened(self) -> Iterator[str]:
        """What is read."""
        for name in self.names():
            if os.path.isfile(name):
                _check_size(name, os.path.getsize(name))
        yield self.path

    def names(self) -> list[str]:
        """The files."""
        if os.path.isdir(self.path):
            return sorted(entry.path for entry in os.scandir(self.path) if _is_part(entry.name) and entry.is_file())
        return sorted(glob.glob(self.path)) if glob.has_magic(self.path) else [self.path]

    def gone(self, names: list[str]) -> list[str]:
        """Those of the files that are no longer there."""
        return [name for name in names if not os.path.exists(name)]


@dataclass(frozen=True)
class Remote:
    """A file, a folder or a pattern behind a URL that fsspec can open."""

    given: str

    @contextmanager
    def opened(self) -> Iterator[str]:
        """Copies of the files on this machine, which are read more than once; they are removed afterwards."""
        system, names = self._found()
        several = names != [system._strip_protocol(self.given)]
        with tempfile.TemporaryDirectory(prefix="protodash-") as folder:
            counts = Counter(map(os.path.basename, names))
            copies = []
            for number, name in enumerate(names):
                base = os.path.basename(name)
                # Files of different folders may have the same name.
                copies.append(os.path.join(folder, base if counts[base] == 1 else f"{number:06}-{base}"))
                system.get_file(name, copies[-1])
                _check_size(name, os.path.getsize(copies[-1]))
            yield folder if several else copies[0]

    def names(self) -> list[str]:
        """The files."""
        return self._found()[1]

    def gone(self, names: list[str]) -> list[str]:
        """Those of the files that are no longer there."""
        there = set(self._found()[1])
        return [name for name in names if name not in there]

    def _found(self) -> tuple[Any, list[str]]:
        system, path = import_fsspec(self.given).core.url_to_fs(self.given)
        # What an earlier look found may have changed.
        system.invalidate_cache()
        if glob.has_magic(path):
            names = sorted(system.glob(path))
        elif system.isdir(path):
            names = sorted(name for name in system.ls(path, detail=False) if _is_part(os.path.basename(name)) and system.isfile(name))
        else:
            names = [path] if system.exists(path) else []
        if not names:
            raise FileNotFoundError(f"{self.given}: there is no such file")
        return system, names


@dataclass(frozen=True)
class Blocks:
    """The blocks of a dataset of Ray, in their order: references, no rows."""

    references: list[Any]
    given: str = "table"

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """The blocks as one table."""
        import pyarrow
        import ray

        tables = ray.get(list(self.references))
        # An empty block may lack the columns.
        yield pyarrow.concat_tables([table for table in tables if table.num_rows > 0] or tables[:1])

    def names(self) -> list[str]:
        """No files."""
        return []

    def gone(self, names: list[str]) -> list[str]:
        """None of them."""
        return []


Input = Files | Remote | Blocks


def as_input(what: str, given: Any) -> Input:
    """Checks the source or the target of a call."""
    if is_dataset(given):
        return _blocks(given)
    if not isinstance(given, (str, os.PathLike)):
        found = f"{type(given).__module__}.{type(given).__qualname__}"
        raise TypeError(
            f"{what} is of type {found}; it must be the path of files that every node can read, or a ray.data.Dataset "
            "(protodash.select takes arrays and tables)"
        )
    text = os.fspath(given)
    if not isinstance(text, str):
        raise TypeError(f"{what} is a path of bytes; it must be text")
    if "://" in text:
        fsspec = import_fsspec(text)
        for protocol in text.partition("://")[0].split("::"):
            # Unknown ones, and those that need another package, raise here.
            fsspec.get_filesystem_class(protocol)
        return Remote(text)
    return Files(text, os.path.abspath(text))


def is_dataset(given: Any) -> bool:
    """Whether this is a dataset of Ray."""
    return type(given).__module__.startswith("ray.data") and hasattr(given, "to_arrow_refs")


def import_fsspec(url: str) -> Any:
    """The package fsspec, which only URLs need."""
    try:
        import fsspec
        import fsspec.core
    except ImportError:
        raise ImportError(f'{url} needs fsspec; install it with: pip install "protodash[ray]"') from None
    return fsspec


def _is_part(name: str) -> bool:
    """Whether a file of a folder is data, and no marker such as those that Spark writes beside parts."""
    return not name.startswith((".", "_"))


def _check_size(name: str, size: int) -> None:
    """Rejects a file without a byte: one that a copy left unfinished, while an empty part of a table has at least its columns."""
    if size == 0:
        raise ValueError(f"{name} has no bytes; if it was not copied completely, copy it again, else remove it")


def _blocks(dataset: Any) -> Blocks:
    """The blocks of a dataset, computed in the cluster if it is lazy."""
    options = dataset.context.execution_options
    keeps_order, options.preserve_order = options.preserve_order, True
    try:
        return Blocks(list(dataset.to_arrow_refs()))
    finally:
        options.preserve_order = keeps_order
