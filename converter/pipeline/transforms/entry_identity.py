"""Identity of entries: pages by their URL, items of feeds by their id (mapping 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from converter.model import Entry
from converter.values import text


class Identity:
    """Identity of pages: entries of one URL are the same.

    Entries with equal keys and equal scopes are the same. So are entries with equal keys and equal
    pages in different scopes, if both cross scopes.
    """

    def key(self, entry: Entry) -> str | None:
        """Return the key, or None if the entry is the same as no other one."""
        return entry.loc

    def scope(self, entry: Entry) -> str | None:
        """Return the scope within which entries with equal keys are the same."""
        return None

    def crosses(self, entry: Entry) -> bool:
        """Return True if the entry may be the same as one of another scope."""
        return False


PAGES: Final = Identity()


def _source_of(entry: Entry) -> str | None:
    return entry.feed.source if entry.feed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemIdentity(Identity):
    """Identity of the items of feeds, of which several may have one page."""

    within: Literal["source", "page"] = "source"
    """The scope of ids: `page` for a feed that was made of several sources."""
    across: Literal["iri", "any"] = "iri"
    """The ids that cross scopes. With `any`, items without id and page are the same if their words
    are: an update must recognise them."""
    source_of: Callable[[Entry], str | None] = _source_of
    """Returns a distinct name of the source; several streams are called `-`."""

    def key(self, entry: Entry) -> str | None:
        if id_ := (entry.id or "").strip():
            return f"id {id_}"
        if entry.loc:
            return f"page {entry.loc}\n{title_of(entry)}"
        words = "\n".join(words_of(entry)) if self.across == "any" else "\n"
        return f"words {words}" if words != "\n" else None

    def scope(self, entry: Entry) -> str | None:
        if not entry.id:
            return None
        if self.within == "page":
            return entry.loc
        return self.source_of(entry)

    def crosses(self, entry: Entry) -> bool:
        from converter.extensions.required_feed_fields import is_iri  # only for feeds

        if self.across == "any":
            return bool(entry.id)
        return bool(entry.id and entry.loc) and is_iri(entry.id or "")


def title_of(entry: Entry) -> str:
    """Return the title as it is written to a feed; part of the key of items without an id."""
    return text.plain(entry.title or "", is_html=False)


def words_of(entry: Entry) -> tuple[str, str]:
    """Return the text and the title of an item, the key of items without id and page.

    A feed may need both, and repeats one for the other: the title is the text of an item without a
    text, and a title that equals the text is dropped.
    """
    title, markup = title_of(entry), entry.summary or entry.content
    words = text.plain(markup.value, is_html=markup.is_html) if markup else ""
    return words or title, "" if words in {"", title} else title
