"""What a run survived: issues with a stable code, a severity from one table, and a place.

Nothing below the command line prints or logs; it reports. docs/issues.md has a heading for each
code, and a test holds this enum, the severities, that page and the test cases to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType

from converter.userinfo import LONGEST, hide_userinfo

__all__ = ["SEVERITY", "Code", "Issue", "Report", "Severity", "ignore", "printable"]


class Severity(IntEnum):
    """How much an issue matters; `--strict` fails from `WARNING` on."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """As it is printed: `info`, `warning`, `error`."""
        return self.name.lower()


class Code(StrEnum):
    """Every kind of issue there is."""

    # fetching
    SOURCE_MOVED = "source-moved"
    CHARSET_DISAGREES = "charset-disagrees"
    CACHE_UNUSABLE = "cache-unusable"
    NETRC_UNREADABLE = "netrc-unreadable"
    # finding
    CHILD_ELSEWHERE = "child-elsewhere"
    FEED_FAILED = "feed-failed"
    PAGE_FAILED = "page-failed"
    PAGES_CUT = "pages-cut"
    PAGES_CIRCLE = "pages-circle"
    SOURCE_EMPTY = "source-empty"
    # the document
    XML_REPAIRED = "xml-repaired"
    XML_BROKEN = "xml-broken"
    ENTITY_REMOVED = "entity-removed"
    GZIP_REPAIRED = "gzip-repaired"
    ENCODING_ASSUMED = "encoding-assumed"
    HEADER_LATE = "header-late"
    HEADER_CUT = "header-cut"
    ELEMENT_MISPLACED = "element-misplaced"
    # entries and lines
    ENTRY_WITHOUT_LOC = "entry-without-loc"
    ENTRY_SKIPPED = "entry-skipped"
    ENTRY_TOO_LARGE = "entry-too-large"
    ENTRY_FILTERED = "entry-filtered"
    ENTRY_DROPPED = "entry-dropped"
    ENTRY_EXPIRED = "entry-expired"
    LOC_FROM_ID = "loc-from-id"
    LOC_FROM_MEDIA = "loc-from-media"
    LOC_PASSED_OVER = "loc-passed-over"
    LINE_COMMENT = "line-comment"
    LINE_NOT_URL = "line-not-url"
    LINE_COLUMNS = "line-columns"
    # URLs
    URL_DUPLICATE = "url-duplicate"
    URL_UNUSABLE = "url-unusable"
    URL_TOO_LONG = "url-too-long"
    URL_WITHOUT_BASE = "url-without-base"
    URL_SCHEME_DROPPED = "url-scheme-dropped"
    URL_REPAIRED = "url-repaired"
    URL_NORMALISED = "url-normalised"
    URL_CREDENTIALS_REMOVED = "url-credentials-removed"
    URL_SESSION_ID_REMOVED = "url-session-id-removed"
    URL_TRACKING_REMOVED = "url-tracking-removed"
    URL_REWRITTEN = "url-rewritten"
    LOC_TEMPLATE_UNFILLED = "loc-template-unfilled"
    HOST_OTHER = "host-other"
    HOST_SIBLING = "host-sibling"
    HOST_DROPPED = "host-dropped"
    SCHEME_MIXED = "scheme-mixed"
    SCOPE_OUTSIDE = "scope-outside"
    # dates and other values
    DATE_UNREADABLE = "date-unreadable"
    DATE_PLACEHOLDER = "date-placeholder"
    DATE_PARTIAL = "date-partial"
    DATE_ASSUMED = "date-assumed"
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
    TEXT_CUT = "text-cut"
    TEXT_CLEANED = "text-cleaned"
    CHANGEFREQ_UNKNOWN = "changefreq-unknown"
    PRIORITY_UNKNOWN = "priority-unknown"
    # media
    MEDIA_UNCLASSIFIED = "media-unclassified"
    MEDIA_PASSED_OVER = "media-passed-over"
    MEDIA_DROPPED = "media-dropped"
    RATING_UNUSABLE = "rating-unusable"
    RATING_UNMAPPED = "rating-unmapped"
    RESTRICTION_UNUSABLE = "restriction-unusable"
    RESTRICTION_IGNORED = "restriction-ignored"
    RESTRICTION_WITHOUT_TYPE = "restriction-without-type"
    COUNTRY_UNKNOWN = "country-unknown"
    PRICE_UNUSABLE = "price-unusable"
    VIDEO_SKIPPED = "video-skipped"
    VIDEO_BLOCKED = "video-blocked"
    VIDEO_WITHHELD = "video-withheld"
    VIDEO_TYPE_UNLISTED = "video-type-unlisted"
    INHERITED_CUT = "inherited-cut"
    TAGS_CUT = "tags-cut"
    IMAGES_CUT = "images-cut"
    # extensions of the target
    NEWS_SKIPPED = "news-skipped"
    NEWS_NAME_CLEANED = "news-name-cleaned"
    NEWS_EMPTY = "news-empty"
    HREFLANG_INCOMPLETE = "hreflang-incomplete"
    HREFLANG_UNUSUAL = "hreflang-unusual"
    DROPPED_FIELD = "dropped-field"
    ALTERED_FIELD = "altered-field"
    # the output
    OUTPUT_COMPLETED = "output-completed"
    PARTS_SPLIT = "parts-split"
    SITEMAP_URL_ASSUMED = "sitemap-url-assumed"
    FILE_LEFT_OVER = "file-left-over"
    # what a feed must have, and the input lacks
    SUPPLIED_TITLE = "supplied-title"
    SUPPLIED_LINK = "supplied-link"
    SUPPLIED_DESCRIPTION = "supplied-description"
    SUPPLIED_ID = "supplied-id"
    SUPPLIED_UPDATED = "supplied-updated"
    SUPPLIED_NOW = "supplied-now"
    SUPPLIED_AUTHOR = "supplied-author"
    ID_DUPLICATE = "id-duplicate"


_INFO, _WARNING, _ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR

#: The one home of severities.
SEVERITY: Mapping[Code, Severity] = MappingProxyType(
    dict.fromkeys(Code, _WARNING)
    | dict.fromkeys(
        (
            Code.SOURCE_MOVED,
            Code.CHARSET_DISAGREES,
            Code.CHILD_ELSEWHERE,
            Code.PAGES_CIRCLE,
            Code.HEADER_LATE,
            Code.HEADER_CUT,
            Code.ELEMENT_MISPLACED,
            Code.ENTRY_SKIPPED,
            Code.ENTRY_FILTERED,
            Code.ENTRY_DROPPED,
            Code.ENTRY_EXPIRED,
            Code.LOC_PASSED_OVER,
            Code.URL_NORMALISED,
            Code.URL_SESSION_ID_REMOVED,
            Code.URL_TRACKING_REMOVED,
            Code.URL_REWRITTEN,
            Code.DATE_PARTIAL,
            Code.DATE_ASSUMED,
            Code.TEXT_CLEANED,
            Code.MEDIA_UNCLASSIFIED,
            Code.MEDIA_PASSED_OVER,
            Code.RATING_UNMAPPED,
            Code.RESTRICTION_IGNORED,
            Code.VIDEO_BLOCKED,
            Code.NEWS_EMPTY,
            Code.HREFLANG_INCOMPLETE,
            Code.DROPPED_FIELD,
            Code.ALTERED_FIELD,
            Code.OUTPUT_COMPLETED,
            Code.PARTS_SPLIT,
            Code.SUPPLIED_TITLE,
            Code.SUPPLIED_LINK,
            Code.SUPPLIED_DESCRIPTION,
            Code.SUPPLIED_ID,
            Code.SUPPLIED_UPDATED,
            Code.SUPPLIED_AUTHOR,
        ),
        _INFO,
    )
    | dict.fromkeys(
        (
            Code.XML_BROKEN,
            Code.ENTRY_TOO_LARGE,
            Code.URL_UNUSABLE,
            Code.URL_TOO_LONG,
            Code.URL_WITHOUT_BASE,
            Code.RESTRICTION_UNUSABLE,
            Code.VIDEO_WITHHELD,
        ),
        _ERROR,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing that was dropped, repaired, altered or noticed."""

    code: Code
    message: str
    """A sentence without a full stop: what was found, and what became of it."""
    line: int | None = None
    """Of the start tag in the source, counted from 1."""
    path: str | None = None
    """The element, as `item/pubDate`."""
    entry: str | None = None
    """The `loc` (else the id) of the entry that it belongs to."""
    source: str | None = None
    """The source's name as it was given; set where sources are opened, not by readers."""

    @property
    def severity(self) -> Severity:
        """From `SEVERITY`."""
        return SEVERITY[self.code]


Report = Callable[[Issue], None]


def ignore(issue: Issue) -> None:
    """A `Report` that forgets: for a second walk over what was reported already."""


def printable(text: str, most: int = 120) -> str:
    """Text from outside, fit for a message: cut, and with nothing that a terminal would obey.

    User names and passwords of URLs are left out. Control, direction and separator characters
    and lone surrogates are spelt out as escapes.
    """
    text = hide_userinfo(text[: most + LONGEST])
    cut = text if len(text) <= most else text[: most - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in cut
    )
