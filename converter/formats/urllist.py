"""Reads and writes lists of URLs, one on each line (mapping 1.6).

Format: https://www.sitemaps.org/protocol.html#otherformats

Only LF, CR LF and CR end a line. A line is a URL and nothing else, or it is reported and left
out: a URL and a comment, two URLs, columns. A URL may hold spaces. It may also hold commas and
semicolons: where what follows one looks like another column, the line is read as it is written, and
reported.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple

from converter.errors import DocumentError
from converter.extensions.field_support import field_support
from converter.formats.base import Format, PartLimits, Rendered
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

#: A URL that needs no second look: no credentials, nothing to repair, no length to doubt, no
#: separator of columns and no reference, for there is no semicolon.
_CLEAN = re.compile(
    r"https?://[A-Za-z0-9.\-]++(?::[0-9]{1,5})?"
    r"(?:[/?#][A-Za-z0-9_\w\-.~:/?#@!$&'()*+=%]{0,2000}+)?"
)
_WEB = lazy(r"https?://[^/\s]\S*", re.IGNORECASE)
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: What RFC 3986 lets stand in a reference; IRIs too.
_REFERENCE = lazy(r"""[^\x00-\x20\x7f-\x9f\s"<>\\^`{|}\[\]]+""")
_NOT_IN_URL = lazy(r"[\x00-\x20\x7f-\x9f\s]")
_SPACE = r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
#: Spaces inside are part of a URL, but not of its host; tabs and separators of lines never are.
_SPACED = lazy(rf"https?://[^/?#\s]+[/?#](?:[^\x00-\x20\x7f-\x9f\s]++|{_SPACE}++)*+", re.IGNORECASE)
#: Values of the other fields of a sitemap.
_VALUE = (
    r"(?:[0-9]{4}([-/])[0-9]{2}\1[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|[0-9]{1,2}([./])[0-9]{1,2}\2[0-9]{4}"
    r"|always|hourly|daily|weekly|monthly|yearly|never|[01]?\.[0-9]+)(?=[\s,;]|\Z)"
)
#: What follows spaces and is surely no part of the URL before them.
_MORE = lazy(
    rf"(?<!{_SPACE}){_SPACE}++(?:https?://|[#;\"'<]|//|(?:lastmod|changefreq|priority)=|{_VALUE})",
    re.IGNORECASE,
)
#: A separator, and what looks like another column: a value, a quotation, a URL, a number, or
#: nothing at the end.
_COLUMN = lazy(
    rf"[,;]\s*+(?:{_VALUE}|[\"']|https?://|(?P<number>[0-9]+(?:\.[0-9]+)?)\s*+(?=[,;]|\Z))"
    r"|(?<![,;])[,;]++\s*+\Z",
    re.IGNORECASE,
)
#: Not in a URL either: this is a column.
_NOT_IN_COLUMN = lazy(r"""[\s"]""")
_TITLE_ROW = lazy(
    r"""["']?(?:url|loc|location|link|page|address)s?["']?\s*+[,;\t].*""", re.IGNORECASE
)
_CDATA = lazy(r"<!\[CDATA\[(.*)\]\]>", re.DOTALL)
#: Bytes that are no UTF-8, as the decoder hands them on (PEP 383).
_UNDECODED = lazy(r"[\udc80-\udcff]")
_SCHEMES = frozenset({"http:", "https:", "feed:"})
#: Around a line, and the mark that stands where lists were joined.
_AROUND = " \t\v\f\u00a0\ufeff"


class ListDocument(NamedTuple):
    """A list has no header and no children."""

    feed: Feed
    entries: Iterator[Entry]
    children: tuple[str, ...] = ()
    header_changed: bool = False


def sniff(prefix: bytes) -> bool:
    """At least one line of the first few is an http(s) URL, and no more lines are sentences."""
    if look.is_table(prefix):
        return False
    lines = _sample(prefix)
    of_urls = sum(1 for line in lines if _WEB.match(line))
    of_words = sum(1 for line in lines if not _WEB.match(line) and _NOT_IN_URL.search(line))
    markup = look.root_of("\n".join(lines).encode("utf-8", "replace"))
    return of_urls > 0 and of_urls >= of_words and markup is None


def is_prose(prefix: bytes) -> bool:
    """There are lines, and in each of them words follow one another."""
    lines = _sample(prefix)
    return bool(lines) and all(_NOT_IN_URL.search(line) for line in lines)


