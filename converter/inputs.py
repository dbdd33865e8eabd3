"""From sources to inputs: which format each is, and what is read in its place if it names some."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TypeAlias

from converter import registry
from converter.edge.sources import Source, open_source
from converter.errors import SourceError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import Job, ReadOptions
from converter.readers import Around, Input, Stored, reader_of
from converter.seams import Document, Format, Reader, Spool
from converter.values import urls
from converter.xml import prefix as look

if TYPE_CHECKING:
    from converter.edge.children import Child
    from converter.finding.scout import Scout

__all__ = ["Gauge", "Intake", "Opener", "SourceSpec", "by_source"]

SourceSpec: TypeAlias = str | os.PathLike[str] | BinaryIO


class Gauge(Protocol):
    """How much there is to read, and how much was read."""

    @property
    def total_bytes(self) -> int | None:
        """As stored; None where that is not known."""

    @property
    def consumed(self) -> Callable[[], int]:
        """Says how many of them were read so far."""


class Intake(NamedTuple):
    """What one source comes to: itself, or what it names and is read in its place."""

    name: str
    inputs: Sequence[Input]
    gauges: Sequence[Gauge]
    children: tuple[str, ...] | None = None
    """As the index names them; None: it is no index."""
    kind: str = "page"
    """What is read in its place: `page` of a feed, `sitemap` of an index, or `feed`."""

    def document(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it all."""
        if self.children is not None or len(self.inputs) != 1:
            return _Followed(self, options, report)
        return _begun(self.inputs[0], options, report)


