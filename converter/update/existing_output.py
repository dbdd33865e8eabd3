"""Reads the existing output: whether it can be updated, its parts, and its number of URLs.

Damage in an existing file is an error: entries that cannot be read would be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO, Final

from converter.errors import DocumentError, OptionError, SourceError
from converter.formats.base import Document, Format
from converter.issues import Code, Issue, Report, ignore, printable
from converter.options import Limits, ReadOptions, RunOptions
from converter.pipeline.inputs import DocumentProxy, Input
from converter.pipeline.transforms.filters import Expiry
from converter.publish.file_names import part_name, period_of
from converter.publish.publisher import Publisher
from converter.sources import gzip
from converter.sources.opener import SourceOpener
from converter.update.block_copy import NotOwnOutputError, UrlCheck, url_blocks
from converter.update.part_updater import ExistingPart
from converter.update.pending_entries import UNDATED
from converter.values import dates

#: Length of a period in the name of a part.
_PERIOD_CHARS: Final = {"month": len("2026-11"), "year": len("2026")}

#: What readers repair or skip and a file of our writer never contains.
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
    "It belongs to the existing output: fix it, or remove the whole output to start a new one"
)


@dataclass(slots=True)
class ExistingOutput:
    """The output of an earlier run, or of another program."""

    publisher: Publisher
    target: Format
    options: RunOptions

    def is_updatable(self) -> bool:
        """Return True if there is an output that entries can be added to.

        Raises:
            OptionError: the output exists under another name, or in parts without an index.
        """
        if self.publisher.exists():
            return True
        name, other = self.publisher.name, self.publisher.existing_sibling()
        if self.target.index is None and self.publisher.exists(first := part_name(name, 1)):
            other = self.publisher.path_of(first)
        if other is not None:
            raise OptionError(
                f"--update: {self.publisher.path_of(name)} does not exist, but {other} does. Name "
                f"that as the output, or start a new one with its entries: --merge {other} "
                "without --update"
            )
        return False

    def own_parts(self) -> list[ExistingPart] | None:
        """Return the parts of a set that may be ours; None if it is not, or does not exist."""
        if self.target.index is None or not self.publisher.exists():
            return None
        index = self.publisher.index()
        names = [row.name for row in index.rows] if index else [self.publisher.name]
        if index and names != list(index.parts):
            return None  # a listed file is missing, or has a name that we would not give it
        parts = []
        for name in names:
            if (period := self._period(name)) is None:
                return None
            parts.append(ExistingPart(name=name, period=period, open=partial(self._opened, name)))
        return parts

    def _period(self, name: str) -> str | None:
        """Return the period of a part; None if a set with this `--part-by` has no such part."""
        period, by = period_of(self.publisher.name, name), self.options.publish.part_by
        if by is None:  # the thousandth part is named as a year is
            return "" if period is None or period.isdecimal() else None
        is_one = period is not None and (period == UNDATED or len(period) == _PERIOD_CHARS[by])
        return period if is_one else None

    @contextmanager
    def _opened(self, name: str) -> Iterator[BinaryIO]:
        """Open a part, uncompressed."""
        path = self.publisher.path_of(name)
        with _strict(path, ignore) as report, self.publisher.open_existing(name) as stored:
            is_packed = stored.read(len(gzip.MAGIC)) == gzip.MAGIC
            stored.seek(0)
            yield gzip.open_gzip(stored, path, Limits(), report) if is_packed else stored

    def count_urls(self, open_inputs: Callable[[], Sequence[Input]]) -> int:
        """Count the URLs that `--drop` and `--expire` keep; `open_inputs` opens the output."""
        transforms, read, total = self.options.transforms, self.options.read, 0
        expiry = Expiry(transforms.drop, transforms.expired_before)
        with suppress(NotOwnOutputError):
            if (parts := self.own_parts()) is not None:
                writer, check = self.target.new_writer(self.options.write), UrlCheck(transforms)
                for part in parts:
                    with part.open() as stream:
                        for blocks in url_blocks(stream, writer, check):
                            total += len(blocks.locs) - len(blocks.expired(expiry))
                return total
        total = 0
        for source in open_inputs():
            for entry in source.open(replace(read, name=source.name), ignore).entries:
                lastmod = dates.latest(entry.published, entry.updated)
                total += expiry.reason(entry.loc or "", lastmod) is None
        return total


# -- damaged files ----------------------------------------------------------------------------


def strict_inputs(
    name: str, opener: Callable[[Report], SourceOpener], report: Report
) -> list[Input]:
    """Open an existing file and those that it names; each is read completely or is an error.

    Raises:
        SourceError: at once or while a file is read: it is damaged or cannot be read.
    """
    with _strict(name, report) as strict_report:
        return [_strict_input(source) for source in opener(strict_report).open(name).inputs]


def _strict_input(source: Input) -> Input:
    def opened(options: ReadOptions, report: Report) -> Document:
        with _strict(source.name, report) as strict_report:
            document = source.open(options, strict_report)
        return DocumentProxy(document, _strict(source.name, ignore))

    return Input(name=source.name, open=opened, url=source.url)


@contextmanager
def _strict(name: str, report: Report) -> Iterator[Report]:
    """Turn damage, if it is reported or raised, into a SourceError with advice."""

    def checked(issue: Issue) -> None:
        if issue.code in _DAMAGE:
            fault, _, _ = issue.message.rpartition("; ")  # the rest says how it is repaired
            raise damaged(issue.source or name, fault or issue.message)
        report(issue)

    try:
        yield checked
    except (DocumentError, SourceError) as error:
        if str(error).endswith(_ADVICE):
            raise
        raise damaged(name, str(error)) from error


def damaged(name: str, found: str) -> SourceError:
    """Return the error about a file of the existing output."""
    found = found.removeprefix(f"{printable(name)}: ").rstrip(".")
    return SourceError(f"{printable(name)}: {found}. {_ADVICE}")
