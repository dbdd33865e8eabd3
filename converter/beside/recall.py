"""What was news before this run: the news file that stands there, else the output's own blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from converter.inputs import Opener
from converter.issues import Report, ignore
from converter.living.intact import NEWS
from converter.model import Entry, Feed
from converter.readers import DocumentProxy, Input
from converter.run import Run
from converter.run.standing import own_parts

__all__ = ["recalled"]

#: A head names all namespaces that a part of ours needs, and no others.
_DECLARED: Final = b" xmlns:news="
_HEAD_BYTES: Final = 4096


def recalled(news: Run, of: Run, closing: ExitStack) -> Sequence[Input]:
    """Return the news of earlier runs as inputs.

    Args:
        news: the run of the news file.
        of: the run of the output, whose blocks of news count until there is a news file.
        closing: closes what is opened.

    Raises:
        SourceError: the news file is damaged; also while it is read.
    """
    if news.publisher.stands():
        with NEWS.naming(news.path):
            inputs = _taken(news, NEWS.report(news.path, ignore), closing)
        return [_recalled(NEWS.input(given)) for given in inputs]
    if _may_hold_news(of):  # the run itself reports what is wrong with it
        return [_recalled(given) for given in _taken(of, ignore, closing)]
    return ()


def _taken(run: Run, report: Report, closing: ExitStack) -> Sequence[Input]:
    job = run.job._replace(format=None)  # `--from` is for the sources
    return Opener(job, run.publisher.spool, report, closing).taken(run.path).inputs


def _may_hold_news(of: Run) -> bool:
    """Look into the heads of an output's parts; an output that is not ours must be read."""
    if of.row.name != "sitemap" or not of.publisher.stands():
        return False
    parts = own_parts(of)
    for part in parts or ():
        with part.open() as stream:
            if _DECLARED in stream.read(_HEAD_BYTES):
                return True
    return parts is None


def _recalled(given: Input) -> Input:
    return Input(name=given.name, open=lambda options, _: _Recalled(given.open(options, ignore)))


class _Recalled(DocumentProxy):
    """The news of an earlier run, as the entries of a feed.

    So a feed that has the same article again is believed before the old block.
    """

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
