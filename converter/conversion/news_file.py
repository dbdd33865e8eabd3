"""The news file: articles of the last two days, in a sitemap of their own.

A news sitemap is fetched often, so Google recommends a file apart from the whole sitemap, of at
most 1,000 articles:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, urljoin

from converter.conversion.conversion import Conversion
from converter.conversion.publication import Output, Publication
from converter.conversion.result import Result
from converter.errors import OptionError
from converter.formats import registry
from converter.formats.base import Document, Rendered, SimpleDocument
from converter.issues import Code, Issue, Report, ignore
from converter.model import Entry, Feed
from converter.options import PublishOptions, ReadOptions, RunOptions, WriteOptions
from converter.pipeline.inputs import Input
from converter.sitemap_limits import MAX_NEWS
from converter.values import dates

#: The run for news reports these codes; the run for the whole sitemap reports all others.
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


@dataclass(slots=True)
class NewsFile:
    """The news file of a run; it is staged before the main output is published.

    A run of its own reads the same inputs for it.
    """

    main: Conversion
    """The run that it belongs to."""
    conversion: Conversion
    writer: NewsOnlyWriter
    output: Output

    @classmethod
    def open(cls, main: Conversion, path: str) -> NewsFile:
        """Lock the file.

        Raises:
            OptionError: it is no regular file, or the name of the publication is not allowed.
            SinkError: it cannot be written, or another run has locked it.
        """

        def report(issue: Issue) -> None:
            if issue.code in _REPORTED:
                main.report(issue)

        options = _options(main, path)
        writer = NewsOnlyWriter(options.write)
        conversion = Conversion.open(options, path, report, main.closing, option="--news-output")
        if conversion.publisher.name == "-":
            raise OptionError(f'--news-output: "{path}" is no regular file; name another')
        # The writer remembers the newest page that is no news, so it needs all entries in order.
        conversion.target = replace(
            conversion.target, name="news", writer=writer.reset, renders_alone=lambda _: False
        )
        return cls(main, conversion, writer, Output(name=conversion.publisher.name))

    def stage(self, inputs: Sequence[Input]) -> None:
        """Read the inputs again, with `--update` also the news of earlier runs, and stage the news.

        Raises:
            OptionError: there is news, but in no known language.
            SourceError: the file of an earlier run is damaged.
            SinkError: it cannot be written.
        """
        muted = [_muted(each) for each in inputs]
        if self.main.options.publish.update and self.conversion.publisher.exists():
            muted += [_as_feed(each) for each in self.conversion.open_existing()]
        (self.output,) = self.conversion.outputs(self.conversion.pipeline(muted, lambda: None))
        if not self.output.parts:
            self._stage_without_news()

    def _stage_without_news(self) -> None:
        """Apply `--news-empty`: stage the newest page without a block of news, or nothing.

        The schema wants a `url` in every sitemap, and Google lets articles that are too old stay
        without their block of news.
        """
        conversion, writer = self.conversion, self.writer
        removes = self.main.options.publish.news_empty == "remove"
        page = None if removes else writer.newest_page
        fate = "there is no news file" if page is None else "the file lists the newest page instead"
        message = f"no article was published in the last two days; {fate}"
        conversion.report(Issue(code=Code.NEWS_EMPTY, message=message, source=conversion.path))
        if page is not None:
            chunks = (writer.head(Feed(), page.prefixes), page.body, writer.tail(Feed()))
            staged = conversion.publisher.stage(chunks, compress=conversion.compress)
            staged.urls, staged.images, staged.videos = 1, page.images, page.videos
            self.output.add(staged)

    def publish(self, result: Result) -> Result:
        """Publish the file and add it to the result of the main output.

        Raises:
            SinkError: the system refuses.
        """
        publisher, parts = self.conversion.publisher, self.output.parts
        remove: list[str] = []
        if not parts and publisher.exists():  # remove all files of an earlier run, the index first
            index = publisher.index()
            remove = [publisher.name, *(index.parts if index and index.is_own else ())]
        outputs = [self.output] if parts else []
        published = Publication(self.conversion).publish(outputs, remove=remove)
        files = [
            replace(file, kind="news-index") if file.kind == "index" else file
            for file in published.files
        ]
        return replace(
            result,
            news=sum(part.news for part in parts),
            files=(*result.files, *files),
            removed=(*result.removed, *published.removed),
        )


def _options(main: Conversion, path: str) -> RunOptions:
    """Return the options of the main run without those of the whole set."""
    options, url = main.options, main.options.transforms.sitemap_url
    most = min(options.write.limit_urls or MAX_NEWS, MAX_NEWS)
    if url is not None:  # the relative path between the files is that between their URLs
        relative = os.path.relpath(os.path.realpath(path), Path(main.path).resolve().parent)
        url = urljoin(url, quote(relative))
    return replace(
        options,
        to="sitemap",
        transforms=replace(options.transforms, sitemap_url=url),
        write=replace(options.write, news_apart=False, limit_urls=most),
        publish=PublishOptions(update=options.publish.update),
    )


def _muted(source: Input) -> Input:
    """Return an input whose issues are not reported again."""
    return Input(name=source.name, open=lambda options, _: source.open(options, ignore))


def _as_feed(source: Input) -> Input:
    """Return an input with the news of an earlier run as entries of a feed.

    A new entry is preferred to them.
    """

    def opened(options: ReadOptions, _: Report) -> Document:
        document = source.open(options, ignore)
        return SimpleDocument(Feed(), _articles(document, source.name))

    return Input(name=source.name, open=opened)


def _articles(document: Document, name: str) -> Iterator[Entry]:
    from converter.update.existing_output import damaged  # only with --update

    for entry in document.entries:
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
    if document.feed.format != "sitemap":
        raise damaged(name, "this is no XML sitemap")


# -- writing ----------------------------------------------------------------------------------


class NewsOnlyWriter:
    """A writer of sitemaps that writes only news, and remembers the newest other page."""

    def __init__(self, options: WriteOptions) -> None:
        """Begin a sitemap.

        Raises:
            OptionError: the name or the language of the publication is not allowed.
        """
        self.reset(options)

    def reset(self, options: WriteOptions) -> NewsOnlyWriter:
        """Begin again, for another pass."""
        self._writer = registry.by_name("sitemap").new_writer(options)
        self.head, self.tail = self._writer.head, self._writer.tail
        self._newest = _NEVER
        self.newest_page: Rendered | None = None
        """The newest page that is no news."""
        return self

    def entry(self, entry: Entry, report: Report, /) -> Rendered | None:
        """Render an article; return None for another page."""
        rendered = self._writer.entry(entry, report)
        if rendered is None or rendered.news:
            return rendered
        latest = dates.latest(entry.published, entry.updated)
        instant = latest.instant if latest else _NEVER
        if self.newest_page is None or instant > self._newest:
            self._newest, self.newest_page = instant, rendered
        return None

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report nothing: the writer of the main output does."""
