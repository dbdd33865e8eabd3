"""Feeds, sitemaps and lists whose values coincide: what a conversion must not mistake for another.

In each document the values of an entry are drawn from a small pool, so that a link equals an
enclosure, a player, a guid or the link of the channel; some become equal only after URLs are
cleaned, or differ only in case, white space or leading zeros. The documents depend on nothing but
the code of this module. In a varied document each entry is drawn anew; in an even one all entries
are alike but for their number, as one program writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final

_CHANNEL: Final = "https://ex.com/"
_VARIED: Final = (2_000, 300, 300)
"""Entries of each varied document."""
_EVEN: Final = 12
"""Even documents of each format."""
_EVEN_BYTES: Final = 150_000

_RSS_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
    ' xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
    ' xmlns:atom="http://www.w3.org/2005/Atom">\n<channel>\n<title>All of it</title>\n'
    f"<link>{_CHANNEL}</link>\n<description>Coinciding values</description>\n"
)
_ATOM_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"'
    ' xmlns:media="http://search.yahoo.com/mrss/">\n<title>All of it</title>\n'
    f'<id>{_CHANNEL}</id>\n<link href="{_CHANNEL}"/>\n<updated>2026-01-01T00:00:00Z</updated>\n'
)
_SITEMAP_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
)


class _Values:
    """The values of one entry; each method returns one of a few that may coincide."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.number = number
        self.page = f"https://ex.com/a/{number}"

    def is_there(self, probability: float) -> bool:
        return self.random.random() < probability

    def url(self) -> str:
        page = self.page
        return self.random.choice(
            (
                page,
                page,
                f"{page}#player",
                f"{page}?utm_source=feed",
                f"HTTPS://EX.com:443/b/../a/{self.number}",
                f"{page}.mp4",
                f"{page}.jpg",
                _CHANNEL,
                "https://ex.com/logo.png",
                f"https://www.ex.com/a/{self.number}",
                f"https://other.example/caf\u00e9/{self.number}",
            )
        )

    def words(self) -> str:
        title = f"Report {self.number}"
        return self.random.choice(
            (title, f" {title}\n", title.replace(" ", "  "), title.upper(), "News", self.page)
        )

    def tags(self) -> str:
        return self.random.choice(("Grill", "grill", "GRILL ", "a, b, A", f"tag {self.number}"))

    def whole(self) -> str:
        return self.random.choice(("7", "007", "0", "61", f"{self.number}", "1,234", "28801"))

    def decimal(self) -> str:
        return self.random.choice(("4.5", "4,5", "5", "5.9", "0", ".5", "4.50", f"{self.number}"))

    def rfc822(self) -> str:
        hour = self.number % 24
        return self.random.choice(
            (
                f"Mon, 05 Jan 2026 {hour:02}:00:00 GMT",
                f"Mon, 05 Jan 2026 {hour:02}:00:00",
                f"05 Jan 2026 {hour:02}:00",
                f"2026-01-05T{hour:02}:00:00",
                "2026-01-05",
                f"Mon, 05 Jan 2026 {hour:02}:00:00 EST",
                "yesterday",
            )
        )

    def w3c(self) -> str:
        hour = self.number % 24
        return self.random.choice(
            (
                f"2026-01-05T{hour:02}:00:00Z",
                f"2026-01-05T{hour:02}:00:00",
                f"2026-01-05T{hour:02}:00:00+01:00",
                "2026-01-05",
                "2026-01",
            )
        )

    def html(self) -> str:
        constant = '&lt;img src="https://ex.com/logo.png" width="80"&gt;'
        varying = f'&lt;img src="{self.page}.jpg"&gt;'
        markup = self.random.choice((constant, varying, constant + varying, varying * 2, ""))
        return f"&lt;p&gt;{self.words()}&lt;/p&gt;{markup}"


def _leaf(name: str, value: str) -> str:
    return f"<{name}>{value}</{name}>\n"


def _rss_item(values: _Values) -> str:
    leaves: tuple[tuple[float, str, Callable[[], str]], ...] = (
        (0.9, "title", values.words),
        (0.85, "link", values.url),
        (0.6, "guid", values.url),
        (0.7, "pubDate", values.rfc822),
        (0.2, "dc:date", values.w3c),
        (0.2, "atom:updated", values.w3c),
        (0.6, "description", values.html),
        (0.3, "content:encoded", values.html),
        (0.4, "category", values.tags),
        (0.3, "category", values.tags),
        (0.2, "media:keywords", values.tags),
        (0.2, "media:title", values.words),
        (0.2, "itunes:duration", values.whole),
        (0.1, "comments", values.url),
    )
    made = [_leaf(name, value()) for chance, name, value in leaves if values.is_there(chance)]
    if values.is_there(0.4):
        made.append(f'<enclosure url="{values.url()}" length="{values.whole()}" type="video/mp4"/>')
    made += _media(values)
    values.random.shuffle(made)
    return f"<item>{''.join(made)}</item>\n"


