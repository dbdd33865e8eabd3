"""Converts the texts of feeds to plain text: removes tags, resolves references, collapses space."""

from __future__ import annotations

import re

from converter.values.lazy_regex import lazy_regex

#: Characters that XML 1.0 forbids, also as references: https://www.w3.org/TR/xml/#charsets
NOT_A_CHARACTER = lazy_regex("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ILLEGAL_ASCII = bytes({*range(0x20)} - {0x09, 0x0A, 0x0D})
#: The same without U+000B, U+000C and U+001C to U+001F, which separate words and become spaces.
_ILLEGAL_IN_WORDS = lazy_regex("[\0-\x08\x0e-\x1b\ud800-\udfff\ufffe\uffff]")

#: May begin a reference; avoids the import of HTML's two thousand names for a text like `R&D`.
_BEGUN_REFERENCE = lazy_regex(r"&(?:#|[A-Za-z]{2})")
#: int() refuses more than 4,300 digits.
_HUGE_REFERENCE = lazy_regex(r"&#[0-9]{20,};?")
_STILL_ESCAPED = lazy_regex(r"&(?:amp|lt|gt|quot|#[0-9]+);")

#: Comments, scripts and styles are not text. One without an end hides the rest, as in browsers.
_HIDDEN = lazy_regex(
    r"<!--.*?(?:(?<=-->)|\Z)|<(script|style)(?=[\s/>]).*?(?=</\1[\s/>]|\Z)",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)

#: Elements that separate words: https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
_BLOCKS = """
address article aside blockquote body br caption center col colgroup dd details dialog dir div
dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
iframe legend li main menu nav noscript ol optgroup option p pre search section select summary
table tbody td textarea tfoot th thead title tr ul video
"""
_GAPS = dict.fromkeys(_BLOCKS.split(), " ")
_TAG = lazy_regex(r"<(?=[A-Za-z/!?])/?([A-Za-z0-9:_-]*+)[^>]*>")

_IMG = lazy_regex(r"<img(?=[\s/])", re.IGNORECASE)
#: One step inside a tag: its end, or an attribute. A quote without its pair belongs to the value.
_STEP = lazy_regex(
    r"""[\s/]*+(?:(?P<end>>)|(?P<name>[^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>]*+)))?|=)"""
)
_AT_MOST_ONE = lazy_regex(r"\s*0*[01](?:\.0*)?(?:px)?\s*", re.IGNORECASE)

#: Tracking images, and buttons of feed services.
_TRACKERS = lazy_regex(
    r"""(?:https?:)?//(?:
        [^/]*feedburner\.com/~ | feedproxy\.google\.com/~ | (?:pixel|stats)\.
      | [^/]*(?:amazon-adsystem\.com | doubleclick\.net | feedsportal\.com | google-analytics\.com
              | pheedo\.com | quantserve\.com | scorecardresearch\.com | vgwort\.de)/
      | [^/]*blogger\.googleusercontent\.com/tracker/ | [^/]*facebook\.com/tr[/?]
      | feeds\.wordpress\.com/1\.0/ | medium\.com/_/stat
      | [^?\#]*/(?:pixel|spacer|blank|1x1)(?:\.(?:gif|png))?(?:[?\#]|\Z)
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_SENTENCE_END = lazy_regex(r"[.!?…](?=\s|\Z)")
_EXTENSION = lazy_regex(r"\.[A-Za-z0-9]{2,5}\Z")


def plain(value: str, *, is_html: bool) -> str:
    """Return the visible text, on one line (mapping 3.8, "Plain text").

    HTML is unescaped once, and again if the result has one of the five basic references, because
    feeds escape twice. A text that is not HTML keeps its `<` and `&`.
    """
    if is_html and ("<" in value or "&" in value):
        value = _text_of_html(value)
        if _STILL_ESCAPED.search(value):
            value = _text_of_html(value)
    return _collapsed(value)


def title(value: str) -> str:
    """Convert an RSS title to plain text: unescaped once, without tags (mapping 3.3)."""
    if "<" in value or "&" in value:
        value = _text_of_html(value)
    return _collapsed(value)


def remove_illegal(text: str) -> tuple[str, int]:
    """Remove the characters that XML forbids; return the text and their number."""
    if text.isprintable():
        return text, 0
    # a fifth of the time of the pattern for long ASCII text
    if text.isascii() and len(text.encode().translate(None, _ILLEGAL_ASCII)) == len(text):
        return text, 0
    return NOT_A_CHARACTER.subn("", text)


def shorten(text: str, limit: int) -> str:
    """Shorten plain text to `limit` code points, including the closing `…`.

    The text ends with a whole word, unless its second half has no space.
    """
    if len(text) <= limit:
        return text
    end = text.rfind(" ", limit // 2, limit)
    words = text[:end].rstrip(" ,;:-–") if end >= 0 else ""
    return (words or text[: limit - 1]) + "…"


def first_sentence(text: str) -> str:
    """Return the text up to the first `.`, `!`, `?` or `…` at the end of a word.

    A final full stop is dropped, `...` is not.
    """
    end = _SENTENCE_END.search(text)
    sentence = text[: end.end()] if end else text
    return sentence if sentence.endswith("..") else sentence.removesuffix(".")


def title_from_url(url: str) -> str:
    """Make a title of the last segment of a URL's path; return the URL if that has no words."""
    path = url.partition("#")[0].partition("?")[0]
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path
    segment = path.rstrip("/").rpartition("/")[2]
    if "%" in segment:
        from urllib.parse import unquote  # most titles are words

        segment = unquote(segment)
    words = _collapsed(re.sub("[-_+]", " ", _EXTENSION.sub("", segment)))
    if not words or words.replace(" ", "").isdigit():
        return url
    return words[0].upper() + words[1:]


def images(markup: str) -> list[str]:
    """Return the `src` of each `<img>`, in order, as written; without trackers and spacers."""
    if "<" not in markup and "&lt;" in markup:  # escaped twice
        markup = _unescaped(markup)
    markup = _without_hidden(markup)
    found: list[str] = []
    at = 0
    while opening := _IMG.search(markup, at):
        attributes, at = _attributes(markup, opening.end())
        source = _unescaped(attributes.get("src", "")).strip()
        if source and not _is_tracker(source, attributes):
            found.append(source)
    return found


def _unescaped(value: str) -> str:
    """Resolve HTML's character references once; remove those to illegal characters.

    `&#147;` is `“`, as in browsers.
    """
    if "&" not in value or not _BEGUN_REFERENCE.search(value):
        return value
    from html import unescape

    return unescape(_HUGE_REFERENCE.sub("", value)).replace("\ufffd", "")


def _without_hidden(markup: str) -> str:
    """Remove comments, scripts, styles and stray CDATA markers from HTML."""
    if "<![CDATA[" in markup:
        markup = markup.replace("<![CDATA[", "").replace("]]>", "")
    return _HIDDEN.sub("", markup)


def _text_of_html(markup: str) -> str:
    """Remove tags and resolve references, once.

    Tags are removed before, because attributes may hold `&gt;`, and after, because feeds escape
    whole documents.
    """
    markup = _without_tags(markup)
    return _without_tags(_unescaped(markup)) if "&" in markup else markup


def _without_tags(markup: str) -> str:
    """Replace block tags by a space and other tags by nothing.

    A tag is `<` and a letter, `/`, `!` or `?`, up to the next `>`; any other `<` is text. The text
    behind the last `>` is not searched, so that a million `<a` take linear time.
    """
    if "<" not in markup:
        return markup
    markup = _without_hidden(markup)
    end = markup.rfind(">") + 1
    return _TAG.sub(lambda tag: _GAPS.get(tag[1].lower(), ""), markup[:end]) + markup[end:]


def _collapsed(text: str) -> str:
    """Collapse white space, strip, and remove characters that XML forbids."""
    if not text.isprintable():  # U+0020 is the only printable white space
        text = _ILLEGAL_IN_WORDS.sub("", text)
    elif "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())


def _attributes(markup: str, at: int) -> tuple[dict[str, str], int]:
    """Return a tag's attributes, the first of each name, and the end of the tag."""
    found: dict[str, str] = {}
    while step := _STEP.match(markup, at):
        at = step.end()
        if step["end"]:
            return found, at
        if name := step["name"]:
            found.setdefault(name.lower(), step[3] or step[4] or (step[5] or "").strip("\"'"))
    return {}, len(markup)  # an incomplete tag


def _is_tracker(source: str, attributes: dict[str, str]) -> bool:
    if source[:5].lower() == "data:" or _TRACKERS.match(source):
        return True
    return any(_AT_MOST_ONE.fullmatch(attributes.get(side, "")) for side in ("width", "height"))
