"""The result of a conversion: for the summary line, for `--report`, and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from converter.extensions.field_support.rules import OmissionReason
from converter.issues import Issue
from converter.options import WriteOptions


@dataclass(slots=True, kw_only=True)
class OutputFile:
    """One file that was published, or would be with `dry_run`."""

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

    Those that an option leaves out and fields that the format lacks do not count.
    """

    item: str
    """`entry`, `video`, `image` or `language`."""
    number: int
    why: str
    kept_by: tuple[str, ...] = ()
    """The formats of the same family that can hold them."""


@dataclass(slots=True, kw_only=True)
class Result:
    """The files and counts of a conversion."""

    urls: int = 0
    images: int = 0
    videos: int = 0
    news: int = 0
    skipped: int = 0
    """Entries, and lines of lists, that are not in the output; merged duplicates do not count."""
    merged: int = 0
    """Entries that were merged with an earlier one."""
    sources: int = 0
    """Documents that were read."""
    named: int | None = None
    """Sources that were named; None for entries of a program."""
    read_apart: Mapping[str, int] = field(default_factory=dict)
    """Documents that were read in place of a source, by kind: `page` of a feed, `sitemap` of an
    index, `feed` of an OPML list or a web page."""
    files: tuple[OutputFile, ...] = ()
    """The index first."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Fields that the format lacks, by name, with the number of entries."""
    altered: Mapping[str, int] = field(default_factory=dict)
    """Fields that are cut, rounded or merged, by name, with the number of entries."""
    present: Mapping[str, int] = field(default_factory=dict)
    """With `count_fields`: the number of entries, or headers, with each field."""
    left_out: tuple[LeftOut, ...] = ()
    removed: tuple[str, ...] = ()
    """Parts of an earlier run that are no longer part of the set."""
    changed: bool | None = None
    """With `dry_run`: publishing would change the existing output; None if there is none."""
    added: int | None = None
    """New URLs; None if nothing was merged or updated."""
    renewed: int | None = None
    """Existing URLs whose content has changed; None likewise."""
    dropped: int | None = None
    """Existing URLs that `drop` or `expire` has removed; None likewise."""
    kept: tuple[str, ...] = ()
    """Files of the set that did not change and were not written."""
    unchanged: bool = False
    """No file changed."""
    found: tuple[str, ...] = ()
    """Sentences about documents that were read in place of a source."""
    unchanged_sources: int = 0
    """Sources that have not changed since the last fetch (304)."""
    robots: bool | None = None
    """The `Sitemap:` line of the robots.txt is added or updated; None without `robots`."""
    robots_created: bool = False
    """The robots.txt is a new file."""
    issues: tuple[Issue, ...] = ()
    """In the order found; empty if `report` was given."""


def left_out(counts: Mapping[OmissionReason, int], options: WriteOptions) -> tuple[LeftOut, ...]:
    """Return what is not in the output, entries first, without what options exclude."""
    order = ("entry", "video", "image", "language")
    unwanted = {"image": not options.images, "video": not options.videos}
    rows = (
        LeftOut(item=reason.item, number=number, why=reason.why, kept_by=reason.kept_by)
        for reason, number in counts.items()
        if not unwanted.get(reason.item)
    )
    return tuple(sorted(rows, key=lambda row: (order.index(row.item), -row.number, row.why)))
