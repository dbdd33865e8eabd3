"""Where three other feed readers agree on an entry's link, it is ours, or there is a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import converter
from converter import ConverterError

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Reference

PEERS = 3


def test_links_on_which_all_peers_agree(
    reference: Reference, listed: Mapping[str, Mapping[str, Any]]
) -> None:
    ours = {path: locs for path in reference.corpus if (locs := _locs(path)) is not None}
    verdicts = reference.judged("read_feed.py", ours, "--full", fine=(0, 3))
    assert len(verdicts) == len(ours)
    compared = [v for v in verdicts if len(v["read_by"]) == PEERS]
    assert sum(len(verdict["entries"]) for verdict in compared) > 1500, "too few to mean much"
    found = Counter(
        (Path(verdict["file"]).name, kind)
        for verdict in compared
        for kind in _disagreements(verdict, ours[Path(verdict["file"])])
    )
    assert found == {
        (exception["file"], exception["ours"]): exception["entries"]
        for exception in listed["links"]["exception"]
    }


def _locs(path: Path) -> list[str | None] | None:
    """Give the pages of a feed as it is read, before anything is made of them; None for no feed."""
    try:
        with converter.read(path) as document:
            locs = [entry.loc for entry in document.entries]
            return locs if document.feed.format in {"rss", "atom"} else None
    except ConverterError:
        return None


def _disagreements(verdict: Mapping[str, Any], locs: list[str | None]) -> Iterator[str]:
    """Say what ours is where all peers agree on something else: `none`, `resolved` or `other`."""
    is_aligned = verdict["counts_agree"] and len(locs) == len(verdict["entries"])
    for entry in verdict["entries"]:
        theirs = entry["link"]
        if theirs is None or "link" in entry.get("disagree", {}):
            continue
        ours = locs[entry["entry"]] if is_aligned else theirs if theirs in locs else "elsewhere"
        if ours is None:
            yield "none"
        elif ours != theirs:
            yield "resolved" if theirs.startswith("/") and ours.endswith(theirs) else "other"
