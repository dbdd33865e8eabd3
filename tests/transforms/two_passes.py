"""The two passes of a conversion over entries, as far as duplicates are concerned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from converter.formats.base import Rendered
from converter.issues import Issue, Report
from converter.model import Entry
from converter.pipeline.transforms import deduplicate
from converter.pipeline.transforms.deduplicate import Deduplicator


def deduplicated(
    duplicates: Deduplicator, entries: Iterable[Entry], report: Report
) -> Iterator[Entry]:
    """Give what one pass lets through."""
    for entry in entries:
        key = duplicates.key(entry)
        if not duplicates.is_second_pass:
            number = None if key is None else deduplicate.key_digest(key)
            if entry.alternates:
                duplicates.versions(entry, report, lambda _: None)
            source = entry.feed.source if entry.feed else None
            item = Rendered(loc=entry.loc, line=entry.line, source=source, entry=entry, key=number)
            if duplicates.is_new(item):
                yield entry
            else:
                duplicates.add_duplicate(item)
                for issue in item.issues:
                    report(issue)
            continue
        kept = (
            duplicates.merge_duplicates(entry, report)
            if key and duplicates.has_duplicates(key)
            else entry
        )
        if kept is not None:
            yield duplicates.versions(kept, report, lambda _: None)


def both_passes(duplicates: Deduplicator, entries: Iterable[Entry], report: Report) -> list[Entry]:
    """Give what comes out in the end, and report what the last pass reports."""
    issues = list[Issue]()
    found = list(deduplicated(duplicates, entries, issues.append))
    if duplicates.needs_second_pass:
        issues.clear()
        duplicates.begin_second_pass()
        found = list(deduplicated(duplicates, entries, issues.append))
    for issue in issues:
        report(issue)
    return found
