"""The cache of `--cache`: one file for each document, so that servers send only what has changed.

A file holds a line of JSON (the URL, the validators, the length of the body), the digest of that
line, and the body. It is written under a temporary name and renamed, so that concurrent runs see
only whole files.
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
from converter.sources.http.body import BodyReader
from converter.sources.source import size_of
from converter.sources.spool import read_chunks

_MAX_HEAD_BYTES: Final = 1024 * 1024

#: Part of the file names: files of another layout are not found, and the documents fetched again.
_VERSION: Final = 3

_NO_LINK_OR_PIPE: Final = os.O_NOFOLLOW | os.O_NONBLOCK

#: Complete files, and files that are being written.
_FILE_NAME: Final = re.compile(r"[0-9a-f]{64}(?:\.fetched|-\w+\.tmp)")


def is_cache_file_name(name: str) -> bool:
    """Return True if a file of the cache may have this name."""
    return _FILE_NAME.fullmatch(name) is not None


class CachedResponse(NamedTuple):
    """What the headers of an answer say about its body."""

    url: str
    """After redirects."""
    etag: str | None = None
    last_modified: str | None = None
    media_type: str | None = None
    links: tuple[tuple[str, str], ...] = ()

    @property
    def conditions(self) -> Mapping[str, str]:
        """Headers that request the document only if it has changed."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


def prepare(folder: str) -> None:
    """Create the folder.

    Raises:
        OptionError: the folder cannot be created.
    """
    try:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise OptionError(
            f"--cache: {printable(folder)} cannot be a folder: {reason}. Name a writable folder"
        ) from error


class CacheEntry:
    """The file of one document; damage to it costs a fetch, but never ends a run.

    Its name is a digest of the URL and of `secrets`, headers on which the answer may depend.
    """

    response: CachedResponse | None = None
    """None if there is no usable file."""

    def __init__(self, folder: str, url: str, secrets: Mapping[str, str], report: Report) -> None:
        key = json.dumps([_VERSION, url, sorted(secrets.items())])
        self._path = Path(folder, f"{hashlib.sha256(key.encode()).hexdigest()}.fetched")
        self._report = report
        self._file: BinaryIO = io.BytesIO()
        try:
            # The file stays open: another run that replaces it does not change what is read here.
            self._file = open(  # noqa: SIM115  `close` closes it
                self._path, "rb", opener=lambda path, flags: os.open(path, flags | _NO_LINK_OR_PIPE)
            )
            self.response = _read_head(self._file)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the file is damaged"
            self.drop()
            self._warn(f"the cached copy cannot be used ({reason}); fetched anew")

    def close(self) -> None:
        """Close the file; its body cannot be read any more."""
        self._file.close()

    def body(self, bodies: BodyReader) -> BinaryIO:
        """Return a temporary copy of the body; can be called once."""
        return bodies.copy(read_chunks(self._file))

    def store(self, response: CachedResponse, body: BinaryIO) -> None:
        """Replace the file; `body` is at its beginning before and after."""
        head = json.dumps({**response._asdict(), "bytes": size_of(body) or 0}).encode() + b"\n"
        folder, prefix = self._path.parent, f"{self._path.stem}-"
        try:
            with NamedTemporaryFile(dir=folder, prefix=prefix, suffix=".tmp", delete=False) as file:
                try:
                    file.write(head + _digest(head))
                    shutil.copyfileobj(body, file)
                    file.close()
                    with suppress(FileNotFoundError):  # another run has removed it
                        Path(file.name).replace(self._path)
                finally:
                    Path(file.name).unlink(missing_ok=True)
        except OSError as error:
            self._warn(f"it cannot be stored in the cache: {error.strerror}")
        finally:
            body.seek(0)

    def drop(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _warn(self, message: str) -> None:
        self._report(Issue(code=Code.CACHE_UNUSABLE, message=message))


def _read_head(file: BinaryIO) -> CachedResponse:
    """Read a file up to the body; ValueError if it is damaged, incomplete, or a pipe."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("not a regular file")
    head, digest = file.readline(_MAX_HEAD_BYTES), file.readline(_MAX_HEAD_BYTES)
    if digest != _digest(head):
        raise ValueError("damaged")
    fields = json.loads(head)
    if fields.pop("bytes") != status.st_size - file.tell():
        raise ValueError("incomplete")
    fields["links"] = tuple(map(tuple, fields["links"]))
    return CachedResponse(**fields)


def _digest(head: bytes) -> bytes:
    return hashlib.sha256(head).hexdigest().encode() + b"\n"
