"""Generate deterministic feeds, lists and sitemaps of any size, once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from itertools import count
from pathlib import Path
from random import Random
from types import MappingProxyType

#: Part of the name of every file: increase it if the content changes.
VERSION = 1

MB = 1_000_000

HOSTS = ("www.example.com", "www.example.com", "www.example.com", "news.example.com")
ENDINGS = (".html", "/", "")
NEWEST = datetime(2025, 1, 1, tzinfo=UTC)

_WORDS = """
    amber anchor apple arrow autumn bakery basket beacon birch border bridge bronze candle canvas
    castle cedar cherry cinema circle clover coffee copper corner cotton desert dragon
    engine falcon feather forest fossil galaxy garden ginger glacier guitar harvest helmet honey
    island jacket kettle ladder lantern lemon linen maple meadow mirror mosaic ocean olive orchard
    paper pepper planet quartz ribbon river saddle signal silver spring statue summer temple
    timber tunnel valley velvet violin walnut willow window winter yellow
"""
WORDS = tuple(_WORDS.split())
FOREIGN = ("café", "straße", "новости", "新闻", "españa", "übersicht", "東京", "crème-brûlée")


# -- the parts of an entry --------------------------------------------------------------------


def _pages(random: Random) -> Iterator[str]:
    """Yield distinct URLs of 40 to 110 characters."""
    for number in count():
        chance = random.random()
        folders = random.choices(WORDS, k=1 + number % 4)
        slug = "-".join(random.choices(WORDS, k=1 + number % 5))
        if chance < 0.02:
            slug = f"{random.choice(FOREIGN)}-{slug}"
        page = f"https://{HOSTS[number % 4]}/{'/'.join(folders)}/{slug}-{number}"
        if chance > 0.95:
            yield f"{page}?id={number * 7 % 99991}&ref={slug[:8]}&utm_source=rss"
        else:
            yield page + ENDINGS[number % 3]


def _dated(random: Random) -> Iterator[tuple[int, str, datetime]]:
    """Yield numbers, escaped URLs and random dates within three years."""
    for number, page in enumerate(_pages(random)):
        yield number, escape(page), NEWEST - timedelta(seconds=random.randrange(94_608_000))


def _sentence(random: Random, words: int) -> str:
    return " ".join(random.choices(WORDS, k=words)).capitalize() + "."


def _html(random: Random, least: int) -> str:
    """Return an article of at least `least` characters: paragraphs, links, headings, images."""
    written: list[str] = []
    size = 0
    while size < least:
        number = random.randrange(10**6)
        if number % 10 == 0:
            block = f"<h2>{_sentence(random, 4)}</h2>\n"
        elif number % 7 == 0:
            picture = f"https://img.example.com/{number}.jpg"
            text = _sentence(random, 3)
            block = f'<figure><img src="{picture}" alt="{text}" width="640"/></figure>\n'
        else:
            link = (
                f'<a href="https://www.example.com/?a=1&amp;b={number}">{_sentence(random, 3)}</a>'
            )
            block = f"<p>{_sentence(random, 30)} {link} {_sentence(random, 20)}</p>\n"
        written.append(block)
        size += len(block)
    return "".join(written)


# -- entries of each kind ---------------------------------------------------------------------


def _small(random: Random) -> Iterator[str]:
    """Yield items of 600 bytes, as in feeds of news sites."""
    for number, page, date in _dated(random):
        yield f"""\
  <item>
    <title>{_sentence(random, 6)}{" R&amp;D" if number % 20 == 0 else ""}</title>
    <link>{page}</link>
    <guid isPermaLink="true">{page}</guid>
    <pubDate>{format_datetime(date, usegmt=True)}</pubDate>
    <category>{random.choice(WORDS)}</category>
    <description>{_sentence(random, 31)}</description>
  </item>
"""


def _blog(random: Random) -> Iterator[str]:
    """Yield items of 6.5 kB with the whole article, as WordPress writes them."""
    for number, page, date in _dated(random):
        yield f"""\
  <item>
    <title>{_sentence(random, 7)}</title>
    <link>{page}</link>
    <dc:creator><![CDATA[{random.choice(WORDS).title()}]]></dc:creator>
    <pubDate>{format_datetime(date, usegmt=True)}</pubDate>
    <category><![CDATA[{random.choice(WORDS)}]]></category>
    <category><![CDATA[{random.choice(WORDS)}]]></category>
    <guid isPermaLink="false">https://www.example.com/?p={number}</guid>
    <description><![CDATA[<p>{_sentence(random, 40)}</p>]]></description>
    <content:encoded><![CDATA[{_html(random, 5600)}]]></content:encoded>
  </item>
