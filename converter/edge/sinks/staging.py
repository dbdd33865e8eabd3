"""What publishers have in common: finished files, temporary files, and what exists already."""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

from converter.edge.sinks.failures import in_words
from converter.edge.sinks.previous import Index
from converter.errors import SinkError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["CHUNK_BYTES", "PREFIX", "TEMPORARY", "Publisher", "Staged", "pour"]

#: How much is read back at a time.
CHUNK_BYTES = 1 << 20
#: What is said of a temporary file that does not lie beside the output.
TEMPORARY = "a temporary file (TMPDIR says where)"
#: The names of such files begin with it.
PREFIX = "feed2sitemap."
_BUFFER_BYTES = 1 << 16


class Staged(NamedTuple):
    """One finished file under a temporary name, known to the publisher that made it."""

    bytes: int
    """As stored."""
    raw_bytes: int
    """Uncompressed."""
    temporary: str
    """Its temporary name, which tells it from others."""


class Publisher(ABC):
    """Takes finished files, and puts all of them in place or none.

    This base class makes temporary files, and says that nothing exists at the target.

    Attributes:
        name: the file name that parts are named after; "-" where there can be none.
        threads: how many may compress.
        completed: how many files a killed run had begun to publish; that was completed on entry.
    """

    name = "-"

    def __init__(self) -> None:
        self.threads = 1
        self.completed = 0
        self._spools: list[BinaryIO] = []

    def __enter__(self) -> Self:
        """Lock the target, complete what a killed run left, sweep its remains."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove whatever was not published, and unlock."""
        for spool in self._spools:
            with suppress(SinkError):  # what was never read need not reach the disk
                spool.close()
        self.discard()

    def spool(self) -> BinaryIO:
        """Make a temporary file without a name; closed at the end, if the caller does not."""
        return self._spool(None, PREFIX)

    def _spool(self, folder: str | None, prefix: str) -> BinaryIO:
        """Make it in a folder; None: where the system keeps such files."""
        import tempfile  # what is small stays in memory

        self._spools = [spool for spool in self._spools if not spool.closed]
        what = f'a temporary file in "{folder}"' if folder else TEMPORARY
        with (
            in_words(what),
            tempfile.TemporaryFile(dir=folder, prefix=prefix, suffix=".tmp") as file,
        ):
            raw = _Spool(os.dup(file.fileno()), what)
        spool = io.BufferedRandom(raw, _BUFFER_BYTES)
        self._spools.append(spool)
        return spool  # and not the last of the list: threads fetch side by side

    @abstractmethod
    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Write one whole file under a temporary name."""

    @abstractmethod
    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Remove these, or everything staged so far."""

    @abstractmethod
    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Put the files in place in this order, then remove what is no longer part of the set."""

    # -- what exists ------------------------------------------------------------------------------

    def index(self, name: str | None = None) -> Index | None:
        """Read the index at `name` (the target); None: there is none."""
        return None

    def stands(self, name: str | None = None) -> bool:
        """Whether there is a file of that name (the target's)."""
        return False

    def standing(self, name: str) -> BinaryIO:
        """Open an existing file, as it is stored."""
        raise FileNotFoundError(name)

    def unchanged(self, files: Sequence[tuple[str, Staged]]) -> bool:
        """Whether every byte of these is in the existing files already."""
        return False

    def left_over(self) -> str | None:
        """The path of the same file with (or without) ".gz", if an earlier run left one."""
        return None


class _Spool(io.FileIO):
    """Raises a sentence where a disk is full, whenever the buffer above it comes to write."""

    def __init__(self, handle: int, what: str) -> None:
        super().__init__(handle, "r+b")
        self._what = what

    def write(self, data: ReadableBuffer, /) -> int:
        with in_words(self._what):
            return super().write(data)


def pour(chunks: Iterable[bytes], file: BinaryIO, *, threads: int) -> tuple[int, int]:
    """Write the chunks; return the bytes as stored and the bytes uncompressed.

    Args:
        chunks: the content.
        file: takes it.
        threads: how many compress it; 0: it is not compressed.
    """
    raw_bytes = stored_bytes = 0

    def counted() -> Iterator[bytes]:
        nonlocal raw_bytes
        for chunk in chunks:
            raw_bytes += len(chunk)
            yield chunk

    packed: Iterable[bytes] = counted()
    if threads:
        from converter.edge.sinks.packing import gzipped  # threads cost time to import

        packed = gzipped(packed, threads)
    for chunk in packed:
        file.write(chunk)
        stored_bytes += len(chunk)
    return stored_bytes, raw_bytes
