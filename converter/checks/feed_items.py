"""Rules for the items of RSS: https://www.rssboard.org/rss-specification#hrelementsOfLtitemgt."""

from __future__ import annotations

from typing import Final

from converter.checks import feeds, media
from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.feeds import PROFILE, RSS, RSS_1, quoted_text, vocabulary
from converter.checks.rule import ERROR, WARNING, CheckRule
from converter.extensions.atom_constructs import parse_author
from converter.values import numbers, urls
from converter.values.digests import DigestSet, digest
from converter.values.urls import quoted, syntax
from converter.xml import namespaces

_GUID: Final = f"{RSS}#ltguidgtSubelementOfLtitemgt"
_ENCLOSURE: Final = f"{RSS}#ltenclosuregtSubelementOfLtitemgt"

RULES: Final = (
    CheckRule(
        "feed-item-without-title-and-description", ERROR, "an item has no title and no description",
        why="Feed readers have nothing to show; RSS requires one of the two.",
        fix="Add a title or a description.",
        source=f"{RSS}#hrelementsOfLtitemgt", convert="repaired",
    ),
    CheckRule(
        "feed-item-incomplete", ERROR, "an item of RSS 1.0 has no title or no link",
        why="RSS 1.0 requires both.",
        fix="Add the missing element.",
        source=f"{RSS_1}#s5.5", convert="repaired",
    ),
    CheckRule(
        "feed-about-missing", ERROR, "an item of RSS 1.0 has no rdf:about",
        why="The list of the channel names the items by this attribute.",
        fix="Add rdf:about with the URL of the item.",
        source=f"{RSS_1}#s5.5", convert="repaired",
    ),
    CheckRule(
        "feed-guid-missing", WARNING, "an item has no guid",
        why="Feed readers cannot tell a changed item from a new one, and show it twice.",
        fix='Add <guid isPermaLink="false"> with an id that never changes, or <guid> with the URL.',
        source=f"{PROFILE}#element-channel-item-guid", convert="repaired",
    ),
    CheckRule(
        "feed-guid-duplicate", ERROR, "several items have the same guid",
        why="A guid identifies one item; feed readers show only one of them.",
        fix="Give each item a guid of its own.",
        source=_GUID, convert="repaired",
    ),
    CheckRule(
        "feed-permalink-not-url", ERROR, "a guid is a permalink by its attribute, but not a URL",
        why="Without isPermaLink=\"false\" a guid is the URL of the page, and readers open it.",
        fix='Write isPermaLink="false", or the URL of the page.',
        source=_GUID, convert="repaired",
    ),
    CheckRule(
        "feed-permalink-unknown", ERROR, "isPermaLink is neither true nor false",
        why="What feed readers make of another value is undefined.",
        fix="Write true or false, in lower case.",
        source=f"{PROFILE}#element-channel-item-guid", convert="repaired",
    ),
    CheckRule(
        "feed-author-not-mail", ERROR, "an author, editor or webmaster of RSS has no mail address",
        why="These elements of RSS hold mail addresses; feed readers make links of them.",
        fix="Write mail@example.com (Name), or only the name in <dc:creator>.",
        source=f"{PROFILE}#element-channel-item-author", convert="repaired",
    ),
    CheckRule(
        "feed-enclosure-attribute-missing", ERROR, "an enclosure has no url, length or type",
        why="RSS requires all three; podcast programs skip the file.",
        fix='Add the attribute; length="0" if the size is unknown.',
        source=_ENCLOSURE, convert="repaired",
    ),
    CheckRule(
        "feed-enclosure-length", ERROR, "the length of an enclosure is not a number of bytes",
        why="Podcast programs cannot show the size of the file, or skip it.",
        fix="Write the number of bytes in digits, 0 if it is unknown.",
        source=_ENCLOSURE, convert="repaired",
    ),
    CheckRule(
        "feed-enclosure-url", ERROR, "the URL of an enclosure is not an http URL",
        why="RSS requires http or https; podcast programs cannot load the file.",
        fix="Write the absolute URL, with https://.",
        source=_ENCLOSURE, convert="dropped",
    ),
    CheckRule(
        "feed-enclosure-several", WARNING, "an item has several enclosures",
        why="Many feed readers take only one, either the first or the last.",
        fix="Keep one enclosure; list the others as <media:content>.",
        source=f"{PROFILE}#element-channel-item-enclosure", convert="kept",
    ),
    CheckRule(
        "feed-source-url-missing", ERROR, "the source of an item has no URL",
        why="RSS requires the attribute url, which links to the feed that the item comes from.",
        fix="Add the attribute url, or remove the element.",
        source=f"{RSS}#ltsourcegtSubelementOfLtitemgt", convert="dropped",
    ),
)  # fmt: skip

_ITEM: Final = vocabulary(
    "title link description author comments guid pubDate source", "category enclosure"
)
_ITEM_OF_RDF: Final = vocabulary("title link description")
_OF_RDF: Final = frozenset({"1.0", "0.90"})
#: The prefix follows.
_ABOUT: Final = f"{namespaces.URI_OF['rdf']} about "
_PATH: Final = "item"


def check_mail(context: CheckContext, element: Element, path: str) -> None:
    """Check that an element has a mail address."""
    if parse_author(element.text.strip()).email is None:
        message = f"{quoted_text(element)}: no mail address"
        context.report("feed-author-not-mail", message, element, path=path)


