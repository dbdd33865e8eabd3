"""Issues: what a conversion dropped, repaired, altered or noticed, with a code and a place.

Only the command line prints and logs. docs/issues.md has a heading for each code, and a test
compares this enum, the severities, that page and the test cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cache
from typing import Self, TypeAlias

from converter.errors import DocumentError, LimitError, SourceError


class Severity(IntEnum):
    """The severity of an issue; `--strict` fails from `WARNING` on."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The printed form: `info`, `warning`, `error`."""
        return self.name.lower()


class Code(StrEnum):
    """Every kind of issue; the severity is WARNING unless stated."""

    severity: Severity

    def __new__(cls, value: str, severity: Severity = Severity.WARNING) -> Self:
        code = str.__new__(cls, value)
        code._value_, code.severity = value, severity
        return code

    # fetching
    SOURCE_MOVED = "source-moved", Severity.INFO
    CHARSET_DISAGREES = "charset-disagrees", Severity.INFO
    CACHE_UNUSABLE = "cache-unusable"
    NETRC_UNREADABLE = "netrc-unreadable"
    # finding
    CHILD_ELSEWHERE = "child-elsewhere", Severity.INFO
    FEED_FAILED = "feed-failed"
    PAGE_FAILED = "page-failed"
    PAGES_CUT = "pages-cut"
    PAGES_CIRCLE = "pages-circle", Severity.INFO
    SOURCE_EMPTY = "source-empty"
    # the document
    XML_REPAIRED = "xml-repaired"
    XML_BROKEN = "xml-broken", Severity.ERROR
    ENTITY_REMOVED = "entity-removed"
    GZIP_REPAIRED = "gzip-repaired"
    ENCODING_ASSUMED = "encoding-assumed"
    HEADER_LATE = "header-late", Severity.INFO
    HEADER_CUT = "header-cut", Severity.INFO
    ELEMENT_MISPLACED = "element-misplaced", Severity.INFO
    # entries and lines
    ENTRY_WITHOUT_LOC = "entry-without-loc"
    ENTRY_SKIPPED = "entry-skipped", Severity.INFO
    ENTRY_TOO_LARGE = "entry-too-large", Severity.ERROR
    ENTRY_FILTERED = "entry-filtered", Severity.INFO
    ENTRY_DROPPED = "entry-dropped", Severity.INFO
    ENTRY_EXPIRED = "entry-expired", Severity.INFO
    LOC_FROM_ID = "loc-from-id"
    LOC_FROM_MEDIA = "loc-from-media"
    LOC_PASSED_OVER = "loc-passed-over", Severity.INFO
    LINE_COMMENT = "line-comment"
    LINE_NOT_URL = "line-not-url"
    LINE_COLUMNS = "line-columns"
    # URLs
    URL_DUPLICATE = "url-duplicate"
    URL_UNUSABLE = "url-unusable", Severity.ERROR
    URL_TOO_LONG = "url-too-long", Severity.ERROR
    URL_WITHOUT_BASE = "url-without-base", Severity.ERROR
    URL_SCHEME_DROPPED = "url-scheme-dropped"
    URL_REPAIRED = "url-repaired"
    URL_NORMALISED = "url-normalised", Severity.INFO
    URL_CREDENTIALS_REMOVED = "url-credentials-removed"
    URL_SESSION_ID_REMOVED = "url-session-id-removed", Severity.INFO
    URL_TRACKING_REMOVED = "url-tracking-removed", Severity.INFO
    URL_REWRITTEN = "url-rewritten", Severity.INFO
    LOC_TEMPLATE_UNFILLED = "loc-template-unfilled"
    HOST_OTHER = "host-other"
    HOST_SIBLING = "host-sibling"
    HOST_DROPPED = "host-dropped"
    SCHEME_MIXED = "scheme-mixed"
    SCOPE_OUTSIDE = "scope-outside"
    # dates and other values
    DATE_UNREADABLE = "date-unreadable"
    DATE_PLACEHOLDER = "date-placeholder"
    DATE_PARTIAL = "date-partial", Severity.INFO
    DATE_ASSUMED = "date-assumed", Severity.INFO
    DATE_ZONE_UNKNOWN = "date-zone-unknown"
    DATE_OLD = "date-old"
    DATE_FUTURE = "date-future"
    CLOCK_OLD = "clock-old"
    PERIOD_UNREADABLE = "period-unreadable"
    DURATION_UNREADABLE = "duration-unreadable"
    DURATION_OUT_OF_RANGE = "duration-out-of-range"
    NUMBER_UNREADABLE = "number-unreadable"
    FLAG_UNUSUAL = "flag-unusual"
    TEXT_UNREADABLE = "text-unreadable"
    VALUE_TYPE = "value-type"
    TEXT_CUT = "text-cut"
    TEXT_CLEANED = "text-cleaned", Severity.INFO
    CHANGEFREQ_UNKNOWN = "changefreq-unknown"
    PRIORITY_UNKNOWN = "priority-unknown"
    # media
    MEDIA_UNCLASSIFIED = "media-unclassified", Severity.INFO
    MEDIA_PASSED_OVER = "media-passed-over", Severity.INFO
    MEDIA_DROPPED = "media-dropped"
    RATING_UNUSABLE = "rating-unusable"
    RATING_UNMAPPED = "rating-unmapped", Severity.INFO
    RESTRICTION_UNUSABLE = "restriction-unusable", Severity.ERROR
    RESTRICTION_IGNORED = "restriction-ignored", Severity.INFO
    RESTRICTION_WITHOUT_TYPE = "restriction-without-type"
    COUNTRY_UNKNOWN = "country-unknown"
    PRICE_UNUSABLE = "price-unusable"
    VIDEO_SKIPPED = "video-skipped"
    VIDEO_BLOCKED = "video-blocked", Severity.INFO
    VIDEO_WITHHELD = "video-withheld", Severity.ERROR
    VIDEO_TYPE_UNLISTED = "video-type-unlisted"
    INHERITED_CUT = "inherited-cut"
    TAGS_CUT = "tags-cut"
    IMAGES_CUT = "images-cut"
    # extensions of the target
    NEWS_SKIPPED = "news-skipped"
    NEWS_NAME_CLEANED = "news-name-cleaned"
    NEWS_EMPTY = "news-empty", Severity.INFO
    HREFLANG_INCOMPLETE = "hreflang-incomplete", Severity.INFO
    HREFLANG_UNUSUAL = "hreflang-unusual"
    DROPPED_FIELD = "dropped-field", Severity.INFO
    ALTERED_FIELD = "altered-field", Severity.INFO
    # the output
    OUTPUT_COMPLETED = "output-completed", Severity.INFO
    PARTS_SPLIT = "parts-split", Severity.INFO
    SITEMAP_URL_ASSUMED = "sitemap-url-assumed"
    FILE_LEFT_OVER = "file-left-over"
    # what a feed must have, and the input lacks
    SUPPLIED_TITLE = "supplied-title", Severity.INFO
    SUPPLIED_LINK = "supplied-link", Severity.INFO
    SUPPLIED_DESCRIPTION = "supplied-description", Severity.INFO
    SUPPLIED_ID = "supplied-id", Severity.INFO
    SUPPLIED_UPDATED = "supplied-updated", Severity.INFO
    SUPPLIED_NOW = "supplied-now"
    SUPPLIED_AUTHOR = "supplied-author", Severity.INFO
    ID_DUPLICATE = "id-duplicate"


