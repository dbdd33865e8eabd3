"""The kinds of value that may differ between entries of one mould, and which element holds which.

A row promises that the way through reader, passes and writer is the same for every value that its
pattern and its `read` let through. What no row names, and a value that no pattern fits, is never a
gap in a mould: it is part of its wall, and another value there is another mould.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

__all__ = [
    "ATTRIBUTES",
    "AVERAGE",
    "DATED",
    "HTML",
    "KEYWORDS",
    "KINDS",
    "LINK",
    "OTHER",
    "PAGE",
    "TEXT",
    "Kind",
    "are_sound",
    "kind_of",
]

#: What a validator lets stand in text besides characters; `&amp;#8;` would be a second reference.
_REFERENCE: Final = r"&(?:amp;(?!\#)|lt;|gt;|quot;|apos;|\#(?:39|82[12][0-9]);)"
#: The commonest of them.
_REFERENCES: Final = ("&amp;", "&lt;", "&gt;", "&quot;", "&apos;")
_MORE: Final = rf"[^<&\]]*(?:(?:{_REFERENCE}|\](?!\]>))[^<&\]]*)*"
_CDATA_MORE: Final = r"[^\]]*(?:\](?!\]>)[^\]]*)*"

#: Of a name within a probe: messages hold no more of a name than its beginning.
_LONG: Final = 120


class Kind(NamedTuple):
    """How values of one kind look in the markup, and what becomes of them."""

    name: str
    pattern: str
    """Of the markup of a value; without groups."""
    probe: Callable[[int, int], str]
    """Makes the markup of a value that occurs nowhere else: from a number, and of two sorts."""
    in_cdata: str | None = None
    """The pattern within a CDATA section; None: it is not looked for there."""
    in_attribute: str | None = None
    """The pattern within the quotes of an attribute; None: as in an element."""
    loose: str | None = None
    """A pattern of markup that finds the end of a value, and is faster; `pattern` is asked then.
    None: there is none that is."""
    read: Callable[[str], str | None] = str
    """From markup to what is written, as markup; None: this value goes the plain way."""
    most_chars: int = 0
    """Of text: longer ones may be cut where they are written. 0: it is no text."""
    is_telling: bool = True
    """Two values that are equal may be treated otherwise than two that differ."""


def are_sound(values: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Say whether values that `loose` found fit the pattern of their kind; nearly always they do.

    The two patterns differ in what may stand behind `&` and `]`, and that can be counted in all
    values together, in a third of the time.
    """
    joined = "\n".join(values)
    if "&" not in joined and "]" not in joined:
        return True
    references = sum(map(joined.count, _REFERENCES))
    if references == joined.count("&") and not any(map(joined.__contains__, _UNSOUND)):
        return True
    return all(pattern.fullmatch(value) for value in values if "&" in value or "]" in value)


#: A reference to a character that is made by another one, and what may not stand in text.
_UNSOUND: Final = ("&amp;#", "]]>")


# -- text -------------------------------------------------------------------------------------


def _words_of(number: int, sort: int) -> str:
    return f"Qa{number}x word" if sort == 0 else f"Probe q{number}y “two” Ümläut 語 {'w' * 40}"


def _html_of(number: int, sort: int) -> str:
    if sort == 0:
        return f"Qh{number}x word"
    source = f"src=&quot;https://h.example/p{number}.png&quot; alt='q{number}'"
    return f"&lt;p&gt;q{number} &lt;img {source}&gt; &amp;amp; é"


TEXT: Final = Kind(
    "text",
    rf"[^\s<&\]]{_MORE}",
    _words_of,
    rf"[^\s<&\]]{_CDATA_MORE}",
    r"[^\s<&\]\"][^<&\]\"]*",
    r"[^\s<&\]][^<]*",
    most_chars=100,
)
NAME: Final = Kind(
    "name",
    r"[^\s<&\]@()\"][^<&@()\]]*",
    _words_of,
    r"[^\s<&\]@()\"][^<&@()\]]*",
    most_chars=100,
)
PROSE: Final = TEXT._replace(name="prose", most_chars=2000)
HTML: Final = Kind(
    "html",
    rf"(?:[^\s<&\]]|&lt;|&quot;){_MORE}",
    _html_of,
    rf"(?=\s*[^\s\]]){_CDATA_MORE}",
    loose=r"(?:[^\s<&\]]|&lt;|&quot;)[^<]*",
    most_chars=2000,
)
#: What no reader knows: that it has no effect is seen, not believed.
OTHER: Final = TEXT._replace(name="other")


# -- lists of words ---------------------------------------------------------------------------


def _keywords(markup: str) -> str | None:
    if "  " in markup or " ," in markup or markup[-1] in ", " or ",," in markup:
        return None
    return markup if markup.count(",") == markup.count(", ") < 32 else None


KEYWORDS: Final = Kind(
    "keywords",
    r"[a-z0-9][a-z0-9 ,]*",
    lambda number, sort: f"qk{number}a, qk{number}b" if sort == 0 else f"qq{number}c d, qv{number}",
    read=_keywords,
)


# -- URLs and ids -----------------------------------------------------------------------------


