"""Reads and writes lists of URLs, one on each line (mapping 1.6).

Format: https://www.sitemaps.org/protocol.html#otherformats

Only LF, CR LF and CR end a line. A line that is not one URL (a URL and a comment, two URLs,
columns) is reported and left out. A URL may hold spaces, commas and semicolons; where the text
after a comma or a semicolon looks like another column, the line is read as a URL, and reported.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, Final

from converter.errors import DocumentError
from converter.extensions.field_support import field_support
from converter.formats.base import Format, PartLimits, Rendered, SimpleDocument
from converter.issues import Code, Issue, Report, naming
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.values import urls
from converter.values.lazy_regex import lazy
from converter.xml import detect as look

_CHUNK_BYTES = 256 * 1024
_MOST_BYTES_OF_A_CHARACTER: Final = 4
#: How many lines detection looks at.
_SAMPLE = 50

#: A URL without credentials, faults, separators of columns, and references (no semicolon), that is
#: not too long: most lines.
_CLEAN = re.compile(
    r"https?://[A-Za-z0-9.\-]++(?::[0-9]{1,5})?"
    r"(?:[/?#][A-Za-z0-9_\w\-.~:/?#@!$&'()*+=%]{0,2000}+)?"
)
_WEB = lazy(r"https?://[^/\s]\S*", re.IGNORECASE)
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: The characters of a reference (RFC 3986, RFC 3987).
_REFERENCE = lazy(r"""[^\x00-\x20\x7f-\x9f\s"<>\\^`{|}\[\]]+""")
_NOT_IN_URL = lazy(r"[\x00-\x20\x7f-\x9f\s]")
_SPACE = r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
#: A URL may hold spaces after its host, but no tabs and no line separators.
_SPACED = lazy(rf"https?://[^/?#\s]+[/?#](?:[^\x00-\x20\x7f-\x9f\s]++|{_SPACE}++)*+", re.IGNORECASE)
#: Values of the other fields of a sitemap.
_VALUE = (
    r"(?:[0-9]{4}([-/])[0-9]{2}\1[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|[0-9]{1,2}([./])[0-9]{1,2}\2[0-9]{4}"
    r"|always|hourly|daily|weekly|monthly|yearly|never|[01]?\.[0-9]+)(?=[\s,;]|\Z)"
)
#: Spaces with something after them that is no part of the URL before them.
_MORE = lazy(
    rf"(?<!{_SPACE}){_SPACE}++(?:https?://|[#;\"'<]|//|(?:lastmod|changefreq|priority)=|{_VALUE})",
    re.IGNORECASE,
)
#: A separator, and another column: a value, a quotation, a URL, a number, or nothing at the end.
_COLUMN = lazy(
    rf"[,;]\s*+(?:{_VALUE}|[\"']|https?://|(?P<number>[0-9]+(?:\.[0-9]+)?)\s*+(?=[,;]|\Z))"
    r"|(?<![,;])[,;]++\s*+\Z",
    re.IGNORECASE,
)
#: Characters that are in columns, and not in URLs.
_NOT_IN_COLUMN = lazy(r"""[\s"]""")
_TITLE_ROW = lazy(
    r"""["']?(?:url|loc|location|link|page|address)s?["']?\s*+[,;\t].*""", re.IGNORECASE
)
_CDATA = lazy(r"<!\[CDATA\[(.*)\]\]>", re.DOTALL)
#: Bytes that are not UTF-8, as the decoder returns them (PEP 383).
_UNDECODED = lazy(r"[\udc80-\udcff]")
_SCHEMES = frozenset({"http:", "https:", "feed:"})
#: White space around a line, and the byte order mark between concatenated lists.
_AROUND = " \t\v\f\u00a0\ufeff"


