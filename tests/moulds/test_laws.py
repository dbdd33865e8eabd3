"""Law: whatever a document holds, the short way gives what the plain way gives."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from converter.moulds import kinds

if TYPE_CHECKING:
    from conftest import Both

pytestmark = pytest.mark.property

Column: TypeAlias = list[str]
"""Markup of values; `~` stands for the number of the entry."""

#: What XML allows, in UTF-8, but for the line ends of other systems.
_CHARS: Final = st.characters(
    codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="￾￿~"
) | st.sampled_from(" \t\n")

# -- values -----------------------------------------------------------------------------------


def _of(*rows: kinds.Kind, before: Sequence[str] = ("",), after: Sequence[str] = ("",)) -> Any:
    """Give values that fit the patterns of kinds."""
    patterns = [st.from_regex(row.pattern, fullmatch=True, alphabet=_CHARS) for row in rows]
    inner = st.one_of(*patterns).filter(lambda text: "~" not in text)
    return st.builds("{}{}{}".format, st.sampled_from(before), inner, st.sampled_from(after))


_ORIGINS: Final = ("https://e.example", "http://www.e.example", "https://cdn.e.example")

_PAGES: Final = (
    *("https://e.example/p~", "https://e.example/a/p~.html", "https://e.example/?p=~"),
    *("https://e.example/p~?id=1&amp;utm_source=rss", "https://e.example/p~#comments"),
    *("http://e.example/p~", "https://e.example/", "https://e.example/same", "/relative/~"),
    *("https://e.example/v/~.mp4", "https://e.example/i/~.JPG", "https://e.example/i/~.jpg?w=1"),
    *("https://e.example/ü/~", "https://e.example/%c3%bc/~", "https://e.example/%zz/~"),
    *("https://e.example/a/../~", "https://E.example/~", "https://e.example:443/~", "p~"),
    *("https://e.example/feed", "https://e.example/~.html?x='1'&amp;y=%22", "mailto:a@e.example"),
    *("https://www.youtube.com/watch?v=~", "https://youtu.be/~", "https://e.example/~;jsid=1"),
    *("https://e.example/~?PHPSESSID=abcdef0123456789abcdef0123456789", "https://e.example/ ~"),
    *("https://e.example/p~&#x26;x", "https://e.example//p~", "https://e.example/p~?", "urn:x:~"),
    *("https://user:pw@e.example/p~", "https://127.0.0.1/p~", "https://e.example/p~>", ""),
)
_FILES: Final = (
    *("https://e.example/m/~.mp4", "https://e.example/m/~.jpg", "https://e.example/m/~.mp3"),
    *("https://e.example/m/~.MP4", "https://e.example/m/~.png?w=100&amp;h=50", "/m/~.jpg"),
    *("https://e.example/m/~", "https://e.example/m/~.html", "https://e.example/m/~.swf"),
    *("https://www.youtube.com/embed/~", "https://e.example/m//~.mp4", "https://e.example/.~.mp4"),
    *("http://e.example/a/./~.mp4", "https://e.example/m/~.m3u8", "ftp://e.example/~.mp4"),
    *("https://e.example/m/same.jpg", "https://e.example/m/~.pdf", "", "https://e.example/ü~.jpg"),
    *("https://e.example/p~", "https://e.example/m/~.gif#x", "https://e.example/m/1x1.gif"),
)
_IDS: Final = (
    *("id-~", "~", "tag:e.example,2020:~", "https://e.example/?p=~", "https://e.example/p~"),
    *("same", "http://e.example/g/~.mp4", "urn:uuid:00000000-0000-0000-0000-00000000000~", ""),
    *("https://e.example/a/p~.html", "tag:youtube.com,2008:video:~", "yt:video:~", "www.e.example"),
    *("e.example/p~", "https://e.example/p~?a=1&amp;b=~", "..", "https://www.youtube.com/v/~"),
)
_DATES: Final = (
    *("Mon, 01 Jan 2024 00:00:0~ GMT", "Tue, 02 Jan 2024 10:20:3~ +0000", "2024-01-03T04:05:06Z"),
    *("Mon, 31 Feb 2024 00:00:00 GMT", "Wed, 14 Jan 2026 23:00:00 GMT", "2030-01-01T00:00:00Z"),
    *(
        "2024-01-03T04:05:06+02:00",
        "2024-01-03",
        "2024-01",
        "yesterday",
        "",
        "2024-02-30T00:00:00Z",
    ),
    *("Fri, 01 Jan 2024 24:00:00 GMT", "1 Jan 24 00:00 EST", "2024-01-01T00:00:60Z"),
    *("Thu, 01 Jan 1970 00:00:00 GMT", "2026-01-13T00:00:00Z", "2026-01-12T23:59:59-11:00"),
    *("Mon, 01 Jan 2024 00:00:00 -0000", "Foo, 01 Jan 2024 00:00:00 GMT", "0000-00-00T00:00:00Z"),
    *("Mon, 01 Jan 2024 00:00:00 +1400", "2024-01-03T04:05:06.789Z", "2024-01-03 04:05:06"),
)
_TEXTS: Final = (
    *("Title ~", "Same", "A &amp; B ~", "&lt;b&gt;bold&lt;/b&gt; ~", "&amp;amp; ~", "&amp;lt; ~"),
    *("~", "id-~", "https://e.example/p~", "“~”", "it's ~", '"~"', "a  b ~", "x\ny ~", "", "]] ~"),
    *("~ &#8217;", "&#39;~", f"{'long ' * 30}~", f"{'w' * 99}~", "~\u00a0x", "\u00ad~", "~\u2028"),
    *("<![CDATA[~ <b>x</b> &amp; y]]>", "<![CDATA[]]>", "<!-- no -->~", "a<!-- no -->~"),
    *("50% ~", "%s ~", "{~}", "nonadult", "&quot;~&quot;", "&#x41;~", "é ~"),
    *("Doe, Jane ~", "jane@e.example (Jane ~)", "Jane ~", "a, b, a, ~", "1 ~", "\u200b~"),
    *(
        "<![CDATA[~]]]]><![CDATA[>]]>",
        "&amp;#8217; ~",
        "&amp;copy; ~",
        "AT&amp;T ~",
        "T&amp;copy ~",
    ),
)
_HTMLS: Final = (
    *("&lt;p&gt;Text ~&lt;/p&gt;", "<![CDATA[<p>Text ~</p>]]>", "plain ~", "Title ~", "A &lt; B ~"),
    *("<![CDATA[<img src='/i/~.jpg'>]]>", "&lt;a href=&quot;p~&quot;&gt;x&lt;/a&gt;", " ~ "),
    *('<![CDATA[<a href="https://e.example/~">x</a><img src="//e.example/~.png"/>]]>'),
    *("<![CDATA[ text ~]]>", "<![CDATA[text ~\n]]>", "<![CDATA[~ &nbsp; &amp; &lt;b&gt;]]>", ""),
    *("<div xmlns='http://www.w3.org/1999/xhtml'>x ~</div>", "&amp;lt;p&amp;gt; ~"),
    *(f"&lt;p&gt;{'word ' * 60}~&lt;/p&gt;", f"{'word ' * 450}~", "<![CDATA[a]] ~]]>", "]~"),
    *(
        "<![CDATA[<video src=\"https://e.example/~.mp4\" poster='p.jpg'></video>]]>",
        "https://x.y/~",
    ),
    *("<![CDATA[<img SRC = https://e.example/~.png srcset='a 1x'>]]>", "<![CDATA[\u2028~]]>"),
)
_NUMBERS: Final = (
    "~",
    "0",
    "00",
    "-1",
    "1",
    "10",
    "99999999999",
    "1.5",
    "x",
    "",
    "100",
    "07",
    "28801",
)
_KEYWORDS: Final = ("a, b~, c", "a b c ~", "a, a, ~", "A, ~", ",", "a,b,~", "a", "~, ", "b ~, c")


def _mixed(nasty: Sequence[str], fitting: Any) -> Any:
    """Give a column: mostly of usual values, which are the first ones."""
    others = st.lists(st.sampled_from(nasty) | fitting, min_size=1, max_size=3)
    usual = st.sampled_from(nasty[:2]).map(lambda value: [value] * 3)
    return usual | st.builds(list.__add__, usual, others)


_HEADS: Final = ("https://e.example", "tag:e.example,2020")
_IN_CDATA: Final = st.from_regex(kinds.HTML.in_cdata or "", fullmatch=True, alphabet=_CHARS)

_COLUMNS: Final[Mapping[str, Any]] = {
    "page": _mixed(_PAGES, _of(kinds.PAGE, before=_ORIGINS)),
    "link": _mixed(_PAGES, _of(kinds.LINK, before=_ORIGINS)),
    "file": _mixed(_FILES, _of(kinds.FILE, before=_ORIGINS, after=("", ".mp4", ".jpg", ".mp3"))),
    "id": _mixed(_IDS, _of(kinds.ID) | _of(kinds.ID_TAIL, before=_HEADS)),
    "date": _mixed(
        _DATES,
        st.builds(
            datetime.strftime,
            st.datetimes(datetime(1980, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001  hypothesis wants it so
            st.sampled_from(
                ["%a, %d %b %Y %H:%M:%S GMT", "%a, %d %b %Y %T +0100", "%Y-%m-%dT%H:%M:%SZ"]
            ),
        ),
    ),
    "text": _mixed(_TEXTS, _of(kinds.TEXT, kinds.NAME)),
    "html": _mixed(_HTMLS, _of(kinds.HTML) | _IN_CDATA.map(lambda text: f"<![CDATA[{text}]]>")),
    "number": _mixed(_NUMBERS, st.integers(0, 10**10).map(str)),
    "keywords": _mixed(_KEYWORDS, _of(kinds.KEYWORDS)),
    "average": st.lists(st.sampled_from(["4.5", "3.0", "0", "5.0", "6", "x", "4"]), min_size=1),
    "duration": st.lists(st.sampled_from(["1:02:03", "61", "~", "0", "x", "02:0~"]), min_size=1),
    "flag": st.lists(st.sampled_from(["yes", "no", "true", "clean", "", "Yes"]), min_size=1),
}

# -- documents --------------------------------------------------------------------------------


class _Field(NamedTuple):
    """An element of an entry: its markup with a `{}` for each value, and their columns."""

    markup: str
    columns: str
    is_usual: bool = False


_MEDIA: Final = (
    _Field(
        '<media:content url="{}" type="video/mp4" duration="{}"/><media:thumbnail url="{}"/>',
        "file number file",
    ),
    _Field('<media:content url="{}" type="video/mp4"/>', "file"),
    _Field('<media:content url="{}" medium="image" width="{}" height="640"/>', "file number"),
    _Field('<media:content url="{}" fileSize="{}" bitrate="{}"/>', "file number number"),
    _Field('<media:thumbnail url="{}" width="{}" height="{}"/>', "file number number"),
    _Field('<media:thumbnail url="{}"/>', "file"),
    _Field("<media:title>{}</media:title>", "text"),
    _Field("<media:description>{}</media:description>", "html"),
    _Field("<media:keywords>{}</media:keywords>", "keywords"),
    _Field("<media:category>{}</media:category>", "text"),
    _Field('<media:credit role="author">{}</media:credit>', "text"),
    _Field('<media:player url="{}"/>', "file"),
    _Field("<media:rating>{}</media:rating>", "flag"),
    _Field(
        "<media:group><media:content url='{}' isDefault='true'/>"
        '<media:content url="{}" height="{}"/><media:thumbnail url="{}"/></media:group>',
        "file file number file",
    ),
    _Field(
        '<media:content url="{}" type="video/mp4"><media:title>{}</media:title>'
        "<media:description>{}</media:description>"
        '<media:thumbnail url="{}"/></media:content>',
        "file text html file",
    ),
    _Field(
        '<media:community><media:starRating average="{}" count="{}" min="1" max="5"/>'
        '<media:statistics views="{}" favorites="{}"/></media:community>',
        "average number number number",
    ),
)
_OTHERS: Final = (
    _Field("<dc:creator>{}</dc:creator>", "text"),
    _Field("<dc:date>{}</dc:date>", "date"),
    _Field("<dc:subject>{}</dc:subject>", "text"),
    _Field('<x:thing a="1">{}</x:thing>', "text"),
    _Field('<x:thing b="{}"/>', "text"),
    _Field("<x:outer><x:inner>{}</x:inner></x:outer>", "text"),
    _Field('<leaf xmlns="http://leaf.example/">{}</leaf>', "text"),
    _Field("<!-- {} -->", "number"),
    _Field("{}", "number"),
    _Field("<thr:total>{}</thr:total>", "number"),
    _Field("<georss:point>{} 7.5</georss:point>", "number"),
)
_RSS: Final = (
    _Field("<title>{}</title>", "text", is_usual=True),
    _Field("<link>{}</link>", "page", is_usual=True),
    _Field("<guid>{}</guid>", "id"),
    _Field('<guid isPermaLink="false">{}</guid>', "id", is_usual=True),
    _Field('<guid isPermaLink="true">{}</guid>', "page"),
    _Field("<pubDate>{}</pubDate>", "date", is_usual=True),
    _Field("<description>{}</description>", "html", is_usual=True),
    _Field("<content:encoded>{}</content:encoded>", "html"),
    _Field("<author>{}</author>", "text"),
    _Field("<category>{}</category>", "text"),
    _Field('<category domain="https://e.example/">{}</category>', "text"),
    _Field("<comments>{}</comments>", "link"),
    _Field("<wfw:commentRss>{}</wfw:commentRss>", "link"),
    _Field("<slash:comments>{}</slash:comments>", "number"),
    _Field(
        '<enclosure url="{}" length="{}" type="video/mp4"/><media:thumbnail url="{}"/>',
        "file number file",
    ),
    _Field('<enclosure url="{}" length="{}" type="image/jpeg"/>', "file number"),
    _Field('<enclosure url="{}" length="{}" type="audio/mpeg"/>', "file number"),
    _Field("<feedburner:origLink>{}</feedburner:origLink>", "page"),
    _Field('<atom:link rel="canonical" href="{}"/>', "page"),
    _Field("<atom:updated>{}</atom:updated>", "date"),
    _Field("<itunes:duration>{}</itunes:duration>", "duration"),
    _Field("<itunes:explicit>{}</itunes:explicit>", "flag"),
    _Field('<itunes:image href="{}"/>', "file"),
    _Field("<itunes:summary>{}</itunes:summary>", "html"),
    _Field('<source url="https://o.example/feed">{}</source>', "text"),
    *_MEDIA,
    *_OTHERS,
)
_ATOM: Final = (
    _Field("<title>{}</title>", "text", is_usual=True),
    _Field('<title type="html">{}</title>', "html"),
    _Field("<id>{}</id>", "id", is_usual=True),
    _Field('<link href="{}"/>', "page", is_usual=True),
    _Field('<link rel="alternate" type="text/html" href="{}"/>', "page"),
    _Field('<link rel="replies" href="{}"/>', "link"),
    _Field('<link rel="self" href="{}"/>', "link"),
    _Field(
        '<link rel="enclosure" type="video/mp4" href="{}" length="{}"/><media:thumbnail url="{}"/>',
        "file number file",
    ),
    _Field('<link rel="enclosure" href="{}"/>', "file"),
    _Field("<published>{}</published>", "date"),
    _Field("<updated>{}</updated>", "date", is_usual=True),
    _Field("<summary>{}</summary>", "text"),
    _Field('<summary type="html">{}</summary>', "html"),
    _Field('<content type="html">{}</content>', "html"),
    _Field('<content src="{}" type="video/mp4"/>', "file"),
    _Field("<author><name>{}</name></author>", "text", is_usual=True),
    _Field("<author><name>{}</name><uri>{}</uri></author>", "text page"),
    _Field('<category term="{}"/>', "text"),
    _Field('<category term="{}" label="{}"/>', "text text"),
    *_MEDIA,
    *_OTHERS,
)
_URL: Final = (
    _Field("<loc>{}</loc>", "page", is_usual=True),
    _Field("<lastmod>{}</lastmod>", "date", is_usual=True),
    _Field("<changefreq>daily</changefreq>", ""),
    _Field("<priority>{}</priority>", "average"),
    _Field("<image:image><image:loc>{}</image:loc></image:image>", "file"),
    _Field(
        "<image:image><image:loc>{}</image:loc><image:title>{}</image:title></image:image>",
        "file text",
    ),
    _Field(
        "<video:video><video:thumbnail_loc>{}</video:thumbnail_loc><video:title>{}</video:title>"
        "<video:description>{}</video:description><video:content_loc>{}</video:content_loc>"
        "<video:duration>{}</video:duration><video:view_count>{}</video:view_count>"
        "<video:publication_date>{}</video:publication_date></video:video>",
        "file text html file number number date",
    ),
    _Field('<xhtml:link rel="alternate" hreflang="de" href="{}"/>', "page"),
    *_OTHERS[3:8],
)

_SPACES: Final = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "media": "http://search.yahoo.com/mrss/",
        "content": "http://purl.org/rss/1.0/modules/content/",
        "dc": "http://purl.org/dc/elements/1.1/",
        "wfw": "http://wellformedweb.org/CommentAPI/",
        "slash": "http://purl.org/rss/1.0/modules/slash/",
        "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
        "atom": "http://www.w3.org/2005/Atom",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "thr": "http://purl.org/syndication/thread/1.0",
        "georss": "http://www.georss.org/georss",
        "image": "http://www.google.com/schemas/sitemap-image/1.1",
        "video": "http://www.google.com/schemas/sitemap-video/1.1",
        "xhtml": "http://www.w3.org/1999/xhtml",
        "x": "http://x.example/",
    }.items()
)


class _Kind(NamedTuple):
    """A format: its entries, and what stands around them."""

    tag: str
    fields: tuple[_Field, ...]
    head: str
    tail: str


_HEADER: Final = (
    "<title>T</title><link>https://e.example/</link><description>D</description>"
    '<atom:link rel="self" href="https://e.example/feed"/>'
)
_FORMATS: Final[Mapping[str, _Kind]] = {
    "rss": _Kind(
        "item", _RSS, f'<rss version="2.0" {_SPACES}><channel>{_HEADER}', "</channel></rss>"
    ),
    "rdf": _Kind(
        "item",
        _RSS,
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        f'xmlns="http://purl.org/rss/1.0/" {_SPACES}><channel>{_HEADER}</channel>',
        "</rdf:RDF>",
    ),
    "atom": _Kind(
        "entry",
        _ATOM,
        f'<feed xmlns="http://www.w3.org/2005/Atom" {_SPACES}><title>T</title><id>urn:f</id>'
        '<link href="https://e.example/"/><updated>2024-01-01T00:00:00Z</updated>',
        "</feed>",
    ),
    "sitemap": _Kind(
        "url",
        _URL,
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {_SPACES}>',
        "</urlset>",
    ),
}

_GAPS: Final = st.sampled_from(["", "\n", "\n   ", " \t"])
#: Around a value: as it is, in lines of its own, in a CDATA section.
_STYLES: Final = st.sampled_from(["{}", "{}", "{}", "\n  {}\n ", "<![CDATA[{}]]>", " {}"])


@st.composite
def _templates(draw: st.DrawFn, fields: tuple[_Field, ...]) -> list[str]:
    """Give the markup of 12 entries that are alike."""
    usual = [field for field in fields if field.is_usual]
    kept = draw(st.lists(st.sampled_from(usual), min_size=2, unique=True))
    chosen = draw(st.permutations(kept + draw(st.lists(st.sampled_from(fields), max_size=5))))
    is_shared = draw(st.integers(0, 3)) == 0
    known: dict[str, Column] = {}
    gap = draw(_GAPS)
    rows = [""] * 12
    for field in chosen:
        columns = []
        for name in field.columns.split():
            family = "page" if is_shared and name in {"id", "link"} else name
            if not is_shared or family not in known:
                known[family] = draw(_COLUMNS[name])
            columns.append(known[family])
        style = draw(_STYLES) if field.markup.count("{}") == 1 and ">{}<" in field.markup else "{}"
        for number in range(12):
            values = [_value(column, number, style, field.markup) for column in columns]
            rows[number] += gap + field.markup.format(*values)
    return [f"{row}{gap}" for row in rows]


def _value(column: Column, number: int, style: str, markup: str) -> str:
    value = column[number % len(column)].replace("~", str(number % 10))
    if ">{}<" not in markup:
        return value.replace("<", "&lt;").replace('"', "&quot;")
    return value if "<" in value or "]]>" in value else style.format(value)


#: What may come before an entry, or be done to a document, once in a while.
_DISTURBANCES: Final = (
    *("<!-- between -->", "<!-- <item> -->", "<?pi x?>", "text", "<title>Late</title>"),
    *("<link>https://late.example/</link>", "<lastBuildDate>x</lastBuildDate>", "<item/>"),
    *("<entry></entry>", "<url><loc>x</loc></url>", "<item><item><link>x</link></item></item>"),
    *("<author><name>Late</name></author>", "&nbsp;", "<b>", "</item>", "</channel>", "\x0b"),
    *("<![CDATA[<item>]]>", "<image><url>https://e.example/i.png</url></image>", "\r\n", "\r"),
    *("<language>de</language>", "<item ></item >", "<x:item><link>x</link></x:item>", "\x00"),
    *("<item xml:lang='de'><link>https://e.example/x</link></item>", "<link href='/late'/>"),
    *("<item xml:base='https://b.example/'><link>x</link></item>", "]]>", "<", "&"),
)
_PROLOGUES: Final = (
    *("", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="UTF-8"?>', "\ufeff"),
    *("\n ", '<?xml version="1.0" encoding="iso-8859-1"?>', "<!DOCTYPE rss>", "<!-- c -->\n"),
    '<!DOCTYPE x [<!ENTITY e "v">]>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml-stylesheet href="x"?>',
)


@st.composite
def _documents(draw: st.DrawFn) -> bytes:
    """Give a document of up to 36 entries of at most three templates."""
    form = _FORMATS[draw(st.sampled_from(["rss", "rss", "atom", "sitemap", "rdf"]))]
    groups = draw(st.lists(_templates(form.fields), min_size=1, max_size=3))
    rows = draw(st.permutations([row for group in groups for row in group]))
    between = draw(_GAPS)
    entries = [f"<{form.tag}>{row}</{form.tag}>{between}" for row in rows]
    if draw(st.integers(0, 3)) == 0:
        place = draw(st.integers(0, len(entries)))
        entries.insert(place, draw(st.sampled_from(_DISTURBANCES)))
    prologue = draw(st.sampled_from(_PROLOGUES)) if draw(st.integers(0, 3)) == 0 else ""
    text = f"{prologue}{form.head}{between}{''.join(entries)}{form.tail}"
    end = draw(st.integers(0, 9))
    if end == 0:
        text = text[: draw(st.integers(0, len(text)))]
    if end == 1:
        text = text.replace("\n", "\r\n")
    return text.encode(draw(st.sampled_from(["utf-8"] * 9 + ["utf-16"])), "surrogatepass")


_END: Final = re.compile(rb"</(?:item|entry|url)>")

_OPTIONS: Final = st.fixed_dictionaries(
    {"to": st.sampled_from(["sitemap", "sitemap", "txt", "rss", "mrss", "atom"])},
    optional={
        "legacy_tags": st.booleans(),
        "images": st.booleans(),
        "videos": st.booleans(),
        "lastmod": st.sampled_from(["updated", "published", "none"]),
        "pretty": st.booleans(),
        "keep_tracking": st.booleans(),
        "limit_urls": st.integers(1, 9),
        "base_url": st.just("https://base.example/"),
        "mobile": st.booleans(),
        "sort": st.sampled_from(["input", "newest", "url"]),
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(document=_documents(), options=_OPTIONS)
def test_both_ways_lead_to_the_same(both: Both, document: bytes, options: dict[str, Any]) -> None:
    end = _END.search(document)
    casts = both(document, first_bytes=end.end() if end else 1, slice_bytes=500, **options)
    event(f"casts: {casts // 6 * 6}")
