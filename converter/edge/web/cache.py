"""What was fetched before, one file a document, so that servers are asked only for changes.

A file holds a line of JSON (where it came from, its validators, the length of the body), the digest
of that line, and the body. It is written under a temporary name and renamed, so that concurrent
runs see only whole files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Self

from converter.edge.copies import chunks_of
from converter.edge.sources import size_of
from converter.edge.web.body import BodySpool
from converter.errors import OptionError
from converter.issues import Code, Issue, Report, printable

__all__ = ["Cache", "CachedResponse", "is_own_name"]

_MOST_HEAD_BYTES: Final = 1024 * 1024

#: Another layout of the files must be another number: what is not known is fetched anew.
_VERSION: Final = 2

#: Windows knows neither links that must not be followed nor pipes in folders.
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)

#: As they are named while they are written.
_TEMPORARY: Final = re.compile(r"([0-9]{1,9})-\w+\.tmp")
_FETCHED: Final = re.compile(r"[0-9a-f]{64}\.fetched")


def is_own_name(name: str) -> bool:
    """Whether a file of the cache may have this name."""
    return bool(_FETCHED.fullmatch(name) or _TEMPORARY.fullmatch(name))


class CachedResponse(NamedTuple):
    """What the headers say of a body."""

    url: str
    """After redirects."""
    etag: str | None = None
    last_modified: str | None = None
    media_type: str | None = None
    charset: str | None = None
    links: tuple[tuple[str, str], ...] = ()

    @property
    def conditions(self) -> Mapping[str, str]:
        """Headers that ask only for what has changed."""
        told = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in told.items() if value}


class Cache:
    """A folder for bodies; a fault of it costs a fetch, and never a run."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, ValueError) as error:  # a NUL in the name
            reason = getattr(error, "strerror", None) or error
            raise OptionError(
                f"--cache: {printable(folder)} cannot be a folder: {reason}. "
                "Name one that may be written"
            ) from error
        self._sweep()

    def entry(self, asked: str, secrets: Mapping[str, str], report: Report) -> CacheEntry:
        """Look up a document.

        Args:
            asked: its URL, without credentials.
            secrets: headers that others might get another answer without. They are part of the
                name, of which nothing can be read back.
            report: is told if what was kept is broken.
        """
        key = json.dumps([_VERSION, asked, sorted(secrets.items())])
        name = hashlib.sha256(key.encode()).hexdigest()
        return CacheEntry(self._folder / f"{name}.fetched", report)

    def _sweep(self) -> None:
        """Remove what a run that was killed has left half written."""
        for left_over in self._folder.glob("*.tmp"):
            if (found := _TEMPORARY.fullmatch(left_over.name)) and not _is_alive(int(found[1])):
                with suppress(OSError):
                    left_over.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's
        return True
    return True


def _regular(path: Path) -> BinaryIO:
    """Open a file that is one: a pipe would be waited for, and a link may lead anywhere.

    Raises:
        OSError: it is not there, or cannot be opened.
        ValueError: it is no regular file.
    """
    stream = os.fdopen(os.open(path, _FLAGS), "rb")
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise ValueError("no regular file")
    return stream


def _digest(head: bytes) -> bytes:
    return hashlib.sha256(head).hexdigest().encode() + b"\n"


class CacheEntry:
    """The file of one document; `kept` is None if there is no usable one."""

    def __init__(self, path: Path, report: Report) -> None:
        self.kept: CachedResponse | None = None
        self._path = path
        self._report = report
        self._file: BinaryIO | None = None
        try:
            # What another run puts in its place does not change what this one reads.
            self._file = _regular(path)
            self.kept = self._read(self._file)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not what was written there"
            self.drop()
            self._tell(f"what was kept of it cannot be used ({reason}); fetched anew")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, file: BinaryIO) -> CachedResponse:
        """Read the first two lines; a file with the right digest holds what was written there.

        Raises:
            ValueError: it is damaged, or cut short.
        """
        head, digest = file.readline(_MOST_HEAD_BYTES), file.readline(_MOST_HEAD_BYTES)
        self._start = file.tell()
        if digest != _digest(head):
            raise ValueError("damaged")
        told = json.loads(head)
        if told.pop("bytes") != os.fstat(file.fileno()).st_size - self._start:
            raise ValueError("cut short")
        told["links"] = tuple(map(tuple, told["links"]))
        return CachedResponse(**told)

    def body(self, spool: BodySpool) -> BinaryIO:
        """Copy the body that was kept."""
        assert self._file is not None  # noqa: S101  `kept` says that there is one
        self._file.seek(self._start)
        return spool.copied(chunks_of(self._file))

    def keep(self, kept: CachedResponse, body: BinaryIO) -> None:
        """Replace the file; `body` is at its beginning before and after."""
        head = json.dumps({**kept._asdict(), "bytes": size_of(body) or 0}).encode() + b"\n"
        try:
            self._write(head + _digest(head), body)
        except OSError as error:
            self._tell(f"it cannot be kept in the cache: {error.strerror}")
        finally:
            body.seek(0)

    def _write(self, head: bytes, body: BinaryIO) -> None:
        number, name = tempfile.mkstemp(
            dir=self._path.parent, prefix=f"{os.getpid()}-", suffix=".tmp"
        )
        temporary = Path(name)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(head)
                shutil.copyfileobj(body, file)
            with suppress(FileNotFoundError):  # swept by another machine's run
                temporary.replace(self._path)
        finally:
            temporary.unlink(missing_ok=True)

    def drop(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _tell(self, message: str) -> None:
        self._report(Issue(code=Code.CACHE_UNUSABLE, message=message))
