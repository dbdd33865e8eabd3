"""The news file: articles of the last two days, in a sitemap of their own.

A news sitemap is fetched often, so the guideline recommends a file apart from the whole sitemap,
of at most 1,000 articles:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote, urljoin

from converter.conversion.conversion import Conversion
from converter.conversion.publication import Output, OutputPart, Publication
from converter.conversion.result import OutputFile, Result
from converter.errors import DocumentError, OptionError
from converter.formats import registry
from converter.formats.base import Document, Rendered
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed
from converter.options import PublishOptions, RunOptions, WriteOptions
from converter.pipeline.inputs import DocumentProxy, Input
from converter.sources.opener import SourceOpener
from converter.values import dates

#: Of a news sitemap; from the page above.
_MOST_ARTICLES: Final = 1_000

#: What the run for news reports; the run for the whole sitemap reports all else.
_REPORTED: Final = frozenset(
    {
        Code.NEWS_EMPTY,
        Code.NEWS_NAME_CLEANED,
        Code.NEWS_SKIPPED,
        Code.FILE_LEFT_OVER,
        Code.OUTPUT_COMPLETED,
        Code.SITEMAP_URL_ASSUMED,
    }
)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)

#: A head names all namespaces that a part of ours needs, and no others.
_DECLARED: Final = b" xmlns:news="
_HEAD_BYTES: Final = 4096


@dataclass(slots=True)
class NewsFile:
    """The output of a news window: staged before the whole sitemap is published, published after.

    It is a run of its own over the same inputs.
    """

    conversion: Conversion
    of: Conversion
    """The run that it goes with."""
    closing: ExitStack
    writer: NewsOnlyWriter
    output: Output

    @classmethod
    def begin(cls, of: Conversion, path: str, closing: ExitStack) -> NewsFile:
        """Lock the file.

        Raises:
            OptionError: it is no regular file; or the publication cannot be called so.
            SinkError: it cannot be written, or another run holds it.
        """

        def report(issue: Issue) -> None:
            if issue.code in _REPORTED:
                of.report(issue)

        options = _job(of, path)
        writer = NewsOnlyWriter(options.write)
        conversion = Conversion.begin(options, path, report, closing, option="--news-output")
        if conversion.publisher.name == "-":
            raise OptionError(f'--news-output: "{path}" is no regular file; name another')
        # Of the pages that are no news, the writer remembers the newest: it does not render alone.
        conversion.row = replace(
            conversion.row, name="news", writer=writer.begin, renders_alone=lambda _: False
        )
        return cls(conversion, of, closing, writer, Output(name=conversion.publisher.name))

    def stage(self, inputs: Sequence[Input]) -> None:
        """Read the inputs again, and stage the news in them.

        With `--update`, what was news in an earlier run may still be.

        Raises:
            OptionError: there is news, but in no known language.
            SourceError: the file of an earlier run is damaged.
            SinkError: it cannot be written.
        """
        previous = self._previous() if self.of.options.publish.update else []
        given = [_mute(each) for each in (*inputs, *previous)]
        (self.output,) = self.conversion.outputs(self.conversion.pipeline(given, lambda: None))
        if not self.output.parts:
            self._stage_no_news()

    def _stage_no_news(self) -> None:
        """Do without news as `--news-empty` says.

        The schema wants a `url` in every sitemap, and the guideline lets articles that have grown
        too old stay, without their block of news.
        """
        conversion, writer = self.conversion, self.writer
        page = None if self.of.options.publish.news_empty == "remove" else writer.newest_page()
        fate = "there is no such file then" if page is None else "the newest page stands there"
        message = f"no article was published in the last two days; {fate}"
        conversion.report(Issue(code=Code.NEWS_EMPTY, message=message, source=conversion.path))
        if page is not None:
            chunks = (writer.head(Feed(), page.prefixes), page.body, writer.tail(Feed()))
            staged = conversion.publisher.stage(chunks, compress=conversion.compress)
            self.output.add(OutputPart(1, page.images, page.videos, 0, staged))

    def publish(self, result: Result) -> Result:
        """Put it in place, or with `--dry-run` see what that would change.

        Raises:
            SinkError: the system refuses.
        """
        publisher, parts = self.conversion.publisher, self.output.parts
        result = replace(result, news=sum(part.news for part in parts))
        staged = [(publisher.name, part.staged) for part in parts if part.staged is not None]
        index = publisher.index()
        if len(staged) == 1 and not (index and index.parts) and publisher.unchanged(*staged[0]):
            return result
        emptied: list[str] = []
        if not parts:  # all files of an earlier run go, first the one that others ask for
            emptied += [publisher.name] if publisher.exists() else []
            emptied += index.parts if index and index.is_own else []
        published = Publication(self.conversion).publish(
            [self.output] if parts else [], emptied=emptied
        )
        files = [_as_news(file) for file in published.files]
        return replace(
            result,
            files=(*result.files, *files),
            removed=(*result.removed, *published.removed),
        )

    # -- the news of earlier runs -------------------------------------------------------------

    def _previous(self) -> list[Input]:
        """Return the news of earlier runs as inputs: the existing news file, else the output's.

        Raises:
            SourceError: the news file is damaged; also while it is read.
        """
        from converter.update.strict_reader import strict_inputs  # most runs begin anew

        if self.conversion.publisher.exists():
            return strict_inputs(self.conversion.path, self._news_of(self.conversion), ignore)
        # What is wrong with the output, its own run reports.
        return self._news_of(self.of)(ignore) if _may_hold_news(self.of) else []

    def _news_of(self, conversion: Conversion) -> Callable[[Report], list[Input]]:
        """Return what opens the output of a run as feeds of its news."""
        options = conversion.options._replace(format=None)  # `--from` is for the sources

        def opened(report: Report) -> list[Input]:
            opener = SourceOpener(options, conversion.publisher.spool, report, self.closing)
            inputs = opener.taken(conversion.path).inputs
            return [_as_feed(given, is_sitemap=conversion is self.conversion) for given in inputs]

        return opened


def _job(of: Conversion, path: str) -> RunOptions:
    """Return the options of the whole sitemap without those that concern the set."""
    options, place = of.options, of.options.transforms.sitemap_url
    most = min(options.write.limit_urls or _MOST_ARTICLES, _MOST_ARTICLES)
    if place is not None:  # the way between the files is that between their URLs
        way = os.path.relpath(os.path.realpath(path), os.path.realpath(of.folder or "."))
        place = urljoin(place, quote(way))
    return options._replace(
        to="sitemap",
        transforms=options.transforms._replace(sitemap_url=place),
        write=options.write._replace(news_apart=False, limit_urls=most),
        publish=PublishOptions(),
    )


def _mute(given: Input) -> Input:
    """Return an input whose issues are not reported again."""
    return Input(name=given.name, open=lambda options, _: given.open(options, ignore))


def _as_feed(given: Input, *, is_sitemap: bool) -> Input:
    """Return an input that yields the news of a document; `is_sitemap`: it must be a sitemap."""
    opened = given.open
    return Input(name=given.name, open=lambda *args: _NewsAsFeed(opened(*args), is_sitemap))


def _as_news(file: OutputFile) -> OutputFile:
    return replace(file, kind="news-index") if file.kind == "index" else file


def _may_hold_news(of: Conversion) -> bool:
    """Look into the heads of an output's parts; an output that is not ours must be read."""
    from converter.conversion.existing_output import own_parts

    if of.row.name != "sitemap" or not of.publisher.exists():
        return False
    parts = own_parts(of)
    for part in parts or ():
        with part.open() as stream:
            if _DECLARED in stream.read(_HEAD_BYTES):
                return True
    return parts is None


