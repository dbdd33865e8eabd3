"""What a conversion did, as values: for the summary line, for `--report`, and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from converter.extensions.field_support.rules import OmissionReason
from converter.issues import Issue
from converter.options import WriteOptions


@dataclass(slots=True, kw_only=True)
class OutputFile:
    """One file that was published, or with `dry_run` would be."""

    path: str
    """`-` for standard output and streams."""
    kind: str
    """The format's name, or `index`."""
    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    bytes: int = 0
    """As stored."""
    raw_bytes: int = 0
    """Uncompressed."""


@dataclass(slots=True, kw_only=True)
class LeftOut:
    """Entries, videos, images or language versions that are not in the output, for one reason.

    What an option leaves out is none of them, nor are fields without a place in the format.
    """

    item: str
    """`entry`, `video`, `image` or `language`."""
    number: int
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that would hold them."""


@dataclass(slots=True, kw_only=True)
class Result:
    """What a conversion did: what the summary line and `--report` are made of."""

    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    skipped: int = 0
    """Entries, and lines of lists, that are not in the output; merged duplicates do not count."""
    merged: int = 0
    """Entries that were merged with an earlier one that is the same."""
    sources: int = 0
    """Documents that were read."""
    named: int | None = None
    """Sources that were named; None: each was one document."""
    read_apart: Mapping[str, int] = field(default_factory=dict)
    """What was read in the place of sources, by its kind: `page` of a feed, `sitemap` of an index,
    `feed` of an OPML list or a web page."""
    files: tuple[OutputFile, ...] = ()
    """The index first."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Fields that the format has no place for, by name, and in how many entries."""
    altered: Mapping[str, int] = field(default_factory=dict)
    """Fields that it holds otherwise than they were: cut, rounded, merged; likewise."""
    present: Mapping[str, int] = field(default_factory=dict)
    """With `count_fields`: how many entries, or headers, have each of these fields."""
    left_out: tuple[LeftOut, ...] = ()
    removed: tuple[str, ...] = ()
    """Parts of an earlier run that are no longer part of the set."""
    changed: bool | None = None
    """With `dry_run`: would the output differ from what stands there? None: nothing does."""
    added: int | None = None
    """URLs that were not there before; None where nothing was merged or updated."""
    renewed: int | None = None
    """URLs that were there, and of which something else is written now; likewise."""
    dropped: int | None = None
    """URLs that were there, and are no more (`drop`, `expire_days`); likewise."""
    kept: tuple[str, ...] = ()
    """Files of the set that already held what they should, and were not written."""
    unchanged: bool = False
    """All of them did."""
    found: tuple[str, ...] = ()
    """What was read in the place of a source that names others, a sentence each."""
    unchanged_sources: int = 0
    """Sources that have not changed since they were fetched last (304)."""
    robots: bool | None = None
    """Was our line in the robots.txt added or renewed, or would it be? None: not asked for."""
    robots_created: bool = False
    """Was there no such file before?"""
    issues: tuple[Issue, ...] = ()
    """In the order found; empty where `report` was given."""


def left_out(counts: Mapping[OmissionReason, int], options: WriteOptions) -> tuple[LeftOut, ...]:
    """Give what is not in the output, entries first; not what options do not want in it."""
    order = ("entry", "video", "image", "language")
    unwanted = {"image": not options.images, "video": not options.videos}
    rows = (
        LeftOut(item=reason.item, number=number, why=reason.why, kept_by=reason.kept_by)
        for reason, number in counts.items()
        if not unwanted.get(reason.item)
    )
    return tuple(sorted(rows, key=lambda row: (order.index(row.item), -row.number, row.why)))


def of_readers(counts: Mapping[OmissionReason, int]) -> Mapping[OmissionReason, int]:
    """Give the counts of what never came to a writer; a second walk counts the others again."""
    return {reason: count for reason, count in counts.items() if not reason.kept_by}
