"""From sources to inputs: which format each is, and what is read in its place if it names some."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, TypeGuard, Union

from converter.errors import SourceError
from converter.formats.base import Document, Format, Reader, Spool
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import ReadOptions, RunOptions
from converter.pipeline.inputs import DocumentProxy, Input, StoredDocument, by_source, reader_of
from converter.sources.source import Source, format_of, open_source
from converter.values import urls
from converter.xml import detect

if TYPE_CHECKING:
    from converter.sources.discovery.feed_finder import FeedFinder
    from converter.sources.index_children import Child

SourceSpec: TypeAlias = str | os.PathLike[str] | BinaryIO

#: Says how much there is to read (`total_bytes`), and how much was read so far (`consumed`).
ByteProgress: TypeAlias = Union[Source, "_Child"]


class OpenedSource(NamedTuple):
    """What one source comes to: itself, or what it names and is read in its place."""

    name: str
    inputs: list[Input]
    gauges: list[ByteProgress]
    children: tuple[str, ...] | None = None
    """As the index names them; None: it is no index."""
    kind: str = "page"
    """What is read in its place: `page` of a feed, `sitemap` of an index, or `feed`."""

    def document(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it all."""
        if self.children is not None or len(self.inputs) != 1:
            return _ConcatenatedDocuments(self, options, report)
        return _begun(self.inputs[0], options, report)


class SourceOpener:
    """Opens the sources of one run; what it has fetched is closed with the run.

    Args:
        options: what was asked for.
        spool: makes temporary files.
        report: takes every issue.
        closing: closes what was opened.
    """

    def __init__(
        self, options: RunOptions, spool: Spool, report: Report, closing: ExitStack
    ) -> None:
        self._options = options
        self._spool = spool
        self._report = report
        self._closing = closing
        self.found: list[str] = []
        """What is read in the place of what was named, a sentence each."""

    @cached_property
    def _finder(self) -> FeedFinder:
        from converter.sources.discovery.feed_finder import (
            FeedFinder,  # files need no requests, which takes long
        )

        return FeedFinder(self._options, self._spool, self._report, self._closing, self.found)

    @property
    def unchanged(self) -> int:
        """How many documents have not changed since they were fetched last."""
        return self._finder.unchanged if "_finder" in vars(self) else 0

    def all_taken(self, specs: Sequence[SourceSpec]) -> list[OpenedSource]:
        """Find out what each source is, and how to begin to read it; of what names others, those.

        URLs are fetched side by side; of several errors the first source's is raised.

        Raises:
            SourceError: it is not there, or a child of an index is not, or may not be read.
            DocumentError: it is nothing we know, or not what the options say; a broken index.
        """
        wanted = list(filter(_is_url, specs))
        named: AbstractContextManager[Iterator[Source]] = nullcontext(iter(()))
        if wanted:
            named = self._finder.named(wanted)
        with named as fetched:  # threads end with it: processes fork only where there are none
            return [
                self._all_of(next(fetched), folder=None) if _is_url(spec) else self._local(spec)
                for spec in specs
            ]

    def taken(self, spec: SourceSpec) -> OpenedSource:
        """Take one source; see `all_taken`."""
        return self.all_taken([spec])[0]

    def _local(self, spec: SourceSpec) -> OpenedSource:
        limits = self._options.read.limits
        opened = open_source(spec, limits=limits, spool=self._spool, report=self._report)
        source = self._closing.enter_context(opened)
        has_place = spec != "-" and isinstance(spec, str | os.PathLike)
        return self._all_of(source, folder=source.name if has_place else None)

    def _all_of(self, source: Source, folder: str | None) -> OpenedSource:
        meant = [source]
        if source.url is not None or detect.is_opml(source.prefix()):
            meant = self._finder.resolve(source)
        intakes = [self._one(each, folder if each is source else None) for each in meant]
        if len(intakes) == 1 and intakes[0].name == source.name:
            return intakes[0]
        return OpenedSource(
            name=source.name,
            inputs=[given for intake in intakes for given in intake.inputs],
            gauges=[gauge for intake in intakes for gauge in intake.gauges],
            children=intakes[0].children if len(intakes) == 1 else None,
            kind=intakes[0].kind if len(intakes) == 1 else "feed",
        )

    def _one(self, source: Source, index: str | None) -> OpenedSource:
        row = format_of(source, self._options.format)
        if detect.is_sitemapindex(source.prefix()):
            return self._of_index(source, row, index)
        pages = [source]
        if self._options.fetch.follow_pages and row.order == "newest":  # a feed
            pages = self._finder.pages_of(source)
        if len(pages) == 1:
            return OpenedSource(source.name, [_input(source, row)], [source])
        from converter.sources.discovery.pagination import concatenated

        rows = [row if page is source else format_of(page, None) for page in pages]
        inputs = [_input(page, of, concatenated) for page, of in zip(pages, rows, strict=True)]
        return OpenedSource(source.name, inputs, list(pages))

    # -- the children of an index ---------------------------------------------------------

    def _of_index(self, source: Source, row: Format, index: str | None) -> OpenedSource:
        told = by_source(self._report, source.name)
        options = self._options.read._replace(name=source.name, source_url=source.url)
        names = reader_of(row)(source.stream, options, told).children
        if not names:
            told(Issue(code=Code.SOURCE_EMPTY, message="the index names no sitemap"))
        if index is not None:
            from converter.sources.index_children import located  # few sources are indexes

            children = located(index, names)
        else:
            children = [self._address(source, name) for name in names]
        fetched = self._fetched(source, [child for child in children if isinstance(child, str)])
        intake = OpenedSource(source.name, [], [], children=names, kind="sitemap")
        for child in children:
            if isinstance(child, str):
                intake.gauges.append(document := next(fetched))
                intake.inputs.append(_input(document, format_of(document, None)))
            else:
                intake.gauges.append(file := _Child(child, source.name, self._options, self._spool))
                intake.inputs.append(Input(name=file.name, open=file.open, late=file.late))
        return intake

    def _address(self, source: Source, name: str) -> str:
        """Give the URL of a child whose index lies in no folder."""
        base = self._options.read.base_url or source.url
        address = urls.resolve(name, base).url if source.url or urls.is_http(name) else None
        if address and urls.is_http(address):
            return address
        if source.url is None:
            raise SourceError(
                f"{printable(source.name)}: this is a sitemap index, and {urls.quoted(name)} can "
                "only be found beside a file. Download them to one folder, and name the index in it"
            )
        raise SourceError(
            f"{printable(source.name)}: the index names {urls.quoted(name)}, which is no http(s) "
            "URL. Mend the index"
        )

    def _fetched(self, index: Source, wanted: Sequence[str]) -> Iterator[Source]:
        """Fetch children, in order; each is another document than those before.

        Raises:
            SourceError: one of them is the index, or was fetched before.
        """
        seen = {_bare(index.name), _bare(index.url or index.name)}
        for child in self._finder.fetch_all(wanted) if wanted else ():
            address = _bare(child.url or child.name)
            if address in seen:
                raise SourceError(
                    f"{printable(index.name)}: the index names {urls.quoted(child.name)}, which "
                    "leads to the index itself or to another child. Mend the index"
                )
            seen.add(address)
            _refuse_index(child, index.name)
            if index.url and child.url and not urls.same_site(index.url, child.url):
                said = f"the sitemap {child.name} is on another host than its index"
                issue = Issue(code=Code.CHILD_ELSEWHERE, message=said, source=index.name)
                self._report(issue)
            yield child


