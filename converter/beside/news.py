"""The news window: articles of the last two days, in a sitemap of their own.

A news sitemap is fetched often, so the guideline recommends a file apart from the whole sitemap,
of at most 1,000 articles:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, urljoin

from converter.beside.recall import recalled
from converter.beside.window import Window
from converter.errors import OptionError
from converter.issues import Code, Issue, Report, ignore
from converter.options import Job, LiveOptions, WriteOptions
from converter.pipeline import Input
from converter.run import OutputFile, Result, Run
from converter.run.publishing import Output, Piece, Publication

__all__ = ["NewsFile"]

#: Of a news sitemap; from the page above.
_MOST_ARTICLES: Final = 1_000

#: What the pass for news reports; the pass for the whole sitemap reports all else.
_TOLD: Final = frozenset(
    {
        Code.NEWS_EMPTY,
        Code.NEWS_NAME_CLEANED,
        Code.NEWS_SKIPPED,
        Code.FILE_LEFT_OVER,
        Code.OUTPUT_COMPLETED,
        Code.SITEMAP_URL_ASSUMED,
    }
)


@dataclass(slots=True)
class NewsFile:
    """The output of a news window: staged before the whole sitemap is published, published after.

    It is a run of its own over the same inputs.
    """

    run: Run
    of: Run
    """The run that it goes with."""
    closing: ExitStack
    window: Window
    output: Output

    @classmethod
    def begin(cls, of: Run, path: str, closing: ExitStack) -> NewsFile:
        """Lock the file.

        Raises:
            OptionError: it is no regular file; or the publication cannot be called so.
            SinkError: it cannot be written, or another run holds it.
        """
        job = _job(of, path)
        window = Window(job.write)
        run = Run.begin(job, path, _selected(of.report), closing, option="--news-output")
        if run.publisher.name == "-":
            raise OptionError(f'--news-output: "{path}" is no regular file; name another')
        run.row = replace(run.row, name="news", writer=window.anew, renders_alone=_never)
        return cls(run, of, closing, window, Output(name=run.publisher.name))

    def stage(self, inputs: Sequence[Input]) -> None:
        """Read the inputs again, and stage the news in them.

        With `--update`, what was news in an earlier run may still be.

        Raises:
            OptionError: there is news, but in no known language.
            SourceError: the file of an earlier run is damaged.
            SinkError: it cannot be written.
        """
        updates = self.of.job.live.update
        before = recalled(self.run, self.of, self.closing) if updates else ()
        given = [*map(_mute, inputs), *before]
        (self.output,) = self.run.whole(self.run.conversion(given, lambda: None))
        if not self.output.pieces:
            self._stage_no_news()

    def _stage_no_news(self) -> None:
        """Do without news as `--news-empty` says."""
        removes = self.of.job.live.news_empty == "remove"
        page = None if removes else self.window.newest_page()
        fate = "there is no such file then" if page is None else "the newest page stands there"
        message = f"no article was published in the last two days; {fate}"
        self.run.report(Issue(code=Code.NEWS_EMPTY, message=message, source=self.run.path))
        if page is not None:
            staged = self.run.publisher.stage(page.chunks, compress=self.run.compress)
            self.output.add(Piece.of(page, staged))

    def publish(self, result: Result) -> Result:
        """Put it in place, or with `--dry-run` see what that would change.

        Raises:
            SinkError: the system refuses.
        """
        publisher, pieces = self.run.publisher, self.output.pieces
        result = replace(result, news=sum(piece.news for piece in pieces))
        staged = [(publisher.name, piece.staged) for piece in pieces if piece.staged is not None]
        index = publisher.index()
        if len(staged) == 1 and not (index and index.parts) and publisher.unchanged(staged):
            return result
        emptied: list[str] = []
        if not pieces:  # all files of an earlier run go, first the one that others ask for
            emptied += [publisher.name] if publisher.exists() else []
            emptied += index.parts if index and index.is_own else []
        published = Publication(self.run).publish([self.output] if pieces else [], emptied=emptied)
        return replace(
            result,
            files=(*result.files, *map(_as_news, published.files)),
            removed=(*result.removed, *published.removed),
        )


def _job(of: Run, path: str) -> Job:
    """Return the options of the whole sitemap without those that concern the set."""
    job, place = of.job, of.job.passes.sitemap_url
    most = min(job.write.limit_urls or _MOST_ARTICLES, _MOST_ARTICLES)
    if place is not None:  # the way between the files is that between their URLs
        way = os.path.relpath(os.path.realpath(path), os.path.realpath(of.folder or "."))
        place = urljoin(place, quote(way))
    return job._replace(
        to="sitemap",
        passes=job.passes._replace(sitemap_url=place),
        write=job.write._replace(news_apart=False, limit_urls=most),
        live=LiveOptions(),
    )


def _never(_: WriteOptions) -> bool:
    return False  # of the pages that are no news, the writer remembers the newest


def _selected(report: Report) -> Report:
    return lambda issue: report(issue) if issue.code in _TOLD else None


def _mute(given: Input) -> Input:
    """Return an input whose issues are not reported again."""
    return Input(name=given.name, open=lambda options, _: given.open(options, ignore))


def _as_news(file: OutputFile) -> OutputFile:
    return replace(file, kind="news-index") if file.kind == "index" else file
