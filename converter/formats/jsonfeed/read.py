"""Reads JSON Feed 1.1 and 1.0 (mapping 3.11): https://www.jsonfeed.org/version/1.1/."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, BinaryIO, Final

from converter.errors import DocumentError
from converter.extensions.mediarss import best_rendition
from converter.extensions.mediarss.group import normalised
from converter.extensions.read_context import url_label
from converter.formats.jsonfeed.members import ItemReport, Members, counted
from converter.formats.jsonfeed.stream import JsonStream
from converter.issues import Code, Issue, Report, errors_naming
from converter.model import (
    Audio,
    Category,
    Entry,
    Feed,
    Image,
    Kind,
    Link,
    Person,
    Rendition,
    Text,
    Video,
)
from converter.options import ReadOptions
from converter.values import media_types, text, urls

#: Members of a header: a bound on memory.
_MOST_MEMBERS: Final = 64
_CUT: Final = f"more than {_MOST_MEMBERS} members of the feed; those after them are not read"

#: The fields of a header that entries depend on.
_DEPENDED_ON: Final = attrgetter("authors", "image", "lang", "link", "self_url")


class JsonFeedDocument:
    """Reads the document as its entries are iterated; see `formats.base.Document`."""

    children: tuple[str, ...] = ()

    def __init__(self, stream: BinaryIO, options: ReadOptions, report: Report) -> None:
        self._stream, self._options, self._report = stream, options, report
        self._feed = Feed(format="jsonfeed", source=options.name)
        self._members: dict[str, Any] = {}
        self._lines: dict[str, int] = {}
        self._has_late_member = False
        self._reported: set[Issue] = set()

    @property
    def feed(self) -> Feed:
        """The header so far; complete once `entries` is exhausted, or if it was given."""
        return self._options.header or self._feed

    @property
    def header_changed(self) -> bool:
        """A member that entries depend on came after the first of them."""
        return self._has_late_member and self._options.header is None

    @property
    def entries(self) -> Iterator[Entry]:
        """Read the document, once.

        Raises:
            DocumentError: it is not JSON, and there is no whole item before that.
        """
        items = 0
        with errors_naming(self._options.name):
            source = JsonStream(self._stream)
            try:
                for name in source.members():
                    if name != "items" or not source.is_array():
                        self._take_member(name, source, has_items=items > 0)
                        continue
                    self._feed = self._header()
                    for number in source.elements():
                        if entry := self._item(source, number):
                            items += 1
                            yield entry
                if not items:
                    self._feed = self._header()
            except DocumentError as error:
                if not items:
                    raise
                message = f"{error}; the {items:,} items before that are used"
                self._report(Issue(code=Code.XML_BROKEN, message=message, line=error.line))

    # -- the header -----------------------------------------------------------------------

    def _take_member(self, name: str, source: JsonStream, *, has_items: bool) -> None:
        line, value = source.line, source.value(name)
        self._report_repeated(source, name, [name] if name in self._members else [])
        if len(self._members) >= _MOST_MEMBERS:
            self._report_once(Issue(code=Code.HEADER_CUT, message=_CUT))
            return
        self._members[name], self._lines[name] = value, line
        if not has_items:
            return
        before, self._feed = self._feed, self._header()
        if _DEPENDED_ON(before) != _DEPENDED_ON(self._feed) and not self._has_late_member:
            self._has_late_member = True
            message = f"{name} is after the items; the document is read again with it"
            self._report(Issue(code=Code.HEADER_LATE, message=message, line=line, path=name))

    def _header(self) -> Feed:
        """Make the header of the members so far."""
        item = ItemReport(self._report_once, self._options, None)
        members = Members(dict(self._members), "", item)
        item.base = self._options.base_url or self._options.source_url
        feed = Feed(format="jsonfeed", source=self._options.name)
        feed.self_url = members.url("feed_url")
        item.base = item.base or feed.self_url
        feed.link = members.web_url("home_page_url")
        item.base = item.base or feed.link
        feed.title, feed.description = members.text("title"), members.text("description")
        feed.lang = members.text("language")
        feed.image = members.url("icon")
        feed.authors, unread = _authors(members)
        links = [Link(href=url, rel="next")] if (url := members.url("next_url")) else []
        for hub in members.objects("hubs"):
            kind, url = hub.text("type"), hub.url("url")
            if url and (kind or "").lower() == "websub":
                links.append(Link(href=url, rel="hub"))
            elif url:
                unread.append(f"hubs/{kind}")
            unread += hub.unread("hubs/")
        feed.links = tuple(links)
        members.text("version")
        any(members.objects("items"))  # reports a value that is not an array
        feed.other = tuple(name for name, _ in counted([*members.unread(), *unread]))
        return feed

    def _report_once(self, issue: Issue) -> None:
        """Report an issue of the header, which is made again with each late member."""
        issue.line = self._lines.get((issue.path or "").partition("/")[0])
        if issue not in self._reported:
            self._reported.add(issue)
            self._report(issue)

    def _report_repeated(self, source: JsonStream, path: str, names: Sequence[str]) -> None:
        for name in dict.fromkeys([*names, *source.repeated]):
            message = f'more than one "{name[:60]}" in an object; the last is read'
            issue = Issue(
                code=Code.ELEMENT_MISPLACED, message=message, line=source.line, path=path[:120]
            )
            self._report(issue)
        source.repeated.clear()

    # -- items ----------------------------------------------------------------------------

    def _item(self, source: JsonStream, number: int) -> Entry | None:
        path, line = f"items/{number}", source.line
        value = source.value(path)
        self._report_repeated(source, path, ())
        feed, options = self.feed, self._options
        base = options.base_url or options.source_url or feed.self_url or feed.link
        item = ItemReport(self._report, options, line, base)
        if not isinstance(value, dict):
            item.warn(Code.VALUE_TYPE, "an item must be an object; left out", path)
            return None
        return self._entry(Members(value, path, item), item)

    def _entry(self, members: Members, item: ItemReport) -> Entry:
        feed = self.feed
        entry = Entry(line=item.line, feed=feed, lang=members.text("language"))
        item.lang = entry.lang or feed.lang
        entry.id = item.entry = members.text("id", int, float)
        unread = _add_media(entry, members, item)
        entry.loc = _page(entry, members, item)
        item.entry = url_label(entry.loc) or entry.id
        if title := members.text("title"):
            entry.title = text.plain(title, is_html=False) or None
        if summary := members.text("summary"):
            entry.summary = Text(value=summary)
        if html := members.text("content_html"):  # else a text beside it counts as unread
            entry.content = Text(html, True, item.base)
        elif plain := members.text("content_text"):
            entry.content = Text(plain)
        entry.published = members.moment("date_published")
        entry.updated = members.moment("date_modified")
        entry.authors, of_authors = _authors(members)
        entry.categories = tuple(Category(term=tag) for tag in members.texts("tags"))
        if url := members.url("external_url"):
            entry.links = (Link(href=url, rel="related"),)
        if self._options.scan_html and entry.content and entry.content.is_html:
            _add_pictures(entry, entry.content, item, members.path_of("content_html"))
        entry.other = counted([*members.unread(), *unread, *of_authors])
        return entry


def _authors(members: Members) -> tuple[tuple[Person, ...], list[str]]:
    """Return `authors`, else `author` of version 1.0; and the names of their unread members."""
    found = list(members.objects("authors"))
    if not found and (one := members.inner("author")):
        found = [one]
    authors: list[Person] = []
    unread: list[str] = []
    for author in found:
        person = Person(name=author.text("name"), uri=author.url("url"))
        if person.name or person.uri:
            authors.append(person)
        unread += author.unread("authors/")
    return tuple(authors), unread


def _add_pictures(entry: Entry, html: Text, item: ItemReport, path: str) -> None:
    for reference in text.images(html.value):
        url, notes = urls.resolve(reference, html.base)
        item.warn_all(notes, path)
        if url:
            entry.images += (Image(url=url, line=item.line),)


def _page(entry: Entry, members: Members, item: ItemReport) -> str | None:
    """Return the page: `url`, else an `id` that is a URL; a file is no page (mapping 3.1)."""
    path = members.path_of("url")
    files = {normalised(url) for url in _file_urls(entry)}
    offered = None
    for url, is_id in ((members.web_url("url"), False), (entry.id, True)):
        if url is None or not urls.is_http(url):
            continue
        shown = urls.quoted(url)
        if media_types.is_media_file(url):
            item.warn(Code.LOC_PASSED_OVER, f"{shown} is a media file, not a page; not used", path)
        elif normalised(url) in files:
            offered = offered or url
        else:
            if is_id:
                message = f"there is no usable url; the id {shown} is used as the page"
                item.warn(Code.LOC_FROM_ID, message, members.path_of("id"))
            return url
    if offered:
        message = f"{urls.quoted(offered)} is an attachment too; used as the page"
        item.warn(Code.LOC_FROM_MEDIA, message, path)
    return offered


# -- attachments and images ---------------------------------------------------------------------


def _file_urls(entry: Entry) -> Iterator[str]:
    for video in entry.videos:
        yield from (rendition.url for rendition in video.renditions)
    for audio in entry.audios:
        yield from (rendition.url for rendition in audio.renditions)
    yield from (image.url for image in entry.images if image.rendition)


def _add_media(entry: Entry, members: Members, item: ItemReport) -> list[str]:
    """Add images and attachments; return the names of the members that nothing reads.

    Attachments of the same kind and title are renditions of one thing.
    """
    pictures = [url for name in ("image", "banner_image") if (url := members.url(name))]
    groups: dict[tuple[Kind | None, str], list[Rendition]] = {}
    unread: list[str] = []
    for number, attachment in enumerate(members.objects("attachments")):
        rendition = _rendition(attachment, item)
        unread += attachment.unread("attachments/")
        if rendition is not None:
            key = rendition.kind, rendition.title or f"\n{number}"
            rendition.title = None
            groups.setdefault(key, []).append(rendition)
    images = [Image(url=url, line=item.line) for url in dict.fromkeys(pictures)]
    for (kind, name), renditions in groups.items():
        title = None if name.startswith("\n") else Text(value=name)
        if kind is Kind.IMAGE:
            images += [
                Image(file.url, title, rendition=file, line=item.line) for file in renditions
            ]
        else:
            _add_playable(entry, kind, renditions, title, tuple(pictures))
    entry.images = tuple({image.url: image for image in reversed(images)}.values())[::-1]
    return unread


def _add_playable(
    entry: Entry,
    kind: Kind | None,
    files: list[Rendition],
    title: Text | None,
    pictures: tuple[str, ...],
) -> None:
    duration_s = next((file.duration_s for file in files if file.duration_s is not None), None)
    renditions = tuple(files)
    if kind is Kind.AUDIO:
        entry.audios += (
            Audio(files[0].url, renditions, title, duration_s=duration_s, line=entry.line),
        )
        return
    best = best_rendition.best(renditions)
    player = next((file.url for file in files if file.kind is Kind.PLAYER), None)
    video = Video(
        content_url=best.url if best else None,
        player_url=player,
        renditions=renditions,
        title=title,
        sibling_images=pictures,
        duration_s=duration_s,
        line=entry.line,
    )
    entry.videos += (video,)


def _rendition(attachment: Members, item: ItemReport) -> Rendition | None:
    """Read an attachment; None and a report if it is no video, sound or picture."""
    url = attachment.url("url")
    mime, title = attachment.text("mime_type"), attachment.text("title")
    size, duration_s = attachment.number("size_in_bytes"), attachment.number("duration_in_seconds")
    if url is None:
        item.warn(
            Code.MEDIA_DROPPED, "an attachment without a usable url; left out", attachment.path
        )
        return None
    kind = media_types.kind_of(url, mime=mime)
    if kind not in {Kind.VIDEO, Kind.AUDIO, Kind.IMAGE, Kind.PLAYER}:
        message = f"{urls.quoted(url)} is no video, sound or picture; left out"
        item.warn(Code.MEDIA_UNCLASSIFIED, message, attachment.path)
        return None
    return Rendition(
        url=url,
        kind=kind,
        mime=mime,
        duration_s=duration_s,
        size_bytes=None if size is None else int(size),
        title=title,
        from_enclosure=True,
    )
