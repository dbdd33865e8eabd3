"""Reads tables of URLs, CSV and TSV, whose first row names the columns (mapping 3.12).

https://www.rfc-editor.org/rfc/rfc4180. The delimiter is a comma, a semicolon or a tab.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, BinaryIO, Final

from converter.errors import DocumentError, LimitError
from converter.formats.base import Format
from converter.formats.text_lines import decoded, text_lines
from converter.issues import Code, Issue, Note, Report, errors_naming, printable
from converter.model import MOST_OTHER, Entry, Feed, Image, Kind, Rendition, Text, Video
from converter.options import ReadOptions
from converter.values import dates, media_types, numbers, urls
from converter.xml import detect

_Value = tuple[Any, Iterable[Note]]
_CellReader = Callable[[str, ReadOptions, int], _Value]


def _of_urls(make: Callable[[str, int], Image | Video]) -> _CellReader:
    """Return a reader of URLs with white space between them."""

    def read(cell: str, options: ReadOptions, line: int) -> _Value:
        results = [urls.resolve(word, options.base_url) for word in cell.split()]
        found = tuple(make(result.url, line) for result in results if result.url)
        return found, [note for result in results for note in result.notes]

    return read


def _video(url: str, line: int) -> Video:
    kind = media_types.kind_of(url) or Kind.VIDEO
    if kind is Kind.PLAYER:
        return Video(player_url=url, line=line)
    return Video(content_url=url, renditions=(Rendition(url, kind),), line=line)


def _date(cell: str, options: ReadOptions, _line: int) -> _Value:
    return dates.parse(cell, options.assume_tz, None)


#: Of each field: the names of its columns, as `detect.column_name` returns them; and its reader.
_FIELDS: Final[Mapping[str, tuple[str, _CellReader]]] = {
    "updated": ("lastmod lastmodified updated modified datemodified date", _date),
    "published": ("published pubdate publicationdate datepublished", _date),
    "title": ("title", lambda cell, *_: (" ".join(cell.split()), ())),
    "summary": ("description summary", lambda cell, *_: (Text(cell), ())),
    "changefreq": ("changefreq", lambda cell, *_: numbers.changefreq(cell)),
    "priority": ("priority", lambda cell, *_: numbers.priority(cell)),
    "lang": ("lang language", lambda cell, *_: (cell, ())),
    "images": ("image images imageurl", _of_urls(lambda url, line: Image(url, line=line))),
    "videos": ("video videos videourl", _of_urls(_video)),
}
_FIELD_OF: Final[Mapping[str, str]] = dict.fromkeys(detect.URL_COLUMNS, "loc") | {
    name: field for field, (names, _) in _FIELDS.items() for name in names.split()
}


class TableDocument:
    """Reads a table as its entries are iterated; see `formats.base.Document`."""

    children: tuple[str, ...] = ()
    header_changed: bool = False

    def __init__(self, stream: BinaryIO, options: ReadOptions, report: Report, /) -> None:
        self.feed = Feed(format="csv", source=options.name)
        self._stream, self._options, self._report = stream, options, report
        self._lines_read = self._row_characters = 0
        self._line = 1
        self._label: str | None = None

    @property
    def entries(self) -> Iterator[Entry]:
        """Read the rows, once.

        Raises:
            DocumentError: the first row names no column of URLs, or no row holds a URL.
            LimitError: a row is larger than an entry may be.
        """
        found = row = None
        with errors_naming(self._options.name):
            rows = self._rows()
            columns = _columns(next(rows, []))
            for row in rows:
                if entry := self._entry(row, columns):
                    found = entry
                    yield entry
            if row and not found:
                raise DocumentError("no row holds an http(s) URL; wanted one in each row")

    def _lines(self) -> Iterator[str]:
        most = self._options.limits.max_line_bytes
        for line in chain.from_iterable(text_lines(self._stream, most, self._warn)):
            self._lines_read += 1
            self._row_characters += len(line)
            if self._row_characters > most:
                message = (
                    f"line {self._line}: a row of more than {most:,} characters. "
                    "Look for a quotation mark that is not closed"
                )
                raise LimitError(message, limit="max_line_bytes", line=self._line)
            yield line + "\n"

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
                if self._line < self._lines_read:  # the quotation mark hides the following rows
                    message = "the row has no end, so this line and all further ones are not read"
                    self._warn(Code.XML_BROKEN, f"{message}. Close its quotation mark")
                    return
                self._warn(Code.LINE_NOT_URL, f"the row cannot be read ({error}); left out")
                continue
            if row is None:
                return
            if any(row):
                yield [decoded(cell, self._warn).strip() for cell in row]

    def _entry(self, cells: list[str], columns: list[tuple[str | None, str]]) -> Entry | None:
        """Make the entry of a row; None and a report for a row without a URL."""
        entry, self._label = Entry(line=self._line, feed=self.feed), None
        if any(cells[len(columns) :]):
            message = f"{len(cells)} cells, but {len(columns)} columns; the last cells are left out"
            self._warn(Code.LINE_COLUMNS, message)
        named = [(*column, cell) for column, cell in zip(columns, cells, strict=False) if cell]
        values = {field: (cell, name) for field, name, cell in named if field}
        cell, name = values.pop("loc", ("", "url"))
        if cell:
            entry.loc = self._without_notes(urls.resolve(cell, self._options.base_url), name)
        if entry.loc is None or not urls.is_http(entry.loc):
            what = f"{urls.quoted(cell)} is not an http(s) URL" if cell else "the row holds no URL"
            self._warn(Code.LINE_NOT_URL, f"{what}; left out", name)
            return None
        self._label = urls.hide_credentials(entry.loc)
        for field, (cell, name) in values.items():
            result = _FIELDS[field][1](cell, self._options, self._line)
            setattr(entry, field, self._without_notes(result, name))
        unread = [name for field, name, _ in named if field is None][:MOST_OTHER]
        entry.other = tuple((name, 1) for name in dict.fromkeys(unread))
        return entry

    def _without_notes(self, result: _Value, name: str) -> Any:
        """Report the notes of a value function, and return its value."""
        value, notes = result
        for code, message in notes:
            self._warn(code, message, name)
        return value

    def _warn(self, code: Code, message: str, name: str | None = None) -> None:
        line, entry = self._line, self._label
        self._report(Issue(code=code, message=message, line=line, path=name, entry=entry))


def _columns(names: list[str]) -> list[tuple[str | None, str]]:
    """Return the field of each column, and its name; the first column of a field counts.

    Raises:
        DocumentError: no column holds URLs.
    """
    columns: list[tuple[str | None, str]] = []
    fields: set[str | None] = set()
    for name in names:
        field = _FIELD_OF.get(detect.column_name(name))
        columns.append((None if field in fields else field, printable(name) or "(no name)"))
        fields.add(field)
    if "loc" not in fields:
        raise DocumentError(
            "the first row names no column of URLs; wanted one called url, loc or link. "
            "A file of URLs alone is a list: --from txt"
        )
    return columns


FORMAT: Final = Format(
    name="csv",
    title="CSV or TSV with a URL column",
    extensions=(".csv", ".tsv"),
    media_types=("text/csv", "text/tab-separated-values"),
    sniff=detect.is_table,
    contents=("text",),
    read=TableDocument,
)
