"""Rules for the channel of RSS: https://www.rssboard.org/rss-specification."""

from __future__ import annotations

from typing import Final

from converter.checks import feeds, media
from converter.checks.context import CheckContext
from converter.checks.elements import Element, ElementReader
from converter.checks.feed_items import ItemCheck, check_mail
from converter.checks.feeds import PROFILE, RSS, vocabulary
from converter.checks.rule import ERROR, WARNING, CheckRule
from converter.values.urls import quoted
from converter.xml import namespaces

_REQUIRED: Final = f"{RSS}#requiredChannelElements"

RULES: Final = (
    CheckRule(
        "feed-channel-missing", ERROR, "a document of RSS has no channel",
        why="All data of RSS are in the channel.",
        fix="Write <channel> in the root element, with title, link, description and the items.",
        source=f"{RSS}#whatIsRss", convert="repaired",
    ),
    CheckRule(
        "feed-channel-title-missing", ERROR, "a channel has no title",
        why="Feed readers list feeds by title; RSS requires it.",
        fix="Add <title> with the name of the site.",
        source=_REQUIRED, convert="repaired",
    ),
    CheckRule(
        "feed-channel-link-missing", ERROR, "a channel has no link",
        why="Feed readers link to the site with it; RSS requires it.",
        fix="Add <link> with the URL of the site.",
        source=_REQUIRED, convert="repaired",
    ),
    CheckRule(
        "feed-channel-description-missing", ERROR, "a channel has no description",
        why="RSS requires it.",
        fix="Add <description> with a sentence about the site; it may be empty.",
        source=_REQUIRED, convert="repaired",
    ),
    CheckRule(
        "feed-image-incomplete", ERROR, "the image of a channel has no url, title or link",
        why="RSS requires all three; feed readers show no image without them.",
        fix="Add the missing elements to <image>.",
        source=f"{RSS}#ltimagegtSubelementOfLtchannelgt", convert="repaired",
    ),
    CheckRule(
        "feed-metadata-after-items", WARNING, "an element of a channel follows an item",
        why="Programs that read a feed while it is loaded do not know it when they need it.",
        fix="Write all items at the end of the channel.",
        source=f"{PROFILE}#element-channel-item", convert="repaired",
    ),
)  # fmt: skip

_VERSIONS: Final = frozenset({"0.91", "0.92", "0.93", "0.94", "2.0"})
_CHANNEL: Final = vocabulary(
    "title link description language copyright managingEditor webMaster pubDate lastBuildDate "
    "generator docs cloud ttl image rating textInput textinput skipHours skipDays",
    "category item",
)
#: RSS 1.0 has the list of items in the channel, and the items, image and text input beside it.
_CHANNEL_OF_RDF: Final = vocabulary("title link description image items textinput", "item")
_IMAGE_PARTS: Final = ("url", "title", "link")
_FIELDS: Final = {
    "title": feeds.check_plain,
    "link": feeds.check_link,
    "docs": feeds.check_link,
    "pubDate": feeds.check_rfc822,
    "lastBuildDate": feeds.check_rfc822,
    "managingEditor": check_mail,
    "webMaster": check_mail,
    "dc:date": feeds.check_w3c,
}


