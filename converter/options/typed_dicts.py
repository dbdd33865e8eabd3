"""The typed keywords of `read` and `convert`; docs/cli.md explains each.

Written by `pytest tests/test_options.py --update` from the classes in `converter.options`.
"""

from collections.abc import Sequence
from datetime import date, tzinfo
from typing import TypedDict


class ReadKeywords(TypedDict, total=False):
    """The keywords of `read`: how sources are fetched and read."""

    format: str | None
    base_url: str | None
    assume_tz: str | tzinfo | None
    scan_html: bool
    max_bytes: int | str | None
    all_feeds: bool
    follow_pages: bool
    max_pages: int | None
    keep_going: bool
    timeout: float | None
    retries: int | None
    user_agent: str | None
    headers: Sequence[str]
    cache: str | None
    allow_private_hosts: bool


class ConvertOptions(ReadKeywords, total=False):
    """The keywords of `convert`."""

    to: str | None
    gzip: bool
    split_hosts: bool
    dry_run: bool
    force: bool
    jobs: int | None
    update: bool
    merge: Sequence[str]
    part_by: str | None
    expire: int | None
    min_urls: int | None
    fail_if_shrinks: float | str | None
    news_output: str | None
    news_empty: str | None
    robots: str | None
    sitemap_url: str | None
    drop: Sequence[str]
    host: str | None
    unify_host: bool
    scheme: str | None
    loc_template: str | None
    keep_params: Sequence[str]
    drop_params: Sequence[str]
    keep_tracking: bool
    keep_session_ids: bool
    include: Sequence[str]
    exclude: Sequence[str]
    since: str | date | None
    until: str | date | None
    require_lastmod: bool
    sort: str | None
    max_entries: int | None
    lastmod: str | None
    limit_urls: int | None
    limit_bytes: int | str | None
    pretty: bool
    changefreq: str | None
    priority: str | float | None
    images: bool
    videos: bool
    news: str | None
    news_language: str | None
    mobile: bool
    legacy_tags: bool
    title: str | None
    link: str | None
    description: str | None
    author: str | None
    self_url: str | None
    tell_losses: bool
    count_fields: bool
