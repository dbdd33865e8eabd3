"""Fields that a feed requires and the input lacks: made from others, and reported (mapping 4).

A header is written last: what it needs of the entries is collected here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from converter.extensions.element_writer import ElementWriter
from converter.extensions.page_context import to_plain_text
from converter.issues import Code, Issue, Report
from converter.model import Entry, Feed, Moment, Person, Precision
from converter.options import WriteOptions
from converter.values import dates, text, urls
from converter.values.digests import DigestSet, digest
from converter.values.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from datetime import datetime


#: An absolute IRI, as far as an Atom id must be one (RFC 4287, 4.2.6).
_IRI: Final = lazy_regex(r"""[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>"{}|\\^`]+""")

_MAIL: Final = lazy_regex(r"[^\s()<>@]+@[^\s()<>@]+")

#: Characters of a title that is made from a path or a text.
_MIN_SLUG: Final = 2
_MAX_TITLE: Final = 100


# -- of an entry ------------------------------------------------------------------------------


def _titles(entry: Entry) -> Iterator[str | None]:
    """Yield candidates for a title: of media, from the page's URL, then of the other fields."""
    for video in entry.videos:
        yield to_plain_text(video.title)
    if entry.news:
        yield to_plain_text(entry.news.title)
    for image in entry.images:
        yield to_plain_text(image.title)
    if entry.loc:
        slug = text.title_from_url(entry.loc)
        yield slug if len(slug) >= _MIN_SLUG else entry.loc
    for html in (entry.summary, entry.content):
        yield text.shorten(text.first_sentence(to_plain_text(html) or ""), _MAX_TITLE)
    for audio in entry.audios:
        yield to_plain_text(audio.title)
    yield to_plain_text(entry.id)
    yield from map(text.title_from_url, _media_urls(entry))


def _media_urls(entry: Entry) -> Iterator[str]:
    for video in entry.videos:
        yield from filter(None, (video.content_url, video.player_url))
    yield from (audio.content_url for audio in entry.audios)
    yield from (image.url for image in entry.images)


def entry_authors(entry: Entry) -> tuple[Person, ...]:
    """Return the authors of an entry; if it has none, `itunes:author`, else the uploader."""
    if entry.authors or not (entry.podcast or entry.videos):
        return entry.authors
    return tuple(_other_authors(entry))[:1]


def _other_authors(entry: Entry) -> Iterator[Person]:
    if entry.podcast and to_plain_text(entry.podcast.author):
        yield Person(name=entry.podcast.author)
    for video in entry.videos:
        if video.uploader and to_plain_text(video.uploader.name):
            yield video.uploader
        for role in ("uploader", "owner"):
            yield from (Person(name=c.name) for c in video.credits if c.role == role)


def is_iri(value: str) -> bool:
    """Whether an id can be Atom's."""
    return _IRI.fullmatch(value.strip()) is not None


def make_id(entry: Entry) -> str:
    """Make an id from the page, and from the id that cannot be written or else the title."""
    return _uuid(_name_for_id(entry))


def _name_for_id(entry: Entry) -> str:
    place = entry.loc or next(_media_urls(entry), "")
    title = entry.title if entry.loc else None
    return f"{place}#{(entry.id or '').strip() or title or ''}"


def _uuid(name: str) -> str:
    """Return the UUID of a name, always the same one (RFC 4122, 4.3)."""
    import uuid

    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text.remove_illegal(name)[0])}"


def is_uploader(role: str | None, scheme: str | None) -> bool:
    """Whether a credit is one of video sites, at which validators crash."""
    return role == "uploader" or scheme == "urn:yvs"


def mail_address(person: Person, writer: ElementWriter) -> str | None:
    """Return a person's mail address; report and drop one that is invalid."""
    email = (person.email or "").strip()
    if _MAIL.fullmatch(email):
        return email
    if email:
        message = f'"{email[:60]}" is not a mail address; left out'
        writer.warn(Code.DROPPED_FIELD, message, "author/email")
    return None


