"""For every rule the feeds that break it, and no other."""

from __future__ import annotations

import re

from tests.feedrules.clean import (
    ALTERNATE,
    CLEAN,
    DESCRIPTION,
    FEED_HEAD,
    GUID,
    HEAD,
    ITEM,
    LINK,
    MINIMAL_ATOM,
    MINIMAL_RSS,
    NAMESPACES,
    SELF,
    SUMMARY,
    TITLE,
    channel,
    entries,
    entry,
    feed,
    head,
    item,
    media,
    pub_date,
)

#: A rule, and documents that break it alone. Dates are held against 2026-01-15T12:00Z.
BROKEN = {
    # any document
    "SAXError": ["", "<rss>", "<rss>&nbsp;</rss>"],
    "UndefinedElement": [
        "<rdf/>",
        item("<media:heading>T</media:heading>"),
        item("<summary>S</summary>"),
        head('<media:content url="https://ex.com/a.mp4"/>'),
        item("<description>a <b>b</b></description>"),
        feed(entry("<modified>2026-01-01T00:00:00Z</modified>")),
        feed(entry("<rights>a <b>b</b></rights>")),
    ],
    "UndefinedText": [item("stray"), feed("stray")],
    "UnexpectedAttribute": [
        item('<media:thumbnail url="https://ex.com/t.jpg" size="1"/>'),
        feed(entry('<category term="a" name="b"/>')),
    ],
    "DuplicateElement": [head(TITLE), item(TITLE), feed(entry(SUMMARY))],
    "MissingAttribute": [
        item('<enclosure url="https://ex.com/a.mp3" type="audio/mpeg"/>'),
        item('<media:content medium="video"/>'),
        media("<media:thumbnail/>"),
        media("<media:restriction>all</media:restriction>"),
        feed(entry("<category/>")),
        channel(HEAD).replace(' version="2.0"', ""),
    ],
    "MissingElement": [
        f'<rss version="2.0" {NAMESPACES}/>',
        head("<image><url>https://ex.com/l.png</url><title>T</title></image>"),
        feed(entry(), author=""),
        feed("", author=""),
        feed(entry(), author="<author/>"),
        feed(entry(title="")),
        feed("", start=FEED_HEAD.replace("<id>https://ex.com/</id>", "")),
    ],
    "InvalidAttribute": [
        media("", 'medium="Video"'),
        media("", 'expression="half"'),
        media('<media:restriction relationship="maybe">all</media:restriction>'),
    ],
    "InvalidLanguage": [
        head("<language>English language</language>"),
        feed(entry()).replace("<feed", '<feed xml:lang="de_DE"'),
    ],
    "InvalidMIMEType": [
        item('<enclosure url="https://ex.com/a.mp3" type="mp3" length="0"/>'),
        media("", 'type="video"'),
        feed(entry('<content type="html" src="https://ex.com/a"/>')),
    ],
    "InvalidFullLink": [
        item("<link>/a</link>"),
        item("<link>https://ex.com/a b</link>"),
        item("<link>https://ex.com/[a]</link>"),
        item("<link>https://ex.com:port/</link>"),
        item("<link>https://ex.com/%zz</link>"),
        item("<link>https:///a</link>"),
        item('<enclosure url="ftp://ex.com/a.mp3" type="audio/mpeg" length="0"/>'),
        item('<media:content url="a.mp4"/>'),
    ],
    "UriNotIri": [item("<link>https://ex.com/ü</link>")],
    "InvalidNonNegativeInteger": [
        item('<enclosure url="https://ex.com/a.mp3" type="audio/mpeg" length="1 MB"/>'),
        media('<media:community><media:statistics views="1,234"/></media:community>'),
    ],
    "InvalidPositiveInteger": [media("", 'fileSize="0"'), media("", 'width="-1"')],
    "InvalidNumber": [media("", 'duration="1:10"'), media("", 'bitrate="fast"')],
    "InvalidBooleanAttribute": [
        media("", 'isDefault="yes"'),
        item("").replace('isPermaLink="false"', 'isPermaLink="FALSE"'),
        item("").replace('isPermaLink="false"', 'isPermaLink="True"'),
    ],
    "InvalidContact": [
        item("<author>Jane Doe</author>"),
        head("<webMaster>Jane Doe (jane@ex.com)</webMaster>"),
        feed(entry("<contributor><name>A</name><email>nobody</email></contributor>")),
    ],
    "InvalidW3CDTFDate": [
        item("<dcterms:modified>Mon, 06 Jan 2025 10:00:00 GMT</dcterms:modified>"),
        item("<dc:date>2025-02-30</dc:date>"),
        item("<dc:date>2025-02T10:00Z</dc:date>"),
    ],
    "InvalidPeriod": [
        item("<dcterms:valid>2025-01-06</dcterms:valid>"),
        item("<dcterms:valid>start=soon</dcterms:valid>"),
        item("<dcterms:valid>end=2025; scheme=ISO</dcterms:valid>"),
    ],
    "InvalidNamespace": [
        MINIMAL_RSS.replace("<rss", '<rss xmlns:m="http://search.yahoo.com/mrss"')
    ],
    # RSS 2.0
    "InvalidRSSVersion": [channel(HEAD).replace('version="2.0"', 'version="0.92"')],
    "MissingTitle": [channel(LINK + DESCRIPTION + SELF)],
    "MissingLink": [channel(TITLE + DESCRIPTION + SELF)],
    "MissingDescription": [channel(TITLE + LINK + SELF)],
    "ItemMustContainTitleOrDescription": [channel(f"{HEAD}<item>{GUID}</item>")],
    "DuplicateValue": [channel(HEAD + ITEM + ITEM)],
    "InvalidHttpGUID": [
        channel(f"{HEAD}<item>{TITLE}<guid>a1</guid></item>"),
        channel(f'{HEAD}<item>{TITLE}<guid isPermaLink="true">urn:uuid:a</guid></item>'),
    ],
    "UseZeroForUnknown": [
        item('<enclosure url="https://ex.com/a.mp3" type="audio/mpeg" length="-1"/>')
    ],
    "InvalidRFC2822Date": [
        pub_date("2025-01-06T10:00:00Z"),
        pub_date("Mon, 06 Jan 2025 10:00:00"),
        pub_date("Mon, 06 Jan 2025 10:00:00 CET"),
        pub_date("Mon, 06 Jan 2025 9:00:00 +0100"),
        pub_date("Mon, 06 Jan 2025 24:00:00 +0100"),
        pub_date("Mon, 06 Jan 2025 10:00:00 +0160"),
        pub_date("Mon, 06 Jän 2025 10:00:00 +0100"),
        pub_date("Mon, 06 Foo 2025 10:00:00 +0100"),
        head("<lastBuildDate>today</lastBuildDate>"),
    ],
    "IncorrectDOW": [pub_date("Tue, 06 Jan 2025 10:00:00 +0100")],
    "InvalidWidth": [
        head(
            "<image><url>https://ex.com/l.png</url><title>T</title><link>https://ex.com/</link>"
            "<width>145</width></image>"
        )
    ],
    "InvalidHeight": [
        head(
            "<image><url>https://ex.com/l.png</url><title>T</title><link>https://ex.com/</link>"
            "<height>40000</height></image>"
        )
    ],
    "InvalidDay": [head("<skipDays><day>Mon</day></skipDays>")],
    "InvalidHour": [head("<skipHours><hour>25</hour></skipHours>")],
    "InvalidItunesExplicit": [
        CLEAN["itunes"].replace("false</itunes:explicit>", "clean</itunes:explicit>")
    ],
    "InvalidDuration": [
        CLEAN["itunes"].replace("</item>", "<itunes:duration>1.5</itunes:duration></item>")
    ],
    # Media RSS 1.5.1
    "MediaGroupWithoutAlternatives": [
        item('<media:group><media:content url="https://ex.com/a.mp4"/></media:group>')
    ],
    "InvalidCreditRole": [
        media('<media:credit role="uploader">A</media:credit>'),
        media('<media:credit role="uploader" scheme="urn:yvs">A</media:credit>'),
        media('<media:credit role="Owner">A</media:credit>'),
    ],
    "InvalidMediaRating": [
        media('<media:rating scheme="urn:mpaa">PG-13</media:rating>'),
        media("<media:rating>mature</media:rating>"),
    ],
    "InvalidMediaHash": [media("<media:hash>00</media:hash>")],
    "InvalidMediaTextType": [media('<media:title type="text">T</media:title>')],
    "InvalidNPTTime": [media('<media:thumbnail url="https://ex.com/t.jpg" time="0:5"/>')],
    "InvalidCountryCode": [
        media('<media:restriction relationship="deny" type="country">xx</media:restriction>'),
        media('<media:restriction relationship="deny" type="country">De</media:restriction>'),
    ],
    "InvalidMediaTags": [media("<media:community><media:tags>a:b</media:tags></media:community>")],
    "InvalidStatus": [media('<media:status state="Blocked"/>')],
    "InvalidPrice": [
        media('<media:price type="gift"/>'),
        media('<media:price type="rent" price="-1"/>'),
        media('<media:price type="rent" price="1" currency="Euro"/>'),
    ],
    # Atom 1.0
    "InvalidIRI": [
        feed(entry(one=" https://ex.com/a ")),
        feed(entry(one="a")),
        feed(entry('<link rel="related" href="a b"/>')),
    ],
    "InvalidUUID": [
        feed(entry(one="urn:uuid:1")),
        feed(entry(one="urn:uuid:1225c695cfb84ebbaaaa80da344efa6a")),
    ],
    "InvalidTAG": [feed(entry(one="tag:ex.com:a"))],
    "InvalidRFC3339Date": [
        feed(entry(updated="2026-01-02")),
        feed(entry(updated="2026-01-02T10:00Z")),
        feed(entry(updated="2026-01-02t10:00:00z")),
        feed(entry(updated="2026-01-02T10:00:00")),
        feed(entry(updated="2026-01-02T24:00:00Z")),
        feed(entry(updated="2026-01-02T10:00:00+01:60")),
    ],
    "MisplacedMetadata": [feed(entry() + '<link rel="related" href="https://ex.com/b"/>')],
    "DuplicateIds": [feed(entries(10, "https://ex.com/a"))],
    "MissingContentOrAlternate": [feed(entry(body=SUMMARY))],
    "DuplicateAtomLink": [feed(entry(ALTERNATE)), feed(ALTERNATE + ALTERNATE)],
    "MissingSummary": [
        feed(entry(body='<content type="video/mp4" src="https://ex.com/a.mp4"/>')),
        feed(entry(body='<content type="image/png">AAEC</content>')),
    ],
    "InvalidTextType": [feed(entry(title='<title type="text/html">T</title>'))],
    "MissingXhtmlDiv": [
        feed(entry('<content type="xhtml">text</content>')),
        feed(entry('<content type="xhtml"><div>text</div></content>')),
    ],
    "ContentNotEmpty": [
        feed(entry('<content type="video/mp4" src="https://ex.com/a.mp4">a</content>'))
    ],
    "InvalidBase64": [feed(entry('<content type="image/png">AAE</content>'))],
    # warnings
    "NotBlank": [
        channel(f"{HEAD}<item><title/>{GUID}</item>"),
        item("<category> </category>"),
        feed(entry(title="<title/>")),
        feed(entry(), author="<author><name/></author>"),
    ],
    "ImplausibleDate": [
        pub_date("Thu, 15 Jan 2026 12:10:01 GMT"),
        pub_date("Mon, 01 Jan 1989 00:00:00 GMT").replace("Mon", "Sun"),
        feed(entry(updated="2026-01-16T00:00:00Z")),
    ],
    "ContainsRelRef": [
        item("<description>&lt;a href='b'&gt;</description>"),
        item(f"{DESCRIPTION}<content:encoded>&lt;img src='/b'&gt;</content:encoded>"),
        feed(entry('<content type="html">&lt;img src="b"&gt;</content>')),
        feed(
            entry(
                '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">'
                '<a href="b">a</a></div></content>'
            )
        ),
    ],
    "NonCanonicalNamespace": [
        MINIMAL_RSS.replace("<rss", '<rss xmlns:m="https://www.rssboard.org/media-rss"')
    ],
    "MissingAtomSelfLink": [channel(TITLE + LINK + DESCRIPTION)],
    "SelfNotAtom": [channel(HEAD.replace("application/rss+xml", "text/xml"))],
    "MisplacedItem": [channel(HEAD + ITEM + "<ttl>60</ttl>")],
    "MissingGuid": [channel(f"{HEAD}<item>{TITLE}</item>")],
    "NotSufficientlyUnique": [channel(HEAD + ITEM.replace("a1", "12345678"))],
    "ProblematicalRFC822Date": [
        pub_date("Mon, 06 Jan 25 10:00:00 +0100"),
        pub_date("Mon, 6 Jan 2025 10:00:00 +0100"),
        pub_date("Mon, 06 Jan 2025 10:00:00 A"),
        pub_date("Mon, 06 Jan 2025  10:00:00 +0100"),
        pub_date("mon, 06 jan 2025 10:00:00 gmt"),
        pub_date("Mon, 06 Jan 2025 10:00:00 +0545"),
        pub_date("Thu, 06 Jan 94 10:00:00 GMT"),
    ],
    "DuplicateItemSemantics": [item("<author>a@ex.com</author><dc:creator>A</dc:creator>")],
    "DuplicateEnclosure": [
        item('<enclosure url="https://ex.com/a.mp3" type="audio/mpeg" length="0"/>' * 2)
    ],
    "ContainsHTML": [
        channel(f"{HEAD}<item><title>a &lt;b> c</title>{GUID}</item>"),
        channel(f"{HEAD}<item><title><![CDATA[a &amp; c]]></title>{GUID}</item>"),
        channel(f"{HEAD}<item><title><![CDATA[a &#x3C; c]]></title>{GUID}</item>"),
    ],
    "NeedDescriptionBeforeContent": [
        item("<content:encoded>a</content:encoded>"),
        item(f"<content:encoded>a</content:encoded>{DESCRIPTION}"),
    ],
    "MissingItunesElement": [CLEAN["itunes"].replace('<itunes:category text="Arts"/>', "")],
    "MissingItunesEmail": [
        CLEAN["itunes"].replace("<itunes:email>a@ex.com</itunes:email>", "<itunes:name/>")
    ],
    "DeprecatedMediaAdult": [media("<media:adult>true</media:adult>")],
    "DuplicateDefault": [
        item(
            "<media:group>"
            + '<media:content url="https://ex.com/a.mp4" isDefault="true"/>' * 2
            + "</media:group>"
        )
    ],
    "AvoidNamespacePrefix": [re.sub("<(/?)", r"<\1a:", MINIMAL_ATOM.replace("xmlns=", "xmlns:a="))],
    "NonCanonicalURI": [
        feed(entry(one="https://EX.com/a")),
        feed(entry(one="HTTPS://ex.com/a")),
        feed(entry(one="https://ex.com:443/a")),
        feed(entry(one="https://ex.com:/a")),
        feed(entry(one="https://ex.com")),
        feed(entry(one="https://ex.com/b/../a")),
    ],
    "MissingSelf": [feed("", start=FEED_HEAD.replace('rel="self"', 'rel="related"'))],
    "RelativeSelf": [feed("", start=FEED_HEAD.replace("https://ex.com/feed.atom", "feed.atom"))],
    "DuplicateEntries": [feed(entries(2, "https://ex.com/a"))],
    "DuplicateUpdated": [feed(entry() + entry(one="https://ex.com/b"))],
    "MissingTextualContent": [feed(entry(body=ALTERNATE))],
}
#: What cannot be broken alone.
ALONG = {"DuplicateIds": {"DuplicateEntries"}}
