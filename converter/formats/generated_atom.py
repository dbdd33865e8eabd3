"""Atom that a reader generates of a document in another notation.

It yields the Atom feed in pieces; the reader of Atom, with its rules and limits, reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeAlias, cast

from converter.formats.base import Document
from converter.issues import Report
from converter.options import ReadOptions
from converter.xml.escape import namespace_declarations, text_element
from converter.xml.namespaces import URI_OF

ReadAtom: TypeAlias = Callable[[BinaryIO, ReadOptions, Report, str], Document]
"""The reader of Atom; it takes also the name of the format that the header is from."""

START: Final = (
    f'<feed xmlns="{URI_OF["atom"]}"{namespace_declarations(("dc", "media"))} xmlns:xml='
    '"http://www.w3.org/XML/1998/namespace">'
)
END: Final = "</feed>"


class _GeneratedStream:
    """The stream of a text that is generated while it is read, from the start after `seek`."""

    def __init__(self, pieces: Callable[[], Iterator[str]]) -> None:
        self._pieces = pieces
        self.seek(0)

    def seek(self, _offset: int) -> None:
        """Return to the start."""
        self._rest = filter(None, self._pieces())

    def read(self, _size: int) -> bytes:
        """Return the next piece, whatever its size: issues stay in the order of the document."""
        return next(self._rest, "").encode()


def stream_of(pieces: Callable[[], Iterator[str]]) -> BinaryIO:
    """Return a stream that generates a document, as far as `EntryParser` needs one."""
    return cast("BinaryIO", _GeneratedStream(pieces))


def link(rel: str, href: str | None, *attributes: tuple[str, str | None]) -> str:
    """Write a link of Atom; None writes nothing."""
    return text_element("link", href and "", (("rel", rel), *attributes, ("href", href)))
