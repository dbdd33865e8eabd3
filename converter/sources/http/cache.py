"""What was fetched before, one file a document, so that servers are asked only for changes.

A file holds a line of JSON (where it came from, its validators, the length of the body), the digest
of that line, and the body. It is written under a temporary name and renamed, so that concurrent
runs see only whole files.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, Final, NamedTuple

from converter.errors import OptionError
from converter.issues import Code, Issue, Report, printable
from converter.sources.http.body import BodySpool
from converter.sources.source import size_of
from converter.sources.spool import chunks_of

_MOST_HEAD_BYTES: Final = 1024 * 1024

#: Another layout of the files must be another number: what is not known is fetched anew.
_VERSION: Final = 2

#: Windows knows neither links that must not be followed nor pipes in folders.
_FLAGS: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

#: Whole files, and those that are being written.
_OWN: Final = re.compile(r"[0-9a-f]{64}(?:\.fetched|-\w+\.tmp)")


def is_own_name(name: str) -> bool:
    """Whether a file of the cache may have this name."""
    return _OWN.fullmatch(name) is not None


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


def prepare(folder: str) -> None:
    """Make the folder, and remove what a run that was killed has left half written.

    If another run is writing it still, that one keeps a document less.

    Raises:
        OptionError: it cannot be a folder.
    """
    try:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise OptionError(
            f"--cache: {printable(folder)} cannot be a folder: {reason}. "
            "Name one that may be written"
        ) from error
    for left_over in Path(folder).glob("*.tmp"):
        if is_own_name(left_over.name):
            with suppress(OSError):
                left_over.unlink()


class CacheEntry:
    """The file of one document; a fault of it costs a fetch, and never a run.

    Args:
        folder: of the cache.
        asked: the document's URL, without credentials.
        secrets: headers that others might get another answer without. They are part of the name,
            of which nothing can be read back.
        report: is told if what was kept is broken.
    """

    kept: CachedResponse | None = None
    """None: there is no usable one."""

    def __init__(self, folder: str, asked: str, secrets: Mapping[str, str], report: Report) -> None:
        key = json.dumps([_VERSION, asked, sorted(secrets.items())])
        self._path = Path(folder, f"{hashlib.sha256(key.encode()).hexdigest()}.fetched")
        self._report = report
        self._file: BinaryIO = io.BytesIO()
        try:
            # What another run puts in its place does not change what this one reads.
            self._file = _opened(self._path)
            self.kept = _described(self._file)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not what was written there"
            self.drop()
            self._warn(f"what was kept of it cannot be used ({reason}); fetched anew")

    def close(self) -> None:
        """Close it; what was kept cannot be read any more."""
        self._file.close()

    def body(self, spool: BodySpool) -> BinaryIO:
        """Copy the body that was kept, once."""
        return spool.copied(chunks_of(self._file))

    def keep(self, kept: CachedResponse, body: BinaryIO) -> None:
        """Replace the file; `body` is at its beginning before and after."""
        head = json.dumps({**kept._asdict(), "bytes": size_of(body) or 0}).encode() + b"\n"
        folder, prefix = self._path.parent, f"{self._path.stem}-"
        try:
            with NamedTemporaryFile(dir=folder, prefix=prefix, suffix=".tmp", delete=False) as file:
                try:
                    file.write(head + _digest(head))
                    shutil.copyfileobj(body, file)
                    file.close()
                    with suppress(FileNotFoundError):  # another run has swept it
                        Path(file.name).replace(self._path)
                finally:
                    Path(file.name).unlink(missing_ok=True)
        except OSError as error:
            self._warn(f"it cannot be kept in the cache: {error.strerror}")
        finally:
            body.seek(0)

    def drop(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _warn(self, message: str) -> None:
        self._report(Issue(code=Code.CACHE_UNUSABLE, message=message))


def _opened(path: Path) -> BinaryIO:
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | _FLAGS))


def _described(file: BinaryIO) -> CachedResponse:
    """Read all before the body; a file with the right digest holds what was written there.

    Raises:
        ValueError: it is damaged, or cut short; or a pipe, which would be waited for.
    """
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("no regular file")
    head, digest = file.readline(_MOST_HEAD_BYTES), file.readline(_MOST_HEAD_BYTES)
    if digest != _digest(head):
        raise ValueError("damaged")
    told = json.loads(head)
    if told.pop("bytes") != status.st_size - file.tell():
        raise ValueError("cut short")
    told["links"] = tuple(map(tuple, told["links"]))
    return CachedResponse(**told)


def _digest(head: bytes) -> bytes:
    return hashlib.sha256(head).hexdigest().encode() + b"\n"
