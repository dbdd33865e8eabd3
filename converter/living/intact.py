"""What stands there and is added to must be whole: whatever cannot be read of it would be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from converter.errors import DocumentError, SourceError, UnknownFormatError
from converter.issues import Code, Issue, Report, printable
from converter.model import Entry, Feed
from converter.options import ReadOptions
from converter.readers import Around, Input
from converter.seams import Document

__all__ = ["NEWS", "OUTPUT", "Intact"]

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
    """Refuses what is damaged of an earlier run's files."""

    of: str
    """What they are the files of."""
    is_sitemap: bool = False
    """May they be nothing else?"""

    @property
    def _advice(self) -> str:
        return (
            f"It is part of {self.of} that stands there: put it right, "
            "or remove all of that to begin anew"
        )

    def report(self, name: str, report: Report) -> Report:
        """Give what takes issues of a file, and ends the run where one speaks of damage.

        Raises:
            SourceError: that is what comes of it then.
        """

        def told(issue: Issue) -> None:
            if issue.code in _DAMAGE:
                fault, _, _ = issue.message.rpartition("; ")  # then follows what is done about it
                raise self._unusable(issue.source or name, fault or issue.message)
            report(issue)

        return told

    @contextmanager
    def naming(self, name: str) -> Iterator[None]:
        """Say of whatever ends the reading of a file what it is, and what to do.

        Raises:
            SourceError: in the place of what says that it is no document, or a broken one.
        """
        try:
            yield
        except UnknownFormatError as error:
            seen, _, _ = str(error).partition("; ")  # then follows what a source may be
            raise self._unusable(name, seen) from error
        except (DocumentError, SourceError) as error:
            if str(error).endswith(self._advice):
                raise
            raise self._unusable(name, str(error)) from error

    def input(self, given: Input) -> Input:
        """Give a file that ends the run where it is damaged."""

        def opened(options: ReadOptions, report: Report) -> Document:
            with self.naming(given.name):
                document = given.open(options, self.report(given.name, report))
            return _Whole(document, self, given.name)

        return given._replace(
            open=opened,
            stored=None,
            late=given.late and self._late(given.late, given.name),
        )

    def _late(
        self, late: Callable[[Report], AbstractContextManager[Input]], name: str
    ) -> Callable[[Report], AbstractContextManager[Input]]:
        @contextmanager
        def opened(report: Report) -> Iterator[Input]:
            with ExitStack() as held:
                with self.naming(name):
                    given = held.enter_context(late(self.report(name, report)))
                yield self.input(given)

        return opened

    def check(self, feed: Feed, name: str) -> None:
        """See that a file is what it must be, by its header.

        Raises:
            SourceError: it is not.
        """
        if self.is_sitemap and feed.format != "sitemap":
            raise self._unusable(name, "this is no XML sitemap")

    def _unusable(self, name: str, found: str) -> SourceError:
        found = found.removeprefix(f"{printable(name)}: ").rstrip(".")
        return SourceError(f"{printable(name)}: {found}. {self._advice}")


class _Whole(Around):
    """A file of an earlier run."""

    def __init__(self, document: Document, intact: Intact, name: str) -> None:
        super().__init__(document)
        self._intact = intact
        self._name = name

    @property
    def entries(self) -> Iterator[Entry]:
        with self._intact.naming(self._name):
            yield from self._document.entries
        self._intact.check(self.feed, self._name)  # whoever reads to the end closes the file


OUTPUT: Final = Intact("the output")
NEWS: Final = Intact("the news", is_sitemap=True)
