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
from converter.run.publishing import Output, Piece

__all__ = ["NewsFile"]

#: Of a news sitemap; from the page above.
_MOST_ARTICLES: Final = 1_000

#: What is told of the walk for news; all else, the walk for the whole sitemap tells.
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


@dataclass(slots=True, kw_only=True)
class NewsFile:
    """The output of a news window: staged before the whole sitemap is published, published after.

    It is a run of its own over the same inputs.
    """

    run: Run
    of: Run
    """The run that it goes with."""
    closing: ExitStack
    window: Window
    empties: bool
    """Is the file removed where there is no news?"""
    output: Output

    @classmethod
    def begin(cls, of: Run, path: str, closing: ExitStack) -> NewsFile:
        """Take hold of the file.

        Raises:
            OptionError: it is no regular file; or the publication cannot be called so.
            SinkError: it cannot be written, or another run holds it.
        """
        job = _job(of, path)
        window = Window(job.write)
        run = Run.begin(job, path, _told(of.report), closing, option="--news-output")
        if run.publisher.name == "-":
            raise OptionError(f'--news-output: "{path}" is no regular file; name another')
        run.row = replace(run.row, name="news", writer=window.anew, renders_alone=_never)
        output = Output(name=run.publisher.name)
        empties = of.job.live.news_empty == "remove"
        return cls(run=run, of=of, closing=closing, window=window, empties=empties, output=output)

    def stage(self, inputs: Sequence[Input]) -> None:
        """Walk the inputs, and get ready to publish what in them is news.

        With `--update`, what was news in an earlier run may still be.

        Raises:
            OptionError: there is news, but in no known language.
            SourceError: the file of an earlier run is damaged.
            SinkError: it cannot be written.
        """
        updates = self.of.job.live.update
        before = recalled(self.run, self.of, self.closing) if updates else ()
        given = [*map(_mute, inputs), *before]
        conversion = self.run.conversion(given, lambda: None)
        (self.output,) = self.run.whole(conversion)
        if not self.output.pieces:
            self._be_empty(self.output)

    def _be_empty(self, output: Output) -> None:
        """Do without news as `--news-empty` says."""
        page = None if self.empties else self.window.newest_page()
        fate = "there is no such file then" if page is None else "the newest page stands there"
        message = f"no article was published in the last two days; {fate}"
        self.run.report(Issue(code=Code.NEWS_EMPTY, message=message, source=self.run.path))
        if page is not None:
            staged = self.run.publisher.stage(page.chunks, compress=self.run.compress)
            output.add(Piece.of(page, staged))

    def publish(self, result: Result) -> Result:
        """Put it in place, or with `--dry-run` see what that would change.

        Raises:
            SinkError: the system refuses.
        """
        output = self.output
        result = replace(result, news=sum(piece.news for piece in output.pieces))
        if self._stands_there(output):
            return result
        published = self.run.publication().publish(
            [output] if output.pieces else [], emptied=() if output.pieces else self._all()
        )
        return replace(
            result,
            files=(*result.files, *map(_as_news, published.files)),
            removed=(*result.removed, *published.removed),
        )

    def _stands_there(self, output: Output) -> bool:
        """Is what is to be published there already? An index never is: it tells of this run."""
        publisher = self.run.publisher
        staged = [piece.staged for piece in output.pieces if piece.staged is not None]
        is_plain = len(staged) == 1 and not publisher.previous_parts()
        return is_plain and publisher.unchanged([(publisher.name, staged[0])])

    def _all(self) -> list[str]:
        """The files of an earlier run, first the one that others ask for."""
        publisher = self.run.publisher
        own = [publisher.name] if publisher.stands() else []
        return [*own, *(publisher.previous_parts() if publisher.is_own_index() else ())]


def _job(of: Run, path: str) -> Job:
    """Ask for the same as the whole sitemap does, but for what concerns the set."""
    job = of.job
    most = min(job.write.limit_urls or _MOST_ARTICLES, _MOST_ARTICLES)
    place = _place(of, path)
    return job._replace(
        to="sitemap",
        passes=job.passes._replace(sitemap_url=place),
        write=job.write._replace(news_apart=False, limit_urls=most),
        live=LiveOptions(),
    )


def _place(of: Run, path: str) -> str | None:
    """Give the public URL of the file, from that of the whole sitemap and the way between them."""
    url = of.job.passes.sitemap_url
    if url is None:
        return None
    way = os.path.relpath(os.path.realpath(path), os.path.realpath(of.folder or "."))
    return urljoin(url, quote(way))


def _never(_: WriteOptions) -> bool:
    return False  # of the pages that are no news, the writer remembers the newest


def _told(report: Report) -> Report:
    return lambda issue: report(issue) if issue.code in _TOLD else None


def _mute(given: Input) -> Input:
    """Read an input, but say nothing of it again."""
    return Input(name=given.name, open=lambda options, _: given.open(options, ignore))


def _as_news(file: OutputFile) -> OutputFile:
    return replace(file, kind="news-index") if file.kind == "index" else file
