"""What a server gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

__all__ = ["Fetched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """One document, whole; whoever takes it closes its stream."""

    url: str
    """Where it came from in the end, after redirects; without credentials, fit to be a base."""
    asked: str
    """As it was asked for; without credentials."""
    stream: BinaryIO
    """The body at its beginning, as text in an encoding that it shows or declares itself."""
    media_type: str | None = None
    """In lower case, without parameters."""
    charset: str | None = None
    """As Content-Type named it; `stream` has heeded it already."""
    links: tuple[tuple[str, str], ...] = ()
    """(rel, absolute URL) of the Link header, one row a rel."""
    is_unchanged: bool = False
    """The server answered 304, and the body is the cache's."""
