"""What publishers have in common: finished files, temporary files, and what exists already."""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Self

from converter.edge.sink_errors import sink_errors
from converter.edge.sinks.index import Index
from converter.errors import SinkError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["PREFIX", "TEMPORARY", "Publisher", "Staged"]

#: What messages call a temporary file that does not lie beside the output.
TEMPORARY: Final = "a temporary file (TMPDIR says where)"
#: The names of such files begin with it.
PREFIX: Final = "feed2sitemap."
_BUFFER_BYTES: Final = 1 << 16


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

    What exists at the target already, this base class knows nothing of.

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
        """Make it in a folder, or where the system keeps such files."""
        import tempfile  # what is small stays in memory

        self._spools = [spool for spool in self._spools if not spool.closed]
        what = f'a temporary file in "{folder}"' if folder else TEMPORARY
        with (
            sink_errors(what),
            tempfile.TemporaryFile(dir=folder, prefix=prefix, suffix=".tmp") as file,
        ):
            raw = _Spool(os.dup(file.fileno()), what)
        spool = io.BufferedRandom(raw, _BUFFER_BYTES)
        self._spools.append(spool)
        return spool  # and not the last of the list: threads fetch side by side

    def _write(self, chunks: Iterable[bytes], file: BinaryIO, *, compress: bool) -> tuple[int, int]:
        """Write a whole file; return the bytes as stored and the bytes uncompressed."""
        raw_bytes = stored_bytes = 0

        def counted() -> Iterator[bytes]:
            nonlocal raw_bytes
            for chunk in chunks:
                raw_bytes += len(chunk)
                yield chunk

        packed: Iterable[bytes] = counted()
        if compress:
            from converter.edge.sinks.packing import gzipped  # threads cost time to import

            packed = gzipped(packed, self.threads)
        for chunk in packed:
            stored_bytes += file.write(chunk)
        file.flush()
        return stored_bytes, raw_bytes

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
        """Read the index at `name` (the target), if there is one."""
        return None

    def exists(self, name: str | None = None) -> bool:
        """Return True if there is a file of that name (the target's)."""
        return False

    def open_existing(self, name: str) -> BinaryIO:
        """Open an existing file, as it is stored."""
        raise FileNotFoundError(name)

    def unchanged(self, files: Sequence[tuple[str, Staged]]) -> bool:
        """Return True if every byte of these is in the existing files already."""
        return False

    def left_over(self) -> str | None:
        """Return the path of the same file with (or without) ".gz", if there is such a file."""
        return None


class _Spool(io.FileIO):
    """Raises a sentence where a disk is full, whenever the buffer above it comes to write."""

    def __init__(self, handle: int, what: str) -> None:
        super().__init__(handle, "r+b")
        self._what = what

    def write(self, data: ReadableBuffer, /) -> int:
        with sink_errors(self._what):
            return super().write(data)
