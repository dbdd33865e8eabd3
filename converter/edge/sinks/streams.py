"""Publishes into what cannot be replaced: standard output, a FIFO, a device, a caller's stream."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from io import RawIOBase
from typing import BinaryIO, cast

from converter.edge.sinks.failures import in_words
from converter.edge.sinks.staging import CHUNK_BYTES, PREFIX, TEMPORARY, Publisher, Staged, pour
from converter.errors import OptionError

__all__ = ["StreamPublisher"]

#: What the staged file may have of memory before it goes to disk.
_MEMORY_BYTES = 4 << 20


class StreamPublisher(Publisher):
    """Holds the one file until the whole run has succeeded, then writes it."""

    def __init__(self, opened: Callable[[], AbstractContextManager[BinaryIO]], shown: str) -> None:
        super().__init__()
        self._opened = opened
        self._shown = shown
        self._staged: dict[str, BinaryIO] = {}
        self._counter = 0

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Hold one whole file; of a second only the sizes, for it can never be published."""
        self._counter += 1
        name = str(self._counter)
        with in_words(TEMPORARY):
            is_first = not self._staged
            held = self._staged[name] = _temporary() if is_first else _nowhere()
            sizes = pour(chunks, held, threads=self.threads if compress else 0)
            held.flush()
            if not is_first:
                held.close()
        return Staged(*sizes, name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Forget these, or everything that is held."""
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            with suppress(OSError):  # of a full disk, once more
                self._staged.pop(name).close()

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Write the one file.

        Raises:
            OptionError: there are several.
            SinkError: the system refuses.
            BrokenPipeError: whoever reads has seen enough.
        """
        if len(files) > 1:
            raise OptionError(
                f"the output needs more than one file, and {self._shown} takes one; give -o PATH"
            )
        for _, staged in files:
            held = self._staged[staged.temporary]
            held.seek(0)
            with in_words(self._shown), self._opened() as stream:
                while chunk := held.read(CHUNK_BYTES):
                    _write_all(stream, chunk)
                stream.flush()


def _temporary() -> BinaryIO:
    # In memory while it is small: then a run from file to pipe needs no disk at all.
    import tempfile

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_MEMORY_BYTES, prefix=PREFIX))


def _nowhere() -> BinaryIO:
    return open(os.devnull, "wb")


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write to the end: a stream without a buffer may take less than it is given."""
    while data:
        taken = stream.write(data)
        if taken is None:
            if isinstance(stream, RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "it takes nothing at the moment")
            return  # other makers' streams say nothing, and take everything
        data = data[taken:]