def sniff(prefix: bytes) -> bool:
    """Tell whether a document is a list: lines with URLs, no fewer than lines with spaces."""
    if look.is_table(prefix):
        return False
    lines = _sample(prefix)
    of_urls = sum(1 for line in lines if _WEB.match(line))
    of_words = sum(1 for line in lines if not _WEB.match(line) and _NOT_IN_URL.search(line))
    markup = look.root_of("\n".join(lines).encode("utf-8", "replace"))
    return of_urls > 0 and of_urls >= of_words and markup is None


def is_prose(prefix: bytes) -> bool:
    """Tell whether every line holds white space."""
    lines = _sample(prefix)
    return bool(lines) and all(_NOT_IN_URL.search(line) for line in lines)


def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> SimpleDocument:
    """Read a list; relative references need `options.base_url`.

    Raises:
        DocumentError: after the last line, if none of them is an http(s) URL.
    """
    lines = _ListLines(options, report)
    return SimpleDocument(lines.feed, lines.entries(stream))


class ListWriter:
    """One URL on each line, in UTF-8, nothing else (mapping 1.6)."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        if entry.loc is None:
            message = "the entry has no page that could be listed; left out"
            code = Code.ENTRY_WITHOUT_LOC
            report(Issue(code=code, message=message, line=entry.line, entry=entry.id))
            return None
        return Rendered(entry.loc.encode() + b"\n")

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        return b""

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report nothing."""

    def tail(self, feed: Feed, /) -> bytes:
        return b""


class _ListLines:
    """The lines of a list, and its issues."""

    def __init__(self, options: ReadOptions, report: Report) -> None:
        self.feed = Feed(format="txt", source=options.name)
        self._base = options.base_url
        self._longest = options.limits.max_line_bytes
        self._report = report
        self._has_bad_bytes = False
        self._refused = 0

    def entries(self, stream: BinaryIO) -> Iterator[Entry]:
        feed, longest, found = self.feed, self._longest, False
        is_canonical, is_clean = urls.is_canonical_page, _CLEAN.fullmatch
        with naming(feed.source):
            lines = chain.from_iterable(map(_split, self._slices(stream)))
            for number, line in enumerate(lines, 1):
                # a canonical URL is clean, commas aside; the next transform looks it up again
                is_url = (is_canonical(line) and "," not in line) or is_clean(line)
                if loc := line if is_url and len(line) <= longest else self._loc(line, number):
                    found = True
                    yield Entry(loc=loc, line=number, feed=feed)
            if self._refused and not found:
                raise DocumentError(
                    f"there is no http(s) URL in it (lines left out: {self._refused:,}); "
                    "wanted a list with one URL on each line"
                )

    def _slices(self, stream: BinaryIO) -> Iterator[bytes]:
        """Yield blocks of whole lines, in UTF-8 and with LF; cut a line that is too long."""
        rest, most = b"", _MOST_BYTES_OF_A_CHARACTER * (self._longest + 1)
        for chunk in self._chunks(stream):
            data = rest + chunk
            if cut := _end_of(data, max(len(rest) - 1, 0)):
                yield _ended(data[:cut])
            rest = data[cut : cut + most]
        if rest:
            yield _ended(rest)

    def _chunks(self, stream: BinaryIO) -> Iterator[bytes]:
        stream.seek(0)
        codec, _ = look.encoding_of(stream.read(4))
        stream.seek(0)
        chunks = iter(partial(stream.read, _CHUNK_BYTES), b"")
        if codec == "utf-8":
            return chunks
        self._warn(Code.ENCODING_ASSUMED, f"the list is {codec}, not UTF-8; it was decoded", 1)
        return map(str.encode, codecs.iterdecode(chunks, codec, "replace"))

    def _loc(self, line: str, number: int) -> str | None:
        """Return the URL of a line that is no clean URL; report any other line."""
        if len(line) > self._longest:
            self._refuse(f"a line of more than {self._longest:,} characters", number)
            return None
        text = self._decoded(line, number).strip(_AROUND)
        wrapped = _CDATA.fullmatch(text)
        content = wrapped[1].strip(_AROUND) if wrapped else text
        if not content:
            return None
        if content.startswith("#"):
            self._warn(Code.LINE_COMMENT, f"{urls.shown(content)} is a comment; skipped", number)
            return None
        if fault := self._fault(content):
            self._refuse(f"{urls.shown(content)} {fault}", number)
            return None
        if column := _column(content):
            column = urls.shown(column)
            message = f"{column} looks like another column; the whole line is read as a URL"
            self._warn(Code.LINE_COLUMNS, message, number)
        url, notes = urls.resolve(text, self._base)
        for code, message in notes:
            self._warn(code, message, number)
        return url

    def _fault(self, text: str) -> str | None:
        """Return why a line is no URL, or None; with a base, a relative reference is one."""
        if _TITLE_ROW.fullmatch(text):
            return "is the title row of a table"
        if column := _column(text):
            text = text.removesuffix(column)
            if _NOT_IN_COLUMN.search(column):
                return "holds more than a URL"
        if _MORE.search(text):
            return "holds more than a URL"
        if (found := _NOT_IN_URL.search(text)) and not _SPACED.fullmatch(text):
            return "holds more than a URL" if found[0].isspace() else "holds a control character"
        if scheme := _SCHEME.match(text):
            return None if scheme[0].lower() in _SCHEMES else "is not an http(s) URL"
        is_relative = self._base and _REFERENCE.fullmatch(text) and not text.startswith("www.")
        return None if is_relative else "is not an absolute URL"

    def _decoded(self, line: str, number: int) -> str:
        """Return a line; read one with bytes that are not UTF-8 as windows-1252."""
        if not _UNDECODED.search(line):
            return line
        if not self._has_bad_bytes:
            self._has_bad_bytes = True
            message = "this line is not UTF-8; it and others like it are read as windows-1252"
            self._warn(Code.ENCODING_ASSUMED, message, number)
        return line.encode("utf-8", "surrogateescape").decode("windows-1252", "replace")

    def _refuse(self, what: str, number: int) -> None:
        self._refused += 1
        self._warn(Code.LINE_NOT_URL, f"{what}; left out", number)

    def _warn(self, code: Code, message: str, number: int) -> None:
        self._report(Issue(code=code, message=message, line=number))