def _begun(given: Input, options: ReadOptions, report: Report) -> Document:
    options = options._replace(name=given.name, source_url=given.url)
    return given.open(options, by_source(report, given.name))


def _input(source: Source, row: Format, around: Callable[[Reader], Reader] | None = None) -> Input:
    stream, read = source.stream, reader_of(row)
    stored = (
        StoredDocument(stream, around(read), None)
        if around
        else StoredDocument(stream, read, row.entry_end)
    )
    opened = partial(stored.read, stream)
    return Input(name=source.name, open=opened, stored=stored, url=source.url)


def _is_url(spec: SourceSpec) -> TypeGuard[str]:
    return isinstance(spec, str) and urls.is_http(spec)


def _bare(url: str) -> str:
    return url.partition("#")[0]


def _refuse_index(child: Source, index: str) -> None:
    if detect.is_sitemapindex(child.prefix()):
        raise SourceError(
            f"{printable(child.name)}: this is an index within the index {printable(index)}, which "
            "none may list. Name it by itself"
        )


# -- the children of an index that lie beside it ----------------------------------------------


class _Child:
    """A sitemap of an index: opened when it is walked and closed after, for there may be 50,000."""

    def __init__(self, file: Child, index: str, options: RunOptions, spool: Spool) -> None:
        self.name = file.path
        self.total_bytes: int | None = file.bytes
        self.consumed: Callable[[], int] = lambda: 0
        self._index = index
        self._options = options
        self._spool = spool

    @contextmanager
    def late(self, report: Report) -> Iterator[Input]:
        """Open it for a while.

        Raises:
            SourceError: it is an index itself.
        """
        limits = self._options.read.limits
        opened = open_source(self.name, limits=limits, spool=self._spool, report=report)
        with opened as source:
            _refuse_index(source, self._index)
            given = _input(source, format_of(source, None))
            self.consumed = source.consumed
            yield given
        self.consumed = lambda: self.total_bytes or 0

    def open(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read it.

        Raises:
            SourceError: it is an index itself.
        """
        with ExitStack() as opened:
            given = opened.enter_context(self.late(report))
            return DocumentProxy(given.open(options, report), opened.pop_all())
        raise AssertionError("unreachable: ExitStack() swallows nothing")  # pragma: no cover


class _ConcatenatedDocuments:
    """What is read in the place of a source, for a program: one document after the other."""

    header_changed = False

    def __init__(self, intake: OpenedSource, options: ReadOptions, report: Report) -> None:
        is_index = intake.children is not None
        self.children = intake.children or ()
        self._documents = (_begun(given, options, report) for given in intake.inputs)
        self._first = None if is_index else next(self._documents, None)
        self._nothing = Feed(format="sitemap" if is_index else None, source=intake.name)

    @property
    def feed(self) -> Feed:
        """An index has none to speak of, nor a list without feeds; else the first one's."""
        return self._nothing if self._first is None else self._first.feed

    @property
    def entries(self) -> Iterator[Entry]:
        for document in chain([self._first] if self._first else [], self._documents):
            yield from document.entries
