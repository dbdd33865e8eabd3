"""The existing output: whether it can be added to, which parts it has, and how many URLs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from converter import publish
from converter.errors import OptionError
from converter.issues import ignore
from converter.options import Limits
from converter.pipeline.inputs import Input
from converter.sources import gzip
from converter.update.block_copy import NotOwnOutputError, UrlRules, url_blocks
from converter.update.expiry import Expiry
from converter.update.part_updater import ExistingPart
from converter.update.pending_entries import UNDATED
from converter.update.strict_reader import strict_report
from converter.values import dates

if TYPE_CHECKING:
    from converter.conversion.conversion import Conversion

#: How long the period of a part is, in its name.
_CHARS: Final = {"month": len("2026-11"), "year": len("2026")}


def exists(conversion: Conversion) -> bool:
    """Return True if there is an output that can be added to.

    Raises:
        OptionError: there is one in parts, and nothing that lists them.
    """
    publisher, path = conversion.publisher, conversion.path
    if publisher.exists():
        return True
    if (sibling := publisher.left_over()) is not None:
        raise OptionError(
            f"--update: {path} is not there, but {sibling} is. Name that as the output, or "
            f"begin anew with what it holds: --merge {sibling} instead of --update"
        )
    first = publish.part_name(publisher.name, 1)
    if conversion.row.index is None and publisher.name != "-" and publisher.exists(first):
        raise OptionError(
            f"--update: {path} is not there, but {first} is: {conversion.row.title} in parts has "
            "no index that lists them. Name the parts with --merge (and let them be replaced, with "
            "--force), or remove them"
        )
    return False


def own_parts(conversion: Conversion) -> list[ExistingPart] | None:
    """Return the parts of an existing set that may be ours; None if it is not."""
    publisher = conversion.publisher
    if conversion.row.index is None or not publisher.exists():
        return None
    index = publisher.index()
    names = [row.name for row in index.rows] if index else [publisher.name]
    if index and names != list(index.parts):
        return None  # it lists files that are not beside it, or that we would not call so
    parts = []
    for name in names:
        if (period := _period(publisher.name, name, conversion.options.publish.part_by)) is None:
            return None
        parts.append(
            ExistingPart(name=name, period=period, open=partial(_opened, conversion, name))
        )
    return parts


def _period(target: str, name: str, by: Literal["month", "year"] | None) -> str | None:
    """Return the period of a part by its name; None if no set that is parted so has such a part."""
    period = publish.period_of(target, name)
    if by is None:  # a thousand parts are called as years are
        return "" if period is None or period.isdecimal() else None
    is_one = period is not None and (period == UNDATED or len(period) == _CHARS[by])
    return period if is_one else None


@contextmanager
def _opened(conversion: Conversion, name: str) -> Iterator[BinaryIO]:
    """Open a part, unpacked; one that is damaged would lose what it held."""
    path = os.path.join(conversion.folder, name)  # noqa: PTH118
    with conversion.publisher.open_existing(name) as stored:
        is_packed = stored.read(len(gzip.MAGIC)) == gzip.MAGIC
        stored.seek(0)
        report = strict_report(path, ignore)
        yield gzip.open_gzip(stored, path, Limits(), report) if is_packed else stored


def count(conversion: Conversion, existing: Callable[[], Sequence[Input]]) -> int:
    """Count the URLs of the existing output, less those that `--drop` and `--expire` remove."""
    expiry, own = Expiry(conversion.options.transforms), 0
    with suppress(NotOwnOutputError):
        if (parts := own_parts(conversion)) is not None:
            writer, is_normal = (
                conversion.row.writing(conversion.options.write),
                UrlRules(conversion.options.transforms),
            )
            for part in parts:
                with part.open() as stream:
                    for blocks in url_blocks(stream, writer, is_normal):
                        own += len(blocks.locs) - len(blocks.removed(expiry))
            return own
    total, read = 0, conversion.options.read
    for given in existing():
        document = given.open(read._replace(name=given.name), ignore)
        for entry in document.entries:
            moment = dates.latest(entry.published, entry.updated)
            lastmod = dates.to_w3c(moment) if moment else None
            total += not expiry.of(entry.loc or "", lastmod)
    return total