"""


def _mrss(random: Random) -> Iterator[str]:
    """Yield video items of 1.8 kB with two renditions and most elements of Media RSS."""
    for number, page, date in _dated(random):
        seconds = random.randrange(20, 4000)
        of_both = f'type="video/mp4" medium="video" duration="{seconds}"'
        high, low = (f"https://cdn.example.com/v/{number}/{lines}.mp4" for lines in (1080, 480))
        yield f"""\
  <item>
    <title>{_sentence(random, 6)}</title>
    <link>{page}</link>
    <guid isPermaLink="false">video-{number}</guid>
    <pubDate>{format_datetime(date, usegmt=True)}</pubDate>
    <description>{_sentence(random, 20)}</description>
    <media:group>
      <media:content url="{high}" {of_both} width="1920" height="1080" bitrate="4500" \
fileSize="{seconds * 560_000}" isDefault="true"/>
      <media:content url="{low}" {of_both} width="854" height="480" bitrate="1200" \
fileSize="{seconds * 150_000}"/>
      <media:title type="plain">{_sentence(random, 6)}</media:title>
      <media:description type="plain">{_sentence(random, 24)}</media:description>
      <media:thumbnail url="https://cdn.example.com/v/{number}/t.jpg" width="640" height="360"/>
      <media:player url="https://www.example.com/embed/{number}"/>
      <media:keywords>{", ".join(random.choices(WORDS, k=6))}</media:keywords>
      <media:rating scheme="urn:simple">{"nonadult" if number % 50 else "adult"}</media:rating>
      <media:restriction relationship="allow" type="country">us ca gb de</media:restriction>
      <media:category>{random.choice(WORDS)}</media:category>
      <media:community>
        <media:starRating average="{random.randrange(10, 50) / 10}" count="9" min="1" max="5"/>
        <media:statistics views="{random.randrange(99_999)}" favorites="{number % 99}"/>
      </media:community>
    </media:group>
  </item>
"""


def _atom(random: Random) -> Iterator[str]:
    """Yield entries of 800 bytes with an image as enclosure."""
    for number, page, date in _dated(random):
        picture = f"https://img.example.com/{number}.jpg"
        yield f"""\
  <entry>
    <title>{_sentence(random, 6)}</title>
    <link rel="alternate" type="text/html" href="{page}"/>
    <link rel="enclosure" type="image/jpeg" href="{picture}" length="{random.randrange(10**6)}"/>
    <id>tag:example.com,2024:{number}</id>
    <published>{date:%Y-%m-%dT%H:%M:%SZ}</published>
    <updated>{date + timedelta(hours=5):%Y-%m-%dT%H:%M:%SZ}</updated>
    <author><name>{random.choice(WORDS).title()}</name></author>
    <category term="{random.choice(WORDS)}"/>
    <summary type="html">&lt;p&gt;{_sentence(random, 30)}&lt;/p&gt;</summary>
  </entry>
