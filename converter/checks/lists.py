"""Rules for lists of URLs: text files with one URL on each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from converter.checks import urls
from converter.checks.context import CheckContext
from converter.checks.rule import ERROR, SITEMAPS, WARNING, CheckRule, Place
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import quoted

_LISTS: Final = "https://www.sitemaps.org/protocol.html#otherformats"
_TEXT: Final = f"{SITEMAPS}/build-sitemap#text"

RULES: Final = (
    CheckRule(
        "list-not-url", ERROR, "a line of a list is no URL",
        why="Search engines ignore the line, or refuse the file.",
        fix="Write one absolute URL on each line, and nothing else.",
        source=_LISTS, convert="dropped",
    ),
    CheckRule(
        "list-blank-line", WARNING, "a list has a blank line",
        why="The format has only URLs; some readers stop at a blank line.",
        fix="Remove the line.",
        source=_LISTS, convert="repaired",
    ),
    CheckRule(
        "list-comment", WARNING, "a list has a comment",
        why="The format has no comments; readers take the line for a URL.",
        fix="Remove the line.",
        source=_LISTS, convert="repaired",
    ),
    CheckRule(
        "list-nul", WARNING, "a list has NUL characters",
        why="The file is damaged, or not in UTF-8.",
        fix="Save the file as UTF-8, or copy it again.",
        source=_LISTS, convert="dropped",
    ),
    CheckRule(
        "list-name-not-txt", WARNING, "the name of a list does not end in .txt",
        why="Google reads a list by its extension .txt.",
        fix="Rename the file.",
        source=_TEXT, profiles=frozenset({"google"}),
    ),
    CheckRule(
        "list-crlf-mixed", WARNING, "a list has different line endings",
        why="Some readers leave a carriage return at the end of the URL.",
        fix="Save the file with one kind of line endings.",
        source=_LISTS, convert="repaired", is_default=False,
    ),
)  # fmt: skip

_MAX_LINE_BYTES: Final = 1024 * 1024
_HTTP: Final = lazy_regex(r"(?:https?|ftp)://[^/\s]")
_SCHEME: Final = lazy_regex(r"[A-Za-z][A-Za-z0-9+.\-]*:\S")


class ListReader:
    """The lines of a list as URLs with their places."""

    def __init__(self, context: CheckContext, stream: BinaryIO) -> None:
        self.size_bytes = 0
        self._context = context
        self._stream = stream
        self._endings: set[bytes] = set()

    def __iter__(self) -> Iterator[tuple[str, Place]]:
        """Yield the usable URLs; report all other lines."""
        context, number = self._context, 0
        while line := self._stream.readline(_MAX_LINE_BYTES):
            number += 1
            self.size_bytes += len(line)
            context.entry = None
            place = Place(number, 1)
            text = self._text(line, place)
            if text is None or not self._is_url(text, place):
                continue
            url = urls.check_url(context, text, "line", place, "", is_page=True)
            if url is not None:
                context.entry = url
                yield url, place
        if len(self._endings) > 1:
            context.report("list-crlf-mixed", "some lines end in CR LF, others in LF")

    def _text(self, line: bytes, place: Place) -> str | None:
        """Decode a line; return None if it is not UTF-8."""
        if line.endswith(b"\n"):
            ending = b"\r\n" if line.endswith(b"\r\n") else b"\n"
            self._endings.add(ending)
            line = line.removesuffix(ending)
        if place.line == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # `document-bom`
        if b"\0" in line:
            self._context.report("list-nul", "a NUL character in the line", place)
            return None
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            message = f"the byte 0x{line[error.start]:02X} is not UTF-8"
            at = Place(place.line, error.start + 1)
            self._context.report("document-not-utf8", message, at)
            return None

    def _is_url(self, text: str, place: Place) -> bool:
        """Report a line that is no URL at all."""
        stripped = text.strip()
        if not stripped:
            self._context.report("list-blank-line", "a blank line", place)
        elif stripped.startswith("#"):
            message = f"{quoted(stripped)} is a comment; lists have none"
            self._context.report("list-comment", message, place)
        elif not _HTTP.match(stripped) and not _SCHEME.match(stripped):
            message = f"{quoted(stripped)} is no absolute URL"
            self._context.report("list-not-url", message, place)
        elif " " in stripped or "\t" in stripped or ("," in stripped and " " in stripped):
            message = f"{quoted(stripped)} is more than a URL"
            self._context.report("list-not-url", message, place)
        else:
            return True
        return False
