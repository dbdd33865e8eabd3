"""Rules for Atom: https://www.rfc-editor.org/rfc/rfc4287; of Atom 0.3 only what holds for it."""

from __future__ import annotations

from typing import Final

from converter.checks import feeds, media
from converter.checks.context import CheckContext
from converter.checks.elements import Element, ElementReader
from converter.checks.feed_constructs import (
    TEXT_TYPES,
    check_alternate,
    check_element,
    is_alternate,
)
from converter.checks.feeds import ATOM, FEED_VALIDATOR, quoted_text, vocabulary
from converter.checks.rule import ERROR, WARNING, CheckRule, Place
from converter.values import urls
from converter.values.digests import DigestSet, digest
from converter.values.urls import quoted
from converter.xml import namespaces

_ENTRY: Final = f"{ATOM}#section-4.1.2"

RULES: Final = (
    CheckRule(
        "feed-atom-obsolete", WARNING, "a feed has the format Atom 0.3",
        why="Atom 0.3 was a draft that Atom 1.0 replaced in 2005; some programs do not read it.",
        fix="Write Atom 1.0, with the namespace http://www.w3.org/2005/Atom.",
        source=f"{FEED_VALIDATOR}/warning/ObsoleteVersion.html", convert="repaired",
    ),
    CheckRule(
        "feed-atom-id-missing", ERROR, "a feed or entry of Atom has no id",
        why="Feed readers know entries by id; without it they show them twice, or not at all.",
        fix="Add <id> with an IRI that never changes, such as the URL of the page.",
        source=f"{ATOM}#section-4.2.6", convert="repaired",
    ),
    CheckRule(
        "feed-atom-id-duplicate", WARNING, "entries have the same id and the same updated",
        why="Entries with one id are versions of one entry; with the same date, readers cannot "
        "tell which is the last, and show only one.",
        fix="Give each entry an id of its own.",
        source=f"{ATOM}#section-4.1.1", convert="repaired",
    ),
    CheckRule(
        "feed-atom-title-missing", ERROR, "a feed or entry of Atom has no title",
        why="Atom requires it; feed readers have nothing to show in their lists.",
        fix="Add <title>; that of an entry may be empty.",
        source=f"{ATOM}#section-4.2.14", convert="repaired",
    ),
    CheckRule(
        "feed-atom-updated-missing", ERROR, "a feed or entry of Atom has no updated",
        why="Atom requires it; feed readers cannot sort the entries, or detect a change.",
        fix="Add <updated> with the date of the last significant change.",
        source=f"{ATOM}#section-4.2.15", convert="repaired",
    ),
    CheckRule(
        "feed-atom-author-missing", ERROR, "entries of Atom have no author, nor has the feed",
        why="Atom requires an author in the feed, or in each entry.",
        fix="Add <author> with <name> to the feed.",
        source=f"{ATOM}#section-4.2.1", convert="repaired",
    ),
    CheckRule(
        "feed-atom-link-missing", ERROR, "an entry of Atom has neither content nor a link",
        why="There is nothing to read and nowhere to go; Atom requires one of the two.",
        fix='Add <link rel="alternate"> with the URL of the page.',
        source=_ENTRY, convert="repaired",
    ),
    CheckRule(
        "feed-atom-summary-missing", ERROR, "external or binary content has no summary",
        why="Feed readers have no text to show; Atom requires a summary.",
        fix="Add <summary> with a short text.",
        source=_ENTRY, convert="repaired",
    ),
)  # fmt: skip

_ATOM_0_3: Final = "http://purl.org/atom/ns#"
_REQUIRED_IN_0_3: Final = frozenset({("title", "feed"), ("title", "entry"), ("id", "entry")})
_FEED: Final = vocabulary(
    "generator icon id logo rights subtitle title updated",
    "author category contributor entry link",
    prefix="atom",
)
_ENTRY_WORDS: Final = vocabulary(
    "content id published rights source summary title updated",
    "author category contributor link",
    prefix="atom",
)


