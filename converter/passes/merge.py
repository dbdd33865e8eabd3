"""One page, one entry: finds what is in the input twice, and unites it (mapping 6.2).

A first walk keeps a digest per URL and lets the first entry of each through. A later entry of
the same digest is only held back; since it may know more than the first, which is written
already, or may even be another URL of the same digest, a second walk over the input settles it
with the full URLs. So memory grows with the duplicates, not with the input. The language
versions of a page are settled by the second walk too: they are written only where every version
is in the output (mapping 3.4), which only the end of the first walk knows.

Lines of a list know no more than their URL. Of those, only the full URLs must be settled: where
the first walk saw nothing else, the lists are looked into again, and nothing is rendered anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from converter.issues import Code, Issue, Report
from converter.model import Alternate, Entry, Moment, News, Video
from converter.passes.digests import Digests
from converter.record import field_names, record, replace
from converter.seams import Item, Listed, Ready
from converter.values import dates, marks

__all__ = ["Merger", "merge", "renewed", "with_versions"]

T = TypeVar("T")


#: In the place of a digest that was there before.
_NONE: Final = 0


@record(kw_only=False)
class _Stretch:
    """What is remembered of a run of lines."""

    digests: array[int]
    lines: Sequence[int]
    stand: Callable[[Mapping[int, str]], bool]


class Merger:
    """What the walks over one input learn about its duplicates and language versions."""

    def __init__(
        self,
        now: datetime,
        *,
        keeps_versions: bool = False,
        digests: Callable[[], Digests] = Digests,
    ) -> None:
        """Begin.

        Args:
            now: the time of the run.
            keeps_versions: leave it to others whether language versions are in the output.
            digests: makes what remembers pages.
        """
        self.merged = 0
        """How many entries were united with an earlier one, in the present walk."""
        self._now = now
        self._keeps_versions = keeps_versions
        self._digests = digests()
        self._held_back: dict[str, Entry] = {}
        self._suspects: dict[int, str] = {}
        """Pages of lines whose digests were there before."""
        self._stretches: list[_Stretch] = []
        self._first_lines: dict[str, int] = {}
        """Of the pages that were suspects, once that is settled."""
        self._has_alternates = False
        self._first_walk_done = False

    @property
    def needs_another_walk(self) -> bool:
        """Must the input be walked again, because of what the first walk saw?"""
        unsettled = self._held_back or self._has_alternates or self._suspects
        return not self._first_walk_done and bool(unsettled)

    def begin_second_walk(self) -> None:
        """Turn to settling what the first walk saw."""
        self._first_walk_done = True
        self.merged = 0
        for loc in self._suspects.values():
            self._held_back.setdefault(loc, Entry(loc=loc))
        self._suspects.clear()
        self._stretches.clear()

    def unite(self, entries: Iterable[Item], report: Report) -> Iterator[Item]:
        """Give each page once, where it came first. Entries without a `loc` all pass."""
        walk = self._second if self._first_walk_done else self._first
        return walk(entries, report)

    @property
    def settled_by_entries(self) -> Collection[str]:
        """The pages that the second walk needs to see as entries, and not as what they become."""
        return self._held_back.keys()

    def _first(self, entries: Iterable[Item], report: Report) -> Iterator[Item]:
        is_new = self._digests.is_new
        for entry in entries:
            if isinstance(entry, Ready):
                self._sift(entry)
                yield entry
                continue
            if isinstance(entry, Listed):
                self._sift_listed(entry, report)
                yield entry
                continue
            loc = entry.loc
            if loc is not None:
                if not is_new(marks.digest(loc)):
                    self._hold_back(loc, entry)
                    continue
                if entry.alternates and not self._keeps_versions:
                    self._has_alternates = True
            yield entry

    def _sift(self, run: Ready) -> None:
        """Hold back what of a run was there before."""
        if known := self._digests.add(list(map(hash, run.locs))):
            for place in known:
                self._hold_back(run.locs[place], run.entry_of(place))
            gone = set(known)
            run.keep([place for place in range(len(run.locs)) if place not in gone])

    def _sift_listed(self, run: Listed, report: Report) -> None:
        """Drop what of a run was there before, and report all that there is to say of it."""
        digests = run.digests.tolist() if run.digests else list(map(hash, run.locs))
        known = self._digests.add(digests)
        stretch = _Stretch(run.digests or array("q", digests), run.lines, run.stand)
        self._stretches.append(stretch)
        issues = run.issues
        if known:
            told: list[Issue] = []
            for place in known:
                loc = run.locs[place]
                stretch.digests[place] = _NONE
                if self._suspects.setdefault(digests[place], loc) == loc:
                    self.merged += 1
                    told.append(_unsettled(loc, run.lines[place], run.feed.source))
                else:
                    self._hold_back(loc, run.entry_of(place))
            issues = sorted([*issues, *told], key=_line)
            run.drop(known)
        for issue in issues:
            report(issue)

    def settle(self) -> None:
        """Settle duplicates by looking into the lists again, if nothing else needs more than that.

        To be called when a walk has ended. What could not be settled needs another walk.
        """
        if self._held_back or self._has_alternates or not self._suspects:
            return
        unseen, lines = dict(self._suspects), {}
        pages: dict[Callable[[Mapping[int, str]], bool], dict[int, str]] = {}
        for stretch in self._stretches:
            # most digests are those of pages that came once: they are passed by in one expression
            for place in [at for at, digest in enumerate(stretch.digests) if digest in unseen]:
                if loc := unseen.pop(stretch.digests[place], None):
                    lines[loc] = line = stretch.lines[place]
                    pages.setdefault(stretch.stand, {})[line] = loc
        if not unseen and all(stand(expected) for stand, expected in pages.items()):
            self._first_lines = lines
            self._suspects.clear()
            self._stretches.clear()

    def completed(self, issue: Issue) -> Issue | None:
        """Complete an issue that was reported before it was settled; None: it never was."""
        line = self._first_lines.get(issue.entry or "")
        return None if line is None else replace(issue, message=_same_page(line))

    def _hold_back(self, loc: str, entry: Entry) -> None:
        self.merged += 1
        known = self._held_back.get(loc)
        self._held_back[loc] = merge(known, entry, self._now) if known else entry

    def _second(self, entries: Iterable[Item], report: Report) -> Iterator[Item]:
        places: dict[str, int | None] = {}
        for entry in entries:
            if isinstance(entry, Listed):
                for issue in entry.issues:
                    report(issue)
            if not isinstance(entry, Entry):  # none of them was held back
                yield entry
                continue
            loc = entry.loc
            if loc is not None and loc in self._held_back:
                if loc in places:
                    self.merged += 1
                    report(_duplicate(entry, places[loc]))
                    continue
                places[loc] = entry.line
                entry = merge(entry, self._held_back[loc], self._now)  # noqa: PLW2901
            if entry.alternates and not self._keeps_versions:
                entry = with_versions(entry, self._is_there, report)  # noqa: PLW2901
            yield entry

    def _is_there(self, loc: str) -> bool:
        return marks.digest(loc) in self._digests


def with_versions(entry: Entry, is_there: Callable[[str], bool], report: Report) -> Entry:
    """Drop the language versions of an entry unless all of them are in the output.

    A sitemap's are kept as they are: whoever wrote it chose them.
    """
    missing = [version for version in entry.alternates if not is_there(version.href)]
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
    return Issue(
        code=Code.URL_DUPLICATE, message=_same_page(line), line=entry.line, entry=entry.loc
    )


def _same_page(line: int | None) -> str:
    where = f" on line {line}" if line is not None else ""
    return f"the same page as{where or ' before'}; the two are united"


def _unsettled(loc: str, line: int, source: str | None) -> Issue:
    """Report a duplicate where it stands, before it is known where the first one stood."""
    return Issue(code=Code.URL_DUPLICATE, message="", line=line, entry=loc, source=source)


def _line(issue: Issue) -> int:
    return issue.line or 0


def merge(first: Entry, second: Entry, now: datetime) -> Entry:
    """Unite two entries of one page, the first in the input keeping its place.

    The latest date wins, unless it lies in the future; pictures, videos and language versions
    are united; of news the newest; of all else, the first that says anything. It is associative,
    so it does not matter in which order three entries of a page are united.
    """
    learnt: dict[str, Any] = {
        name: value
        for name in field_names(Entry)
        if _is_unsaid(getattr(first, name)) and not _is_unsaid(value := getattr(second, name))
    }
    identified = second if first.id is None else first
    return replace(
        replace(first, **learnt),
        id=identified.id,
        id_is_permalink=identified.id_is_permalink,
        mobile=first.mobile or second.mobile,
        published=_latest(first.published, second.published, now),
        updated=_latest(first.updated, second.updated, now),
        images=_unique(first.images + second.images, key=lambda image: image.url),
        videos=_unique(first.videos + second.videos, key=_video_key),
        audios=_unique(first.audios + second.audios, key=lambda audio: audio.content_url),
        alternates=_unique(first.alternates + second.alternates, key=_version_key),
        news=_newest(first.news, second.news),
    )


def renewed(known: Entry, fresh: Entry, now: datetime) -> Entry:
    """Unite what stands somewhere with what is new of the same page.

    What both say, the one that was changed last says, and of two from one time the new one. What
    stands there keeps its order, so that sources that come in turn do not turn it about.
    """
    is_stale = _is_later(known.updated or known.published, fresh.updated or fresh.published, now)
    united = merge(known, fresh, now) if is_stale else merge(fresh, known, now)
    return replace(
        united,
        images=_reordered(united.images, known.images, key=lambda image: image.url),
        videos=_reordered(united.videos, known.videos, key=_video_key),
        audios=_reordered(united.audios, known.audios, key=lambda audio: audio.content_url),
    )


def _is_later(first: Moment | None, second: Moment | None, now: datetime) -> bool:
    latest = _latest(second, first, now)
    return first is not None and second is not None and latest is first


def _reordered(
    items: tuple[T, ...], before: tuple[T, ...], key: Callable[[T], object]
) -> tuple[T, ...]:
    """Give items in the order in which they stood before, and then those that are new."""
    if not before:
        return items
    places = {key(item): place for place, item in enumerate(before)}
    return tuple(sorted(items, key=lambda item: places.get(key(item), len(places))))


def _is_unsaid(value: object) -> bool:
    return value is None or value == ()


def _latest(first: Moment | None, second: Moment | None, now: datetime) -> Moment | None:
    """Give the latest date that a page can have; any other only where there is none such."""
    present = [moment for moment in (first, second) if moment is not None]
    usable = [m for m in present if not m.is_partial and dates.not_future(m, now)]
    return dates.latest(*usable) or next(iter(present), None)


def _newest(first: News | None, second: News | None) -> News | None:
    """Give the news that was published last; of two from one time, or without any, the first."""
    if first is None or second is None or second.published is None:
        return first or second
    if first.published is None or dates.sort_key(second.published) > dates.sort_key(
        first.published
    ):
        return second
    return first


def _video_key(video: Video) -> object:
    """Tell videos apart by where they are, or where nobody says that, by all that is said."""
    known = video.content_url or video.player_url or video.flash_url
    return known or replace(video, line=None)


def _version_key(alternate: Alternate) -> object:
    return alternate.hreflang.lower()


def _unique(items: tuple[T, ...], key: Callable[[T], object]) -> tuple[T, ...]:
    if len(items) < 2:
        return items
    found: dict[object, T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return tuple(found.values())