class ItemCheck:
    """Checks the items of a document of RSS."""

    def __init__(self, context: CheckContext, version: str) -> None:
        self.count = 0
        self._context = context
        self._version = version
        self._words = _ITEM_OF_RDF if version in _OF_RDF else _ITEM
        self._guids = DigestSet()

    def add(self, item: Element, *, has_thumbnail: bool) -> None:
        """Check an item.

        Args:
            item: the element.
            has_thumbnail: the channel has a thumbnail for all items.
        """
        self.count += 1
        context = self._context
        found: dict[str, list[Element]] = {}
        for child in item.children:
            found.setdefault(child.name, []).append(child)
        link = found["link"][0].text.strip() if "link" in found else ""
        context.entry = link if urls.is_http(link) else None
        self._check_fields(item)
        self._check_required(item, found)
        self._check_guid(item, found.get("guid"))
        self._check_enclosures(found.get("enclosure", []))
        media.check_entry(context, item, _PATH, has_thumbnail=has_thumbnail)

    def _check_fields(self, item: Element) -> None:
        seen: set[str] = set()
        for child in item.children:
            path = f"{_PATH}/{child.name}"
            is_defined = feeds.is_known(self._context, child, self._words, seen, path)
            check = _FIELDS.get(child.name)
            if check is not None and (is_defined or ":" in child.name):
                check(self._context, child, path)

    def _check_required(self, item: Element, found: dict[str, list[Element]]) -> None:
        context, has_content = self._context, feeds.has_content
        if self._version in _OF_RDF:
            for name in ("title", "link"):
                if not has_content(found.get(name)):
                    message, path = f"<item> without <{name}>, or it is empty", f"{_PATH}/{name}"
                    context.report("feed-item-incomplete", message, item, path=path)
            if self._version == "1.0" and not _has_about(item):
                context.report("feed-about-missing", "<item> without rdf:about", item, path=_PATH)
        elif not has_content(found.get("title")) and not has_content(found.get("description")):
            message = "<item> without <title> and <description>, or they are empty"
            code = "feed-item-without-title-and-description"
            context.report(code, message, item, path=_PATH)

    def _check_guid(self, item: Element, guids: list[Element] | None) -> None:
        context, path = self._context, f"{_PATH}/guid"
        value = guids[0].text.strip() if guids else ""
        if not guids or not value:
            if self._version.startswith("2"):
                message = "an empty <guid>" if guids else "<item> without <guid>"
                context.report("feed-guid-missing", message, guids[0] if guids else item, path=path)
            return
        guid = guids[0]
        flag = guid.attributes.get("isPermaLink", "true").strip()
        if flag not in {"true", "false"}:
            message = f"isPermaLink={quoted(flag)}; expected true or false"
            context.report("feed-permalink-unknown", message, guid, path=f"{path}/@isPermaLink")
        parts = syntax.split(value)
        if flag.lower() == "true" and not (parts.scheme and parts.authority):
            message = f"{quoted_text(guid)}: not a URL, and isPermaLink is not false"
            context.report("feed-permalink-not-url", message, guid, path=path)
        if not self._guids.add(digest(value)):
            message = f"{quoted_text(guid)}: another item has the same guid"
            context.report("feed-guid-duplicate", message, guid, path=path)

    def _check_enclosures(self, enclosures: list[Element]) -> None:
        if len(enclosures) > 1 and self._version.startswith("2"):
            message, path = f"{len(enclosures)} <enclosure> in an item", f"{_PATH}/enclosure"
            self._context.report("feed-enclosure-several", message, enclosures[1], path=path)


def _check_enclosure(context: CheckContext, enclosure: Element, path: str) -> None:
    values = {
        name: enclosure.attributes.get(name, "").strip() for name in ("url", "length", "type")
    }
    for name, value in values.items():
        if not value:
            message = f"<enclosure> without {name}, or it is empty"
            at = f"{path}/@{name}"
            context.report("feed-enclosure-attribute-missing", message, enclosure, path=at)
    url, length = values["url"], values["length"]
    if url and not (urls.is_http(url) and urls.host_of(url)):
        message = f"<enclosure> url={quoted(url)}: not an absolute http(s) URL"
        context.report("feed-enclosure-url", message, enclosure, path=f"{path}/@url")
    if length and not _is_whole(length):
        message = f"<enclosure> length={quoted(length)}: not a number of bytes"
        context.report("feed-enclosure-length", message, enclosure, path=f"{path}/@length")


def _has_about(item: Element) -> bool:
    return any(name.startswith(_ABOUT) for name in item.attributes)


def _is_whole(value: str) -> bool:
    try:
        numbers.whole(value)
    except ValueError:
        return False
    return True


def _check_source(context: CheckContext, source: Element, path: str) -> None:
    url, path = source.attributes.get("url", ""), f"{path}/@url"
    if not url.strip():
        message = "<source> without url, or it is empty"
        context.report("feed-source-url-missing", message, source, path=path)
    else:
        feeds.check_url(context, url, "<source> url", source, path)


_FIELDS: Final = {
    "title": feeds.check_plain,
    "link": feeds.check_link,
    "comments": feeds.check_link,
    "pubDate": feeds.check_rfc822,
    "author": check_mail,
    "enclosure": _check_enclosure,
    "source": _check_source,
    "dc:date": feeds.check_w3c,
    "dcterms:modified": feeds.check_w3c,
    "dcterms:created": feeds.check_w3c,
    "dcterms:issued": feeds.check_w3c,
    "atom:updated": feeds.check_rfc3339,
    "atom:published": feeds.check_rfc3339,
}
