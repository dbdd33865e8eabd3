"""What was fetched before, one file a document, so that servers are asked only for changes.

A file holds one line of JSON (where it came from, its validators, length and digest of the body),
and the body behind it. It is written beside and renamed, so that runs side by side see a whole one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from converter.edge.web.body import BodySpool
from converter.errors import OptionError
from converter.issues import Code, Issue, Report, printable
from converter.values import urls

__all__ = ["Cache", "CachedResponse", "is_own_name", "is_validator"]

_CHUNK_BYTES: Final = 256 * 1024
_MOST_HEAD_BYTES: Final = 1024 * 1024

#: Another layout of the files must be another number: what is not known is fetched anew.
_VERSION: Final = 1

#: Windows knows neither links that must not be followed nor pipes in folders.
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)

#: A validator that can be sent back as it came; requests and http.client refuse all else.
_VALIDATOR: Final = re.compile(r"[!-~\xa1-\xff](?:[ -~\x80-\xff]{0,1022}[!-~\xa1-\xff])?")

#: As they are named while they are written.
_TEMPORARY: Final = re.compile(r"([0-9]{1,9})-\w+\.tmp")
_FETCHED: Final = re.compile(r"[0-9a-f]{64}\.fetched")


def is_own_name(name: str) -> bool:
    """Whether a file of the cache may have this name."""
    return bool(_FETCHED.fullmatch(name) or _TEMPORARY.fullmatch(name))


def is_validator(text: str) -> bool:
    """Can this be sent back as it is, in If-None-Match or If-Modified-Since?"""
    return _VALIDATOR.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedResponse:
    """What is known of a body beside itself."""

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
        return CacheEntry(self._folder, name, report)

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


def _known(head: dict[str, Any]) -> CachedResponse:
    """Read what is known of a body.

    Raises:
        ValueError: a URL or a validator is none.
        TypeError: a value is of another type.
        LookupError: a value is missing.
    """
    told = {field.name: head[field.name] for field in fields(CachedResponse)}
    links = tuple((rel, target) for rel, target in told.pop("links"))
    texts = [text for text in told.values() if text is not None]
    if not all(isinstance(text, str) for text in (*texts, *chain(*links))):
        raise TypeError("wanted texts")
    kept = CachedResponse(**told, links=links)
    if not all(map(urls.is_http, (kept.url, *(target for _, target in links)))):
        raise ValueError("wanted URLs")
    if not all(map(is_validator, kept.conditions.values())):
        raise ValueError("wanted validators that can be sent")
    return kept


class CacheEntry:
    """The place of one document; `kept` is None if there is nothing, or nothing whole."""

    def __init__(self, folder: Path, name: str, report: Report) -> None:
        self._folder = folder
        self._path = folder / f"{name}.fetched"
        self._report = report
        self._stream: BinaryIO | None = None
        self.kept: CachedResponse | None = None
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def _open(self) -> None:
        try:
            # What another run puts in its place does not change what this one reads.
            self._stream = _regular(self._path)
            head = json.loads(self._stream.readline(_MOST_HEAD_BYTES))
            self._start = self._stream.tell()
            self.kept = self._checked(head)
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, LookupError, RecursionError) as error:
            reason = getattr(error, "strerror", None) or "it is not what was written there"
            self.drop()
            self._tell(f"what was kept of it cannot be used ({reason}); fetched anew")

    def _checked(self, head: dict[str, Any]) -> CachedResponse:
        kept = _known(head)
        digest, size = hashlib.sha256(), 0
        for chunk in self._chunks():
            digest.update(chunk)
            size += len(chunk)
        if (size, digest.hexdigest()) != (head["bytes"], head["sha256"]):
            raise ValueError("cut off, or damaged")
        return kept

    def _chunks(self) -> Iterator[bytes]:
        if self._stream is not None:
            self._stream.seek(self._start)
            while chunk := self._stream.read(_CHUNK_BYTES):
                yield chunk

    def body(self, spool: BodySpool) -> BinaryIO:
        """Copy the body that was kept."""
        return spool.copied(self._chunks())

    def keep(self, kept: CachedResponse, body: BinaryIO) -> None:
        """Put a document in its place; `body` is at its beginning before and after."""
        digest, size = hashlib.sha256(), 0
        while chunk := body.read(_CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
        body.seek(0)
        told = {field.name: getattr(kept, field.name) for field in fields(CachedResponse)}
        head = json.dumps({**told, "bytes": size, "sha256": digest.hexdigest()})
        try:
            self._write(head, body)
        except OSError as error:
            self._tell(f"it cannot be kept in the cache: {error.strerror}")
        finally:
            body.seek(0)

    def _write(self, head: str, body: BinaryIO) -> None:
        number, path = tempfile.mkstemp(dir=self._folder, prefix=f"{os.getpid()}-", suffix=".tmp")
        beside = Path(path)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(f"{head}\n".encode())
                while chunk := body.read(_CHUNK_BYTES):
                    file.write(chunk)
            with suppress(FileNotFoundError):  # swept by another machine's run
                beside.replace(self._path)
        finally:
            beside.unlink(missing_ok=True)

    def drop(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _tell(self, message: str) -> None:
        self._report(Issue(code=Code.CACHE_UNUSABLE, message=message))
