"""The keywords of `convert` and `read`, checked and sorted into what the core understands.

The command line gives the same words as strings, so text is understood wherever a value can be
written as text: `limit_bytes="10MB"`, `since="2025-01-31"`, `assume_tz="Europe/Berlin"`.
"""

# Without `annotations` from `__future__`: a TypedDict would compile each of its sixty.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, TypedDict

from converter.keywords import checks, together
from converter.options import (
    FetchOptions,
    Limits,
    LiveOptions,
    PassOptions,
    ReadOptions,
    WriteOptions,
)

__all__ = ["ConvertOptions", "Job", "job_of"]

#: What one sitemap may hold (https://www.sitemaps.org/protocol.html); options go below it only.
MOST_URLS: Final = 50_000

#: More than any machine has cores; each is a process.
MOST_JOBS: Final = 256

#: Each waits twice as long as the one before.
MOST_RETRIES: Final = 10

#: A century; before that there were no pages.
MOST_DAYS: Final = 36_525

CHANGEFREQS: Final = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


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
    force: bool
    tell_losses: bool
    count_fields: bool
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
    fail_if_shrinks: float | str | None
    expire: int | None
    drop: Sequence[str]
    news_output: str | None
    news_empty: str | None
    robots: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
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
    force: bool = False
    jobs: int = 1
    """How many processes may work on a large source."""


def job_of(given: ConvertOptions, now: datetime) -> Job:
    """Check the keywords.

    Raises:
        OptionError: one of them cannot be, or two not together; the sentence names them as the
            command line does.
        TypeError: there is no such keyword.
    """
    unknown = given.keys() - ConvertOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"convert() has no keyword {min(unknown)!r}")
    asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    job = Job(
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
        force=bool(asked.get("force")),
        jobs=checks.positive(asked, "jobs", MOST_JOBS) or 1,
    )
    together.check(job)
    return job


def _read_options(asked: Mapping[str, Any]) -> ReadOptions:
    limits = Limits()
    if "max_bytes" in asked:
        most = checks.size_bytes("max-bytes", asked["max_bytes"])
        limits = Limits(max_source_bytes=most, max_unpacked_bytes=most)
    return ReadOptions(
        base_url=checks.absolute(asked, "base_url"),
        assume_tz=checks.zone(asked.get("assume_tz", UTC)),
        scan_html=bool(asked.get("scan_html")),
        limits=limits,
    )


def _pass_options(asked: Mapping[str, Any], now: datetime) -> PassOptions:
    days = checks.positive(asked, "expire", MOST_DAYS)
    return PassOptions(
        now=now,
        host=asked.get("host"),
        unify_host=bool(asked.get("unify_host")),
        scheme=checks.one_of(asked, "scheme", ("http", "https")),
        loc_template=asked.get("loc_template"),
        keep_params=checks.names(asked, "keep_params"),
        drop_params=checks.names(asked, "drop_params"),
        keep_tracking=bool(asked.get("keep_tracking")),
        keep_session_ids=bool(asked.get("keep_session_ids")),
        include=checks.patterns(asked, "include"),
        exclude=checks.patterns(asked, "exclude"),
        since=checks.bound(asked, "since"),
        until=checks.bound(asked, "until"),
        require_lastmod=bool(asked.get("require_lastmod")),
        sort=checks.one_of(asked, "sort", ("input", "url", "newest")),
        max_entries=checks.positive(asked, "max_entries", None),
        lastmod=checks.lastmod(asked),
        sitemap_url=checks.absolute(asked, "sitemap_url"),
        drop=checks.patterns(asked, "drop"),
        expired_before=None if days is None else now - timedelta(days=days),
    )


def _write_options(asked: Mapping[str, Any], now: datetime) -> WriteOptions:
    limit_bytes = asked.get("limit_bytes")
    return WriteOptions(
        now=now,
        lastmod=checks.lastmod(asked),
        changefreq=checks.one_of(asked, "changefreq", CHANGEFREQS),
        priority=checks.priority(asked),
        images=asked.get("images", True),
        videos=asked.get("videos", True),
        news_name=asked.get("news"),
        news_language=asked.get("news_language"),
        news_apart="news_output" in asked,
        mobile=bool(asked.get("mobile")),
        legacy_tags=bool(asked.get("legacy_tags")),
        limit_urls=checks.positive(asked, "limit_urls", MOST_URLS),
        limit_bytes=None if limit_bytes is None else checks.part_bytes(limit_bytes),
        pretty=bool(asked.get("pretty")),
        tell_losses=bool(asked.get("tell_losses")),
        count_fields=bool(asked.get("count_fields")),
        title=asked.get("title"),
        link=checks.absolute(asked, "link"),
        description=asked.get("description"),
        author=asked.get("author"),
        self_url=checks.absolute(asked, "self_url"),
    )


def _fetch_options(asked: Mapping[str, Any]) -> FetchOptions:
    usual = FetchOptions()
    return FetchOptions(
        timeout_s=checks.number(asked, "timeout", 1, 86_400) or usual.timeout_s,
        retries=checks.whole(asked, "retries", 0, MOST_RETRIES, usual.retries),
        user_agent=checks.one_line(asked, "user_agent"),
        headers=tuple(checks.header(text) for text in checks.names(asked, "headers")),
        cache=asked.get("cache"),
        allow_private_hosts=bool(asked.get("allow_private_hosts")),
        all_feeds=bool(asked.get("all_feeds")),
        follow_pages=bool(asked.get("follow_pages")),
        max_pages=checks.positive(asked, "max_pages", None) or usual.max_pages,
        keep_going=bool(asked.get("keep_going")),
    )


def _live_options(asked: Mapping[str, Any]) -> LiveOptions:
    return LiveOptions(
        merge=checks.names(asked, "merge"),
        update=bool(asked.get("update")),
        part_by=checks.one_of(asked, "part_by", ("month", "year")),
        min_urls=checks.positive(asked, "min_urls", None),
        fail_if_shrinks=checks.percentage(asked, "fail_if_shrinks"),
        news_output=asked.get("news_output"),
        news_empty=checks.one_of(asked, "news_empty", ("keep", "remove")) or "keep",
        robots=asked.get("robots"),
    )
