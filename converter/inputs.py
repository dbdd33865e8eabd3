"""From sources to inputs: which format each is, and the children in the place of an index."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import BinaryIO, Protocol, TypeAlias

from converter import registry
from converter.edge import children
from converter.edge.sources import Source, open_source
from converter.errors import OptionError, SourceError
from converter.issues import Report, printable
from converter.keywords import Job
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.pipeline import Input
from converter.readers import named, salvaged
from converter.record import record, replace
from converter.seams import Document, Format, Raw, Reader, Spool
from converter.xml import prefix as look

__all__ = ["Gauge", "Intake", "SourceSpec", "by_source", "taken"]

SourceSpec: TypeAlias = str | os.PathLike[str] | BinaryIO


class Gauge(Protocol):
    """How much there is to read, and how much was read."""

    @property
    def total_bytes(self) -> int | None:
        """As stored; None where that is not known."""

    def consumed(self) -> int:
        """How many of them were read so far."""


@record
class Intake:
    """What one source comes to: itself, or the children of the index that it is."""

    name: str
    inputs: Sequence[Input]
    gauges: Sequence[Gauge]
    children: tuple[str, ...] | None = None
    """As the index names them; None: it is no index."""

    def document(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it all."""
        options = replace(options, name=self.name)
        if self.children is not None:
            return _Followed(self, options, report)
        return self.inputs[0].open(options, by_source(report, self.name))


def taken(spec: SourceSpec, source: Source, job: Job, spool: Spool, report: Report) -> Intake:
    """Find out what a source is, and how to begin to read it; of an index, what it names.

    Raises:
        SourceError: a child of an index is not there, or may not be read.
        DocumentError: it is nothing we know, or not what the job says; a broken index.
    """
    row = _row(source, job.format)
    reading = _reader(row)
    if not look.is_sitemapindex(source.prefix):
        known_bytes = len(source.prefix)
        raw = Raw(source.stream, reading, known_bytes, row.outline, row.lines)
        given = Input(name=source.name, open=lambda *to: reading(source.stream, *to), raw=raw)
        return Intake(name=source.name, inputs=(given,), gauges=(source,))
    options = replace(job.read, name=source.name)
    index = reading(source.stream, options, by_source(report, source.name))
    names = index.children
    if names and (source.url or spec == "-" or not isinstance(spec, str | os.PathLike)):
        raise SourceError(
            f"{printable(source.name)}: this is a sitemap index, and its sitemaps can only be "
            "found beside a file. Download them to one folder, and name the index in it"
        )
    files = children.located(source.name, names)
    found = [_Child(file, source.name, job, spool) for file in files]
    inputs = [Input(name=child.name, open=child.open) for child in found]
    return Intake(name=source.name, inputs=inputs, gauges=found, children=names)


def by_source(report: Report, name: str) -> Report:
    """Name the source in every issue that names none."""
    return lambda issue: report(issue if issue.source else replace(issue, source=name))


def _row(source: Source, told: str | None) -> Format:
    if told is None:
        return registry.detect(
            source.prefix,
            media_type=source.media_type,
            extension=source.extension,
            name=source.name,
        )
    row = registry.by_name(told)
    registry.claimed(source.prefix, row, name=source.name)
    return row


def _reader(row: Format) -> Reader:
    if row.read is None:
        raise OptionError(f"{row.title} cannot be read in this version")
    return named(row.read if row.salvage is None else salvaged(row.read, row.salvage))


# -- the children of an index -----------------------------------------------------------------


class _Child:
    """A sitemap of an index: opened when it is walked and closed after, for there may be 50,000."""

    def __init__(self, file: children.Child, index: str, job: Job, spool: Spool) -> None:
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

    def open(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it.

        Raises:
            SourceError: it is an index itself.
        """
        with ExitStack() as opened:
            limits = self._job.read.limits
            source = opened.enter_context(
                open_source(self.name, limits=limits, spool=self._spool, report=report)
            )
            if look.is_sitemapindex(source.prefix):
                raise SourceError(
                    f"{printable(self.name)}: this is an index within the index "
                    f"{printable(self._index)}, which none may list. Name it by itself"
                )
            document = _reader(_row(source, None))(source.stream, options, report)
            self._source, self._is_done = source, False
            return _Open(document, opened.pop_all(), self._finished)
        raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover

    def _finished(self) -> None:
        self._source, self._is_done = None, True


class _Open:
    """A child that is closed when it has been walked."""

    children: tuple[str, ...] = ()

    def __init__(self, document: Document, opened: ExitStack, finished: Callable[[], None]) -> None:
        self._document = document
        self._opened = opened
        self._finished = finished

    @property
    def feed(self) -> Feed:
        return self._document.feed

    @property
    def is_late(self) -> bool:
        """A feed, too, may be the child of an index; see `pipeline`."""
        return self._document.is_late

    @property
    def entries(self) -> Iterator[Entry]:
        with self._opened:
            yield from self._document.entries
        self._finished()


class _Followed:
    """An index, read for a program: the entries of its children, one after the other."""

    is_late = False

    def __init__(self, intake: Intake, options: ReadOptions, report: Report) -> None:
        self.feed = Feed(format="sitemap", source=options.name)
        self.children = intake.children or ()
        self._inputs = intake.inputs
        self._options = options
        self._report = report

    @property
    def entries(self) -> Iterator[Entry]:
        for given in self._inputs:
            options = replace(self._options, name=given.name)
            yield from given.open(options, by_source(self._report, given.name)).entries
