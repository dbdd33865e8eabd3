"""Feeds that the judge must pass, and the parts that examples are built of."""

from __future__ import annotations

#: The least that passes: mapping 4.5.
MINIMAL_RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>ex.com</title><link>https://ex.com/</link><description>URLs of ex.com</description><language>en</language><atom:link rel="self" type="application/rss+xml" href="https://ex.com/feed.rss"/><item><title>https://ex.com/a?b=1&amp;c=2</title><link>https://ex.com/a?b=1&amp;c=2</link><guid isPermaLink="true">https://ex.com/a?b=1&amp;c=2</guid></item></channel></rss>"""  # noqa: E501
MINIMAL_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>ex.com</title><id>https://ex.com/</id><updated>2026-01-15T12:00:00Z</updated><author><name>ex.com</name></author><link rel="self" type="application/atom+xml" href="https://ex.com/feed.atom"/><entry><title>https://ex.com/a</title><id>https://ex.com/a</id><updated>2026-01-15T12:00:00Z</updated><link rel="alternate" href="https://ex.com/a"/><summary>https://ex.com/a</summary></entry></feed>"""  # noqa: E501

TITLE = "<title>T</title>"
LINK = "<link>https://ex.com/</link>"
DESCRIPTION = "<description>D</description>"
SELF = '<atom:link rel="self" type="application/rss+xml" href="https://ex.com/feed.rss"/>'
HEAD = TITLE + LINK + DESCRIPTION + SELF
GUID = '<guid isPermaLink="false">a1</guid>'
ITEM = f"<item>{TITLE}{GUID}</item>"
NAMESPACES = """
    xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:dcterms="http://purl.org/dc/terms/"
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:own="https://ex.com/ns"
"""
IN_ATOM = NAMESPACES.replace("xmlns:atom=", "xmlns=")


def channel(inside: str, *, namespaces: str = NAMESPACES) -> str:
    return f'<rss version="2.0" {namespaces}><channel>{inside}</channel></rss>'


def head(more: str) -> str:
    return channel(HEAD + more + ITEM)


def item(more: str) -> str:
    return channel(f"{HEAD}<item>{TITLE}{GUID}{more}</item>")


def media(more: str, attributes: str = "") -> str:
    return item(f'<media:content url="https://ex.com/a.mp4" {attributes}>{more}</media:content>')


def pub_date(text: str) -> str:
    return item(f"<pubDate>{text}</pubDate>")


FEED_AUTHOR = "<author><name>A</name></author>"
FEED_HEAD = (
    "<title>T</title><id>https://ex.com/</id><updated>2026-01-01T00:00:00Z</updated>"
    '<link rel="self" href="https://ex.com/feed.atom"/>'
)
ALTERNATE = '<link href="https://ex.com/a"/>'
SUMMARY = "<summary>S</summary>"


def feed(inside: str, *, start: str = FEED_HEAD, author: str = FEED_AUTHOR) -> str:
    return f"<feed {IN_ATOM}>{start}{author}{inside}</feed>"


def entry(
    more: str = "",
    *,
    title: str = "<title>T</title>",
    one: str = "https://ex.com/a",
    updated: str = "2026-01-02T00:00:00Z",
    body: str = ALTERNATE + SUMMARY,
) -> str:
    return f"<entry>{title}<id>{one}</id><updated>{updated}</updated>{body}{more}</entry>"


def entries(count: int, one: str) -> str:
    many = (entry(one=one, updated=f"2026-01-02T00:00:{second:02}Z") for second in range(count))
    return "".join(many)


