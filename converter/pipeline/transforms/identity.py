"""Which entries are the same: pages by their URL, items of feeds by their id (mapping 6.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from converter.model import Entry
from converter.values import text


class Identity:
    """Says which entries are the same: here, those of one page.

    Entries with equal keys and equal scopes are the same. So are entries with equal keys and equal
    pages in different scopes, if both cross scopes.
    """

    def key(self, entry: Entry) -> str | None:
        """Return the key; None if the entry is the same as no other one."""
        return entry.loc

    def scope(self, entry: Entry) -> str | None:
        """Return where an equal key suffices."""
        return None

    def crosses(self, entry: Entry) -> bool:
        """Return True if the entry may be the same as one of another scope."""
        return False


#: Identity of pages: one URL is one page.
PAGES: Final = Identity()


def _source_of(entry: Entry) -> str | None:
    return entry.feed.source if entry.feed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemIdentity(Identity):
    """Identity of the items of feeds: several items may have one page."""

    within: Literal["source", "page"] = "source"
    """Where equal ids suffice: `page` for a feed that was made of several sources."""
    across: Literal["iri", "any"] = "iri"
    """Which ids mean the same in different sources, if the page is the same too. With `any`, items
    without id and page are the same if their words are: an update has to know them again."""

    source_of: Callable[[Entry], str | None] = _source_of
    """Tells sources apart; names of streams do not."""

    def key(self, entry: Entry) -> str | None:
        if given := (entry.id or "").strip():
            return f"id {given}"
        if entry.loc:
            return f"page {entry.loc}\n{title_of(entry)}"
        said = "\n".join(words_of(entry)) if self.across == "any" else "\n"
        return f"words {said}" if said != "\n" else None

    def scope(self, entry: Entry) -> str | None:
        if not entry.id:
            return None
        if self.within == "page":
            return entry.loc
        return self.source_of(entry)

    def crosses(self, entry: Entry) -> bool:
        from converter.extensions.required_fields import is_iri  # only where a feed is written

        if self.across == "any":
            return bool(entry.id)
        return bool(entry.id and entry.loc) and is_iri(entry.id or "")


def title_of(entry: Entry) -> str:
    """Return the title as a feed will hold it, to tell items without an id apart."""
    return text.plain(entry.title or "", is_html=False)


def words_of(entry: Entry) -> tuple[str, str]:
    """Return the text and the title of an item, to tell items without id and page apart.

    A feed may need both, and get one in the place of the other: without a text the title is the
    text, and a title that is the text as well is none.
    """
    title, written = title_of(entry), entry.summary or entry.content
    said = text.plain(written.value, is_html=written.is_html) if written else ""
    return said or title, "" if said in {"", title} else title
