"""Fields that a feed requires and the input lacks: made from others, and reported (mapping 4).

A header is written last, so this collects what it needs of the entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Final

from converter.extensions.element_writer import ElementWriter
from converter.extensions.page_context import readable
from converter.issues import Code
from converter.model import Entry, Feed, Moment, Person, Precision
from converter.options import WriteOptions
from converter.values import dates, text, urls
from converter.values.digests import DigestSet, digest
from converter.values.lazy_regex import lazy_regex

#: An absolute IRI, as far as an Atom id must be one (RFC 4287, 4.2.6).
_IRI: Final = lazy_regex(r"""[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>"{}|\\^`]+""")

_MAIL: Final = lazy_regex(r"[^\s()<>@]+@[^\s()<>@]+")

#: A title out of a path says nothing with fewer characters.
_FEWEST: Final = 2
_MOST_TITLE: Final = 100


# -- of an entry ------------------------------------------------------------------------------


def _titles(entry: Entry) -> Iterator[str | None]:
    """Yield titles: of media, the path's last segment, the page; then whatever names the entry."""
    for video in entry.videos:
        yield readable(video.title)
    if entry.news:
        yield readable(entry.news.title)
    for image in entry.images:
        yield readable(image.title)
    if entry.loc:
        slug = text.title_from_url(entry.loc)
        yield slug if len(slug) >= _FEWEST else entry.loc
    for told in (entry.summary, entry.content):
        yield text.shorten(text.first_sentence(readable(told) or ""), _MOST_TITLE)
    for audio in entry.audios:
        yield readable(audio.title)
    yield readable(entry.id)
    yield from map(text.title_from_url, _media_urls(entry))


def _media_urls(entry: Entry) -> Iterator[str]:
    for video in entry.videos:
        yield from filter(None, (video.content_url, video.player_url))
    yield from (audio.content_url for audio in entry.audios)
    yield from (image.url for image in entry.images)


def people(entry: Entry) -> tuple[Person, ...]:
    """Give the authors of an entry; where it has none, `itunes:author`, then the uploader."""
    if entry.authors or not (entry.podcast or entry.videos):
        return entry.authors
    return tuple(_makers(entry))[:1]


def _makers(entry: Entry) -> Iterator[Person]:
    if entry.podcast and readable(entry.podcast.author):
        yield Person(name=entry.podcast.author)
    for video in entry.videos:
        if video.uploader and readable(video.uploader.name):
            yield video.uploader
        for role in ("uploader", "owner"):
            yield from (Person(name=c.name) for c in video.credits if c.role == role)


def is_iri(value: str) -> bool:
    """Say whether an id can be Atom's."""
    return _IRI.fullmatch(value.strip()) is not None


def made_id(entry: Entry) -> str:
    """Make an id of the page, and of the id that cannot be written or else the title."""
    return _uuid(_place_and_name(entry))


def _place_and_name(entry: Entry) -> str:
    place = entry.loc or next(_media_urls(entry), "")
    title = entry.title if entry.loc else None
    return f"{place}#{(entry.id or '').strip() or title or ''}"


def is_uploader(role: str | None, scheme: str | None) -> bool:
    """Say whether a credit is one of video sites, which validators break down at."""
    return role == "uploader" or scheme == "urn:yvs"


def mail_of(person: Person, writer: ElementWriter) -> str | None:
    """Give a person's mail address, if it can be one."""
    email = (person.email or "").strip()
    if _MAIL.fullmatch(email):
        return email
    if email:
        message = f'"{email[:60]}" is no mail address; left out'
        writer.warn(Code.DROPPED_FIELD, message, "author/email")
    return None


def come(moment: Moment | None, path: str, writer: ElementWriter, now: datetime) -> Moment | None:
    """Give a date that has come; one that lies ahead is struck and reported (mapping 4.3)."""
    if moment is None or dates.is_not_future(moment, now):
        return moment
    message = f'"{dates.to_rfc3339(moment)}" lies in the future; left out'
    writer.warn(Code.DATE_FUTURE, message, path)
    return None


def flagged(moment: Moment, path: str, writer: ElementWriter) -> Moment:
    """Report the time that a date without one gets in a feed."""
    if moment.precision is not Precision.SECOND:
        code = Code.DATE_PARTIAL if moment.is_partial else Code.DATE_ASSUMED
        word = moment.precision.name.lower()
        message = f"the date is a {word} only; {dates.to_rfc3339(moment)} is written"
        writer.warn(code, message, path)
    return moment