def read(stream: BinaryIO, options: ReadOptions, report: Report, /) -> ListDocument:
    """Read a list; a line that is no http(s) URL is reported and left out.

    Relative references count only where `options.base_url` is given.

    Raises:
        DocumentError: while entries are walked, at the end: there were lines, and none held a URL.
    """
    lines = _ListLines(options, report)
    return ListDocument(lines.feed, lines.entries(stream))


class ListWriter:
    """One URL on each line, in UTF-8, nothing else (mapping 1.6)."""

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        if entry.loc is None:
            said = "the entry has no page that could be listed; left out"
            report(
                Issue(code=Code.ENTRY_WITHOUT_LOC, message=said, line=entry.line, entry=entry.id)
            )
            return None
        return Rendered(entry.loc.encode() + b"\n")

    def head(self, feed: Feed, prefixes: frozenset[str], /) -> bytes:
        return b""

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report nothing: every line was told of where it stands."""

    def tail(self, feed: Feed, /) -> bytes:
        return b""


class _ListLines:
    """One walk over a list."""

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
                # what is canonical is clean but for commas, and is remembered for the next step
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
        """Whole lines by the thousand, in UTF-8 and each with its LF.

        Of a line that is too long there is no more than shows that it is.
        """
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
        self._say(Code.ENCODING_ASSUMED, f"the list is {codec}, not UTF-8; it was decoded", 1)
        return map(str.encode, codecs.iterdecode(chunks, codec, "replace"))

    def _loc(self, line: str, number: int) -> str | None:
        """Return the URL of a line that needs a closer look; report what else it is."""
        if len(line) > self._longest:
            self._refuse(f"a line of more than {self._longest:,} characters", number)
            return None
        text = self._decoded(line, number).strip(_AROUND)
        wrapped = _CDATA.fullmatch(text)
        bare = wrapped[1].strip(_AROUND) if wrapped else text
        if not bare:
            return None
        if bare.startswith("#"):
            self._say(Code.LINE_COMMENT, f"{urls.shown(bare)} is a comment; skipped", number)
            return None
        if fault := self._fault(bare):
            self._refuse(f"{urls.shown(bare)} {fault}", number)
            return None
        if column := _column(bare):
            said = (
                f"{urls.shown(column)} looks like another column; the whole line is read as a URL"
            )
            self._say(Code.LINE_COLUMNS, said, number)
        url, notes = urls.resolve(text, self._base)
        for code, message in notes:
            self._say(code, message, number)
        return url

    def _fault(self, text: str) -> str | None:
        """Why a line is no URL; a relative reference is one where there is a base."""
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
        """Bytes that are no UTF-8 are taken for windows-1252, by whole lines."""
        if not _UNDECODED.search(line):
            return line
        if not self._has_bad_bytes:
            self._has_bad_bytes = True
            message = "this line is not UTF-8; it and others like it are read as windows-1252"
            self._say(Code.ENCODING_ASSUMED, message, number)
        return line.encode("utf-8", "surrogateescape").decode("windows-1252", "replace")

    def _refuse(self, what: str, number: int) -> None:
        self._refused += 1
        self._say(Code.LINE_NOT_URL, f"{what}; left out", number)

    def _say(self, code: Code, message: str, number: int) -> None:
        self._report(Issue(code=code, message=message, line=number))


def _end_of(data: bytes, known: int) -> int:
    """Find where the last whole line ends, behind what is known to hold no end; 0: nowhere."""
    # a CR at the end may be half of a line's end
    return max(data.rfind(b"\n", known), data.rfind(b"\r", known, -1)) + 1


def _ended(lines: bytes) -> bytes:
    """End each line with LF, whatever ended it."""
    if b"\r" in lines:
        lines = lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return lines if lines.endswith(b"\n") else lines + b"\n"


def _split(data: bytes) -> list[str]:
    """The lines of a slice; bytes that are no UTF-8 become surrogates."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    lines.pop()  # what is behind the last LF
    return lines


def _column(text: str) -> str:
    """Return what looks like more columns behind a URL, with the first separator, or nothing.

    Numbers in a query are none: `?ids=1,2`.
    """
    head, mark, _ = text.partition("?")
    query_at = len(head) if mark else len(text)
    for found in _COLUMN.finditer(text):
        if found["number"] is None or found.start() < query_at:
            return text[found.start() :]
    return ""


def _sample(prefix: bytes) -> list[str]:
    """The first lines that are neither blank nor comments."""
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
    writer=lambda _: ListWriter(),  # there is nothing to choose
    part_limits=PartLimits(max_entries=50_000, max_bytes=52_428_800),
    losses=partial(field_support, "txt"),
    needs_loc=True,
    renders_alone=lambda _: True,
    entry_end="\n",
)
