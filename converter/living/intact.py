"""Refuses damaged files of an earlier run: what cannot be read of them would be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from converter.errors import DocumentError, SourceError, UnknownFormatError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry
from converter.options import ReadOptions
from converter.readers import DocumentProxy, Input
from converter.seams import Document

__all__ = ["NEWS", "OUTPUT", "Intact"]

_Late: TypeAlias = Callable[[Report], AbstractContextManager[Input]]

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


@dataclass(frozen=True, slots=True)
class Intact:
    """Raises SourceError for damaged files of an earlier run."""

    of: str
    """What the files are part of."""
    is_sitemap: bool = False
    """They must be sitemaps."""

    def report(self, name: str, report: Report) -> Report:
        """Return a report for the issues of a file; it raises SourceError for damage."""

        def checked(issue: Issue) -> None:
            if issue.code in _DAMAGE:
                fault, _, _ = issue.message.rpartition("; ")  # then follows what is done about it
                raise self.error(issue.source or name, fault or issue.message)
            report(issue)

        return checked

    @contextmanager
    def naming(self, name: str) -> Iterator[None]:
        """Turn errors of reading a file into a SourceError that advises what to do."""
        try:
            yield
        except UnknownFormatError as error:
            seen, _, _ = str(error).partition("; ")  # then follows what a source may be
            raise self.error(name, seen) from error
        except (DocumentError, SourceError) as error:
            if str(error).endswith(self._advice):
                raise
            raise self.error(name, str(error)) from error

    def input(self, given: Input) -> Input:
        """Return an input that raises SourceError where it is damaged."""
        name = given.name

        def opened(options: ReadOptions, report: Report) -> Document:
            with self.naming(name):
                return _Checked(given.open(options, self.report(name, report)), self, name)

        @contextmanager
        def begun(late: _Late, report: Report) -> Iterator[Input]:
            with ExitStack() as held:
                with self.naming(name):
                    found = held.enter_context(late(self.report(name, report)))
                yield self.input(found)

        late = given.late and partial(begun, given.late)
        return given._replace(open=opened, stored=None, late=late)

    def error(self, name: str, found: str) -> SourceError:
        """Return the error for a file."""
        found = found.removeprefix(f"{printable(name)}: ").rstrip(".")
        return SourceError(f"{printable(name)}: {found}. {self._advice}")

    @property
    def _advice(self) -> str:
        return (
            f"It is part of {self.of} that stands there: put it right, "
            "or remove all of that to begin anew"
        )


class _Checked(DocumentProxy):
    """A file of an earlier run."""

    def __init__(self, document: Document, intact: Intact, name: str) -> None:
        super().__init__(document)
        self._intact = intact
        self._name = name

    @property
    def entries(self) -> Iterator[Entry]:
        with self._intact.naming(self._name):
            yield from self._document.entries
        if self._intact.is_sitemap and self.feed.format != "sitemap":
            raise self._intact.error(self._name, "this is no XML sitemap")


OUTPUT: Final = Intact("the output")
NEWS: Final = Intact("the news", is_sitemap=True)
