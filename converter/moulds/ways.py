"""The ways in which a value of an entry may come out of the plain way.

Which of them it is, is seen from probes; a way then holds for every value that its `read` takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from html import escape as html_escape
from typing import Final, Literal, NamedTuple, TypeAlias

from converter.moulds.captions import is_plain_title
from converter.moulds.kinds import AVERAGE, HTML, KEYWORDS, OTHER, PAGE
from converter.moulds.mould import Days, Pages, Read
from converter.moulds.pieces import Value
from converter.values.text import deslug
from converter.xml.emit import escape

__all__ = ["Way", "cut", "loc_ways", "said", "written"]

Source: TypeAlias = Literal["value", "date", "loc", "read"]


class Way(NamedTuple):
    """What is made of a value's markup, or of the page."""

    source: Source
    """`value`: it stands as it is; `date`: it was read already; `loc`: it is made of the page."""
    read: Read


def written(value: Value, text: str, probe: str, days: Days, pages: Pages) -> list[Way]:
    """Give the ways of a value into the text of an entry.

    Args:
        value: what fills the gap.
        text: what became of an entry with a probe in it.
        probe: its markup.
        days: reads dates.
        pages: reads pages.
    """
    kind = value.kind
    if kind is HTML:
        letter = _cdata_letter if value.in_cdata else _letter
        return [Way("read", letter), Way("read", partial(_twice, value.in_cdata))]
    if kind is KEYWORDS:
        return [Way("read", _joined(kind.read, _between(probe.split(", "), text)))]
    if kind is PAGE:
        return [Way("read", partial(_sound, pages, value.before))]
    if kind.name == "date":
        return [Way("date", days.read), Way("read", days.rfc_822)]
    if kind is AVERAGE:
        return [Way("value", str), Way("read", _shortest)]
    return [] if kind is OTHER else [Way("value", str)]


def said(value: Value, days: Days) -> list[Way]:
    """Give the ways of a value into what is said of an entry: nothing is escaped there."""
    if value.kind.name == "date":
        return [Way("date", days.read)]
    if value.kind.name in _NAMES:
        return [Way("read", partial(_whole, value.before, value.after))]
    return []


#: Kinds that messages and ids hold whole.
_NAMES: Final = frozenset({"id", "page", "link", "file"})


def loc_ways(value: Value, *, is_said: bool, is_cleaned: bool) -> list[Way]:
    """Give the ways of the page: as it is published, as a title, and as it stands in the markup."""
    ways = [Way("loc", str)] if is_said else [Way("loc", _escaped), Way("loc", str)]
    ways.append(Way("loc", _titled))
    if is_cleaned:
        raw = partial(_whole, value.before, "") if is_said else partial(_raw, value.before)
        ways.append(Way("read", raw))
    return ways


def cut(way: Way, chars: int, *, is_whole: bool) -> Way:
    """Give a way into a message that shows so many characters of a name.

    Args:
        way: of the whole name.
        chars: as many were seen.
        is_whole: nothing was seen to be cut: what is longer goes the plain way.
    """
    return way._replace(source=way.source, read=partial(_cut, way.read, chars, is_whole))


def _cut(read: Read, chars: int, is_whole: bool, markup: str) -> str | None:
    text = read(markup)
    if text is None or (is_whole and len(text) > chars):
        return None
    return text[:chars]


# -- names ------------------------------------------------------------------------------------


def _escaped(loc: str) -> str:
    return loc if "&" not in loc and "'" not in loc else escape(loc)


@lru_cache(maxsize=4096)  # of a slice, each message that names the title asks for all of them
def _titled(loc: str) -> str | None:
    """Make a title of a page; None: it is not written as it is, or not at all."""
    title = deslug(loc)
    return title if is_plain_title(title) else None


def _whole(before: str, after: str, markup: str) -> str:
    return f"{before}{markup.replace('&amp;', '&')}{after}"


def _raw(before: str, markup: str) -> str:
    return f"{before}{markup}".replace(">", "&gt;")


def _sound(pages: Pages, origin: str, markup: str) -> str | None:
    """Read the URL of another page, of which there must be nothing to say."""
    page = pages.read(origin, markup)
    return None if page is None or page[1] or page[2] else escape(page[0])


# -- HTML -------------------------------------------------------------------------------------

#: All that may begin with `href` or `src`.
_ABSOLUTE: Final = ('href="https://', 'src="https://', 'href="http://', 'src="http://', "srcset")
_NUMERIC: Final = re.compile("&#([0-9]+);")
_NAMED: Final = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


def _letter(markup: str) -> str | None:
    """Read the same where it is escaped already, but for signs that may stand as they are."""
    if "&#" in markup:
        return _cdata_letter(_unescaped(markup))
    if "&lt;" in markup and not _is_absolute(markup, _unescaped):
        return None
    markup = markup.strip().replace(">", "&gt;")
    return markup.replace('"', "&quot;").replace("'", "&apos;")


def _cdata_letter(html: str) -> str | None:
    """Read HTML that is written to the letter, for all its references are absolute."""
    if "<" in html and not _is_absolute(html, str):
        return None
    return _all_escaped(html.strip())


def _is_absolute(markup: str, html_of: Callable[[str], str]) -> bool:
    """Say whether all references in tags are absolute; no, if that is not plain."""
    small = markup.lower()
    references = small.count("href") + small.count("src")
    if not references:
        return True
    html = html_of(small)
    for sound in _ABSOLUTE:
        references -= html.count(sound)
        if not references:
            return True
    return False


def _twice(in_cdata: bool, markup: str) -> str:
    """Read text that is written as HTML."""
    text = markup if in_cdata else _unescaped(markup)
    return _all_escaped(html_escape(text.strip(), quote=False))


def _unescaped(markup: str) -> str:
    """Resolve the references that kinds allow."""
    if "&" not in markup:
        return markup
    if "&#" in markup:
        markup = _NUMERIC.sub(lambda match: chr(int(match[1])), markup)
    for reference, sign in _NAMED:
        markup = markup.replace(reference, sign)
    return markup


def _all_escaped(text: str) -> str:
    """Escape as `emit.escape` does; where there is much to escape this is faster."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&apos;")


# -- lists and numbers ------------------------------------------------------------------------


def _between(words: list[str], text: str) -> str:
    """Give what stands between the first two of several words that were written."""
    first, second = text.find(words[0]), text.find(words[1])
    return text[first + len(words[0]) : second] if 0 <= first < second else ""


def _joined(read: Read, between: str) -> Read:
    """Read keywords, each once, with what stands between two of them."""

    def joined(markup: str) -> str | None:
        if not between or read(markup) is None:
            return None
        return between.join(dict.fromkeys(markup.split(", ")))

    return joined


def _shortest(markup: str) -> str:
    return markup.removesuffix(".0")