class AtomCheck:
    """Checks a document of Atom, in the order of its elements."""

    def __init__(self, context: CheckContext, reader: ElementReader) -> None:
        self.count = 0
        """The number of entries."""
        self._context = context
        self._reader = reader
        self._seen: set[str] = set()
        """The defined elements of the feed."""
        self._alternates = DigestSet()
        self._has_self = self._has_thumbnail = False
        self._ids = DigestSet()
        self._without_author = 0
        self._first_without_author: Place | None = None

    def add(self, element: Element) -> None:
        """Check the next child of the feed."""
        is_entry = element.name == "atom:entry"
        self.count += is_entry
        if self._namespace() not in {namespaces.URI_OF["atom"], _ATOM_0_3}:
            return
        if is_entry:
            self._check_entry(element)
        else:
            self._context.entry = None
            self._check_field(element)

    def finish(self) -> None:
        """Check what only the end of the document shows."""
        context, root, namespace = self._context, self._reader.root, self._namespace()
        context.entry = None
        if root is None:
            return
        if namespace == _ATOM_0_3:
            message = "the namespace of Atom 0.3; expected Atom 1.0"
            context.report("feed-atom-obsolete", message, root)
        elif namespace != namespaces.URI_OF["atom"]:
            message = f"<{root.written_name}> in the namespace {quoted(namespace)}"
            message = f"{message}; expected {quoted(namespaces.URI_OF['atom'])}"
            context.report("feed-version-unknown", message, root)
            return
        _check_required(context, root, self._seen, "feed", is_1_0=self._is_1_0())
        if self._is_1_0():
            self._finish_1_0(root)

    def _finish_1_0(self, root: Element) -> None:
        context = self._context
        if not self._has_self:
            message = 'no <link rel="self"> in the feed'
            context.report("feed-self-missing", message, root, path="feed/link")
        if self._without_author and "atom:author" not in self._seen:
            number = f"{self._without_author:,} of {self.count:,} entries"
            message = f"<author> is neither in the feed nor in {number}"
            at = self._first_without_author
            context.report("feed-atom-author-missing", message, at, path="entry/author")

    def _namespace(self) -> str:
        return self._reader.root.names.namespace if self._reader.root else ""

    def _is_1_0(self) -> bool:
        return self._namespace() == namespaces.URI_OF["atom"]

    # -- the feed -----------------------------------------------------------------------------

    def _check_field(self, element: Element) -> None:
        context, name = self._context, element.name
        path = f"feed/{_local(name)}"
        if name.startswith("media:"):
            self._has_thumbnail |= name == "media:thumbnail"
            media.check_element(context, element, "feed", frozenset())
        elif not self._is_1_0():
            if name in _FEED.names:
                self._seen.add(name)
        elif feeds.is_known(context, element, _FEED, self._seen, path):
            check_element(context, element, path)
            if name == "atom:link":
                self._has_self |= element.attributes.get("rel") == "self"
                check_alternate(context, element, self._alternates, path)

    # -- an entry -----------------------------------------------------------------------------

    def _check_entry(self, entry: Element) -> None:
        context, is_1_0 = self._context, self._is_1_0()
        context.entry = _page_of(entry)
        seen: set[str] = set()
        alternates = DigestSet() if is_1_0 else None
        for child in entry.children:
            path = f"entry/{_local(child.name)}"
            if alternates is None:
                seen.add(child.name)
            elif feeds.is_known(context, child, _ENTRY_WORDS, seen, path):
                check_element(context, child, path)
                if child.name == "atom:link":
                    check_alternate(context, child, alternates, path)
        _check_required(context, entry, seen, "entry", is_1_0=is_1_0)
        if is_1_0:
            self._check_entry_1_0(entry, seen)
        media.check_entry(context, entry, "entry", has_thumbnail=self._has_thumbnail)

    def _check_entry_1_0(self, entry: Element, seen: set[str]) -> None:
        context, found = self._context, {child.name: child for child in entry.children}
        if "atom:author" not in seen and not _has_source_author(found.get("atom:source")):
            self._without_author += 1
            self._first_without_author = self._first_without_author or entry.place
        content = found.get("atom:content")
        if content is None:
            if not any(is_alternate(child) for child in entry.children):
                message = '<entry> without <content> and <link rel="alternate">'
                context.report("feed-atom-link-missing", message, entry, path="entry/link")
        elif "atom:summary" not in seen and _needs_summary(content):
            message = "<content> is external or binary, and there is no <summary>"
            context.report("feed-atom-summary-missing", message, content, path="entry/summary")
        if (name := found.get("atom:id")) is not None and name.text.strip():
            updated = found["atom:updated"].text.strip() if "atom:updated" in found else ""
            if not self._ids.add(digest(f"{name.text.strip()}\0{updated}")):
                message = f"{quoted_text(name)}: another entry has the same id and date"
                context.report("feed-atom-id-duplicate", message, name, path="entry/id")


def _check_required(
    context: CheckContext, parent: Element, seen: set[str], path: str, *, is_1_0: bool
) -> None:
    """Report missing elements of a feed or entry; Atom 0.3 requires no id of a feed."""
    for name in ("id", "title", "updated"):
        if f"atom:{name}" not in seen and (is_1_0 or (name, path) in _REQUIRED_IN_0_3):
            message = f"<{parent.written_name}> without <{name}>"
            context.report(f"feed-atom-{name}-missing", message, parent, path=f"{path}/{name}")


def _local(name: str) -> str:
    return name.removeprefix("atom:")


def _page_of(entry: Element) -> str | None:
    """Return the URL of the page of an entry, if it is absolute."""
    for child in entry.children:
        if is_alternate(child):
            href = child.attributes.get("href", "").strip()
            return href if urls.is_http(href) else None
    return None


def _has_source_author(source: Element | None) -> bool:
    return source is not None and any(child.name == "atom:author" for child in source.children)


def _needs_summary(content: Element) -> bool:
    kind = content.attributes.get("type", "text").lower()
    is_text = kind in TEXT_TYPES or kind.startswith("text/") or kind.endswith(("+xml", "/xml"))
    return "src" in content.attributes or not is_text