class Opener:
    """Opens the sources of one run; what it has fetched is closed with the run.

    Args:
        job: what was asked for.
        spool: makes temporary files.
        report: takes every issue.
        closing: closes what was opened.
    """

    def __init__(self, job: Job, spool: Spool, report: Report, closing: ExitStack) -> None:
        self._job = job
        self._spool = spool
        self._report = report
        self._closing = closing
        self._sent: Scout | None = None

    @property
    def _scout(self) -> Scout:
        """Whoever fetches; files need none."""
        if self._sent is None:
            from converter.finding.scout import Scout

            self._sent = Scout(self._job, self._spool, self._report, self._closing)
        return self._sent

    @property
    def found(self) -> tuple[str, ...]:
        """What is read in the place of what was named, a sentence each."""
        return tuple(self._sent.found) if self._sent else ()

    @property
    def unchanged(self) -> int:
        """How many documents have not changed since they were fetched last."""
        return self._sent.unchanged if self._sent else 0

    def all_taken(self, specs: Sequence[SourceSpec]) -> list[Intake]:
        """Take several, in their order; those that are URLs are fetched side by side.

        Raises:
            ConverterError: as `taken` does; of several errors the first source's.
        """
        wanted = [spec for spec in specs if isinstance(spec, str) and urls.is_http(spec)]
        if len(wanted) > 1:
            self._scout.go_ahead(wanted)
        return [self.taken(spec) for spec in specs]

    def taken(self, spec: SourceSpec) -> Intake:
        """Find out what a source is, and how to begin to read it; of what names others, those.

        Raises:
            SourceError: it is not there, or a child of an index is not, or may not be read.
            DocumentError: it is nothing we know, or not what the job says; a broken index.
        """
        if isinstance(spec, str) and urls.is_http(spec):
            return self._all_of(self._scout.named(spec), folder=None)
        limits = self._job.read.limits
        opened = open_source(spec, limits=limits, spool=self._spool, report=self._report)
        source = self._closing.enter_context(opened)
        has_place = spec != "-" and isinstance(spec, str | os.PathLike)
        return self._all_of(source, folder=source.name if has_place else None)

    def _all_of(self, source: Source, folder: str | None) -> Intake:
        meant = [source]
        if source.url is not None or look.is_opml(source.prefix()):
            meant = self._scout.meant_by(source)
        intakes = [self._one(each, folder if each is source else None) for each in meant]
        if len(intakes) == 1 and intakes[0].name == source.name:
            return intakes[0]
        return Intake(
            name=source.name,
            inputs=[given for intake in intakes for given in intake.inputs],
            gauges=[gauge for intake in intakes for gauge in intake.gauges],
            children=intakes[0].children if len(intakes) == 1 else None,
            kind=intakes[0].kind if len(intakes) == 1 else "feed",
        )

    def _one(self, source: Source, index: str | None) -> Intake:
        seen = source.prefix()
        row = _row(source, seen, self._job.format)
        if look.is_sitemapindex(seen):
            return self._of_index(source, row, index)
        pages = [source]
        if self._job.fetch.follow_pages and row.salvage is not None:  # it is a feed
            pages = self._scout.pages_of(source)
        if len(pages) == 1:
            inputs = [_input(source, reader_of(row), row.entry_end)]
        else:
            rows = (row if page is source else _row(page, page.prefix(), None) for page in pages)
            inputs = [_input(page, _page_reader(of)) for page, of in zip(pages, rows, strict=True)]
        return Intake(name=source.name, inputs=inputs, gauges=pages)

    # -- the children of an index ---------------------------------------------------------

    def _of_index(self, source: Source, row: Format, index: str | None) -> Intake:
        told = by_source(self._report, source.name)
        options = self._job.read._replace(name=source.name, source_url=source.url)
        names = reader_of(row)(source.stream, options, told).children
        if not names:
            told(Issue(code=Code.SOURCE_EMPTY, message="the index names no sitemap"))
        if index is not None:
            from converter.edge.children import located as beside  # few sources are indexes

            located = beside(index, names)
        else:
            located = [self._address(source, name) for name in names]
        wanted = [child for child in located if isinstance(child, str)]
        fetched = self._fetched(source, wanted)
        found = [
            self._fetched_child(next(fetched), source)
            if isinstance(child, str)
            else self._local_child(child, source)
            for child in located
        ]
        return Intake(
            name=source.name,
            inputs=[given for given, _ in found],
            gauges=[gauge for _, gauge in found],
            children=names,
            kind="sitemap",
        )

    def _address(self, source: Source, name: str) -> str:
        """Give the URL of a child whose index lies in no folder."""
        base = self._job.read.base_url or source.url
        address = urls.resolve(name, base).url if source.url or urls.is_http(name) else None
        if address and urls.is_http(address):
            return address
        if source.url is None:
            raise SourceError(
                f"{printable(source.name)}: this is a sitemap index, and {urls.shown(name)} can "
                "only be found beside a file. Download them to one folder, and name the index in it"
            )
        raise SourceError(
            f"{printable(source.name)}: the index names {urls.shown(name)}, which is no http(s) "
            "URL. Mend the index"
        )

    def _fetched(self, index: Source, wanted: Sequence[str]) -> Iterator[Source]:
        """Fetch children, in order; each is another document than those before."""
        seen = {_bare(index.name), _bare(index.url or index.name)}
        for address in wanted:
            if _bare(address) in seen:
                raise _twice(index, address)
        for child in self._scout.fetch_all(wanted) if wanted else ():
            address = _bare(child.url or child.name)
            if address in seen:
                raise _twice(index, child.name)
            seen.add(address)
            yield child

    def _fetched_child(self, child: Source, index: Source) -> tuple[Input, Gauge]:
        seen = child.prefix()
        _refuse_index(child.name, seen, index.name)
        if index.url and child.url and not urls.same_site(index.url, child.url):
            said = f"the sitemap {child.name} is on another host than its index"
            issue = Issue(code=Code.CHILD_ELSEWHERE, message=said, source=index.name)
            self._report(issue)
        row = _row(child, seen, None)
        return _input(child, reader_of(row), row.entry_end), child

    def _local_child(self, file: Child, index: Source) -> tuple[Input, Gauge]:
        child = _Child(file, index.name, self._job, self._spool)
        return Input(name=child.name, open=child.open, late=child.late), child


def by_source(report: Report, name: str) -> Report:
    """Name the source in every issue that names none."""
    return lambda issue: report(issue if issue.source else replace(issue, source=name))