"""


def _list(random: Random) -> Iterator[str]:
    """Yield lines with one URL; one in a hundred repeats an earlier one."""
    seen: list[str] = []
    for page in _pages(random):
        while seen and random.random() < 0.01:
            yield random.choice(seen)
        yield f"{page}\n"
        if len(seen) < 20_000:
            seen.append(f"{page}\n")
        elif random.random() < 0.15:
            seen[random.randrange(20_000)] = f"{page}\n"


def _sitemap(random: Random) -> Iterator[str]:
    for _, page, date in _dated(random):
        lastmod = f"{date:%Y-%m-%dT%H:%M:%SZ}"
        yield f"<url><loc>{page}</loc><lastmod>{lastmod}</lastmod></url>\n"


def _varied(random: Random) -> Iterator[str]:
    """Yield items of the average size of `_small` whose elements and their order vary."""
    for number, page, date in _dated(random):
        elements = [
            f"<title>{_sentence(random, random.randrange(2, 12))}</title>",
            *random.choice(_identities(number, page)),
            random.choice(_dates(date)),
            *(_category(random) for _ in range(random.randrange(5))),
        ]
        if random.random() < 0.9:
            text = _sentence(random, random.randrange(4, 50))
            marked = f"<![CDATA[<p>{text}</p>]]>"
            elements.append(f"<description>{random.choice((text, marked))}</description>")
        if random.random() < 0.3:
            elements.append(f"<dc:creator>{random.choice(WORDS).title()}</dc:creator>")
        if random.random() < 0.2:
            elements.append(f"<comments>https://www.example.com/talk/{number}</comments>")
        if random.random() < 0.3:
            elements.append(_enclosure(random, number))
        random.shuffle(elements)
        yield "  <item>\n    " + "\n    ".join(elements) + "\n  </item>\n"


def _identities(number: int, page: str) -> tuple[tuple[str, ...], ...]:
    link = f"<link>{page}</link>"
    return (
        (link,),
        (link, f"<guid>{page}</guid>"),
        (link, f'<guid isPermaLink="false">item-{number}</guid>'),
        (f'<guid isPermaLink="true">{page}</guid>',),
    )


def _dates(date: datetime) -> tuple[str, ...]:
    return (
        f"<pubDate>{format_datetime(date, usegmt=True)}</pubDate>",
        f"<pubDate>{format_datetime(date)}</pubDate>",
        f"<pubDate>{date:%d %b %Y %H:%M} GMT</pubDate>",
        f"<dc:date>{date:%Y-%m-%dT%H:%M:%SZ}</dc:date>",
        f"<dc:date>{date:%Y-%m-%dT%H:%M+02:00}</dc:date>",
    )


def _category(random: Random) -> str:
    word = random.choice(WORDS)
    domain = "https://www.example.com/topics"
    return random.choice(
        (
            f"<category>{word}</category>",
            f"<category><![CDATA[{word}]]></category>",
            f'<category domain="{domain}">{word}</category>',
        )
    )


def _enclosure(random: Random, number: int) -> str:
    suffix, media_type = random.choice((("mp3", "audio/mpeg"), ("jpg", "image/jpeg")))
    url = f"https://cdn.example.com/{number}.{suffix}"
    return f'<enclosure url="{url}" length="{random.randrange(10**6)}" type="{media_type}"/>'


# -- kinds ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source: a generator of entries, and the markup around them."""

    title: str
    suffix: str
    entries: Callable[[Random], Iterator[str]]
    head: str = ""
    tail: str = ""


_RSS = (
    """\
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>Example</title>
<link>https://www.example.com/</link>
<description>Made to be measured</description>
<language>en</language>
""",
    "</channel>\n</rss>\n",
)
_ATOM = (
    """\
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Example</title>
<id>https://www.example.com/</id>
<link href="https://www.example.com/"/>
<updated>2025-01-01T05:00:00Z</updated>
<author><name>Example</name></author>
""",
    "</feed>\n",
)
_URLSET = (
    """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
""",
    "</urlset>\n",
)

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "small": Kind("RSS, short items", ".rss", _small, *_RSS),
        "varied": Kind("RSS, varied items", ".rss", _varied, *_RSS),
        "blog": Kind("RSS with whole articles", ".rss", _blog, *_RSS),
        "mrss": Kind("Media RSS", ".mrss", _mrss, *_RSS),
        "atom": Kind("Atom", ".atom", _atom, *_ATOM),
        "list": Kind("List of URLs", ".txt", _list),
        "sitemap": Kind("Sitemap", ".xml", _sitemap, *_URLSET),
    }
)


# -- files ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source to generate, of a number of entries or of megabytes."""

    kind: str
    entries: int | None = None
    megabytes: float | None = None
    #: Sources of one kind with different numbers have different entries.
    number: int = 0

    @property
    def size(self) -> str:
        return f"{self.entries}" if self.megabytes is None else f"{self.megabytes:g}mb"

    @property
    def seed(self) -> str:
        return f"{self.kind}-{self.number}" if self.number else self.kind

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.size}-v{VERSION}{KINDS[self.kind].suffix}"

    def is_enough(self, entries: int, size_bytes: int) -> bool:
        if self.megabytes is None:
            return entries == self.entries
        return size_bytes >= self.megabytes * MB


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A generated file."""

    path: Path
    entries: int

    @property
    def size_bytes(self) -> int:
        return self.path.stat().st_size


def generate(source: Source, folder: Path) -> SourceFile:
    """Generate a file, unless it exists."""
    path = folder / source.name
    count_of = path.with_name(f"{path.name}.entries")
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.part")
        count_of.write_text(str(_write(source, unfinished)), "ascii")
        unfinished.replace(path)
    return SourceFile(path, int(count_of.read_text("ascii")))


def _write(source: Source, path: Path) -> int:
    kind = KINDS[source.kind]
    written = size_bytes = 0
    with path.open("wb") as file:
        file.write(kind.head.encode())
        for entry in kind.entries(Random(source.seed)):
            if source.is_enough(written, size_bytes):
                break
            if source.number:  # sources have no URL in common
                entry = entry.replace("example.com/", f"example.com/{source.number}/")  # noqa: PLW2901
            size_bytes += file.write(entry.encode())
            written += 1
        file.write(kind.tail.encode())
    return written
