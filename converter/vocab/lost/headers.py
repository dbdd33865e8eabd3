"""What each format does not hold of a feed's header as the model does (mapping 5).

What options of the command line say in the place of a field is no loss. Nor is what a writer
reports of a single value: a URL that is none, a date that lies ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from operator import attrgetter
from typing import Final

from converter.issues import ignore
from converter.model import Feed, Podcast
from converter.options import WriteOptions
from converter.seams import Loss, Losses
from converter.vocab.lost.tables import singular, vague
from converter.vocab.page import readable

__all__ = ["in_atom", "in_mrss", "in_rss", "in_sitemap", "in_txt"]

Has = Callable[[Feed], object]
Rows = tuple[Loss[Feed], ...]

#: All that a header may say, as the tables call it and as the model does.
_SIMPLE: Final = {
    singular(name): name
    for name in (field.name for field in fields(Feed))
    if name not in {"format", "source", "podcast", "other"}
}
_PODCAST: Final = tuple(f"podcast/{field.name}" for field in fields(Podcast))


# -- rows -------------------------------------------------------------------------------------


def _says(name: str) -> Has:
    """Say whether a header has a field, or a detail of its podcast."""
    whole, _, detail = name.partition("/")
    if not detail:
        return attrgetter(_SIMPLE[name])

    def has(feed: Feed) -> bool:
        part = getattr(feed, whole)
        return part is not None and getattr(part, detail) not in (None, ())

    return has


def _lost(name: str, has: Has | None = None, left: str = "") -> Loss[Feed]:
    return Loss(f"feed/{name}", has or _says(name), left)


def _altered(name: str, has: Has, left: str) -> Loss[Feed]:
    return Loss(f"feed/{name}", has, left, is_altered=True)


# -- conditions -------------------------------------------------------------------------------


def _is_no_language(feed: Feed) -> bool:
    from converter.vocab.sheet import language

    return bool(feed.lang) and language(feed.lang) is None


def _is_language_respelt(feed: Feed) -> bool:
    from converter.vocab.sheet import language

    return language(feed.lang) not in {None, feed.lang}


def _is_no_iri(feed: Feed) -> bool:
    from converter.vocab.supply import is_iri

    return bool(feed.id) and not is_iri(feed.id or "")


def _is_no_id(feed: Feed) -> bool:
    """Say whether the address of a feed does not take the place of its id."""
    from converter.vocab.supply import is_iri

    return bool(feed.self_url) and is_iri(feed.id or "")


def _is_one_too_many(feed: Feed) -> bool:
    """Say whether there are other authors than one with a name."""
    return bool(feed.authors) and (len(feed.authors) > 1 or not readable(feed.authors[0].name))


def _has_email(feed: Feed) -> bool:
    return any(person.email for person in feed.authors)


def _has_page(feed: Feed) -> bool:
    return any(person.uri for person in feed.authors)


def _has_other_maker(feed: Feed) -> bool:
    return bool(feed.authors and feed.podcast and feed.podcast.author)


def _has_label(feed: Feed) -> bool:
    return any(category.text != category.term for category in feed.categories)


def _has_named_scheme(feed: Feed) -> bool:
    """Say whether a scheme is more a name than a URI."""
    from converter.vocab.sheet import ElementWriter

    writer = ElementWriter(ignore)  # asked what the writers ask
    schemes = (category.scheme for category in feed.categories)
    return any(scheme and not writer.identifier(scheme) for scheme in schemes)


def _is_license_passed_over(feed: Feed) -> bool:
    """Say whether a link names another license."""
    linked = {link.href for link in feed.links if link.rel == "license"}
    return bool(feed.license and linked) and feed.license not in linked


def _has_other_artwork(feed: Feed) -> bool:
    images = feed.podcast.images if feed.podcast else ()
    return any(image.url != feed.image for image in images)


def _is_inherited(feed: Feed) -> bool:
    """Say whether there is more than ratings: these are a field of their own."""
    return any(word.name not in {"media:rating", "media:adult"} for word in feed.words)


# -- feeds ------------------------------------------------------------------------------------

_A_RATING: Final = "the rating of a video that has none"
_INHERITED: Final = "what videos, sounds and pictures inherit"
_LANGUAGE: Final = (
    _lost("lang", _is_no_language, "a tag of BCP 47"),
    _altered("lang", _is_language_respelt, "spelt with hyphens"),
)


def _lent(rating: str, words: str) -> Rows:
    """Make the rows of what no header of a feed has: what is left of it, entries have."""
    told_apart = {"podcast/author", "podcast/explicit", "podcast/images"}
    return (
        _lost("ratings", left=rating),
        *(_lost(name) for name in _PODCAST if name not in told_apart),
        _lost("podcast/explicit", left=rating),
        _lost("podcast/images", _has_other_artwork, "the picture of the feed"),
        _lost("words", _is_inherited, words),
        _OTHER,
    )


#: What no reader reads cannot be written: of each format's own (RSS `ttl`, Atom `icon`), too.
_OTHER: Final = Loss("feed/other", attrgetter("other"), parts=attrgetter("other"))

_PARTLY_IN_RSS: Final = (
    *_LANGUAGE,
    _altered("published", vague("published"), "a time of day is added"),
    _altered("built", vague("built"), "a time of day is added"),
    _lost("author", _is_one_too_many, "the name of the first"),
    _lost("author/email", _has_email),
    _lost("author/uri", _has_page),
    _altered("category", _has_label, "the label stands for the term"),
)
_PARTLY_IN_ATOM: Final = (
    *_LANGUAGE,
    _lost("self_url", _is_no_id, "the id, where there is no other"),
    _altered("id", _is_no_iri, "the address of the feed, or of its site, where it is no IRI"),
    _altered("updated", attrgetter("updated"), "the latest date of the entries"),
    _lost("category/scheme", _has_named_scheme, "one that is a URI"),
    _lost("license", _is_license_passed_over, "that of a link"),
    _lost("podcast/author", _has_other_maker, "the author, where there is no other"),
)


def _both(partly: Rows, lent: Rows) -> tuple[Rows, Rows]:
    """Give the rows of the header that is written, and of all further ones, which never are."""
    known = {row.name for row in lent}
    unwritten = (name for name in (*_SIMPLE, *_PODCAST) if f"feed/{name}" not in known)
    further = (_lost(name, left="what the first feed says") for name in unwritten)
    return (*lent, *partly), (*lent, *further)


_OF_RSS: Final = tuple(_lost(name) for name in ("self_url", "id", "updated", "podcast/author"))
_IN_RSS: Final = _both(_PARTLY_IN_RSS, (*_OF_RSS, *_lent("", "keywords, as categories")))
_IN_MRSS: Final = _both(_PARTLY_IN_RSS, (*_OF_RSS, *_lent(_A_RATING, _INHERITED)))
_IN_ATOM: Final = _both(
    _PARTLY_IN_ATOM, (_lost("published"), _lost("built"), *_lent(_A_RATING, _INHERITED))
)


def in_rss(losses: Losses, options: WriteOptions) -> Losses:
    """Add what RSS without Media RSS does not hold of headers."""
    return _of_feed(losses, _IN_RSS, options)


def in_mrss(losses: Losses, options: WriteOptions) -> Losses:
    """Add what RSS with Media RSS does not hold of headers."""
    return _of_feed(losses, _IN_MRSS, options)


def in_atom(losses: Losses, options: WriteOptions) -> Losses:
    """Add what Atom does not hold of headers."""
    return _of_feed(losses, _IN_ATOM, options)


def _of_feed(losses: Losses, rows: tuple[Rows, Rows], options: WriteOptions) -> Losses:
    """Add rows, but for those that the command line says something else for: that is no loss."""
    said = {
        "feed/title/": options.title,
        "feed/link/": options.link,
        "feed/description/": options.description,
        "feed/author/": options.author,
        "feed/podcast/author/": options.author,
        "feed/self_url/": options.self_url,
    }
    written, further = rows
    if replaced := tuple(name for name, value in said.items() if value):
        written, further = (
            tuple(row for row in each if not f"{row.name}/".startswith(replaced)) for each in rows
        )
    return replace(losses, of_feed=written, of_further_feed=further)


# -- sitemaps and lists, which have no header -------------------------------------------------

_AN_UPLOADER: Final = "the uploader of a video that names none"


def _in_sitemap(title: str, license_: str) -> Rows:
    """Make the rows of what is left of a header where pages take it up."""
    told_apart = {
        "title": title,
        "lang": "the language of news",
        "author": f"{_AN_UPLOADER}, but for RSS",
        "image": "the thumbnail of a video that has none",
        "license": license_,
        "ratings": _A_RATING,
        "podcast/author": _AN_UPLOADER,
        "podcast/explicit": _A_RATING,
    }
    return (
        *(_lost(name, left=told_apart.get(name, "")) for name in _SIMPLE if name != "words"),
        _lost("author/email", _has_email),
        _lost("author/uri", _has_page, "that of the uploader, on the same site"),
        *(
            _lost(name, left=told_apart.get(name, ""))
            for name in _PODCAST
            if name != "podcast/images"
        ),
        _lost("podcast/images", _has_other_artwork, "the picture of the feed"),
        _lost("words", _is_inherited, "what videos and pictures inherit"),
        _OTHER,
    )


_SITEMAP: Final = _in_sitemap("", "")
_LEGACY: Final = _in_sitemap("the show that an episode is of", "that of pictures")
_IN_TXT: Final = (*(_lost(name) for name in (*_SIMPLE, *_PODCAST)), _OTHER)


def in_sitemap(losses: Losses, options: WriteOptions) -> Losses:
    """Add what sitemaps do not hold of headers."""
    return replace(losses, of_feed=_LEGACY if options.legacy_tags else _SITEMAP)


def in_txt(losses: Losses) -> Losses:
    """Add that lists hold nothing of headers."""
    return replace(losses, of_feed=_IN_TXT)