#: Behind the origin, which is part of the wall: sites differ in what their paths mean.
PAGE: Final = Kind(
    "page",
    r"/[^<&\s\"']*(?:&amp;[^<&\s\"']*)*",
    lambda number, sort: (
        f"/qp{number}x" if sort == 0 else f"/qq/w-{number}/z-{'p' * _LONG}?a={number}&amp;b=c"
    ),
    r"/[^<&\s\"'\]]*",
    loose=r"/[^<]*",
)
#: Behind the origin and before the extension.
FILE: Final = Kind(
    "file",
    r"/[A-Za-z0-9_~.\-/]{0,800}[A-Za-z0-9_~\-]",
    lambda number, sort: f"/qf{number}x" if sort == 0 else f"/qq/F-{number}/v_{number}",
)
FILE_WITHOUT_EXTENSION: Final = FILE._replace(pattern=r"/[A-Za-z0-9_~\-/]{0,800}")
ID: Final = Kind(
    "id",
    r"[A-Za-z0-9_.\-]{1,800}",
    lambda number, sort: f"qi{number}x" if sort == 0 else f"Q-{number}_{number}-{'i' * _LONG}",
    r"[A-Za-z0-9_.\-]+",
)
#: Behind `https://host`, or behind `tag:authority,date` from the colon on.
ID_TAIL: Final = Kind(
    "id",
    r"[/:][A-Za-z0-9_.\-/?=:]*(?:&amp;[A-Za-z0-9_.\-/?=:]*)*",
    lambda number, sort: f"/qt{number}x" if sort == 0 else f"/q/w{number}-z_{number}-{'t' * _LONG}",
    r"[/:][A-Za-z0-9_.\-/?=:]*",
)
#: Behind the origin, of links that lead elsewhere.
LINK: Final = Kind(
    "link",
    r"/[A-Za-z0-9_~.\-/]{0,500}(?:\?[A-Za-z0-9_.\-=]{1,300})?(?:\#[A-Za-z0-9_\-]{1,100})?",
    lambda number, sort: f"/ql{number}x" if sort == 0 else f"/q/l-{number}/?q={number}#q_{number}",
)


# -- dates and numbers ------------------------------------------------------------------------

_CLOCK: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_YEAR: Final = r"[12][09][0-9][0-9]"

#: Without their zones, which are part of the wall.
RFC_822: Final = Kind(
    "date",
    rf"[A-Z][a-z][a-z], [0-3][0-9] [A-Z][a-z][a-z] {_YEAR} {_CLOCK}",
    lambda number, sort: (
        f"{'Tue' if sort == 0 else 'Fri'}, 1{number // 60 % 8 + 1} "
        f"{'May' if sort == 0 else 'Jun'} 1998 {3 + sort:02}:{number % 60:02}:1{sort}"
    ),
    is_telling=False,
)
RFC_3339: Final = Kind(
    "date",
    rf"{_YEAR}-[01][0-9]-[0-3][0-9]T{_CLOCK}",
    lambda number, sort: (
        f"1998-0{5 + sort}-1{number // 60 % 8 + 1}T{3 + sort:02}:{number % 60:02}:1{sort}"
    ),
    is_telling=False,
)
#: A day without a time, which is none of a time: two that are alike in that are compared.
DAY: Final = Kind(
    "date",
    rf"{_YEAR}-[01][0-9]-[0-3][0-9]",
    lambda number, sort: f"199{8 + sort}-0{number // 25 % 9 + 1}-{number % 25 + 3:02}",
    is_telling=False,
)
_ZONES: Final = {
    RFC_822: r"GMT|UT|Z|[+-](?:0[0-9]|1[0-3])[0-5][0-9]",
    RFC_3339: r"Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]",
    DAY: "",
}
_DATES: Final = tuple(
    (kind, re.compile(f"({kind.pattern})( ?)({zones})")) for kind, zones in _ZONES.items()
)


def _number(pattern: str, first: int, second: int) -> Kind:
    """Make a kind of numbers between bounds that nothing asks for."""
    return Kind(
        "number",
        pattern,
        lambda number, sort: str((second if sort else first) + number),
        is_telling=False,
    )


_COUNT: Final = _number(r"[1-9][0-9]{0,9}", 70_001, 8_001)
#: A size of 0 or 1 byte is none.
_BYTES: Final = _number(r"[1-9][0-9]{1,9}", 70_001, 8_001)
_PIXELS: Final = _number(r"[1-9][0-9]{2,3}", 3_001, 4_001)
_SECONDS: Final = _number(r"[1-9][0-9]{0,3}", 6_001, 7_101)
#: Averages are few: what becomes of each is looked up.
AVERAGE: Final = Kind(
    "average", r"[1-5]\.[0-9]", lambda number, sort: "3.0" if sort else "3.7", is_telling=False
)

