"""Normalise every URL that is published, or drop it (mapping 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final, TypeAlias

from converter.issues import Issue, Note, Report
from converter.model import Entry, Video
from converter.values import urls

_is_canonical = urls.is_canonical_page


class UrlCleaner:
    """Cleans the URLs of entries; a clean entry stays the same object.

    An entry or medium whose URL cannot be used is dropped, and that is reported. An entry without
    a URL passes: the target decides if it needs one. Links that are not published as pages or
    media are not changed. `left_out` takes `entry`, `image` or `language` and how many are dropped.
    """

    def __init__(
        self,
        rules: urls.ParameterRules,
        report: Report,
        left_out: Callable[[str, int], None] = lambda _item, _number: None,
    ) -> None:
        self._rules = rules
        self._report = report
        self._left_out = left_out
        self._entry = Entry()
        #: A URL that an entry has twice is reported once.
        self._reported: set[str] = set()

    def clean(self, entry: Entry) -> Entry | None:
        """Clean the URL of the page and those of its media."""
        loc = entry.loc
        if loc is not None and not _is_canonical(loc):
            loc, notes = urls.clean_page(loc, self._rules)
            if notes:
                self._report_notes(notes, entry, loc)
            if loc is None:
                self._left_out("entry", 1)
                return None
            if loc != entry.loc:
                entry = replace(entry, loc=loc)
        if not (
            entry.videos or entry.images or entry.audios or entry.alternates or entry.podcast
        ):  # as most entries: the fields of `_ENTRY_FIELDS`
            return entry
        self._entry = entry
        self._reported.clear()
        cleaned: Entry = self.record(entry, _ENTRY_FIELDS)
        if cleaned is not entry:
            self._left_out("image", len(entry.images) - len(cleaned.images))
            self._left_out("language", len(entry.alternates) - len(cleaned.alternates))
        return cleaned

    # -- one URL ------------------------------------------------------------------------------

    def page(self, url: str) -> str | None:
        return self._noted(url, urls.clean_page(url, self._rules))

    def media(self, url: str) -> str | None:
        return self._noted(url, urls.clean_media(url))

    def video(self, url: str) -> str | None:
        return self._noted(url, urls.clean_media(url, allow_ftp=True))

    def player(self, url: str) -> str | None:
        return self._noted(url, urls.clean_media(url, keep_fragment=True))

    def _noted(self, url: str, cleaned: urls.UrlResult) -> str | None:
        if cleaned.notes and url not in self._reported:
            self._reported.add(url)
            self._report_notes(cleaned.notes, self._entry, self._entry.loc)
        return url if cleaned.url == url else cleaned.url

    def _report_notes(self, notes: tuple[Note, ...], entry: Entry, loc: str | None) -> None:
        name = loc if loc or not entry.loc else urls.quoted(entry.loc)[1:-1]
        for code, message in notes:
            issue = Issue(code=code, message=message, line=entry.line, entry=name or entry.id)
            self._report(issue)

    # -- values with URLs: the same object if it is clean, None if it lacks a URL that it needs --

    def record(self, record: Any, fields: _Fields) -> Any:
        """Clean a record field by field."""
        changes = {}
        for (name, rule, kind), value in zip(fields.rows, fields.values(record), strict=True):
            if not value:
                continue
            if value.__class__ is tuple:
                cleaned = tuple(
                    [each for member in value if (each := rule(self, member, kind)) is not None]
                )
                if cleaned != value:
                    changes[name] = cleaned
            elif (cleaned := rule(self, value, kind)) is not value:
                changes[name] = cleaned
        if not changes:
            return record
        return None if changes.get(fields.needs, record) is None else replace(record, **changes)

    def url(self, url: str, kind: _Kind) -> str | None:
        """Clean an optional URL of a record."""
        return url if _is_canonical(url) else kind(self, url)

    def file(self, file: Any, kind: _Kind) -> Any:
        """Clean a record with one URL, which it needs."""
        if _is_canonical(file.url) or (url := kind(self, file.url)) is file.url:
            return file
        return None if url is None else replace(file, url=url)

    def segment(
        self, segment: tuple[str, int | None], kind: _Kind
    ) -> tuple[str, int | None] | None:
        """Clean a segment of a video."""
        url = self.url(segment[0], kind)
        return None if url is None else (url, segment[1])

    def video_record(self, read: Video, _: object) -> Video:
        """Clean a video; the best of its renditions replaces a file without a usable URL."""
        video: Video = self.record(read, _VIDEO_FIELDS)
        if video.content_url or not read.content_url or not video.renditions:
            return video
        from converter.extensions.mediarss.best_rendition import best  # seldom needed

        other = best(video.renditions)
        return video if other is None else replace(video, content_url=other.url)


_Kind: TypeAlias = Callable[[UrlCleaner, str], str | None]
"""Cleans one kind of URL."""
_Rule: TypeAlias = Callable[[UrlCleaner, Any, Any], Any]
"""Cleans a value, or each of a tuple, with a kind of URL or the fields of a record."""


class _Fields:
    """The fields of a record that hold URLs."""

    def __init__(self, *rows: tuple[str, _Rule, Any], needs: str | None = None) -> None:
        self.rows = rows
        values = attrgetter(*(name for name, _, _ in rows))  # of one name it is no tuple
        self.values = values if len(rows) > 1 else lambda record: (values(record),)
        #: The field that the record must have.
        self.needs = needs or ""


_PAGE, _MEDIA = UrlCleaner.page, UrlCleaner.media
_VIDEO, _PLAYER = UrlCleaner.video, UrlCleaner.player
_URL, _FILE, _RECORD = UrlCleaner.url, UrlCleaner.file, UrlCleaner.record

_VIDEO_FIELDS: Final = _Fields(
    ("content_url", _URL, _VIDEO),
    ("player_url", _URL, _PLAYER),
    ("renditions", _FILE, _VIDEO),
    ("thumbnails", _FILE, _MEDIA),
    ("sibling_images", _URL, _MEDIA),
    ("embed", _FILE, _PLAYER),
    ("gallery", _FILE, _PAGE),
    ("segments", UrlCleaner.segment, _VIDEO),
    ("uploader", _RECORD, _Fields(("uri", _URL, _PAGE))),
)
_AUDIO_FIELDS: Final = _Fields(
    ("content_url", _URL, _MEDIA),
    ("renditions", _FILE, _VIDEO),
    ("thumbnails", _FILE, _MEDIA),
    needs="content_url",
)
_IMAGE_FIELDS: Final = _Fields(
    ("url", _URL, _MEDIA), ("license", _URL, _PAGE), ("rendition", _FILE, _MEDIA), needs="url"
)
_ENTRY_FIELDS: Final = _Fields(
    ("alternates", _RECORD, _Fields(("href", _URL, _PAGE), needs="href")),
    ("videos", UrlCleaner.video_record, None),
    ("audios", _RECORD, _AUDIO_FIELDS),
    ("images", _RECORD, _IMAGE_FIELDS),
    ("podcast", _RECORD, _Fields(("images", _FILE, _MEDIA))),
)