def _begun(given: Input, options: ReadOptions, report: Report) -> Document:
    options = options._replace(name=given.name, source_url=given.url)
    return given.open(options, by_source(report, given.name))


def _input(source: Source, reading: Reader, entry_end: str | None = None) -> Input:
    stream = source.stream
    return Input(
        name=source.name,
        open=lambda *to: reading(stream, *to),
        stored=Stored(stream, reading, entry_end),
        url=source.url,
    )


def _row(source: Source, seen: bytes, told: str | None) -> Format:
    if told is None:
        return registry.detect(
            seen,
            media_type=source.media_type,
            extension=source.extension,
            name=source.name,
        )
    row = registry.by_name(told, "--from")
    registry.claimed(seen, row, name=source.name)
    return row


def _page_reader(row: Format) -> Reader:
    """Give the reader of one page of several that become one document."""
    from converter.finding.joined import joined

    return joined(reader_of(row))


def _bare(url: str) -> str:
    return url.partition("#")[0]


def _twice(index: Source, child: str) -> SourceError:
    return SourceError(
        f"{printable(index.name)}: the index names {urls.shown(child)}, which leads to the index "
        "itself or to another child. Mend the index"
    )


def _refuse_index(name: str, seen: bytes, index: str) -> None:
    if look.is_sitemapindex(seen):
        raise SourceError(
            f"{printable(name)}: this is an index within the index {printable(index)}, which none "
            "may list. Name it by itself"
        )


# -- the children of an index that lie beside it ----------------------------------------------


class _Child:
    """A sitemap of an index: opened when it is walked and closed after, for there may be 50,000."""

    def __init__(self, file: Child, index: str, job: Job, spool: Spool) -> None:
        self.name = file.path
        self.total_bytes: int | None = file.bytes
        self._index = index
        self._job = job
        self._spool = spool
        self._source: Source | None = None
        self._is_done = False

    def consumed(self) -> int:
        """How many bytes of the file were read so far."""
        if self._is_done:
            return self.total_bytes or 0
        return self._source.consumed() if self._source else 0

    @contextmanager
    def late(self, report: Report) -> Iterator[Input]:
        """Open it for a while.

        Raises:
            SourceError: it is an index itself.
        """
        limits = self._job.read.limits
        opened = open_source(self.name, limits=limits, spool=self._spool, report=report)
        with opened as source:
            seen = source.prefix()
            _refuse_index(self.name, seen, self._index)
            row = _row(source, seen, None)
            self._source, self._is_done = source, False
            yield _input(source, reader_of(row), row.entry_end)
        self._source, self._is_done = None, True

    def open(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it.

        Raises:
            SourceError: it is an index itself.
        """
        with ExitStack() as opened:
            given = opened.enter_context(self.late(report))
            return _Open(given.open(options, report), opened.pop_all())
        raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


class _Open(Around):
    """A child that is closed when it has been walked."""

    def __init__(self, document: Document, opened: ExitStack) -> None:
        super().__init__(document)
        self._opened = opened

    @property
    def entries(self) -> Iterator[Entry]:
        with self._opened:
            yield from self._document.entries


class _Followed:
    """What is read in the place of a source, for a program: one document after the other."""

    is_late = False

    def __init__(self, intake: Intake, options: ReadOptions, report: Report) -> None:
        self.children = intake.children or ()
        self._inputs = intake.inputs
        self._options = options
        self._report = report
        index = "sitemap" if intake.children is not None else None
        self._nothing = Feed(format=index, source=intake.name)
        self._first: Document | None = None
        if intake.children is None and intake.inputs:
            self._first = _begun(intake.inputs[0], options, report)

    @property
    def feed(self) -> Feed:
        """An index has none to speak of, nor a list without feeds; else the first one's."""
        return self._nothing if self._first is None else self._first.feed

    @property
    def entries(self) -> Iterator[Entry]:
        for number, given in enumerate(self._inputs):
            first = None if number else self._first
            document = first or _begun(given, self._options, self._report)
            yield from document.entries
