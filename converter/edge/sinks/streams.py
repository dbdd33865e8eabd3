"""Publishes into what cannot be replaced: standard output, a FIFO, a device, a caller's stream."""

from __future__ import annotations

import errno
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from io import RawIOBase
from typing import BinaryIO, Final, cast

from converter.edge.sink_errors import sink_errors
from converter.edge.sinks.publisher import PREFIX, TEMPORARY, Publisher, Staged
from converter.errors import OptionError

__all__ = ["StreamPublisher"]

#: What the staged file may have of memory before it goes to disk.
_MEMORY_BYTES: Final = 4 << 20
_CHUNK_BYTES: Final = 1 << 20


class StreamPublisher(Publisher):
    """Holds the one file until the whole run has succeeded, then writes it."""

    def __init__(self, opened: Callable[[], AbstractContextManager[BinaryIO]], shown: str) -> None:
        super().__init__()
        self._opened = opened
        self._shown = shown
        self._staged: dict[str, BinaryIO] = {}
        self._counter = 0

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Hold one whole file; a second is only walked, for it can never be published."""
        self._counter += 1
        name = str(self._counter)
        if self._staged:
            deque(chunks, maxlen=0)
            return Staged(0, 0, name)
        with sink_errors(TEMPORARY):
            held = self._staged[name] = _temporary()
            return Staged(*self._write(chunks, held, compress=compress), name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Forget these, or everything that is held."""
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            if (held := self._staged.pop(name, None)) is not None:
                with suppress(OSError):  # of a full disk, once more
                    held.close()

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
            with sink_errors(self._shown), self._opened() as stream:
                while chunk := held.read(_CHUNK_BYTES):
                    _write_all(stream, chunk)
                stream.flush()


def _temporary() -> BinaryIO:
    import tempfile  # in memory while it is small: from file to pipe needs no disk

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_MEMORY_BYTES, prefix=PREFIX))


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Write to the end: a stream without a buffer may take less than it is given."""
    while data:
        taken = stream.write(data)
        if taken is None:
            if isinstance(stream, RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "it takes nothing at the moment")
            return  # other makers' streams say nothing, and take everything
        data = data[taken:]
