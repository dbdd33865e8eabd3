"""Refuses damaged files of an earlier run: what cannot be read of them would be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from converter.errors import DocumentError, SourceError, UnknownFormatError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry
from converter.options import ReadOptions
from converter.readers import Around, Input
from converter.seams import Document

__all__ = ["EXISTING_NEWS", "EXISTING_OUTPUT", "StrictReader"]

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
class StrictReader:
    """Raises SourceError for damaged files of an earlier run."""

    of: str
    """What the files are part of."""
    is_sitemap: bool = False
    """They must be sitemaps."""

    def inputs(
        self, name: str, opened: Callable[[Report], Sequence[Input]], report: Report
    ) -> list[Input]:
        """Open a file, and the files that it names; they raise SourceError where they are damaged.

        Args:
            name: the path of the file.
            opened: opens it, and reports what it finds.
            report: takes what is no damage.

        Raises:
            SourceError: at once or while it is read: it is nothing that can be read whole.
        """
        with self.errors(name):
            return [self._input(given) for given in opened(self.report(name, report))]

    def _input(self, given: Input) -> Input:
        def opened(options: ReadOptions, report: Report) -> Document:
            with self.errors(given.name):
                strict = self.report(given.name, report)
                return _StrictDocument(given.open(options, strict), self, given.name)

        return Input(name=given.name, open=opened, url=given.url)

    def report(self, name: str, report: Report) -> Report:
        """Return a report for the issues of a file; it raises SourceError for damage."""

        def checked(issue: Issue) -> None:
            if issue.code in _DAMAGE:
                fault, _, _ = issue.message.rpartition("; ")  # then follows what is done about it
                raise self.error(issue.source or name, fault or issue.message)
            report(issue)

        return checked

    @contextmanager
    def errors(self, name: str) -> Iterator[None]:
        """Turn errors of reading a file into a SourceError that says what to do."""
        try:
            yield
        except UnknownFormatError as error:
            seen, _, _ = str(error).partition("; ")  # then follows what a source may be
            raise self.error(name, seen) from error
        except (DocumentError, SourceError) as error:
            if str(error).endswith(self._advice):
                raise
            raise self.error(name, str(error)) from error

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


class _StrictDocument(Around):
    """A file of an earlier run."""

    def __init__(self, document: Document, strict: StrictReader, name: str) -> None:
        super().__init__(document)
        self._strict = strict
        self._name = name

    @property
    def entries(self) -> Iterator[Entry]:
        with self._strict.errors(self._name):
            yield from self._document.entries
        if self._strict.is_sitemap and self.feed.format != "sitemap":
            raise self._strict.error(self._name, "this is no XML sitemap")


EXISTING_OUTPUT: Final = StrictReader("the output")
EXISTING_NEWS: Final = StrictReader("the news", is_sitemap=True)
