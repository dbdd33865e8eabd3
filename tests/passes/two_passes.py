"""The two passes of a conversion over entries, as far as duplicates are concerned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.issues import Report
from converter.model import Entry
from converter.passes import merge
from converter.passes.merge import Deduplicator
from converter.seams import Rendered


def deduplicated(
    duplicates: Deduplicator, entries: Iterable[Entry], report: Report
) -> Iterator[Entry]:
    """Give what one pass lets through."""
    for entry in entries:
        key = duplicates.key(entry)
        if not duplicates.is_second_pass:
            number = None if key is None else merge.digest(key)
            if entry.alternates:
                duplicates.versions(entry, report, lambda _: None)
            item = Rendered(loc=entry.loc, line=entry.line, entry=entry, key=number)
            if duplicates.is_new(item):
                yield entry
            else:
                duplicates.hold_back(item)
            continue
        kept = duplicates.settle(entry, report) if duplicates.is_held_back(key) else entry
        if kept is not None:
            yield duplicates.versions(kept, report, lambda _: None)


def both_passes(duplicates: Deduplicator, entries: Iterable[Entry], report: Report) -> list[Entry]:
    """Give what comes out in the end."""
    found = list(deduplicated(duplicates, entries, report))
    if duplicates.needs_second_pass:
        duplicates.begin_second_pass()
        found = list(deduplicated(duplicates, entries, report))
    return found
