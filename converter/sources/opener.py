"""Opens the sources of a run: detects formats, and reads what indexes, lists and pages name."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeGuard

from converter.errors import SourceError
from converter.formats.base import Document, Format, SimpleDocument, Spool
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import ReadOptions, RunOptions
from converter.pipeline.inputs import DocumentProxy, Input, by_source, reader_of
from converter.sources.source import Source, SourceSpec, format_of, input_of, open_source
from converter.values import urls
from converter.xml import detect

if TYPE_CHECKING:
    from converter.sources.discovery.feed_finder import FeedFinder


class OpenedSource(NamedTuple):
    """A source, or the documents that it names and that are read instead."""

    name: str
    inputs: list[Input]
    children: tuple[str, ...] | None = None
    """What a sitemap index names, as written there; None if the source is not an index."""
    kind: Literal["page", "sitemap", "feed"] = "page"
    """What the inputs are if they are read instead of the source: pages of one feed, sitemaps of
    an index, or feeds of a list or an HTML page."""

    def document(self, options: ReadOptions, report: Report) -> Document:
        """Begin to read all inputs as one document, with the header of the first."""
        documents = (_begin(each, options, report) for each in self.inputs)
        is_index = self.children is not None
        feed = Feed(format="sitemap" if is_index else None, source=self.name)
        empty = SimpleDocument(feed, iter(()), self.children or ())
        return _Concatenation(empty if is_index else next(documents, empty), documents)


class SourceOpener:
    """Opens the sources of one run; `closing` closes them with the run."""

    def __init__(
        self, options: RunOptions, spool: Spool, report: Report, closing: ExitStack
    ) -> None:
        self._options = options
        self._spool = spool
        self._report = report
        self._closing = closing
        self.found: list[str] = []
        """A sentence for each source of which other documents are read instead."""

    @cached_property
    def _finder(self) -> FeedFinder:
        # files need no requests, which takes long to import
        from converter.sources.discovery.feed_finder import FeedFinder

        return FeedFinder(self._options, self._spool, self._report, self._closing, self.found)

    @property
    def unchanged(self) -> int:
        """How many fetched documents have not changed since the last run."""
        return self._finder.unchanged if "_finder" in vars(self) else 0

    def open_all(self, specs: Sequence[SourceSpec]) -> list[OpenedSource]:
        """Open sources and detect their formats; open what they name if that is read instead.

        Raises:
            SourceError: a source or a child of an index is missing, or must not be read.
            DocumentError: a format is unknown or contradicts the options; an index is broken.
        """
        # Closing ends the threads of the fetches: worker processes fork only without threads.
        with closing(self._fetch([spec for spec in specs if _is_url(spec)])) as fetched:
            return [
                self._opened(next(fetched) if _is_url(spec) else self._open_local(spec))
                for spec in specs
            ]

    def open(self, spec: SourceSpec) -> OpenedSource:
        """Open one source; see `open_all`."""
        return self.open_all([spec])[0]

    def _fetch(self, wanted: Sequence[str]) -> Generator[Source, None, None]:
        if wanted:
            yield from self._finder.fetch_all(wanted, is_named=True)

    def _open_local(self, spec: SourceSpec) -> Source:
        limits = self._options.read.limits
        opened = open_source(spec, limits=limits, spool=self._spool, report=self._report)
        return self._closing.enter_context(opened)

    def _opened(self, source: Source) -> OpenedSource:
        """Resolve a source to documents and open each."""
        documents = [source]
        if source.url is not None or detect.root_name(source.prefix()) == "opml":
            documents = self._finder.resolve(source)
        opened = [self._open_document(each) for each in documents]
        if len(opened) == 1:
            return opened[0]._replace(name=source.name)
        inputs = [one for each in opened for one in each.inputs]
        return OpenedSource(source.name, inputs, kind="feed")

    def _open_document(self, source: Source) -> OpenedSource:
        format_ = format_of(source, self._options.format)
        if detect.root_name(source.prefix()) == "sitemapindex":
            return self._open_index(source, format_)
        pages = [source]
        if self._options.fetch.follow_pages and format_.is_feed:
            pages = self._finder.pages_of(source)
        if len(pages) == 1:
            return OpenedSource(source.name, [input_of(source, format_)])
        from converter.sources.discovery.pagination import without_page_links

        formats = (format_ if page is source else format_of(page) for page in pages)
        inputs = map(without_page_links, map(input_of, pages, formats))
        return OpenedSource(source.name, list(inputs))

    def _open_index(self, source: Source, format_: Format) -> OpenedSource:
        from converter.sources.sitemap_index import file_input, find_files  # few are indexes

        report = by_source(self._report, source.name)
        options = replace(self._options.read, name=source.name, source_url=source.url)
        names = reader_of(format_)(source.stream, options, report).children
        if not names:
            report(Issue(code=Code.SOURCE_EMPTY, message="the index names no sitemap"))
        files = [*names] if source.path is None else find_files(source.path, names)
        children = [self._url_of_child(source, it) if isinstance(it, str) else it for it in files]
        fetched = self._fetch_children(source, [url for url in children if isinstance(url, str)])
        limits, inputs = options.limits, list[Input]()
        for child in children:
            if isinstance(child, str):
                document = next(fetched)
                inputs.append(input_of(document, format_of(document)))
            else:
                inputs.append(file_input(child, source.name, limits, self._spool))
        return OpenedSource(source.name, inputs, children=names, kind="sitemap")

    def _url_of_child(self, index: Source, child: str) -> str:
        """Return the absolute URL of a child of an index that is not a local file."""
        base = self._options.read.base_url or index.url
        url = urls.resolve(child, base).url if index.url or urls.is_http(child) else None
        if url and urls.is_http(url):
            return url
        raise SourceError(
            f"{printable(index.name)}: the index names {urls.quoted(child)}, which is not an "
            "http(s) URL, and files are only read beside an index that is opened by its path"
        )

    def _fetch_children(self, index: Source, wanted: Sequence[str]) -> Iterator[Source]:
        """Fetch children of an index in their order; each must be another document."""
        from converter.sources.sitemap_index import refuse_index

        seen = set(index.addresses)
        for child in self._finder.fetch_all(wanted) if wanted else ():
            _, address = child.addresses
            if address in seen:
                raise SourceError(
                    f"{printable(index.name)}: the index names {urls.quoted(child.name)}, which "
                    "leads to the index itself or to another child. Fix the index"
                )
            seen.add(address)
            refuse_index(child, index.name)
            if index.url and child.url and not urls.same_site(index.url, child.url):
                message = f"the sitemap {child.name} is on another host than its index"
                issue = Issue(code=Code.CHILD_ELSEWHERE, message=message, source=index.name)
                self._report(issue)
            yield child


def _is_url(spec: SourceSpec) -> TypeGuard[str]:
    return isinstance(spec, str) and urls.is_http(spec)


def _begin(source: Input, options: ReadOptions, report: Report) -> Document:
    options = replace(options, name=source.name, source_url=source.url)
    return source.open(options, by_source(report, source.name))


class _Concatenation(DocumentProxy):
    """Documents that are begun and read one after the other; the first is begun."""

    def __init__(self, first: Document, others: Iterator[Document]) -> None:
        super().__init__(first)
        self._others = others

    @property
    def entries(self) -> Iterator[Entry]:
        return chain(
            self._document.entries,
            chain.from_iterable(document.entries for document in self._others),
        )
