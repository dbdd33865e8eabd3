"""Refuses damaged files of an earlier run: what cannot be read of them would be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from converter.errors import DocumentError, SourceError, UnknownFormatError
from converter.formats.base import Document
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry
from converter.options import ReadOptions
from converter.pipeline.inputs import DocumentProxy, Input

#: What a reader survives, and what may cost entries: nothing of it is in a file that we wrote.
_DAMAGE: Final = frozenset(
    {
        Code.ELEMENT_MISPLACED,
        Code.ENCODING_ASSUMED,
        Code.ENTITY_REMOVED,
        Code.GZIP_REPAIRED,
        Code.XML_BROKEN,
        Code.XML_REPAIRED,
    }
)
_ADVICE: Final = (
    "It is part of an existing output: put it right, or remove all of that to begin anew"
)


def strict_inputs(
    name: str, opened: Callable[[Report], Sequence[Input]], report: Report
) -> list[Input]:
    """Open a file of an earlier run and those that it names, each to be read whole or not at all.

    Args:
        name: the path of the file.
        opened: opens it, and reports what it finds.
        report: takes what is no damage.

    Raises:
        SourceError: at once, or while one is read: it is damaged, or cannot be read.
    """
    with _errors(name):
        return [_strict(given) for given in opened(strict_report(name, report))]


def _strict(given: Input) -> Input:
    def opened(options: ReadOptions, report: Report) -> Document:
        with _errors(given.name):
            document = given.open(options, strict_report(given.name, report))
        return _StrictDocument(document, given.name)

    return Input(name=given.name, open=opened, url=given.url)


class _StrictDocument(DocumentProxy):
    def __init__(self, document: Document, name: str) -> None:
        super().__init__(document)
        self._name = name

    @property
    def entries(self) -> Iterator[Entry]:
        with _errors(self._name):
            yield from self._document.entries


def strict_report(name: str, report: Report) -> Report:
    """Return a report for the issues of a file; it raises SourceError for damage."""

    def checked(issue: Issue) -> None:
        if issue.code in _DAMAGE:
            fault, _, _ = issue.message.rpartition("; ")  # then follows what is done about it
            raise _error(issue.source or name, fault or issue.message)
        report(issue)

    return checked


@contextmanager
def _errors(name: str) -> Iterator[None]:
    """Turn errors of reading a file into a SourceError that says what to do."""
    try:
        yield
    except UnknownFormatError as error:
        seen, _, _ = str(error).partition("; ")  # then follows what a source may be
        raise _error(name, seen) from error
    except (DocumentError, SourceError) as error:
        if str(error).endswith(_ADVICE):
            raise
        raise _error(name, str(error)) from error


def _error(name: str, found: str) -> SourceError:
    found = found.removeprefix(f"{printable(name)}: ").rstrip(".")
    return SourceError(f"{printable(name)}: {found}. {_ADVICE}")