#: Of elements: by canonical name, in another than the entry as `parent/name` if without prefix.
KINDS: Final[Mapping[str, Kind | str]] = {
    "title": TEXT,
    "description": HTML,
    "content:encoded": HTML,
    "link": "page",
    "guid": "id",
    "comments": "link",
    "wfw:commentRss": "link",
    "slash:comments": _COUNT,
    "thr:total": _COUNT,
    "pubDate": "date",
    "category": TEXT,
    "author": NAME,
    "author/name": NAME,
    "dc:creator": NAME,
    "dc:date": "date",
    "dc:modified": "date",
    "dcterms:available": "date",
    "dcterms:created": "date",
    "dcterms:issued": "date",
    "dcterms:modified": "date",
    "atom:published": "date",
    "atom:updated": "date",
    "dc:subject": TEXT,
    "feedburner:origLink": "page",
    "id": "id",
    "published": "date",
    "updated": "date",
    "issued": "date",
    "created": "date",
    "modified": "date",
    "summary": HTML,
    "content": HTML,
    "media:title": TEXT,
    "media:description": PROSE,
    "media:keywords": KEYWORDS,
    "media:category": TEXT,
    "media:credit": NAME,
    "loc": "page",
    "lastmod": "date",
    "image:loc": "file",
    "video:thumbnail_loc": "file",
    "video:content_loc": "file",
    "video:title": TEXT,
    "video:description": PROSE,
    "video:duration": _SECONDS,
    "video:view_count": _COUNT,
    "video:publication_date": "date",
}

ATTRIBUTES: Final[Mapping[str, Kind | str]] = {
    "link[alternate]@href": "page",
    "link[enclosure]@href": "file",
    "link[edit]@href": "link",
    "link[related]@href": "link",
    "link[replies]@href": "link",
    "link[self]@href": "link",
    "link[via]@href": "link",
    "link@length": _BYTES,
    "item@rdf:about": "page",
    "category@term": TEXT,
    "enclosure@url": "file",
    "enclosure@length": _BYTES,
    "media:content@url": "file",
    "media:content@duration": _SECONDS,
    "media:content@width": _PIXELS,
    "media:content@height": _PIXELS,
    "media:content@bitrate": _COUNT,
    "media:content@fileSize": _BYTES,
    "media:thumbnail@url": "file",
    "media:thumbnail@width": _PIXELS,
    "media:thumbnail@height": _PIXELS,
    "media:player@url": "file",
    "media:starRating@average": AVERAGE,
    "media:starRating@count": _COUNT,
    "media:statistics@views": _COUNT,
    "media:statistics@favorites": _number(r"[0-9]{1,9}", 50_001, 9_001),
}

#: Local names of elements that hold dates. Of two dates the later one may be written; where one is
#: wall, nothing says which that is.
DATED: Final = frozenset(
    {
        *("pubDate", "date", "published", "updated", "issued", "created", "modified", "available"),
        *("lastmod", "publication_date", "expiration_date", "valid"),
    }
)

_ORIGIN: Final = re.compile(r"(https?://[a-z0-9.\-]+)(/.*)", re.DOTALL)
_EXTENSION: Final = re.compile(r"(.*?)((?:\.[A-Za-z0-9]{2,5})?(?:\?.*)?)", re.DOTALL)
_ID_HEAD: Final = re.compile(
    r"(https?://[a-z0-9.\-]+|tag:[a-z0-9.\-]+,[0-9\-]+|urn:[a-z0-9\-]+)([/:].*)", re.DOTALL
)

#: Sites whose pages are players, or lead elsewhere: there, a path is more than a name.
_PECULIAR: Final = re.compile(r"youtu|vimeo|dailymotion|facebook|feedproxy|feedburner|doubleclick")


def kind_of(row: Kind | str, value: str) -> tuple[str, Kind, str] | None:
    """Find the kind of a value, between the walls around it; None: it is all wall.

    Args:
        row: of the tables.
        value: the markup of an example.
    """
    if isinstance(row, Kind):
        return "", row, ""
    return _SPLITS[row](value)


def _page(value: str) -> tuple[str, Kind, str] | None:
    found = _ORIGIN.fullmatch(value)
    return None if found is None or _PECULIAR.search(found[1]) else (found[1], PAGE, "")


def _link(value: str) -> tuple[str, Kind, str] | None:
    found = _ORIGIN.fullmatch(value)
    return None if found is None or _PECULIAR.search(found[1]) else (found[1], LINK, "")


def _medium(value: str) -> tuple[str, Kind, str] | None:
    found = _ORIGIN.fullmatch(value)
    if found is None or _PECULIAR.search(found[1]):
        return None
    stem = _EXTENSION.fullmatch(found[2])
    if stem is None:
        return None
    return found[1], FILE if stem[2][:1] == "." else FILE_WITHOUT_EXTENSION, stem[2]


def _identifier(value: str) -> tuple[str, Kind, str]:
    found = _ID_HEAD.fullmatch(value)
    return (found[1], ID_TAIL, "") if found else ("", ID, "")


def _date(value: str) -> tuple[str, Kind, str] | None:
    for kind, pattern in _DATES:
        if found := pattern.fullmatch(value):
            return "", kind, found[2] + found[3]
    return None


_SPLITS: Final[Mapping[str, Callable[[str], tuple[str, Kind, str] | None]]] = {
    "page": _page,
    "file": _medium,
    "link": _link,
    "id": _identifier,
    "date": _date,
}
