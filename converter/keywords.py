"""The keywords of `convert` and `read`, checked and sorted into what the core understands.

The command line gives the same words as strings, so text is understood wherever a value can be
written as text: `limit_bytes="10MB"`, `since="2025-01-31"`, `assume_tz="Europe/Berlin"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any, Final, Literal, TypedDict

from converter.errors import OptionError
from converter.issues import printable
from converter.model import Moment
from converter.options import (
    FetchOptions,
    Limits,
    LiveOptions,
    PassOptions,
    ReadOptions,
    WriteOptions,
)
from converter.record import field, record
from converter.values import dates, numbers, urls
from converter.values.patterns import lazy

__all__ = ["ConvertOptions", "Job", "job_of"]

#: What one sitemap may hold (https://www.sitemaps.org/protocol.html); options go below it only.
MOST_URLS: Final = 50_000
MOST_BYTES: Final = 52_428_800

#: More than any machine has cores; each is a process.
MOST_JOBS: Final = 256

#: Each waits twice as long as the one before.
MOST_RETRIES: Final = 10

CHANGEFREQS: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

#: https://www.rfc-editor.org/rfc/rfc9110#section-5
_HEADER_NAME: Final = lazy(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE: Final = lazy(r"[\t\x20-\x7e]+")

_UNITS: Final[Mapping[str, int]] = {
    "": 1,
    "b": 1,
    "kb": 1000,
    "kib": 1024,
    "k": 1024,
    "mb": 1000**2,
    "mib": 1024**2,
    "m": 1024**2,
    "gb": 1000**3,
    "gib": 1024**3,
    "g": 1024**3,
}


class ConvertOptions(TypedDict, total=False):
    """The keywords of `convert`; docs/cli.md tells what each does, under the same name."""

    format: str | None
    to: str | None
    gzip: bool
    base_url: str | None
    host: str | None
    unify_host: bool
    scheme: str | None
    split_hosts: bool
    loc_template: str | None
    assume_tz: str | tzinfo | None
    scan_html: bool
    keep_params: Sequence[str]
    drop_params: Sequence[str]
    keep_tracking: bool
    keep_session_ids: bool
    include: Sequence[str]
    exclude: Sequence[str]
    since: str | None
    until: str | None
    require_lastmod: bool
    sort: str | None
    max_entries: int | None
    lastmod: str | None
    changefreq: str | None
    priority: str | float | None
    images: bool
    videos: bool
    news: str | None
    news_language: str | None
    mobile: bool
    legacy_tags: bool
    limit_urls: int | None
    limit_bytes: int | str | None
    sitemap_url: str | None
    pretty: bool
    title: str | None
    link: str | None
    description: str | None
    author: str | None
    self_url: str | None
    dry_run: bool
    tell_losses: bool
    max_bytes: int | str | None
    jobs: int | None
    timeout: float | None
    retries: int | None
    user_agent: str | None
    headers: Sequence[str]
    cache: str | None
    allow_private_hosts: bool
    all_feeds: bool
    follow_pages: bool
    max_pages: int | None
    keep_going: bool
    merge: Sequence[str]
    update: bool
    part_by: str | None
    min_urls: int | None
    fail_if_shrinks: float | None
    expire: int | None
    drop: Sequence[str]
    news_output: str | None
    news_empty: str | None
    robots: str | None


@record
class Job:
    """What was asked for."""

    read: ReadOptions
    passes: PassOptions
    write: WriteOptions
    fetch: FetchOptions = field(default_factory=FetchOptions)
    live: LiveOptions = field(default_factory=LiveOptions)
    format: str | None = None
    to: str | None = None
    gzip: bool = False
    split_hosts: bool = False
    dry_run: bool = False
    jobs: int = 1
    """How many processes may work on a large source."""


def job_of(given: ConvertOptions, now: datetime) -> Job:
    """Check the keywords.

    Raises:
        OptionError: one of them cannot be; the sentence names it as the command line does.
        TypeError: there is no such keyword.
    """
    unknown = given.keys() - ConvertOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"convert() has no keyword {min(unknown)!r}")
    asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return Job(
        read=_read_options(asked),
        passes=_pass_options(asked, now),
        write=_write_options(asked, now),
        fetch=_fetch_options(asked),
        live=_live_options(asked),
        format=None if asked.get("format") == "auto" else asked.get("format"),
        to=asked.get("to"),
        gzip=bool(asked.get("gzip")),
        split_hosts=bool(asked.get("split_hosts")),
        dry_run=bool(asked.get("dry_run")),
        jobs=_positive(asked, "jobs", MOST_JOBS) or 1,
    )


def _read_options(asked: Mapping[str, Any]) -> ReadOptions:
    limits = Limits()
    if "max_bytes" in asked:
        most = size_bytes("max-bytes", asked["max_bytes"])
        limits = Limits(max_source_bytes=most, max_unpacked_bytes=most)
    return ReadOptions(
        base_url=_absolute(asked, "base_url"),
        assume_tz=_zone(asked.get("assume_tz", UTC)),
        scan_html=bool(asked.get("scan_html")),
        limits=limits,
    )


def _pass_options(asked: Mapping[str, Any], now: datetime) -> PassOptions:
    return PassOptions(
        now=now,
        host=asked.get("host"),
        unify_host=bool(asked.get("unify_host")),
        scheme=_one_of(asked, "scheme", ("http", "https")),
        loc_template=asked.get("loc_template"),
        keep_params=_names(asked, "keep_params"),
        drop_params=_names(asked, "drop_params"),
        keep_tracking=bool(asked.get("keep_tracking")),
        keep_session_ids=bool(asked.get("keep_session_ids")),
        include=_patterns(asked, "include"),
        exclude=_patterns(asked, "exclude"),
        since=_bound(asked, "since"),
        until=_bound(asked, "until"),
        require_lastmod=bool(asked.get("require_lastmod")),
        sort=_one_of(asked, "sort", ("input", "url", "newest")),
        max_entries=_positive(asked, "max_entries", None),
        lastmod=_lastmod(asked),
        sitemap_url=_absolute(asked, "sitemap_url"),
    )


def _write_options(asked: Mapping[str, Any], now: datetime) -> WriteOptions:
    limit_bytes = asked.get("limit_bytes")
    return WriteOptions(
        now=now,
        lastmod=_lastmod(asked),
        changefreq=_one_of(asked, "changefreq", CHANGEFREQS),
        priority=_priority(asked),
        images=asked.get("images", True),
        videos=asked.get("videos", True),
        news_name=asked.get("news"),
        news_language=asked.get("news_language"),
        mobile=bool(asked.get("mobile")),
        legacy_tags=bool(asked.get("legacy_tags")),
        limit_urls=_positive(asked, "limit_urls", MOST_URLS),
        limit_bytes=None if limit_bytes is None else _part_bytes(limit_bytes),
        pretty=bool(asked.get("pretty")),
        tell_losses=bool(asked.get("tell_losses")),
        title=asked.get("title"),
        link=_absolute(asked, "link"),
        description=asked.get("description"),
        author=asked.get("author"),
        self_url=_absolute(asked, "self_url"),
    )


def _fetch_options(asked: Mapping[str, Any]) -> FetchOptions:
    usual = FetchOptions()
    return FetchOptions(
        timeout_s=_number(asked, "timeout", 1, 86_400) or usual.timeout_s,
        retries=_whole(asked, "retries", 0, MOST_RETRIES, usual.retries),
        user_agent=_one_line(asked, "user_agent"),
        headers=tuple(_header(text) for text in _names(asked, "headers")),
        cache=asked.get("cache"),
        allow_private_hosts=bool(asked.get("allow_private_hosts")),
        all_feeds=bool(asked.get("all_feeds")),
        follow_pages=bool(asked.get("follow_pages")),
        max_pages=_positive(asked, "max_pages", None) or usual.max_pages,
        keep_going=bool(asked.get("keep_going")),
    )


def _live_options(asked: Mapping[str, Any]) -> LiveOptions:
    return LiveOptions(
        merge=_names(asked, "merge"),
        update=bool(asked.get("update")),
        part_by=_one_of(asked, "part_by", ("month", "year")),
        min_urls=_positive(asked, "min_urls", None),
        fail_if_shrinks=_number(asked, "fail_if_shrinks", 0, 100),
        expire_days=_positive(asked, "expire", None),
        drop=_patterns(asked, "drop"),
        news_output=asked.get("news_output"),
        news_empty=_one_of(asked, "news_empty", ("keep", "remove")) or "keep",
        robots=asked.get("robots"),
    )


# -- one check a kind of value ----------------------------------------------------------------


def _word(name: str) -> str:
    """Give a keyword as the command line spells it."""
    singular = {"keep_params": "keep-param", "drop_params": "drop-param", "headers": "header"}
    return "--" + singular.get(name, name.replace("_", "-"))


def _one_of(asked: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> Any:
    value = asked.get(name)
    if value is None or value in choices:
        return value
    raise OptionError(
        f'{_word(name)}: "{printable(str(value))}" is none of its words; choose one of '
        + ", ".join(choices)
    )


def _lastmod(asked: Mapping[str, Any]) -> Literal["auto", "updated", "published", "none"]:
    choice: Literal["auto", "updated", "published", "none"] | None = _one_of(
        asked, "lastmod", ("auto", "updated", "published", "none")
    )
    return choice or "auto"


def _absolute(asked: Mapping[str, Any], name: str) -> str | None:
    url: str | None = asked.get(name)
    if url is None:
        return None
    cleaned = urls.media(url, keep_fragment=True).url if urls.is_http(url) else None
    if cleaned is None:
        raise OptionError(
            f"{_word(name)}: {urls.shown(url)} is no absolute URL; "
            "give it whole, as https://example.com/feed.xml"
        )
    return url


def _patterns(asked: Mapping[str, Any], name: str) -> tuple[str, ...]:
    patterns = _names(asked, name)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise OptionError(
                f'{_word(name)}: "{printable(pattern)}" is no regular expression: {error}'
            ) from error
    return patterns


def _names(asked: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value: str | Iterable[str] = asked.get(name, ())
    return (value,) if isinstance(value, str) else tuple(value)


def _bound(asked: Mapping[str, Any], name: str) -> Moment | None:
    text = asked.get(name)
    if text is None:
        return None
    try:
        moment = dates.from_w3c(str(text))
    except ValueError as error:
        raise OptionError(
            f'{_word(name)}: "{printable(str(text))}" is no date; '
            "give 2025-01-31 or 2025-01-31T10:00:00+01:00"
        ) from error
    if moment.is_partial:
        raise OptionError(f'{_word(name)}: "{text}" has no day; give it whole, as 2025-01-31')
    return moment


def _zone(given: str | tzinfo) -> tzinfo:
    if isinstance(given, tzinfo):
        return given
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(given)
    except (ValueError, OSError, KeyError) as error:
        raise OptionError(
            f'--assume-tz: "{printable(given)}" is no time zone; give a name as Europe/Berlin'
        ) from error


def _positive(asked: Mapping[str, Any], name: str, most: int | None) -> int | None:
    number = asked.get(name)
    if number is None:
        return None
    if not isinstance(number, int) or number < 1 or (most is not None and number > most):
        upto = f" and at most {most:,}" if most else ""
        raise OptionError(f"{_word(name)}: {number} cannot be; give at least 1{upto}")
    return number


def _whole(asked: Mapping[str, Any], name: str, least: int, most: int, otherwise: int) -> int:
    number = _number(asked, name, least, most)
    return otherwise if number is None else int(number)


def _number(asked: Mapping[str, Any], name: str, least: int, most: int) -> float | None:
    number = asked.get(name)
    if number is None:
        return None
    if not isinstance(number, int | float) or not least <= number <= most:
        raise OptionError(
            f"{_word(name)}: {number} cannot be; give at least {least:,} and at most {most:,}"
        )
    return float(number)


def _one_line(asked: Mapping[str, Any], name: str) -> str | None:
    text: str | None = asked.get(name)
    if text is not None and not _HEADER_VALUE.fullmatch(text):
        raise OptionError(
            f'{_word(name)}: "{printable(text)}" cannot be sent; give one line of ASCII'
        )
    return text


def _header(text: str) -> tuple[str, str]:
    """Split `Name: value`; what it says is not repeated, for it may be a key."""
    name, colon, value = text.partition(":")
    if not colon or not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value.strip()):
        raise OptionError("--header: wanted one line, as 'Authorization: Bearer 123'")
    return name, value.strip()


def _priority(asked: Mapping[str, Any]) -> str | None:
    given = asked.get("priority")
    if given is None:
        return None
    try:
        value = numbers.decimal(str(given))
    except ValueError:
        value = None
    if value is None or not 0 <= value <= 1:
        shown = printable(str(given))
        raise OptionError(f'--priority: "{shown}" is none; give a number from 0.0 to 1.0')
    text = f"{abs(value):f}"  # "-0" is a decimal too
    return text if "." in text else f"{text}.0"


def size_bytes(name: str, given: int | str) -> int:
    """Read a size: a number of bytes, or one with a unit (KB, KiB, MB, MiB, GB, GiB).

    Raises:
        OptionError: it is none, or not above zero.
    """
    match = re.fullmatch(r"\s*(\d{1,15})\s*([a-z]{0,3})\s*", str(given), re.IGNORECASE)
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None or not int(match[1]):
        raise OptionError(
            f'--{name}: "{printable(str(given))}" is no size; give bytes, or as 10MB or 10MiB'
        )
    return int(match[1]) * unit


#: Less than this holds no page.
_FEWEST_BYTES: Final = 1024


def _part_bytes(given: int | str) -> int:
    size = size_bytes("limit-bytes", given)
    if not _FEWEST_BYTES <= size <= MOST_BYTES:
        raise OptionError(
            f"--limit-bytes: {size:,} cannot be; "
            f"give at least {_FEWEST_BYTES:,} and at most {MOST_BYTES:,}"
        )
    return size
