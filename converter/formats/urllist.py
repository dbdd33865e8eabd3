"""Reads and writes lists of URLs, one on each line (mapping 1.6).

Format: https://www.sitemaps.org/protocol.html#otherformats

Only LF, CR LF and CR end a line. A line that is not one URL (a URL and a comment, two URLs,
columns) is reported and left out. A URL may hold spaces, commas and semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, Final

from converter.errors import DocumentError
from converter.extensions.field_support import field_support
from converter.formats.base import Format, PartLimits, Rendered, SimpleDocument
from converter.formats.text_lines import decoded, text_lines
from converter.issues import Code, Issue, Report, errors_naming
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.sitemap_limits import MAX_BYTES, MAX_URLS
from converter.values import urls
from converter.values.lazy_regex import lazy_regex
from converter.xml import detect

#: How many lines detection looks at.
_SAMPLE = 50

#: A URL without credentials, faults, separators of columns, and references (no semicolon), that is
#: not too long: most lines.
_CLEAN = re.compile(
    r"https?://[A-Za-z0-9.\-]++(?::[0-9]{1,5})?"
    r"(?:[/?#][A-Za-z0-9_\w\-.~:/?#@!$&'()*+=%]{0,2000}+)?"
)
_WEB = lazy_regex(r"https?://[^/\s]\S*", re.IGNORECASE)
_SCHEME = lazy_regex(r"[A-Za-z][A-Za-z0-9+.\-]*:")
#: The characters of a reference (RFC 3986, RFC 3987).
_REFERENCE = lazy_regex(r"""[^\x00-\x20\x7f-\x9f\s"<>\\^`{|}\[\]]+""")
_NOT_IN_URL = lazy_regex(r"[\x00-\x20\x7f-\x9f\s]")
_SPACE = r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
#: A URL may hold spaces after its host, but no tabs and no line separators.
_SPACED = lazy_regex(
    rf"https?://[^/?#\s]+[/?#](?:[^\x00-\x20\x7f-\x9f\s]++|{_SPACE}++)*+", re.IGNORECASE
)
#: Values of the other fields of a sitemap.
_VALUE = (
    r"(?:[0-9]{4}([-/])[0-9]{2}\1[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
    r"|[0-9]{1,2}([./])[0-9]{1,2}\2[0-9]{4}"
    r"|always|hourly|daily|weekly|monthly|yearly|never|[01]?\.[0-9]+)(?=[\s,;]|\Z)"
)
#: Spaces, or a separator of columns, and something that is no part of the URL before them.
_MORE = lazy_regex(
    rf"(?:(?<!{_SPACE}){_SPACE}++|[,;]\s*+)"
    rf"(?:https?://|[#\"'<]|(?:lastmod|changefreq|priority)=|{_VALUE})"
    rf"|{_SPACE}(?:;|//)|(?<![,;])[,;]++\s*+\Z",
    re.IGNORECASE,
)
_TITLE_ROW = lazy_regex(
    r"""["']?(?:url|loc|location|link|page|address)s?["']?\s*+[,;\t].*""", re.IGNORECASE
)
_CDATA = lazy_regex(r"<!\[CDATA\[(.*)\]\]>", re.DOTALL)
_SCHEMES = frozenset({"http:", "https:", "feed:"})
#: White space around a line, and the byte order mark between concatenated lists.
_AROUND = " \t\v\f\u00a0\ufeff"


def sniff(prefix: bytes) -> bool:
    """Return True if a document is a list: lines with URLs, no fewer than lines with spaces."""
    if detect.is_table(prefix):
        return False
    lines = _sample(prefix)
    of_urls = sum(1 for line in lines if _WEB.match(line))
    of_words = sum(1 for line in lines if not _WEB.match(line) and _NOT_IN_URL.search(line))
    markup = detect.find_root("\n".join(lines).encode("utf-8", "replace"))
    return of_urls > 0 and of_urls >= of_words and markup is None


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
        self._number = 1
        self._refused = 0

    def entries(self, stream: BinaryIO) -> Iterator[Entry]:
        feed, longest, found = self.feed, self._longest, False
        is_canonical, is_clean = urls.is_canonical_page, _CLEAN.fullmatch
        with errors_naming(feed.source):
            blocks = text_lines(stream, longest, self._warn)
            for number, line in enumerate(chain.from_iterable(blocks), 1):
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

    def _loc(self, line: str, number: int) -> str | None:
        """Return the URL of a line that is no clean URL; report any other line."""
        self._number = number
        if len(line) > self._longest:
            self._refuse(f"a line of more than {self._longest:,} characters")
            return None
        text = decoded(line, self._warn).strip(_AROUND)
        wrapped = _CDATA.fullmatch(text)
        content = wrapped[1].strip(_AROUND) if wrapped else text
        if not content:
            return None
        if content.startswith("#"):
            self._warn(Code.LINE_COMMENT, f"{urls.quoted(content)} is a comment; skipped")
            return None
        if fault := self._fault(content):
            self._refuse(f"{urls.quoted(content)} {fault}")
            return None
        url, notes = urls.resolve(text, self._base)
        for code, message in notes:
            self._warn(code, message)
        return url

    def _fault(self, text: str) -> str | None:
        """Return why a line is no URL, or None; with a base, a relative reference is one."""
        if _TITLE_ROW.fullmatch(text):
            return "is the title row of a table"
        if _MORE.search(text):
            return "holds more than a URL"
        if (found := _NOT_IN_URL.search(text)) and not _SPACED.fullmatch(text):
            return "holds more than a URL" if found[0].isspace() else "holds a control character"
        if scheme := _SCHEME.match(text):
            return None if scheme[0].lower() in _SCHEMES else "is not an http(s) URL"
        is_relative = self._base and _REFERENCE.fullmatch(text) and not text.startswith("www.")
        return None if is_relative else "is not an absolute URL"

    def _refuse(self, what: str) -> None:
        self._refused += 1
        self._warn(Code.LINE_NOT_URL, f"{what}; left out")

    def _warn(self, code: Code, message: str) -> None:
        self._report(Issue(code=code, message=message, line=self._number))


def _sample(prefix: bytes) -> list[str]:
    """Return the first lines that are neither blank nor comments."""
    lines = (line.strip(_AROUND) for line in re.split(r"[\r\n]+", detect.decode_head(prefix)))
    return list(islice((line for line in lines if line and not line.startswith("#")), _SAMPLE))


#: Mapping 1.6; the limits of sitemaps hold for lists: https://www.sitemaps.org/protocol.html
FORMAT: Final = Format(
    name="txt",
    title="List of URLs",
    extensions=(".txt",),
    media_types=("text/plain",),
    sniff=sniff,
    contents=("text", "nothing"),
    read=read,
    writer=lambda _: ListWriter(),  # it has no options
    part_limits=PartLimits(max_entries=MAX_URLS, max_bytes=MAX_BYTES),
    losses=partial(field_support, "txt"),
    needs_loc=True,
    renders_alone=lambda _: True,
    entry_end="\n",
)
