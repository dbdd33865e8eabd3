"""Reads tables of URLs, CSV and TSV, whose first row names the columns (mapping 3.12).

https://www.rfc-editor.org/rfc/rfc4180. The delimiter is a comma, a semicolon or a tab.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, BinaryIO, Final, TypeVar

from converter.errors import DocumentError, LimitError
from converter.formats.base import Format
from converter.formats.text_lines import Windows1252, text_lines
from converter.issues import Code, Issue, Note, Report, errors_naming, printable
from converter.model import MOST_OTHER, Entry, Feed, Image, Kind, Moment, Rendition, Text, Video
from converter.options import ReadOptions
from converter.values import dates, media_types, numbers, urls
from converter.xml import detect

#: The fields, and the names of their columns as `detect.column_name` spells them.
_FIELDS: Final = """
updated lastmod lastmodified updated modified datemodified date
published published pubdate publicationdate datepublished
title title
summary description summary
changefreq changefreq
priority priority
lang lang language
images image images imageurl
videos video videos videourl
"""
FIELD_OF: Final[Mapping[str, str]] = dict.fromkeys(detect.URL_COLUMNS, "loc") | {
    name: field for field, *names in map(str.split, _FIELDS.split("\n")[1:-1]) for name in names
}

T = TypeVar("T")


class TableDocument:
    """Reads a table as its entries are iterated; see `formats.base.Document`."""

    children: tuple[str, ...] = ()
    header_changed: bool = False

    def __init__(self, stream: BinaryIO, options: ReadOptions, report: Report, /) -> None:
        self.feed = Feed(format="csv", source=options.name)
        self._stream, self._options, self._report = stream, options, report
        self._longest = options.limits.max_line_bytes
        self._lines_read = self._row_characters = 0
        self._line = 1
        self._label: str | None = None
        self._decoded = Windows1252(self._warn)
        self._readers: Final[Mapping[str, Callable[[str, str], Any]]] = {
            "updated": self._date,
            "published": self._date,
            "title": lambda cell, _: " ".join(cell.split()),
            "summary": lambda cell, _: Text(cell),
            "changefreq": lambda cell, name: self._noted(numbers.changefreq(cell), name),
            "priority": lambda cell, name: self._noted(numbers.priority(cell), name),
            "lang": lambda cell, _: cell,
            "images": self._images,
            "videos": self._videos,
        }

    @property
    def entries(self) -> Iterator[Entry]:
        """Read the rows, once.

        Raises:
            DocumentError: the first row names no column of URLs, or no row holds a URL.
            LimitError: a row is larger than an entry may be.
        """
        found = refused = False
        with errors_naming(self._options.name):
            rows = self._rows()
            fields = _fields(next(rows, []))
            for row in rows:
                entry = self._entry(row, fields)
                if entry is None:
                    refused = True
                else:
                    found = True
                    yield entry
            if refused and not found:
                raise DocumentError("no row holds an http(s) URL; wanted one in each row")

    # -- rows -----------------------------------------------------------------------------

    def _rows(self) -> Iterator[list[str]]:
        """Yield the rows that are not empty; report those that cannot be read."""
        lines = self._lines()
        first = next(filter(str.strip, lines), "")
        delimiter = detect.delimiter_of(first) or ","
        reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
        while True:
            self._line, self._row_characters = self._lines_read + 1, 0
            try:
                row = next(reader, None)
            except csv.Error as error:
                self._warn(Code.LINE_NOT_URL, f"the row cannot be read ({error}); left out")
                continue
            if row is None:
                return
            if any(row):
                yield [self._decoded(cell) for cell in row]

    def _lines(self) -> Iterator[str]:
        """Yield the lines.

        Raises:
            LimitError: the lines of one row are too long.
        """
        longest = self._longest
        for line in chain.from_iterable(text_lines(self._stream, longest, self._warn)):
            self._lines_read += 1
            self._row_characters += len(line)
            if self._row_characters > longest:
                message = f"line {self._line}: a row of more than {longest:,} characters"
                hint = "Look for a quotation mark that is not closed"
                raise LimitError(f"{message}. {hint}", limit="max_line_bytes", line=self._line)
            yield line + "\n"

    # -- entries --------------------------------------------------------------------------

    def _entry(self, row: list[str], fields: list[tuple[str | None, str]]) -> Entry | None:
        """Make the entry of a row; None and a report for a row without a URL."""
        entry, self._label = Entry(line=self._line, feed=self.feed), None
        cells = [cell.strip() for cell in row]
        if any(cells[len(fields) :]):
            message = f"{len(cells)} cells, but {len(fields)} columns; the last cells are left out"
            self._warn(Code.LINE_COLUMNS, message)
        named = [(*field, cell) for field, cell in zip(fields, cells, strict=False) if cell]
        stated = {field: (cell, name) for field, name, cell in named if field}
        cell, name = stated.pop("loc", ("", "url"))
        entry.loc = self._url(cell, name)
        if entry.loc is None or not urls.is_http(entry.loc):
            what = f"{urls.quoted(cell)} is not an http(s) URL" if cell else "the row holds no URL"
            self._warn(Code.LINE_NOT_URL, f"{what}; left out", name)
            return None
        self._label = urls.hide_credentials(entry.loc)
        for field, (cell, name) in stated.items():
            setattr(entry, field, self._readers[field](cell, name))
        unread = [name for field, name, _ in named if field is None][:MOST_OTHER]
        entry.other = tuple((name, 1) for name in dict.fromkeys(unread))
        return entry

    def _url(self, cell: str, name: str) -> str | None:
        return self._noted(urls.resolve(cell, self._options.base_url), name) if cell else None

    def _date(self, cell: str, name: str) -> Moment | None:
        return self._noted(dates.parse(cell, self._options.assume_tz, None), name)

    def _images(self, cell: str, name: str) -> tuple[Image, ...]:
        """Read URLs with white space between them."""
        found = (self._url(word, name) for word in cell.split())
        return tuple(Image(url, line=self._line) for url in found if url)

    def _videos(self, cell: str, name: str) -> tuple[Video, ...]:
        """Read URLs of files, or of players, with white space between them."""
        videos = []
        for url in filter(None, (self._url(word, name) for word in cell.split())):
            kind = media_types.kind_of(url) or Kind.VIDEO
            if kind is Kind.PLAYER:
                videos.append(Video(player_url=url, line=self._line))
            else:
                file = Rendition(url, kind)
                videos.append(Video(content_url=url, renditions=(file,), line=self._line))
        return tuple(videos)

    # -- issues ---------------------------------------------------------------------------

    def _noted(self, result: tuple[T, Iterable[Note]], name: str) -> T:
        """Report what a value function noted, and return its value."""
        value, notes = result
        for code, message in notes:
            self._warn(code, message, name)
        return value

    def _warn(self, code: Code, message: str, name: str | None = None) -> None:
        self._report(
            Issue(code=code, message=message, line=self._line, path=name, entry=self._label)
        )


def _fields(names: list[str]) -> list[tuple[str | None, str]]:
    """Return the field of each column, and its name; the first column of a field counts.

    Raises:
        DocumentError: no column holds URLs.
    """
    fields: list[tuple[str | None, str]] = []
    for name in names:
        field = FIELD_OF.get(detect.column_name(name))
        is_first = field not in {known for known, _ in fields}
        fields.append((field if is_first else None, printable(name.strip()) or "(no name)"))
    if all(field != "loc" for field, _ in fields):
        raise DocumentError(
            "the first row names no column of URLs; wanted one called url, loc or link. "
            "A file of URLs alone is a list: --from txt"
        )
    return fields


FORMAT: Final = Format(
    name="csv",
    title="CSV or TSV with a URL column",
    extensions=(".csv", ".tsv"),
    media_types=("text/csv", "text/tab-separated-values"),
    sniff=detect.is_table,
    read=TableDocument,
)
