"""What was news before this run: the news file that stands there, else the output's own blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

from converter.errors import DocumentError, SourceError
from converter.inputs import Opener
from converter.issues import Code, Issue, Report, ignore, printable
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.pipeline import Input
from converter.record import record, replace
from converter.run import Run
from converter.run.standing import own_parts
from converter.seams import Document

__all__ = ["recalled"]

#: What a reader survives, and what may cost articles: nothing of it is in a file that we wrote.
_DAMAGE: Final = frozenset(
    {
        Code.ELEMENT_MISPLACED,
        Code.ENCODING_ASSUMED,
        Code.GZIP_REPAIRED,
        Code.XML_BROKEN,
        Code.XML_REPAIRED,
    }
)

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
        wary = _wary(news.path)
        with _naming(news.path):
            inputs = _taken(news, wary, closing)
        return [_recalled(given, wary) for given in inputs]
    if _holds_news(of):  # the run itself says what is wrong with it
        return [_recalled(given, ignore) for given in _taken(of, ignore, closing)]
    return ()


def _taken(run: Run, report: Report, closing: ExitStack) -> Sequence[Input]:
    job = replace(run.job, format="sitemap")  # `--from` is for the sources
    return Opener(job, run.publisher.spool, report, closing).taken(run.path).inputs


def _holds_news(of: Run) -> bool:
    """Look whether there may be news in an output, without reading it."""
    if of.row.name != "sitemap" or not of.publisher.stands():
        return False
    parts = own_parts(of)
    if parts is None:
        return True  # not ours: only reading it tells
    for part in parts:
        with part.open() as stream:
            if _DECLARED in stream.read(_HEAD_BYTES):
                return True
    return False


# -- a file that must be whole ----------------------------------------------------------------


def _wary(path: str) -> Report:
    def damaged(issue: Issue) -> None:
        if issue.code in _DAMAGE:
            raise _unusable(issue.source or path, issue.message)

    return damaged


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Say of whatever ends the reading of a news file what it is, and what to do."""
    try:
        yield
    except _UnusableError:
        raise
    except (DocumentError, SourceError) as error:
        found = str(error).removeprefix(f"{printable(path)}: ")
        raise _unusable(path, found) from error


class _UnusableError(SourceError):
    """It says all there is to say."""


def _unusable(path: str, found: str) -> SourceError:
    return _UnusableError(
        f"{printable(path)}: {found.rstrip('.')}. It is part of the news that stands there: "
        "put it right, or remove it to begin anew"
    )


# -- reading ----------------------------------------------------------------------------------


def _recalled(given: Input, report: Report) -> Input:
    return Input(name=given.name, open=partial(_begun, given, report))


def _begun(given: Input, report: Report, options: ReadOptions, _: Report) -> Document:
    def named(issue: Issue) -> None:
        report(issue if issue.source else replace(issue, source=given.name))

    with _naming(given.name):
        return _Recalled(name=given.name, document=given.open(options, named))


@record
class _Recalled:
    """The news of an earlier run, as what a feed would have told of it.

    So a feed that tells of the same article again is believed before the old block.
    """

    name: str
    document: Document
    children: tuple[str, ...] = ()
    is_late: bool = False

    @property
    def feed(self) -> Feed:
        """No header of any feed."""
        return Feed()

    @property
    def entries(self) -> Iterator[Entry]:
        """The articles."""
        with _naming(self.name):
            for entry in self.document.entries:
                if entry.news is not None:
                    yield _as_told(entry)


def _as_told(entry: Entry) -> Entry:
    news = entry.news
    return Entry(
        loc=entry.loc,
        title=news and news.title,
        published=news and news.published,
        updated=entry.updated,
        lang=news and news.language,
        images=entry.images,
        videos=entry.videos,
        line=entry.line,
        feed=entry.feed,
    )
