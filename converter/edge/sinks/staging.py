"""What sinks have in common: the protocol, a finished file, and the way of chunks into one."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, Self

from converter.edge.sinks.failures import in_words
from converter.edge.sinks.previous import Row

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["CHUNK_BYTES", "TEMPORARY", "Publisher", "Staged", "pour", "spill"]

#: How much is read back at a time.
CHUNK_BYTES = 1 << 20
#: What is said of a temporary file that does not lie beside the output.
TEMPORARY = "a temporary file (TMPDIR says where)"
_BUFFER_BYTES = 1 << 16


class Staged(NamedTuple):
    """One finished file under a temporary name, known to the publisher that made it."""

    bytes: int
    """As stored."""
    raw_bytes: int
    """Uncompressed."""
    temporary: str
    """Its temporary name, which tells it from others."""


class Publisher(Protocol):
    """Takes finished files, and puts all of them in place or none."""

    threads: int
    """How many may compress."""

    @property
    def completed(self) -> int:
        """How many files a killed run had begun to publish, which was completed now."""

    @property
    def name(self) -> str:
        """The file name that parts are named after; "-" where there can be none."""

    def __enter__(self) -> Self:
        """Lock the target, complete what a killed run left, sweep its remains."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove whatever was not published, and unlock."""

    def spool(self) -> BinaryIO:
        """Make a temporary file for reading and writing that has no name."""

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Write one whole file under a temporary name."""

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Forget these, or everything staged so far."""

    def previous_parts(self, name: str | None = None) -> tuple[str, ...]:
        """Names of the parts that the index now standing names, and that exist beside it."""

    def is_own_index(self, name: str | None = None) -> bool:
        """Whether the index now standing was written by this program."""

    def rows(self, name: str | None = None) -> tuple[Row, ...] | None:
        """What the index that stands at `name` (the target) lists; None: it is none."""

    def stands(self, name: str | None = None) -> bool:
        """Whether there is a file of that name (the target's)."""

    def standing(self, name: str) -> BinaryIO:
        """Open a file that stands there, as it is stored."""

    def unchanged(self, files: Sequence[tuple[str, Staged]]) -> bool:
        """Whether every byte of these stands there already."""

    def left_over(self) -> str | None:
        """The path of the same file with (or without) ".gz", if an earlier run left one."""

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Put the files in place in this order, then remove what is no longer part of the set."""


class _Spill(io.FileIO):
    """Raises a sentence where a disk is full, whenever the buffer above it comes to write."""

    def __init__(self, handle: int, what: str) -> None:
        super().__init__(handle, "r+b")
        self._what = what

    def write(self, data: ReadableBuffer, /) -> int:
        with in_words(self._what):
            return super().write(data)


def spill(folder: str | None, prefix: str) -> BinaryIO:
    """Make a file without a name, in the folder; None: where the system keeps such files."""
    import tempfile  # what is small stays in memory

    what = f'a temporary file in "{folder}"' if folder else TEMPORARY
    with in_words(what), tempfile.TemporaryFile(dir=folder, prefix=prefix, suffix=".tmp") as file:
        raw = _Spill(os.dup(file.fileno()), what)
        return io.BufferedRandom(raw, _BUFFER_BYTES)


def pour(
    chunks: Iterable[bytes], file: BinaryIO, *, compress: bool, threads: int = 1
) -> tuple[int, int]:
    """Write the chunks; returns bytes as stored and bytes uncompressed."""
    raw_bytes = 0

    def counted() -> Iterator[bytes]:
        nonlocal raw_bytes
        for chunk in chunks:
            raw_bytes += len(chunk)
            yield chunk

    stored_bytes = 0
    for chunk in _packed(counted(), threads) if compress else counted():
        file.write(chunk)
        stored_bytes += len(chunk)
    return stored_bytes, raw_bytes


def _packed(chunks: Iterable[bytes], threads: int) -> Iterator[bytes]:
    from converter.edge.sinks.packing import gzipped  # threads cost time to import

    return gzipped(chunks, threads)
