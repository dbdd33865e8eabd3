"""Publishes into what cannot be replaced: standard output, a FIFO, a device, a caller's stream."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from io import RawIOBase
from types import TracebackType
from typing import BinaryIO, Self, cast

from converter.edge.sinks.failures import in_words
from converter.edge.sinks.staging import CHUNK_BYTES, TEMPORARY, Staged, pour, spill
from converter.errors import OptionError, SinkError

__all__ = ["StreamPublisher"]

#: What the staged file may have of memory before it goes to disk.
_MEMORY_BYTES = 4 << 20
_PREFIX = "feed2sitemap."


class StreamPublisher:
    """Holds the one file until the whole run has succeeded, then writes it.

    Attributes:
        name: "-": there are no names here, so there can be no parts.
        threads: how many may compress.
        completed: 0: what is killed here leaves nothing to be completed.
    """

    name = "-"
    completed = 0

    def __init__(self, opened: Callable[[], AbstractContextManager[BinaryIO]], shown: str) -> None:
        self.threads = 1
        self._opened = opened
        self._shown = shown
        self._staged: dict[str, BinaryIO] = {}
        self._counter = 0
        self._spools: list[BinaryIO] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.discard()
        for spool in self._spools:
            with suppress(SinkError):  # what was never read need not reach the disk
                spool.close()

    def spool(self) -> BinaryIO:
        """Make a temporary file; closed at the end, if the caller does not."""
        self._spools = [spool for spool in self._spools if not spool.closed]
        spool = spill(None, _PREFIX)
        self._spools.append(spool)
        return spool  # and not the last of the list: threads fetch side by side

    def stage(self, chunks: Iterable[bytes], *, compress: bool) -> Staged:
        """Hold one whole file; of a second only the sizes, for it can never be published."""
        self._counter += 1
        name = str(self._counter)
        with in_words(TEMPORARY):
            is_first = not self._staged
            held = self._staged[name] = _somewhere() if is_first else _nowhere()
            stored_bytes, raw_bytes = pour(chunks, held, compress=compress, threads=self.threads)
            held.flush()
            if not is_first:
                held.close()
        return Staged(bytes=stored_bytes, raw_bytes=raw_bytes, temporary=name)

    def discard(self, staged: Sequence[Staged] | None = None) -> None:
        """Forget these, or everything that is held."""
        names = list(self._staged) if staged is None else [one.temporary for one in staged]
        for name in names:
            with suppress(OSError):  # of a full disk, once more
                self._staged.pop(name).close()

    def previous_parts(self, name: str | None = None) -> tuple[str, ...]:
        """None: a stream has nothing beside it."""
        return ()

    def is_own_index(self, name: str | None = None) -> bool:
        """Never: a stream has nothing beside it."""
        return False

    def rows(self, name: str | None = None) -> None:
        """None: a stream has nothing beside it."""

    def stands(self, name: str | None = None) -> bool:
        """Never: a stream has nothing beside it."""
        return False

    def standing(self, name: str) -> BinaryIO:
        """Nothing stands in a stream.

        Raises:
            FileNotFoundError: always.
        """
        raise FileNotFoundError(name)

    def unchanged(self, files: Sequence[tuple[str, Staged]]) -> bool:
        """Never: nothing stands in a stream."""
        return False

    def left_over(self) -> str | None:
        """None: a stream has nothing beside it."""
        return None

    def publish(self, files: Sequence[tuple[str, Staged]], *, remove: Sequence[str] = ()) -> None:
        """Write the one file.

        Raises:
            OptionError: there are several.
            SinkError: the system refuses.
            BrokenPipeError: whoever reads has seen enough.
        """
        if len(files) > 1:
            raise self._too_many()
        for _, staged in files:
            spool = self._staged[staged.temporary]
            spool.seek(0)
            with in_words(self._shown), self._opened() as stream:
                while chunk := spool.read(CHUNK_BYTES):
                    _write_all(stream, chunk)
                stream.flush()

    def _too_many(self) -> OptionError:
        return OptionError(
            f"the output needs more than one file, and {self._shown} takes one; give -o PATH"
        )


def _somewhere() -> BinaryIO:
    # In memory while it is small: then a run from file to pipe needs no disk at all.
    import tempfile

    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_MEMORY_BYTES, prefix=_PREFIX))


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
