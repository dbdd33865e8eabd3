"""One page, one entry: finds what is in the input twice, and unites it (mapping 6.2).

A first walk keeps a digest per URL and lets the first entry of each through. A later entry of
the same digest is only held back; since it may know more than the first, which is written
already, or may even be another URL of the same digest, a second walk over the input settles it
with the full URLs. So memory grows with the duplicates, not with the input. The language
versions of a page are settled by the second walk too: they are written only where every version
is in the output (mapping 3.4), which only the end of the first walk knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from converter.issues import Code, Issue, Report
from converter.model import Alternate, Entry, Moment, News, Video
from converter.values import dates

__all__ = ["Merger", "merge"]

T = TypeVar("T")


class Merger:
    """What the walks over one input learn about its duplicates and language versions."""

    def __init__(self, now: datetime) -> None:
        self.merged = 0
        """How many entries were united with an earlier one, in the present walk."""
        self._now = now
        self._digests: set[int] = set()
        self._held_back: dict[str, Entry] = {}
        self._has_alternates = False
        self._first_walk_done = False

    @property
    def needs_another_walk(self) -> bool:
        """Must the input be walked again, because of what the first walk saw?"""
        return not self._first_walk_done and bool(self._held_back or self._has_alternates)

    def begin_second_walk(self) -> None:
        """Turn to settling what the first walk saw."""
        self._first_walk_done = True
        self.merged = 0

    def unite(self, entries: Iterable[Entry], report: Report) -> Iterator[Entry]:
        """Give each page once, where it came first. Entries without a `loc` all pass."""
        walk = self._second if self._first_walk_done else self._first
        return walk(entries, report)

    def _first(self, entries: Iterable[Entry], report: Report) -> Iterator[Entry]:
        digests, held_back = self._digests, self._held_back
        for entry in entries:
            loc = entry.loc
            if loc is not None:
                digest = hash(loc)
                if digest in digests:
                    self.merged += 1
                    known = held_back.get(loc)
                    held_back[loc] = merge(known, entry, self._now) if known else entry
                    continue
                digests.add(digest)
                if entry.alternates:
                    self._has_alternates = True
            yield entry

    def _second(self, entries: Iterable[Entry], report: Report) -> Iterator[Entry]:
        places: dict[str, int | None] = {}
        for entry in entries:
            loc = entry.loc
            if loc is not None and loc in self._held_back:
                if loc in places:
                    self.merged += 1
                    report(_duplicate(entry, places[loc]))
                    continue
                places[loc] = entry.line
                entry = merge(entry, self._held_back[loc], self._now)  # noqa: PLW2901
            yield self._with_reachable_versions(entry, report) if entry.alternates else entry

    def _with_reachable_versions(self, entry: Entry, report: Report) -> Entry:
        """Drop the language versions of an entry unless all of them are in the output.

        A sitemap's are kept as they are: whoever wrote it chose them.
        """
        missing = [a for a in entry.alternates if hash(a.href) not in self._digests]
        if not missing:
            return entry
        kept = entry.feed is not None and entry.feed.format == "sitemap"
        fate = "kept as the sitemap gave them" if kept else "left out"
        message = f"the {missing[0].hreflang} version is not in the output; the versions are {fate}"
        report(
            Issue(
                code=Code.HREFLANG_INCOMPLETE,
                message=message,
                line=entry.line,
                path="link",
                entry=entry.loc,
            )
        )
        return entry if kept else replace(entry, alternates=())


def _duplicate(entry: Entry, line: int | None) -> Issue:
    where = f" on line {line}" if line is not None else ""
    return Issue(
        code=Code.URL_DUPLICATE,
        message=f"the same page as{where or ' before'}; the two are united",
        line=entry.line,
        entry=entry.loc,
    )


def merge(first: Entry, second: Entry, now: datetime) -> Entry:
    """Unite two entries of one page, the first in the input keeping its place.

    The latest date wins, unless it lies in the future; pictures, videos and language versions
    are united; news is that of the newer; of all else, the first that says anything.
    """
    newer = second if _is_newer(second, first, now) else first
    learnt = {
        name: value
        for name in Entry.__dataclass_fields__
        if not getattr(first, name) and (value := getattr(second, name))
    }
    return replace(
        replace(first, **learnt),
        published=_latest(first.published, second.published, now),
        updated=_latest(first.updated, second.updated, now),
        images=_unique(first.images + second.images, key=lambda image: image.url),
        videos=_unique(first.videos + second.videos, key=_video_key),
        audios=_unique(first.audios + second.audios, key=lambda audio: audio.content_url),
        alternates=_unique(first.alternates + second.alternates, key=_version_key),
        news=_news(newer, first, second),
    )


def _latest(first: Moment | None, second: Moment | None, now: datetime) -> Moment | None:
    present = [m for m in (first, second) if m is not None and dates.not_future(m, now)]
    return dates.latest(*present) or first or second


def _is_newer(entry: Entry, other: Entry, now: datetime) -> bool:
    mine = _latest(entry.published, entry.updated, now)
    yours = _latest(other.published, other.updated, now)
    if mine is None or yours is None:
        return mine is not None
    return dates.sort_key(mine) > dates.sort_key(yours)


def _news(newer: Entry, first: Entry, second: Entry) -> News | None:
    return newer.news or first.news or second.news


def _video_key(video: Video) -> object:
    return video.content_url or video.player_url or video.flash_url or id(video)


def _version_key(alternate: Alternate) -> object:
    return alternate.hreflang.lower()


def _unique(items: tuple[T, ...], key: Callable[[T], object]) -> tuple[T, ...]:
    if len(items) < 2:
        return items
    found: dict[object, T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return tuple(found.values())