def _end_of(data: bytes, known: int) -> int:
    """Return the end of the last whole line, or 0; up to `known` there is no line end."""
    # a CR at the end may be half of a line's end
    return max(data.rfind(b"\n", known), data.rfind(b"\r", known, -1)) + 1


def _ended(lines: bytes) -> bytes:
    """End each line with LF, whatever ended it."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return lines if lines.endswith(b"\n") else lines + b"\n"


def _split(data: bytes) -> list[str]:
    """Split into lines; bytes that are not UTF-8 become surrogates."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    lines.pop()  # nothing is after the last LF
    return lines


def _column(text: str) -> str:
    """Return the columns after a URL, with the first separator; a query may hold `?ids=1,2`."""
    head, mark, _ = text.partition("?")
    query_at = len(head) if mark else len(text)
    for found in _COLUMN.finditer(text):
        if found["number"] is None or found.start() < query_at:
            return text[found.start() :]
    return ""


def _sample(prefix: bytes) -> list[str]:
    """Return the first lines that are neither blank nor comments."""
    lines = (line.strip(_AROUND) for line in re.split(r"[\r\n]+", look.text_of(prefix)))
    return list(islice((line for line in lines if line and not line.startswith("#")), _SAMPLE))


#: Mapping 1.6; the limits of sitemaps hold for lists: https://www.sitemaps.org/protocol.html
FORMAT: Final = Format(
    name="txt",
    title="List of URLs",
    extensions=(".txt",),
    media_types=("text/plain",),
    sniff=sniff,
    read=read,
    writer=lambda _: ListWriter(),  # it has no options
    part_limits=PartLimits(max_entries=50_000, max_bytes=52_428_800),
    losses=partial(field_support, "txt"),
    needs_loc=True,
    renders_alone=lambda _: True,
    entry_end="\n",
)
