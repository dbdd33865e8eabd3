"""The output that stands there, as a set of our own: which files it has, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from html import unescape
from typing import TYPE_CHECKING, BinaryIO, Literal

from converter.edge import gunzip, sinks
from converter.errors import OptionError
from converter.issues import ignore
from converter.living.handwriting import NotOwnOutputError, UrlBlocks, lastmod_of, url_blocks
from converter.living.intact import OUTPUT
from converter.living.pending import UNDATED
from converter.living.renewal import ExistingPart
from converter.living.spelling import Spelling
from converter.model import Entry
from converter.options import Limits
from converter.passes.fate import Fate
from converter.pipeline import Input
from converter.values import dates

if TYPE_CHECKING:
    from converter.run import Run

__all__ = ["count", "own_parts", "stands", "whole"]

#: How long the period of a part is, in its name.
_CHARS = {"month": len("2026-11"), "year": len("2026")}


def stands(run: Run) -> bool:
    """Say whether there is an output that can be added to.

    Raises:
        OptionError: there is one in parts, and nothing that lists them.
    """
    publisher = run.publisher
    if publisher.exists():
        return True
    if (sibling := publisher.left_over()) is not None:
        raise OptionError(
            f"--update: {run.path} is not there, but {sibling} is. Name that as the output, or "
            f"begin anew with what it holds: --merge {sibling} instead of --update"
        )
    first = sinks.part_name(publisher.name, 1)
    if run.row.index is None and publisher.name != "-" and publisher.exists(first):
        raise OptionError(
            f"--update: {run.path} is not there, but {first} is: {run.row.title} in parts has no "
            "index that lists them. Name the parts with --merge (and let them be replaced, with "
            "--force), or remove them"
        )
    return False


def own_parts(run: Run) -> list[ExistingPart] | None:
    """Give the parts of a set that stands there and may be ours; None: it is not."""
    publisher = run.publisher
    if run.row.index is None or not publisher.exists():
        return None
    index = publisher.index()
    names = [row.name for row in index.rows] if index else [publisher.name]
    if index and names != list(index.parts):
        return None  # it lists files that are not beside it, or that we would not call so
    parts = []
    for name in names:
        if (period := _period(publisher.name, name, run.job.live.part_by)) is None:
            return None
        parts.append(ExistingPart(name=name, period=period, open=partial(_opened, run, name)))
    return parts


def _period(target: str, name: str, by: Literal["month", "year"] | None) -> str | None:
    """Return the period of a part by its name; None if no set that is parted so has such a part."""
    period = sinks.period_of(target, name)
    if by is None:  # a thousand parts are called as years are
        return "" if period is None or period.isdecimal() else None
    is_one = period is not None and (period == UNDATED or len(period) == _CHARS[by])
    return period if is_one else None


@contextmanager
def _opened(run: Run, name: str) -> Iterator[BinaryIO]:
    """Open a part, unpacked; one that is damaged would lose what it held."""
    path = os.path.join(run.folder, name)  # noqa: PTH118
    with run.publisher.open_existing(name) as stored:
        is_packed = stored.read(len(gunzip.MAGIC)) == gunzip.MAGIC
        stored.seek(0)
        report = OUTPUT.report(path, ignore)
        yield gunzip.unpacked(stored, path, Limits(), report) if is_packed else stored


def whole(run: Run, standing: Callable[[], Sequence[Input]]) -> list[Input]:
    """Give the output that stands there as sources, none of which must be read in part.

    Raises:
        SourceError: it is nothing that could be read; also later, while it is.
    """
    with OUTPUT.naming(run.path):
        given = standing()
    return [*map(OUTPUT.input, given)]


def count(run: Run, standing: Callable[[], Sequence[Input]]) -> int:
    """Count the URLs of the existing output, less those that `--drop` and `--expire` remove."""
    fate, own = Fate(run.job.passes), 0
    with suppress(NotOwnOutputError):
        if (parts := own_parts(run)) is not None:
            writer, is_normal = run.row.writing(run.job.write), Spelling(run.job.passes)
            for part in parts:
                with part.open() as stream:
                    own += sum(_staying(it, fate) for it in url_blocks(stream, writer, is_normal))
            return own
    total, read = 0, run.job.read
    for given in whole(run, standing):
        document = given.open(read._replace(name=given.name), ignore)
        total += sum(not fate.of(entry.loc or "", _lastmod(entry)) for entry in document.entries)
    return total


def _staying(piece: UrlBlocks, fate: Fate) -> int:
    if not fate:
        return len(piece.locs)
    pages = zip(piece.locs, piece.blocks(), strict=True)
    return sum(not fate.of(unescape(loc.decode()), lastmod_of(block)) for loc, block in pages)


def _lastmod(entry: Entry) -> str | None:
    moment = dates.latest(entry.published, entry.updated)
    return dates.to_w3c(moment) if moment else None
