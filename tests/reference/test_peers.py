"""Where three other feed readers agree on an entry, so do we, or there is a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import converter
from converter import ConverterError, Entry

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Reference

PEERS = 3


def _date(entry: Entry) -> str | None:
    moment = entry.published or entry.updated
    return moment and moment.instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


#: What all of them read, and where we have it.
FIELDS: Mapping[str, Callable[[Entry], str | None]] = MappingProxyType(
    {"link": lambda entry: entry.loc, "id": lambda entry: entry.id, "date": _date}
)


def test_entries_agree_with_what_all_peers_read(
    reference: Reference, listed: Mapping[str, Mapping[str, Any]]
) -> None:
    ours = {path: entries for path in reference.corpus if (entries := _entries(path))}
    verdicts = reference.judged("read_feed.py", ours, "--full", fine=(0, 3))
    assert len(verdicts) == len(ours)
    compared = [v for v in verdicts if len(v["read_by"]) == PEERS]
    assert sum(len(verdict["entries"]) for verdict in compared) > 1500, "too few to mean much"
    found = Counter(
        (Path(verdict["file"]).name, field, kind)
        for verdict in compared
        for field, kind in _disagreements(verdict, ours[Path(verdict["file"])])
    )
    assert found == {
        (exception["file"], exception["field"], exception["ours"]): exception["entries"]
        for exception in listed["peers"]["exception"]
    }


def _entries(path: Path) -> list[Entry]:
    """Give the entries of a feed as they are read, before anything is made of them."""
    try:
        with converter.read(path) as document:
            entries = list(document.entries)
            return entries if document.feed.format in {"rss", "atom"} else []
    except ConverterError:
        return []


def _disagreements(verdict: Mapping[str, Any], entries: list[Entry]) -> Iterator[tuple[str, str]]:
    """Give the fields where all peers agree on something else, and what ours is.

    That is `none`, `resolved` (theirs is relative), or `other`. Where they do not even agree on
    the number of entries, it only counts whether a link of theirs is one of ours.
    """
    is_aligned = verdict["counts_agree"] and len(entries) == len(verdict["entries"])
    locs = {entry.loc for entry in entries}
    for row in verdict["entries"]:
        for field, ours_of in FIELDS.items():
            theirs = row[field]
            if theirs is None or field in row.get("disagree", {}):
                continue
            if is_aligned:
                ours = ours_of(entries[row["entry"]])
            else:
                ours = theirs if field != "link" or theirs in locs else "another"
            if ours != theirs:
                yield field, _kind(ours, theirs)


def _kind(ours: str | None, theirs: str) -> str:
    if ours is None:
        return "none"
    return "resolved" if theirs.startswith("/") and ours.endswith(theirs) else "other"
