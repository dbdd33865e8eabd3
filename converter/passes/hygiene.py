"""Every URL that will be written gets its one publishable spelling, or goes (mapping 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import repeat
from operator import is_
from typing import Any, TypeAlias

from converter.issues import Issue, Report
from converter.model import Entry, Video
from converter.passes import Transform
from converter.values import urls

__all__ = ["hygiene"]


def hygiene(
    rules: urls.Rules,
    report: Report,
    left_out: Callable[[str, int], None] = lambda _item, _number: None,
) -> Transform:
    """Return the transform that cleans an entry's URLs; a clean entry stays the same object.

    An entry whose `loc` is refused is dropped, and that is reported; one that has none passes,
    for whether it may go without is the target's business. A medium whose URL is refused is
    taken out, and that is reported too. Links that are not published as pages or media are left
    alone. `left_out` is called with what is dropped: `entry`, `image` or `language`, and how many.
    """

    def clean(entry: Entry) -> Entry | None:
        loc = entry.loc
        if loc is not None and not urls.is_canonical_page(loc):
            loc, notes = urls.page(loc, rules)
            if notes:
                _tell(notes, report, entry, loc)
            if loc is None:
                left_out("entry", 1)
                return None
            if loc != entry.loc:
                entry = replace(entry, loc=loc)
        if entry.images or entry.videos or entry.podcast or entry.alternates or entry.audios:
            washed: Entry = _washed(entry, _ENTRY, _Wash(rules, report, entry))
            if washed is not entry:
                left_out("image", len(entry.images) - len(washed.images))
                left_out("language", len(entry.alternates) - len(washed.alternates))
            return washed
        return entry

    return clean


def _tell(notes: tuple[urls.Note, ...], report: Report, entry: Entry, loc: str | None) -> None:
    name = loc if loc or not entry.loc else urls.shown(entry.loc)[1:-1]
    for code, message in notes:
        report(Issue(code=code, message=message, line=entry.line, entry=name or entry.id))


@dataclass(slots=True, eq=False)
class _Wash:
    """The cleaning of one entry; a URL that stands in it twice is reported once."""

    rules: urls.Rules
    report: Report
    entry: Entry
    told: set[str] = field(default_factory=set)

    def page(self, url: str) -> str | None:
        return self._noted(url, urls.page(url, self.rules))

    def media(self, url: str) -> str | None:
        return self._noted(url, urls.media(url))

    def video(self, url: str) -> str | None:
        return self._noted(url, urls.media(url, allow_ftp=True))

    def player(self, url: str) -> str | None:
        return self._noted(url, urls.media(url, keep_fragment=True))

    def _noted(self, url: str, cleaned: urls.Cleaned) -> str | None:
        if cleaned.notes and url not in self.told:
            self.told.add(url)
            _tell(cleaned.notes, self.report, self.entry, self.entry.loc)
        return cleaned.url


_Clean: TypeAlias = Callable[[_Wash, str], str | None]
_Rule: TypeAlias = Callable[[Any, _Wash], Any]
"""From what a field holds to what it shall hold: the same object if nothing changes."""
_Table: TypeAlias = tuple[tuple[str, _Rule], ...]


def _washed(record: Any, table: _Table, wash: _Wash) -> Any:
    changes = {}
    for name, rule in table:
        value = getattr(record, name)
        if value and (clean := rule(value, wash)) is not value:
            changes[name] = clean
    return replace(record, **changes) if changes else record


def _url(clean: _Clean) -> _Rule:
    """A URL that its record can go without."""

    def rule(url: str, wash: _Wash) -> str | None:
        if urls.is_canonical_page(url):
            return url
        cleaned = clean(wash, url)
        return url if cleaned == url else cleaned

    return rule


def _record(table: _Table, *, needs: str | None = None) -> _Rule:
    """A record with URLs; without the one that it `needs` it is nothing, and goes."""

    def rule(record: Any, wash: _Wash) -> Any:
        washed = _washed(record, table, wash)
        return None if needs and getattr(washed, needs) is None else washed

    return rule


def _file(clean: _Clean) -> _Rule:
    """A record with one URL, which it needs."""
    changed = _record((("url", _url(clean)),), needs="url")

    def rule(file: Any, wash: _Wash) -> Any:
        return file if urls.is_canonical_page(file.url) else changed(file, wash)

    return rule


def _each(rule: _Rule) -> _Rule:
    """A tuple, less the members that go."""

    def each(members: tuple[Any, ...], wash: _Wash) -> tuple[Any, ...]:
        washed = list(map(rule, members, repeat(wash)))
        if all(map(is_, washed, members)):
            return members
        return tuple(member for member in washed if member is not None)

    return each


def _segment(segment: tuple[str, int | None], wash: _Wash) -> tuple[str, int | None] | None:
    url, seconds = segment
    cleaned = wash.video(url)
    if cleaned is None:
        return None
    return segment if cleaned == url else (cleaned, seconds)


_PAGE, _MEDIA, _VIDEO, _PLAYER = map(_url, (_Wash.page, _Wash.media, _Wash.video, _Wash.player))

_THUMBNAILS = _each(_file(_Wash.media))
_RENDITIONS = _each(_file(_Wash.video))

_VIDEO_FIELDS: _Table = (
    ("content_url", _VIDEO),
    ("player_url", _PLAYER),
    ("flash_url", _PLAYER),
    ("renditions", _RENDITIONS),
    ("thumbnails", _THUMBNAILS),
    ("sibling_images", _each(_MEDIA)),
    ("embed", _file(_Wash.player)),
    ("gallery", _file(_Wash.page)),
    ("segments", _each(_segment)),
    ("uploader", _record((("uri", _PAGE),))),
)
_AUDIO_FIELDS: _Table = (
    ("content_url", _MEDIA),
    ("renditions", _RENDITIONS),
    ("thumbnails", _THUMBNAILS),
)
_IMAGE_FIELDS: _Table = (
    ("url", _MEDIA),
    ("license", _PAGE),
    ("rendition", _file(_Wash.media)),
)


def _video(video: Video, wash: _Wash) -> Video:
    """A video; if its file has no usable URL, the best of its other renditions takes the place."""
    clean: Video = _washed(video, _VIDEO_FIELDS, wash)
    if clean.content_url or not video.content_url or not clean.renditions:
        return clean
    from converter.vocab.media.best_rendition import best  # nearly every URL of a file is usable

    other = best(clean.renditions)
    return clean if other is None else replace(clean, content_url=other.url)


_ENTRY: _Table = (
    ("alternates", _each(_record((("href", _PAGE),), needs="href"))),
    ("videos", _each(_video)),
    ("audios", _each(_record(_AUDIO_FIELDS, needs="content_url"))),
    ("images", _each(_record(_IMAGE_FIELDS, needs="url"))),
    ("podcast", _record((("images", _THUMBNAILS),))),
)