Note: TypeAlias = tuple[Code, str]
"""A code and a message, as of an issue whose place the caller adds."""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Issue:
    """One thing that was dropped, repaired, altered or noticed."""

    code: Code
    message: str
    """A sentence without a full stop: what was found, and what was done about it."""
    line: int | None = None
    """Line of the start tag in the source, counted from 1."""
    path: str | None = None
    """The element, as `item/pubDate`."""
    entry: str | None = None
    """The `loc`, else the id, of the entry."""
    source: str | None = None
    """The name of the source; readers leave it None, the caller that opens the source sets it."""

    @property
    def severity(self) -> Severity:
        """The severity of the code."""
        return self.code.severity


Report = Callable[[Issue], None]


def ignore(issue: Issue) -> None:
    """Ignore an issue: a `Report` for a second pass over a document."""


def with_source(issue: Issue, source: str | None) -> Issue:
    """Return an issue with the name of its source, unless it has one."""
    return issue if issue.source or not source else replace(issue, source=source)


@contextmanager
def errors_naming(source: str | None) -> Iterator[None]:
    """Put the name of the source before errors of reading it, unless it is there already."""
    name = printable(source or "the source")
    try:
        yield
    except (DocumentError, LimitError) as error:
        if not str(error).startswith(f"{name}: "):
            error.args = (f"{name}: {error}",)
        raise
    except BrokenPipeError:
        raise  # from the reader of our output
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"{name}: cannot be read to its end: {reason}") from error


