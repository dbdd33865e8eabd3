"""Plain text from what feeds call text: tags and entities resolved, white space collapsed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from converter.values.lazy_regex import lazy_regex

#: What XML 1.0 cannot hold, not even as a reference: https://www.w3.org/TR/xml/#charsets
NOT_A_CHARACTER = lazy_regex("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ILLEGAL_ASCII = bytes({*range(0x20)} - {0x09, 0x0A, 0x0D})
#: The same without U+000B, U+000C and U+001C to U+001F: these part words, and become spaces.
_ILLEGAL_IN_WORDS = lazy_regex("[\0-\x08\x0e-\x1b\ud800-\udfff\ufffe\uffff]")

#: The shortest name is `&gt`: `R&D` refers to nothing, and needs no table of two thousand names.
_BEGUN_REFERENCE = lazy_regex(r"&(?:#|[A-Za-z]{2})")
_NUMERIC_REFERENCE = lazy_regex(
    r"&#(?:(?=[0-9])0*+([0-9]*+)|[xX](?=[0-9a-fA-F])0*+([0-9a-fA-F]*+));?"
)
_STILL_ESCAPED = lazy_regex(r"&(?:amp|lt|gt|quot|#[0-9]+);")

#: Comments, scripts and styles: what stands in them is not text. The patterns of their ends are
#: empty matches, behind a `-->` and before an end tag.
_HIDDEN = lazy_regex(r"<(!--|(?:script|style)(?=[\s/>]))", re.IGNORECASE | re.ASCII)
_HIDDEN_END = {
    "!--": lazy_regex(r"(?<=-->)"),
    "script": lazy_regex(r"(?=</script[\s/>])", re.IGNORECASE | re.ASCII),
    "style": lazy_regex(r"(?=</style[\s/>])", re.IGNORECASE | re.ASCII),
}

#: Where a reader sees a gap: https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
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

#: Pictures that count readers, and buttons of feed services: a choice of those that feeds have.
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
    """Give the text that a reader would see, on one line (mapping 3.8, "Plain text").

    HTML is unescaped once, and once more if that leaves one of the five basic references: feeds
    escape twice. What is not HTML keeps its `<` and `&` as they are.
    """
    if is_html and ("<" in value or "&" in value):
        value = _text_of_html(value)
        if _STILL_ESCAPED.search(value):
            value = _text_of_html(value)
    return _collapsed(value)


def title(value: str) -> str:
    """Give an RSS title as plain text: unescaped once, tags stripped (mapping 3.3)."""
    if "<" in value or "&" in value:
        value = _text_of_html(value)
    return _collapsed(value)


def remove_illegal(text: str) -> tuple[str, int]:
    """Remove the characters that XML cannot hold, and say how many they were."""
    if text.isprintable():
        return text, 0
    # for long ASCII text a fifth of the time that the pattern takes
    if text.isascii() and len(text.encode().translate(None, _ILLEGAL_ASCII)) == len(text):
        return text, 0
    return NOT_A_CHARACTER.subn("", text)


def shorten(text: str, limit: int) -> str:
    """Shorten plain text to `limit` code points, the closing `…` among them.

    As many whole words as fit; if there is no space in the last half, the last word is cut.
    """
    if len(text) <= limit:
        return text
    end = text.rfind(" ", limit // 2, limit)
    words = text[:end].rstrip(" ,;:-–") if end >= 0 else ""
    return (words or text[: limit - 1]) + "…"


def first_sentence(text: str) -> str:
    """Give plain text up to its first `.`, `!`, `?` or `…` at the end of a word.

    A closing full stop is dropped, an ellipsis of three is not.
    """
    end = _SENTENCE_END.search(text)
    sentence = text[: end.end()] if end else text
    return sentence if sentence.endswith("..") else sentence.removesuffix(".")


def title_from_url(url: str) -> str:
    """Make a title from the last segment of a URL's path; the URL itself if that says nothing."""
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
    """Resolve HTML's character references, once; those to illegal characters are removed.

    Numeric ones are looked at first: `html.unescape` would make U+FFFD of some that are illegal,
    and raises for 4,300 digits, zeros included.
    """
    if "&" not in value or not _BEGUN_REFERENCE.search(value):
        return value
    if "&#" in value:
        value = _NUMERIC_REFERENCE.sub(_canonical, value)
    from html import unescape

    return unescape(value)


