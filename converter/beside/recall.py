"""What was news before this run: the news file that stands there, else the output's own blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Final

from converter.inputs import Opener
from converter.issues import Report, ignore
from converter.living.intact import NEWS
from converter.living.renewal import ExistingPart
from converter.model import Entry, Feed
from converter.pipeline import Input
from converter.run import Run
from converter.run.standing import own_parts
from converter.seams import Document

__all__ = ["recalled"]

#: A head names all namespaces that a part of ours needs, and no others.
_DECLARED: Final = b" xmlns:news="
_HEAD_BYTES: Final = 4096


def recalled(news: Run, of: Run, closing: ExitStack) -> Sequence[Input]:
    """Give what may still be news, as inputs.

    Args:
        news: has taken hold of the news file.
        of: likewise of the output, whose blocks of news count until there is a news file.
        closing: closes what is opened.

    Raises:
        SourceError: the news file is damaged; also while it is walked.
    """
    if news.publisher.stands():
        with NEWS.naming(news.path):
            inputs = _taken(news, NEWS.report(news.path, ignore), closing)
        return [_recalled(NEWS.input(given)) for given in inputs]
    if _holds_news(of):  # the run itself says what is wrong with it
        return [_recalled(given) for given in _taken(of, ignore, closing)]
    return ()


def _taken(run: Run, report: Report, closing: ExitStack) -> Sequence[Input]:
    job = run.job._replace(format=None)  # `--from` is for the sources
    return Opener(job, run.publisher.spool, report, closing).taken(run.path).inputs


def _holds_news(of: Run) -> bool:
    """Look whether there may be news in an output, without reading all of it."""
    if of.row.name != "sitemap" or not of.publisher.stands():
        return False
    parts = own_parts(of)
    return parts is None or any(map(_declares_news, parts))  # not ours: only reading it tells


def _declares_news(part: ExistingPart) -> bool:
    with part.open() as stream:
        return _DECLARED in stream.read(_HEAD_BYTES)


# -- as a feed would have it ------------------------------------------------------------------


def _recalled(given: Input) -> Input:
    return Input(name=given.name, open=lambda options, _: _Recalled(given.open(options, ignore)))


class _Recalled:
    """The news of an earlier run, as what a feed would have told of it.

    So a feed that tells of the same article again is believed before the old block.
    """

    children: tuple[str, ...] = ()
    is_late = False

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def feed(self) -> Feed:
        """No header of any feed."""
        return Feed()

    @property
    def entries(self) -> Iterator[Entry]:
        """The articles."""
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