def _media(values: _Values) -> Iterator[str]:
    if values.is_there(0.5):
        content = "".join(
            f'<media:content url="{values.url()}" type="video/mp4" duration="{values.whole()}"'
            f' height="{values.whole()}" isDefault="{values.random.choice(("true", "false"))}"/>'
            for _ in range(values.random.randrange(1, 4))
        )
        player = f'<media:player url="{values.url()}"/>' if values.is_there(0.4) else ""
        yield f"<media:group>{content}{player}</media:group>" if values.is_there(0.5) else content
    if values.is_there(0.4):
        yield f'<media:thumbnail url="{values.url()}"/>'
    if values.is_there(0.2):
        yield (
            f'<media:community><media:starRating average="{values.decimal()}" max="5"/>'
            f'<media:statistics views="{values.whole()}"/></media:community>'
        )


def _atom_entry(values: _Values) -> str:
    leaves: tuple[tuple[float, str, Callable[[], str]], ...] = (
        (0.9, "title", values.words),
        (0.8, "id", values.url),
        (0.8, "updated", values.w3c),
        (0.5, "published", values.w3c),
        (0.4, "summary", values.words),
        (0.2, "rights", values.words),
    )
    made = [_leaf(name, value()) for chance, name, value in leaves if values.is_there(chance)]
    for chance, rel in ((0.9, "alternate"), (0.3, "enclosure"), (0.2, "related")):
        if values.is_there(chance):
            language = ' hreflang="de"' if values.is_there(0.2) else ""
            made.append(f'<link rel="{rel}" href="{values.url()}"{language}/>')
    if values.is_there(0.3):
        made.append(f'<content type="html">{values.html()}</content>')
    if values.is_there(0.3):
        made.append(f'<category term="{values.tags()}"/>')
    made += _media(values)
    values.random.shuffle(made)
    return f"<entry>{''.join(made)}</entry>\n"


def _sitemap_url(values: _Values) -> str:
    made = [_leaf("loc", values.page if values.is_there(0.7) else values.url())]
    if values.is_there(0.6):
        made.append(_leaf("lastmod", values.w3c()))
    if values.is_there(0.3):
        made.append(_leaf("priority", values.decimal()))
    if values.is_there(0.3):
        made.append(
            f'<xhtml:link rel="alternate" hreflang="{values.random.choice(("de", "en_US"))}"'
            f' href="{values.url()}"/>'
        )
    if values.is_there(0.4):
        made.append(f"<image:image><image:loc>{values.url()}</image:loc></image:image>")
    if values.is_there(0.4):
        rating = _leaf("video:rating", values.decimal()) if values.is_there(0.5) else ""
        player = _leaf("video:player_loc", values.url()) if values.is_there(0.5) else ""
        made.append(
            f"<video:video><video:thumbnail_loc>{values.url()}</video:thumbnail_loc>"
            f"<video:title>{values.words()}</video:title>"
            f"<video:description>{values.words()}</video:description>"
            f"<video:content_loc>{values.url()}</video:content_loc>{player}"
            f"<video:duration>{values.whole()}</video:duration>{rating}"
            f"<video:tag>{values.tags()}</video:tag></video:video>"
        )
    return f"<url>{''.join(made)}</url>\n"


def _line(values: _Values) -> str:
    odd = ("# a comment", "", f"www.ex.com/{values.number}", f"https://ex.com/a b/{values.number}")
    return f"{values.random.choice(odd) if values.is_there(0.05) else values.url()}\n"


#: File ending, head, one entry, tail.
_FORMATS: Final[Mapping[str, tuple[str, Callable[[_Values], str], str]]] = MappingProxyType(
    {
        "rss": (_RSS_HEAD, _rss_item, "</channel></rss>\n"),
        "atom": (_ATOM_HEAD, _atom_entry, "</feed>\n"),
        "xml": (_SITEMAP_HEAD, _sitemap_url, "</urlset>\n"),
        "txt": ("", _line, ""),
    }
)


def write_all(folder: Path) -> Iterator[Path]:
    """Write the documents of 10 kB (lists) to 2 MB each; yield their paths."""
    for ending in _FORMATS:
        for number, count in enumerate(_VARIED):
            yield _write(folder / f"varied-{number}.{ending}", _varied(ending, number, count))
        for number in range(_EVEN):
            yield _write(folder / f"even-{number}.{ending}", _even(ending, number))


def _write(path: Path, entries: Iterator[str]) -> Path:
    head, _, tail = _FORMATS[path.suffix[1:]]
    path.write_text(f"{head}{''.join(entries)}{tail}", "utf-8")
    return path


def _varied(ending: str, seed: int, count: int) -> Iterator[str]:
    """Yield independent entries; one in eight has the number of an earlier one."""
    entry, random = _FORMATS[ending][1], Random(f"varied {ending} {seed}")
    for number in range(count):
        is_earlier = random.random() < 0.125
        yield entry(_Values(random, random.randrange(number + 1) if is_earlier else number))


def _even(ending: str, seed: int) -> Iterator[str]:
    """Yield entries with the same random choices, which differ only in their number."""
    entry, written, number = _FORMATS[ending][1], 0, 0
    while written < _EVEN_BYTES:
        text = entry(_Values(Random(f"even {ending} {seed}"), number))
        written, number = written + len(text) + 20, number + 1
        yield text