class _NewsAsFeed(DocumentProxy):
    """The news of an earlier run, as the entries of a feed.

    So a feed that has the same article again is believed before the old block.
    """

    def __init__(self, document: Document, is_sitemap: bool) -> None:
        super().__init__(document)
        self._is_sitemap = is_sitemap

    @property
    def feed(self) -> Feed:
        return Feed()

    @property
    def entries(self) -> Iterator[Entry]:
        for entry in self._document.entries:
            if (news := entry.news) is not None:
                yield Entry(
                    loc=entry.loc,
                    title=news.title,
                    published=news.published,
                    updated=entry.updated,
                    lang=news.language,
                    images=entry.images,
                    videos=entry.videos,
                    line=entry.line,
                    feed=entry.feed,
                )
        if self._is_sitemap and self._document.feed.format != "sitemap":
            raise DocumentError("this is no XML sitemap")


# -- writing ----------------------------------------------------------------------------------


class NewsOnlyWriter:
    """A writer of sitemaps that lets only news through, and remembers the newest other page."""

    def __init__(self, options: WriteOptions) -> None:
        """Begin a sitemap.

        Raises:
            OptionError: the name or the language of the publication cannot be.
        """
        self.begin(options)

    def begin(self, options: WriteOptions) -> NewsOnlyWriter:
        """Forget everything: another pass counts."""
        self._now = options.now
        self._writer = registry.by_name("sitemap").writing(options)
        self.head, self.tail = self._writer.head, self._writer.tail
        self._newest: tuple[datetime, Entry] | None = None
        return self

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render an article; return None if it is none."""
        rendered = self._writer.entry(entry, report)
        if rendered is None or rendered.news:
            return rendered
        chosen = dates.choose_lastmod(
            entry.published, entry.updated, policy="auto", now=self._now
        ).moment
        instant = _NEVER if chosen is None else chosen.instant
        if self._newest is None or instant > self._newest[0]:
            self._newest = instant, entry
        return None

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Say nothing: the writer of the whole sitemap does."""

    def newest_page(self) -> Rendered | None:
        """Render the newest page that is no news, if there is a page."""
        return self._writer.entry(self._newest[1], ignore) if self._newest else None