@dataclass
class RequiredFields:
    """Completes the entries and the header of one feed."""

    options: WriteOptions
    first_loc: str | None = None
    latest: Moment | None = None
    """Of the `updated` of all entries."""
    lacks_author: bool = False
    """An entry has no author of its own."""
    _first_medium: str | None = None
    _ids: DigestSet = field(default_factory=DigestSet)
    _entries: int = 0

    def see(self, entry: Entry) -> None:
        """Collect what the header may need of an entry."""
        self._entries += 1
        if self.first_loc is None:
            self.first_loc = entry.loc
            self._first_medium = self._first_medium or next(_media_urls(entry), None)

    def title(self, entry: Entry, writer: ElementWriter) -> str:
        """Give the title, or one made of what else is said."""
        if entry.title and (given := writer.inline(entry.title, "title")):
            return given
        made = writer.inline(next(filter(None, _titles(entry)), "Untitled"), "title")
        writer.warn(Code.SUPPLIED_TITLE, f'there is no title; "{made[:60]}" is written', "title")
        return made

    def id(self, entry: Entry, writer: ElementWriter, *, iri: bool) -> str:
        """Give the id as it is, or the page, or a UUID made of both.

        Args:
            entry: what it names; an id that was there before is kept and reported.
            writer: takes the reports.
            iri: only an absolute IRI will do.
        """
        given = writer.clean(entry.id, "id").strip() if entry.id else ""
        if given and (not iri or _IRI.fullmatch(given)):
            if not self._add_id(given):
                message = f'"{given[:80]}" is the id of an earlier entry too; both keep it'
                writer.warn(Code.ID_DUPLICATE, message, "id")
            return given
        made = self._made_id(entry)
        lack = f'the id "{given[:60]}" is no IRI' if given else "there is no id"
        writer.warn(Code.SUPPLIED_ID, f'{lack}; "{made[:80]}" is written', "id")
        return made

    def _made_id(self, entry: Entry) -> str:
        if entry.loc and self._add_id(entry.loc):
            return entry.loc
        made = made_id(entry)
        if not self._add_id(made):
            made = _uuid(f"{_place_and_name(entry)}#{self._entries}")
            self._add_id(made)
        return made

    def _add_id(self, name: str) -> bool:
        """Remember an id; False if an earlier entry has it."""
        return self._ids.add(digest(name))

    def updated(self, entry: Entry, published: Moment | None, writer: ElementWriter) -> Moment:
        """Give the date that Atom wants: publication, the feed's, at last that of the run."""
        now, updated = self.options.now, entry.updated
        moment = None if updated is None else come(updated, "updated", writer, now)
        message = "no date of update; that of publication is written"
        if moment is None and published is None and entry.feed is not None:
            published = come(entry.feed.updated, "feed/updated", writer, now)
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
        return flagged(moment, "updated", writer)

    @cached_property
    def _now(self) -> Moment:
        return Moment(instant=self.options.now.replace(microsecond=0))

    def named(self, person: Person, writer: ElementWriter) -> Person:
        """Give a person with a name, which Atom wants; none is made from a mail address."""
        if readable(person.name):
            return person
        host = self.host()
        writer.warn(Code.SUPPLIED_AUTHOR, f'an author has no name; "{host}" is written', "author")
        return replace(person, name=host)

    # -- of the header ------------------------------------------------------------------------

    def _place(self) -> str | None:
        """Give a URL of the site: that of the first page."""
        return self.first_loc or self.options.self_url or self._first_medium

    def host(self) -> str:
        """Give the name of the site."""
        place = self._place()
        return (place and urls.host_of(place)) or "Untitled"

    def feed_title(self, feed: Feed, writer: ElementWriter) -> str:
        """Give the feed's title, else the host of the first page."""
        for given in (self.options.title, feed.title):
            if given and (title := writer.inline(given, "title")):
                return title
        host = self.host()
        writer.warn(Code.SUPPLIED_TITLE, f'the feed has no title; "{host}" is written', "title")
        return host

    def feed_link(self, feed: Feed, writer: ElementWriter) -> str:
        """Give the feed's page, else the root of the first entry's site."""
        for given in (self.options.link, feed.link):
            if url := writer.url(given, "link"):
                return url
        made = self._root() or "about:blank"
        writer.warn(Code.SUPPLIED_LINK, f"the feed has no link; {made} is written", "link")
        return made

    def _root(self) -> str | None:
        place = self._place()
        return place and urls.resolve("/", place).url

    def feed_description(self, feed: Feed, writer: ElementWriter) -> str:
        """Give the feed's description, which RSS wants."""
        given = self.options.description or feed.description
        if given:
            return writer.clean(given, "description").strip()
        made = f"URLs of {self.host()}"
        message = f'the feed has no description; "{made}" is written'
        writer.warn(Code.SUPPLIED_DESCRIPTION, message, "description")
        return made

    def feed_id(self, feed: Feed, writer: ElementWriter) -> str:
        """Give the feed's id, else its address, else the root of the first entry's site."""
        given = writer.clean(feed.id or "", "id").strip()
        if _IRI.fullmatch(given):
            return given
        address = urls.clean_media(feed.self_url).url if feed.self_url else None
        made = address or self._root() or _uuid(f"#{feed.title or ''}")
        writer.warn(Code.SUPPLIED_ID, f"the feed has no id; {made} is written", "id")
        return made

    def feed_updated(self, feed: Feed, writer: ElementWriter) -> Moment:
        """Give the latest date of the entries, of which each has one."""
        return self.latest or feed.updated or self._now

    def feed_authors(self, feed: Feed, writer: ElementWriter) -> tuple[Person, ...]:
        """Give the feed's authors; where an entry has none, a feed must have one."""
        if self.options.author:
            return (Person(name=self.options.author),)
        if feed.authors:
            return feed.authors
        if feed.podcast and readable(feed.podcast.author):
            return (Person(name=feed.podcast.author),)
        if not self.lacks_author:
            return ()
        host = self.host()
        writer.warn(
            Code.SUPPLIED_AUTHOR, f'nobody is named as author; "{host}" is written', "author"
        )
        return (Person(name=host),)


def _uuid(name: str) -> str:
    """Make the same id of the same name, always (RFC 4122, 4.3)."""
    import uuid

    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text.remove_illegal(name)[0])}"