CLEAN = {
    "minimal RSS": MINIMAL_RSS,
    "minimal Atom": MINIMAL_ATOM,
    "no entries": feed(""),
    "no items": channel(HEAD),
    "channel": head(
        "<category>c</category><category>d</category><ttl>60</ttl>"
        "<managingEditor>a@ex.com (A B)</managingEditor>"
        "<lastBuildDate>Thu, 01 Jan 2026 00:00:00 GMT</lastBuildDate>"
        "<image><url>https://ex.com/l.png</url><title>T</title><link>https://ex.com/</link>"
        "<width>144</width><height>400</height></image>"
        "<skipHours><hour>0</hour></skipHours><skipDays><day>Monday</day></skipDays>"
        "<own:word>anything <b>goes</b></own:word>"
    ),
    "item": item(
        "<!-- a comment --><link>https://ex.com/a%20b</link><author>a@ex.com</author>"
        "<description><![CDATA[<a href='https://ex.com/'>a</a>]]></description>"
        "<content:encoded>&lt;b&gt;b&lt;/b&gt;</content:encoded>"
        "<pubDate>Mon, 06 Jan 2025 10:00:00 +0100</pubDate>"
        "<dcterms:modified>2025-01-07T10:00:00+01:00</dcterms:modified>"
        '<enclosure url="https://ex.com/a.mp3" type="audio/mpeg" length="0"/>'
        '<source url="https://ex.com/feed">T</source>'
    ),
    "named zones": pub_date("06 Jan 2025 10:00 EST"),
    "date before UTC": pub_date("Mon, 06 Jan 2025 10:00:00 -0330"),
    "dates of Dublin Core": item(
        "<dc:date>2025</dc:date><dcterms:created>2025-01-06T10:00Z</dcterms:created>"
        "<dcterms:valid>start=2025-01-06; end=2025-02-06; scheme=W3C-DTF</dcterms:valid>"
    ),
    "title in hexadecimal": channel(
        HEAD + f"<item><title>a &#x3C;b> &#x26;amp; c</title>{GUID}</item>"
    ),
    "itunes": head(
        '<itunes:category text="Arts"/><itunes:explicit>false</itunes:explicit>'
        "<itunes:owner><itunes:email>a@ex.com</itunes:email></itunes:owner>"
    ),
    "media": media(
        '<media:title type="plain">T</media:title><media:keywords>a, b</media:keywords>'
        '<media:rating scheme="urn:mpaa">pg-13</media:rating>'
        '<media:thumbnail url="https://ex.com/t.jpg" width="60" height="30" time="00:00:05.5"/>'
        '<media:category scheme="urn:x" label="L">c</media:category>'
        f'<media:hash>{"0" * 32}</media:hash><media:hash algo="sha-1">{"f" * 40}</media:hash>'
        '<media:player url="https://ex.com/p"/><media:credit role="owner">A</media:credit>'
        '<media:text type="plain" lang="en" start="00:00:01" end="2.5">t</media:text>'
        '<media:restriction relationship="allow" type="country">de AT</media:restriction>'
        '<media:restriction relationship="deny">all</media:restriction>'
        '<media:community><media:starRating average="4.5" count="3" min="0" max="5"/>'
        '<media:statistics views="7" favorites="1"/><media:tags>a:2, b</media:tags>'
        "</media:community><media:comments><media:comment>c</media:comment></media:comments>"
        '<media:embed url="https://ex.com/e"><media:param name="a">b</media:param></media:embed>'
        '<media:status state="active"/><media:price type="rent" price="19.99" currency="EUR"/>'
        '<media:license type="text/html" href="https://ex.com/l">L</media:license>'
        '<media:subTitle type="text/vtt" lang="en" href="https://ex.com/s.vtt"/>'
        '<media:rights status="userCreated"/><media:location start="00:01"/>'
        "<media:scenes><media:scene><sceneTitle>S</sceneTitle>"
        "<sceneStartTime>00:15</sceneStartTime></media:scene></media:scenes>",
        'fileSize="1" type="video/mp4; codecs=avc1" medium="video" isDefault="true" '
        'expression="full" bitrate="128.5" duration="10.5" width="640" height="360" lang="en"',
    ),
    "media by player": item(
        '<media:player url="https://ex.com/p"/><media:content medium="video"/>'
    ),
    "group": item(
        '<media:group><media:content url="https://ex.com/a.mp4" isDefault="true"/>'
        '<media:content url="https://ex.com/b.mp4"/></media:group>'
    ),
    "texts of Atom": feed(
        entry(
            '<rights type="html">&lt;b&gt;b&lt;/b&gt;</rights>'
            '<content type="xhtml"> <div xmlns="http://www.w3.org/1999/xhtml">'
            '<a href="https://ex.com/">a</a></div> </content>',
        )
    ),
    "base of Atom": feed(
        entry('<content type="html" xml:base="https://ex.com/">&lt;a href="b"&gt;</content>')
    ),
    "base of XHTML in Atom": feed(
        entry(
            '<rights type="xhtml" xml:base="https://ex.com/">'
            '<div xmlns="http://www.w3.org/1999/xhtml"><a href="b">b</a></div></rights>'
        )
    ),
    "content of Atom elsewhere": feed(
        entry('<content type="video/mp4" src="https://ex.com/a.mp4"/>')
    ),
    "content of Atom in base64": feed(
        entry('<content type="image/png" xml:lang="">AAEC\nAwQF</content>')
    ),
    "alternates of Atom": feed(
        entry('<link rel="alternate" hreflang="de" href="https://ex.com/de"/>')
    ),
    "IRIs of Atom": feed(entry(one="https://ex.com/ü")),
    "text content of Atom": feed(entry(body=ALTERNATE + "<content>C</content>")),
    "XML content of Atom": feed(
        entry('<content type="image/svg+xml"><svg xmlns="http://www.w3.org/2000/svg"/></content>')
    ),
    "comment in a text": item("<link>https://ex.com/<!-- c -->a</link>"),
    "URN of Atom": feed(entry(one="urn:isbn:0451450523")),
    "tag of Atom": feed(entry(one="tag:ex.com,2026-01:a")),
    "UUID of Atom": feed(entry(one="urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a")),
    "author of the entry": feed(entry(FEED_AUTHOR), author=""),
    "author of the source": feed(entry(f"<source>{FEED_AUTHOR}</source>"), author=""),
    "media in Atom": feed(
        entry('<media:thumbnail url="https://ex.com/t.jpg"/><own:word>free</own:word>')
    ),
}