def printable(text: str, most: int = 120) -> str:
    """Make text safe for a message: at most `most` characters, no credentials, no control codes.

    Control, direction and separator characters and lone surrogates become escapes.
    """
    text = hide_userinfo(text[: most + USERINFO_CHARS])
    cut = text if len(text) <= most else text[: most - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in cut
    )


#: Longer texts are searched in pieces of so many characters: in a hostile text, the time of the
#: patterns grows with the square of its length.
USERINFO_CHARS = 4096

#: The text before the user information of a URL: `https://`, `http:/`, `https//`, `//`, `x://`; an
#: input method for Chinese or Japanese may type the colon, the slashes and the `@` full-width.
_SCHEME = r"(?:https?|ftps?|feed|socks\w*)"
_BEFORE = (
    rf"""((?<!\w){_SCHEME}[:：][/\\／]*|[:：][/\\／]{{2,}}"""
    rf"""|(?<![^\s"'(<=,;|\[])(?:{_SCHEME}[/\\]+|[/\\]{{2,}}))"""
)
_AT = "(?:[@＠]|%40)"

#: The user information of an authority, up to its last `@`.
_OF_AUTHORITY = rf"""{_BEFORE}[^/\\?#\s"<>]*{_AT}"""

#: `//name:` without a port. Two slashes belong to the password, unless `name:` is a scheme.
_NAME = (
    rf"""{_BEFORE}(?!\[)(?:(?!{_SCHEME}:)[^/\\?#:@\s"<>]+:(?=[/\\]{{2}})"""
    rf"""|[^/\\?#:@\s"<>]*:(?![0-9]*(?:[/\\?#:\s"'),;]|\Z)))"""
)

#: The password holds a `/`, `?` or `#`, and no `@` before it. Looked for first: the rest of such a
#: password may resemble a URL.
_TORN = rf"""{_NAME}[^/\\?#@＠\s"<>]*[/\\?#][^\s"<>]*{_AT}"""

#: The password holds a blank too.
_TORN_BY_BLANK = rf"""{_NAME}(?=\S)[^"\n]*{_AT}"""

#: `name:password@host` without a scheme, or after a mistyped one (`htps//`). Some schemes have an
#: `@`, but no user information. `C:\\` is a drive; any other single letter can be a user name.
_WITHOUT_SCHEME = (
    r"""((?<![^\s"'(<=,;|\[:])(?:\w+[/\\]+)?[/\\]*)"""
    r"(?!(?:mailto|tag|urn|acct|xmpp|sips?|cid|mid|news|nntp|im|data|pkg|npm|doi|info|geo):)"
    r"""(?:[^\s/\\?#@:"'<>]+:[^\s/\\?#"<>]*[@＠]"""
    r"""|[^\s/\\?#@:"'<>]{2,}:[^\s"<>@]*@(?=[\w.\-]+\.[a-z]{2,}))"""
)


@cache
def _userinfo_patterns() -> tuple[re.Pattern[str], ...]:  # compiled when needed: few runs do
    texts = (_TORN, _OF_AUTHORITY, _TORN_BY_BLANK, _WITHOUT_SCHEME)
    return tuple(re.compile(text, re.IGNORECASE) for text in texts)


def hide_userinfo(text: str) -> str:
    """Remove `name:password@` from everything in a text that resembles a URL, even mistyped."""
    if "@" not in text and "%40" not in text and "＠" not in text:
        return text
    if len(text) > USERINFO_CHARS:
        pieces = range(0, len(text), USERINFO_CHARS)
        return "".join(hide_userinfo(text[start : start + USERINFO_CHARS]) for start in pieces)
    for pattern in _userinfo_patterns():
        text = pattern.sub(r"\1", text)
    return text