def without_future(
    moment: Moment | None, path: str, writer: ElementWriter, now: datetime
) -> Moment | None:
    """Return a date; report and drop one in the future (mapping 4.3)."""
    if moment is None or dates.is_not_future(moment, now):
        return moment
    message = f'"{dates.to_rfc3339(moment)}" lies in the future; left out'
    writer.warn(Code.DATE_FUTURE, message, path)
    return None


def report_added_time(moment: Moment, path: str, writer: ElementWriter) -> None:
    """Report that a date without a time is written with one."""
    if moment.precision is not Precision.SECOND:
        code = Code.DATE_PARTIAL if moment.is_partial else Code.DATE_ASSUMED
        word = moment.precision.name.lower()
        message = f"the date is a {word} only; {dates.to_rfc3339(moment)} is written"
        writer.warn(code, message, path)


@dataclass
class RequiredFields:
    """Completes the entries and the header of one feed."""

    options: WriteOptions
    first_loc: str | None = None
    latest: Moment | None = None
    """The latest `updated` of the entries."""
    lacks_author: bool = False
    """An entry has no author."""
    _first_medium: str | None = None
    _ids: DigestSet = field(default_factory=DigestSet)
    _entries: int = 0
    _header_issues: list[Issue] = field(default_factory=list)

    def collect(self, entry: Entry) -> None:
        """Collect what the header may need of an entry."""
        self._entries += 1
        if self.first_loc is None:
            self.first_loc = entry.loc
            self._first_medium = self._first_medium or next(_media_urls(entry), None)

    def title(self, entry: Entry, writer: ElementWriter) -> str:
        """Return the title, or one made from other fields."""
        if entry.title and (title := writer.inline(entry.title, "title")):
            return title
        made = writer.inline(next(filter(None, _titles(entry)), "Untitled"), "title")
        writer.warn(Code.SUPPLIED_TITLE, f'there is no title; "{made[:60]}" is written', "title")
        return made

    def id(self, entry: Entry, writer: ElementWriter, *, iri: bool) -> str:
        """Return the id, or the page, or a UUID made from both.

        Args:
            entry: the entry; an id that an earlier entry has is kept and reported.
            writer: takes the reports.
            iri: the id must be an absolute IRI.
        """
        id_ = writer.clean(entry.id, "id").strip() if entry.id else ""
        if id_ and (not iri or _IRI.fullmatch(id_)):
            if not self._add_id(id_):
                message = f'"{id_[:80]}" is the id of an earlier entry too; both keep it'
                writer.warn(Code.ID_DUPLICATE, message, "id")
            return id_
        made = self._made_id(entry)
        lack = f'the id "{id_[:60]}" is not an IRI' if id_ else "there is no id"
        writer.warn(Code.SUPPLIED_ID, f'{lack}; "{made[:80]}" is written', "id")
        return made

    def _made_id(self, entry: Entry) -> str:
        if entry.loc and self._add_id(entry.loc):
            return entry.loc
        made = make_id(entry)
        if not self._add_id(made):
            made = _uuid(f"{_name_for_id(entry)}#{self._entries}")
            self._add_id(made)
        return made

    def _add_id(self, id_: str) -> bool:
        """Remember an id; return False if an earlier entry has it."""
        return self._ids.add(digest(id_))

    def updated(self, entry: Entry, published: Moment | None, writer: ElementWriter) -> Moment:
        """Return the date that Atom requires: publication, the feed's, or the time of the run."""
        now, updated = self.options.now, entry.updated
        moment = None if updated is None else without_future(updated, "updated", writer, now)
        message = "no date of update; that of publication is written"
        if moment is None and published is None and entry.feed is not None:
            published = without_future(entry.feed.updated, "feed/updated", writer, now)
            message = "no date of update; the feed's is written"
        if moment is None and published is not None:
            moment = published
            writer.warn(Code.SUPPLIED_UPDATED, message, "updated")
        if moment is None:
            moment = self._now
            message = "no date at all; the time of this run is written"
            writer.warn(Code.SUPPLIED_NOW, message, "updated")
        latest = self.latest
        if latest is None or (moment is not latest and moment > latest):
            self.latest = moment
        report_added_time(moment, "updated", writer)
        return moment

    @cached_property
    def _now(self) -> Moment:
        return Moment(instant=self.options.now.replace(microsecond=0))

    def with_name(self, person: Person, writer: ElementWriter) -> Person:
        """Return a person with the name that Atom requires, never made from a mail address."""
        if to_plain_text(person.name):
            return person
        host = self._host()
        writer.warn(Code.SUPPLIED_AUTHOR, f'an author has no name; "{host}" is written', "author")
        return replace(person, name=host)

    # -- of the header ------------------------------------------------------------------------

    def header_writer(self) -> ElementWriter:
        """Return a writer of the header, which may be written more than once."""
        self._header_issues.clear()
        return ElementWriter(self._header_issues.append)

    def finish(self, report: Report, /, dates: tuple[int, int] | None = None) -> None:
        """Report the issues of the header that was written last."""
        for issue in self._header_issues:
            report(issue)

    def _site_url(self) -> str | None:
        return self.first_loc or self.options.self_url or self._first_medium

    def _host(self) -> str:
        return urls.host_of(self._site_url() or "") or "Untitled"

    def _site_root(self) -> str | None:
        url = self._site_url()
        return url and urls.resolve("/", url).url

    def feed_title(self, feed: Feed, writer: ElementWriter) -> str:
        """Return the feed's title, else the host of the first page."""
        for title in (self.options.title, feed.title):
            if title and (title := writer.inline(title, "title")):
                return title
        host = self._host()
        writer.warn(Code.SUPPLIED_TITLE, f'the feed has no title; "{host}" is written', "title")
        return host

    def feed_link(self, feed: Feed, writer: ElementWriter) -> str:
        """Return the feed's page, else the root of the first entry's site."""
        for link in (self.options.link, feed.link):
            if url := writer.url(link, "link"):
                return url
        made = self._site_root() or "about:blank"
        writer.warn(Code.SUPPLIED_LINK, f"the feed has no link; {made} is written", "link")
        return made

    def feed_description(self, feed: Feed, writer: ElementWriter) -> str:
        """Return the feed's description, which RSS requires."""
        if description := self.options.description or feed.description:
            return writer.clean(description, "description").strip()
        made = f"URLs of {self._host()}"
        message = f'the feed has no description; "{made}" is written'
        writer.warn(Code.SUPPLIED_DESCRIPTION, message, "description")
        return made

    def feed_id(self, feed: Feed, writer: ElementWriter) -> str:
        """Return the feed's id, else its address, else the root of the first entry's site."""
        id_ = writer.clean(feed.id or "", "id").strip()
        if _IRI.fullmatch(id_):
            return id_
        address = urls.clean_media(feed.self_url).url if feed.self_url else None
        made = address or self._site_root() or _uuid(f"#{feed.title or ''}")
        writer.warn(Code.SUPPLIED_ID, f"the feed has no id; {made} is written", "id")
        return made

    def feed_updated(self, feed: Feed) -> Moment:
        """Return the latest date of the entries, which all have one."""
        return self.latest or feed.updated or self._now

    def feed_authors(self, feed: Feed, writer: ElementWriter) -> tuple[Person, ...]:
        """Return the feed's authors; a feed must have one if an entry has none."""
        if self.options.author:
            return (Person(name=self.options.author),)
        if feed.authors:
            return feed.authors
        if feed.podcast and to_plain_text(feed.podcast.author):
            return (Person(name=feed.podcast.author),)
        if not self.lacks_author:
            return ()
        host = self._host()
        writer.warn(Code.SUPPLIED_AUTHOR, f'there is no author; "{host}" is written', "author")
        return (Person(name=host),)