def _canonical(reference: re.Match[str]) -> str:
    """Resolve what is beyond Latin-1. The rest is HTML's: `&#147;` is `“`, `&` must not join.

    Leading zeros are gone, and eight digits are beyond Unicode.
    """
    decimal, hexadecimal = reference.groups()
    point = int(hexadecimal[:8] or "0", 16) if decimal is None else int(decimal[:8] or "0")
    if point > sys.maxunicode or NOT_A_CHARACTER.match(chr(point)):
        return ""
    return chr(point) if point > 0xFF else f"&#{point};"


def _without_hidden(markup: str) -> str:
    """Cut comments, scripts and styles out of HTML, and take off a stray CDATA wrapper."""
    if "<![CDATA[" in markup:
        markup = markup.replace("<![CDATA[", "").replace("]]>", "")
    return "".join(_visible(markup)) if _HIDDEN.search(markup) else markup


def _visible(markup: str) -> Iterator[str]:
    """Walk from one hidden part to the next.

    A script or style without an end hides the rest, as in browsers; a comment without one hides
    nothing, and its end is not looked for: a million times `<!--` must not take a million looks.
    """
    at = 0
    last_comment_end = markup.rfind("-->")
    while opening := _HIDDEN.search(markup, at):
        kind = opening[1].lower()
        if kind == "!--" and opening.start() > last_comment_end:
            yield markup[at : opening.end()]
            at = opening.end()
            continue
        yield markup[at : opening.start()]
        end = _HIDDEN_END[kind].search(markup, opening.end())
        if end is None:
            return
        at = end.start()
    yield markup[at:]


def _text_of_html(markup: str) -> str:
    """Strip tags and resolve references, once.

    Tags go first, as an attribute may hold `&gt;`; and again, as feeds escape whole documents.
    """
    markup = _without_tags(markup)
    return _without_tags(_unescaped(markup)) if "&" in markup else markup


def _without_tags(markup: str) -> str:
    """Replace block tags by a space and other tags by nothing.

    A tag is `<` and a letter, `/`, `!` or `?`, to the next `>`; any other `<` is text. The text
    behind the last `>` is not searched: a million `<a` would each look for an end in vain.
    """
    if "<" not in markup:
        return markup
    markup = _without_hidden(markup)
    end = markup.rfind(">") + 1
    return _TAG.sub(lambda tag: _GAPS.get(tag[1].lower(), ""), markup[:end]) + markup[end:]


def _collapsed(text: str) -> str:
    """Make any run of Unicode's White_Space one space, trim, and drop what XML cannot hold."""
    if not text.isprintable():  # U+0020 is the only white space that counts as printable
        text = _ILLEGAL_IN_WORDS.sub("", text)
    elif "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())


def _attributes(markup: str, at: int) -> tuple[dict[str, str], int]:
    """Read a tag's attributes; the first of a name counts. Also gives where the tag ends."""
    found: dict[str, str] = {}
    while step := _STEP.match(markup, at):
        at = step.end()
        if step["end"]:
            return found, at
        if name := step["name"]:
            found.setdefault(name.lower(), step[3] or step[4] or (step[5] or "").strip("\"'"))
    return {}, len(markup)  # no end: half a tag, where the text was cut


def _is_tracker(source: str, attributes: dict[str, str]) -> bool:
    if source[:5].lower() == "data:" or _TRACKERS.match(source):
        return True
    return any(_AT_MOST_ONE.fullmatch(attributes.get(side, "")) for side in ("width", "height"))