class RssCheck:
    """Checks a document of RSS, in the order of its elements."""

    def __init__(self, context: CheckContext, reader: ElementReader) -> None:
        self._context = context
        self._reader = reader
        self._items: ItemCheck | None = None
        self._seen: set[str] = set()
        """The defined elements of the channel, and its thumbnail."""
        self._has_self = False

    @property
    def count(self) -> int:
        """The number of items."""
        return self._items.count if self._items else 0

    def add(self, element: Element) -> None:
        """Check the next child of the channel, or of the root."""
        container = element.container
        if not self._is_rss() or container is None:
            return
        if self._items is None:
            self._items = ItemCheck(self._context, self._version())
        if element.name == "item":
            self._items.add(element, has_thumbnail="media:thumbnail" in self._seen)
        elif container.name == "channel":
            self._context.entry = None
            self._add_field(element)
        elif container.name == "rss":
            if not element.names.namespace:
                message = f"<{element.written_name}> beside the channel"
                self._context.report("feed-element-undefined", message, element, path=element.name)
        elif element.name == "image":
            self._check_image(element, "image")

    def finish(self) -> None:
        """Check what only the end of the document shows."""
        context, root = self._context, self._reader.root
        context.entry = None
        if not self._is_rss() or root is None:
            self._report_root(root)
            return
        if root.name == "rss" and self._version() not in _VERSIONS:
            self._report_version(root)
        channel = next((it for it in self._reader.containers if it.name == "channel"), None)
        if channel is None:
            message = f"<{root.written_name}> without <channel>"
            context.report("feed-channel-missing", message, root, path="channel")
            return
        for name in ("title", "link", "description"):
            if name not in self._seen:
                message = f"<channel> without <{name}>, or it is empty"
                code, path = f"feed-channel-{name}-missing", f"channel/{name}"
                context.report(code, message, channel, path=path)
        if self._version().startswith("2") and not self._has_self:
            message = 'no <atom:link rel="self"> in the channel'
            context.report("feed-self-missing", message, channel, path="channel/atom:link")

    # -- the version --------------------------------------------------------------------------

    def _is_rss(self) -> bool:
        root = self._reader.root
        return root is not None and root.name in {"rss", "rdf:RDF"}

    def _version(self) -> str:
        """Return the version; `1.0` and `0.90` for RDF, "" if it is not stated."""
        root = self._reader.root
        if root is None or root.name == "rss":
            return root.attributes.get("version", "").strip() if root else ""
        is_1_0 = any(
            it.names.namespace == namespaces.URI_OF["rss"] for it in self._reader.containers
        )
        return "1.0" if is_1_0 else "0.90"

    def _report_root(self, root: Element | None) -> None:
        if root is not None:
            message = f"<{root.written_name}> in the namespace {quoted(root.names.namespace)}"
            message = f"{message}; expected <rss> without a namespace"
            self._context.report("feed-version-unknown", message, root)

    def _report_version(self, root: Element) -> None:
        version = root.attributes.get("version")
        found = "no version" if version is None else f"version {quoted(version)}"
        message = f"<{root.written_name}>: {found}; expected 2.0"
        self._context.report("feed-version-unknown", message, root)

    # -- the channel --------------------------------------------------------------------------

    def _add_field(self, element: Element) -> None:
        context, name = self._context, element.name
        path = f"channel/{name}"
        words = _CHANNEL_OF_RDF if self._version() in {"1.0", "0.90"} else _CHANNEL
        is_defined = feeds.is_known(context, element, words, self._seen, path)
        is_metadata = is_defined or name == "atom:link"
        if self.count and is_metadata and self._version().startswith("2"):
            message = f"<{element.written_name}> after an item; expected before the first"
            context.report("feed-metadata-after-items", message, element, path=path)
        if name in {"title", "link"} and not feeds.has_content([element]):
            self._seen.discard(name)  # as if it were missing
            return
        if (is_defined or ":" in name) and (check := _FIELDS.get(name)) is not None:
            check(context, element, path)
        if name == "atom:link":
            self._has_self |= element.attributes.get("rel") == "self"
        elif name.startswith("media:"):
            if name == "media:thumbnail":
                self._seen.add(name)
            media.check_element(context, element, "channel", frozenset())
        elif name == "image" and words is _CHANNEL:
            self._check_image(element, path)

    def _check_image(self, image: Element, path: str) -> None:
        found = {child.name for child in image.children if feeds.has_content([child])}
        missing = [f"<{name}>" for name in _IMAGE_PARTS if name not in found]
        if missing:
            message = f"<{image.written_name}> without {', '.join(missing)}"
            self._context.report("feed-image-incomplete", message, image, path=path)
        for child in image.children:
            if child.name in {"url", "link"} and child.name in found:
                feeds.check_link(self._context, child, f"{path}/{child.name}")
