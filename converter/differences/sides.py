"""One side of a comparison: its pages, sorted by URL in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike, fsdecode
from typing import Final, TypeAlias

from converter.differences import url_map
from converter.differences.change import SideTotals
from converter.differences.fields import END_OF_TIME
from converter.differences.options import DiffOptions
from converter.differences.rows import RowFormat
from converter.errors import DocumentError
from converter.formats.base import Document, Spool
from converter.issues import Code, Issue, Report, ignore, printable
from converter.model import Entry, Feed
from converter.options import RunOptions
from converter.pipeline.external_sort import ExternalSort
from converter.pipeline.transforms import Transform, filters
from converter.pipeline.transforms.clean_urls import UrlCleaner
from converter.pipeline.transforms.deduplicate import merge
from converter.sources.opener import SourceOpener
from converter.sources.source import SourceSpec
from converter.values import urls

Page: TypeAlias = tuple[str, bytes]
"""A URL and its row."""

#: A document that is not read to its end: its other pages would appear to be removed.
_BREAKS_OFF: Final = frozenset({Code.XML_BROKEN, Code.GZIP_REPAIRED})


class Side:
    """The pages of one side, which are read once and then yielded once in the order of URLs."""

    def __init__(
        self, options: DiffOptions, rows: RowFormat, spool: Spool, closing: ExitStack
    ) -> None:
        self.totals = SideTotals()
        self._options = options
        self._rows = rows
        self._spool = spool
        self._closing = closing
        self._pages = closing.enter_context(ExternalSort(spool, options.memory_bytes // 2))

    def read(self, specs: Sequence[SourceSpec], report: Report, *, is_old: bool) -> None:
        """Read all sources of the side.

        Raises:
            ConverterError: a source cannot be read, or breaks off.
        """
        options, broken = self._options, list[Issue]()
        format_ = (options.from_old if is_old else options.from_new) or options.run.format
        run = replace(options.run, format=format_)
        self.totals.names = tuple(map(_name_of, specs))

        def noticed(issue: Issue) -> None:
            if issue.code in _BREAKS_OFF:
                broken.append(issue)
            report(issue)

        transforms = self._transforms(run, report, is_old=is_old)
        opener = SourceOpener(run, self._spool, noticed, self._closing)
        for source in opener.open_all(specs):
            self._read_source(source.document(run.read, noticed), run, transforms)
            if broken and not options.allow_truncated:
                raise _breaks_off(broken[0])

    def _transforms(self, run: RunOptions, report: Report, *, is_old: bool) -> list[Transform]:
        options, transforms = self._options, list[Transform]()
        rules = urls.ParameterRules.from_options(run.transforms)
        clean = [] if options.raw else [UrlCleaner(rules, report).clean]
        mapped = url_map.transform(options) if is_old else None
        transforms += clean
        if mapped is not None:
            transforms += [mapped, *clean]
        return transforms

    def _read_source(
        self, document: Document, run: RunOptions, transforms: Sequence[Transform]
    ) -> None:
        totals, add, dump = self.totals, self._pages.add, self._rows.dump
        is_selected, feed = _selection(run), None
        for read in document.entries:
            if read.feed is not feed:
                feed = read.feed
                totals.formats.update(_formats(feed))
            entry = _transformed(read, transforms)
            if entry is None or entry.loc is None:
                totals.left_out += 1
            elif is_selected(entry):
                add(entry.loc, dump(entry))
            else:
                totals.filtered += 1

    def pages(self) -> Iterator[Page]:
        """Yield each page once; its entries are merged in the order of the sources."""
        rows = iter(self._pages)
        if (first := next(rows, None)) is None:
            return
        url, row = first
        repeated = [row]
        for other, more in rows:
            if other != url:
                yield self._page(url, repeated)
                url, repeated = other, [more]
                continue
            self.totals.duplicates += 1
            if more != repeated[-1]:
                repeated.append(more)
        yield self._page(url, repeated)

    def _page(self, url: str, rows: Sequence[bytes]) -> Page:
        self.totals.urls += 1
        if len(rows) == 1:
            return url, rows[0]
        entries = [self._rows.load(url, row) for row in rows]
        while len(entries) > 1:  # pairs, so that an entry is copied log(n) times, not n times
            last = entries[len(entries) & ~1 :]
            pairs = zip(entries[::2], entries[1::2], strict=False)
            entries = [*(merge(first, second, END_OF_TIME) for first, second in pairs), *last]
        return url, self._rows.dump(entries[0])


def _formats(feed: Feed | None) -> tuple[str, ...]:
    return (feed.format,) if feed is not None and feed.format else ()


def _transformed(entry: Entry, transforms: Iterable[Transform]) -> Entry | None:
    transformed: Entry | None = entry
    for transform in transforms:
        if transformed is not None:
            transformed = transform(transformed)
    return transformed


def _selection(run: RunOptions) -> Callable[[Entry], object]:
    """Return whether `--include` and `--exclude` keep an entry."""
    include, exclude = run.transforms.include, run.transforms.exclude
    if not (include or exclude):
        return lambda _entry: True
    return filters.matching(include, exclude, ignore)


def _name_of(spec: SourceSpec) -> str:
    if isinstance(spec, str | PathLike):
        return urls.hide_credentials(fsdecode(spec))
    name = getattr(spec, "name", None)
    return name if isinstance(name, str) else "-"


def _breaks_off(issue: Issue) -> DocumentError:
    name = printable(issue.source or "the source")
    return DocumentError(
        f"{name}: {issue.message}. Pages after that would appear to be removed: fetch or repair "
        "the document, or compare what can be read with --allow-truncated",
        line=issue.line,
    )
