"""Reads JSON Feed 1.1 and 1.0 (mapping 3.11): https://www.jsonfeed.org/version/1.1/."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO, Final

from converter.errors import DocumentError
from converter.extensions.mediarss import best_rendition
from converter.extensions.mediarss.group import normalised
from converter.extensions.read_context import url_label
from converter.formats.jsonfeed.json_stream import ItemContext, JsonStream, Members
from converter.issues import Code, Issue, Report, errors_naming
from converter.model import (
    MOST_OTHER,
    OTHER_REST,
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
_MAX_MEMBERS: Final = 64
_CUT: Final = f"more than {_MAX_MEMBERS} members of the feed; those after them are not read"

#: Members of the header that entries depend on.
_INHERITED: Final = {"author", "authors", "feed_url", "home_page_url", "icon", "language"}


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
        """The header so far; complete once `entries` is exhausted, or if the options hold it."""
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
            source = JsonStream(self._stream, self._report)
            try:
                for name in source.members():
                    if name != "items" or source.peek() != "[":
                        self._read_member(name, source, is_late=items > 0)
                        continue
                    self._feed = self._header()
                    for number in source.elements():
                        if entry := self._entry(source, f"items/{number}"):
                            items += 1
                            yield entry
            except DocumentError as error:
                if not items:
                    raise
                message = f"{error}; the {items:,} items before that are used"
                self._report(Issue(code=Code.XML_BROKEN, message=message, line=error.line))
            self._feed = self._header()

    # -- the header -----------------------------------------------------------------------

    def _read_member(self, name: str, source: JsonStream, *, is_late: bool) -> None:
        line, value = source.line, source.value(name)
        if name in self._members:
            source.report_repeated(name, name)
        if len(self._members) >= _MAX_MEMBERS:
            self._report_once(Issue(code=Code.HEADER_CUT, message=_CUT))
            return
        self._members[name], self._lines[name] = value, line
        if is_late and name in _INHERITED and not self._has_late_member:
            self._has_late_member = True
            message = f"{name} is after the items; the document is read again with it"
            self._report(Issue(code=Code.HEADER_LATE, message=message, line=line, path=name))

    def _header(self) -> Feed:
        """Make the header of the members so far."""
        context = ItemContext(self._report_once, self._options)
        members = Members(self._members, "", context)
        feed = Feed(format="jsonfeed", source=self._options.name)
        context.base = self._base(feed)
        feed.self_url = members.url("feed_url")
        context.base = self._base(feed)
        feed.link = members.web_url("home_page_url")
        context.base = self._base(feed)
        feed.title, feed.description = members.text("title"), members.text("description")
        feed.lang, feed.image = members.text("language"), members.url("icon")
        feed.authors = _authors(members)
        links = [Link(href=url, rel="next")] if (url := members.url("next_url")) else []
        for hub in members.objects("hubs"):
            kind, url = hub.text("type"), hub.url("url")
            if url and (kind or "").lower() == "websub":
                links.append(Link(href=url, rel="hub"))
            elif url:
                context.unread.append(f"hubs/{kind}")
        feed.links = tuple(links)
        members.text("version")
        members.take("items", list)
        feed.other = tuple(name for name, _ in _unread_names(members))
        return feed

    def _base(self, feed: Feed) -> str | None:
        options = self._options
        return options.base_url or options.source_url or feed.self_url or feed.link

    def _report_once(self, issue: Issue) -> None:
        """Report an issue of the header, which is made again with each late member."""
        issue.line = self._lines.get((issue.path or "").partition("/")[0])
        if issue not in self._reported:
            self._reported.add(issue)
            self._report(issue)

    # -- items ----------------------------------------------------------------------------

    def _entry(self, source: JsonStream, path: str) -> Entry | None:
        feed, line, value = self.feed, source.line, source.value(path)
        context = ItemContext(self._report, self._options, line, self._base(feed))
        if isinstance(value, dict):
            return _read_entry(Entry(line=line, feed=feed), Members(value, path, context))
        Members({}, path, context).warn(Code.VALUE_TYPE, "an item must be an object; left out")
        return None


def _read_entry(entry: Entry, members: Members) -> Entry:
    context, feed = members.context, entry.feed
    entry.lang = members.text("language")
    context.lang = entry.lang or (feed.lang if feed else None)
    entry.id = context.label = members.text("id", int, float)
    _read_media(entry, members)
    entry.loc = _page(entry, members)
    context.label = url_label(entry.loc) or entry.id
    entry.title = text.plain(members.text("title") or "", is_html=False) or None
    if summary := members.text("summary"):
        entry.summary = Text(summary)
    _read_content(entry, members)
    entry.published = members.moment("date_published")
    entry.updated = members.moment("date_modified")
    entry.authors = _authors(members)
    entry.categories = tuple(Category(term=tag) for tag in members.texts("tags"))
    if url := members.url("external_url"):
        entry.links = (Link(href=url, rel="related"),)
    entry.other = _unread_names(members)
    return entry


def _read_content(entry: Entry, members: Members) -> None:
    """Read `content_html`, with its images, else `content_text`; that beside it is unread."""
    context = members.context
    if html := members.text("content_html"):
        entry.content = Text(html, True, context.base)
        for reference in text.images(html) if context.options.scan_html else ():
            result = urls.resolve(reference, context.base)
            if url := members.without_notes(result, "content_html"):
                entry.images += (Image(url, line=entry.line),)
    elif plain := members.text("content_text"):
        entry.content = Text(plain)


def _unread_names(members: Members) -> tuple[tuple[str, int], ...]:
    """Return the names of unread members for `Entry.other`, each once."""
    names = iter(dict.fromkeys([*members.unread(), *members.context.unread]))
    counts = [(name, 1) for name in islice(names, MOST_OTHER)]
    rest = len(list(names))
    return (*counts, (OTHER_REST, rest)) if rest else tuple(counts)


def _authors(members: Members) -> tuple[Person, ...]:
    """Return `authors`, else `author` of version 1.0."""
    authors = [_person(author) for author in members.objects("authors")]
    authors = authors or [_person(author) for author in members.objects("author", single=True)]
    return tuple(person for person in authors if person.name or person.uri)


def _person(author: Members) -> Person:
    return Person(name=author.text("name"), uri=author.url("url"))


def _page(entry: Entry, members: Members) -> str | None:
    """Return the page: `url`, else an `id` that is a URL; a file is not a page (mapping 3.1)."""
    media: tuple[Video | Audio, ...] = (*entry.videos, *entry.audios)
    files = {normalised(file.url) for medium in media for file in medium.renditions}
    files |= {normalised(image.url) for image in entry.images if image.rendition}
    attachment = None
    for name, url in (("url", members.web_url("url")), ("id", entry.id)):
        if url is None or not urls.is_http(url):
            continue
        shown = urls.quoted(url)
        if media_types.is_media_file(url):
            message = f"{shown} is a media file, not a page; not used"
            members.warn(Code.LOC_PASSED_OVER, message, "url")
        elif normalised(url) in files:
            attachment = attachment or url
        else:
            if name == "id":
                message = f"there is no usable url; the id {shown} is used as the page"
                members.warn(Code.LOC_FROM_ID, message, name)
            return url
    if attachment:
        message = f"{urls.quoted(attachment)} is an attachment too; used as the page"
        members.warn(Code.LOC_FROM_MEDIA, message, "url")
    return attachment


def _read_media(entry: Entry, members: Members) -> None:
    """Read images and attachments; those of the same kind and title are one video or sound."""
    pictures = [url for name in ("image", "banner_image") if (url := members.url(name))]
    images = {url: Image(url, line=entry.line) for url in pictures}
    groups: dict[tuple[Kind | None, str | None, int], list[Rendition]] = {}
    for number, attachment in enumerate(members.objects("attachments")):
        title = attachment.text("title")
        if file := _rendition(attachment):
            key = file.kind, title, -1 if title else number
            groups.setdefault(key, []).append(file)
    for (kind, title, _), files in groups.items():
        caption, renditions = Text(title) if title else None, tuple(files)
        durations = (file.duration_s for file in files if file.duration_s is not None)
        if kind is Kind.IMAGE:
            for file in files:
                image = Image(file.url, caption, rendition=file, line=entry.line)
                images.setdefault(file.url, image)
        elif kind is Kind.AUDIO:
            audio = Audio(files[0].url, renditions, caption, line=entry.line)
            audio.duration_s = next(durations, None)
            entry.audios += (audio,)
        else:
            video = Video(renditions=renditions, title=caption, line=entry.line)
            video.duration_s, video.sibling_images = next(durations, None), tuple(pictures)
            best = best_rendition.best(renditions)
            video.content_url = best.url if best else None
            video.player_url = files[0].url if kind is Kind.PLAYER else None
            entry.videos += (video,)
    entry.images = tuple(images.values())


def _rendition(attachment: Members) -> Rendition | None:
    """Read an attachment; None and a report if it is not a video, sound or picture."""
    url, mime = attachment.url("url"), attachment.text("mime_type")
    size, duration_s = attachment.number("size_in_bytes"), attachment.number("duration_in_seconds")
    if url is None:
        attachment.warn(Code.MEDIA_DROPPED, "an attachment without a usable url; left out")
        return None
    kind = media_types.kind_of(url, mime=mime)
    if kind not in {Kind.VIDEO, Kind.AUDIO, Kind.IMAGE, Kind.PLAYER}:
        message = f"{urls.quoted(url)} is no video, sound or picture; left out"
        attachment.warn(Code.MEDIA_UNCLASSIFIED, message)
        return None
    file = Rendition(url, kind, mime, duration_s=duration_s, from_enclosure=True)
    file.size_bytes = None if size is None else int(size)
    return file
