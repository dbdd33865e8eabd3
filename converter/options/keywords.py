"""The keywords of `convert` and `read`: their types for type checkers, and how they are checked."""

# Without `annotations` from `__future__`: a TypedDict would compile each of its seventy.

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final, TypedDict, TypeVar

from converter.errors import OptionError
from converter.options import (
    FetchOptions,
    Job,
    LiveOptions,
    PassOptions,
    ReadOptions,
    WriteOptions,
)
from converter.options.table import OPTIONS

__all__ = ["ConvertOptions", "Fetching", "check_target", "parse"]

T = TypeVar("T", ReadOptions, PassOptions, WriteOptions, FetchOptions, LiveOptions, Job)


class Fetching(TypedDict, total=False):
    """The keywords of `convert` that `read` has too: how sources are fetched, and what else is."""

    max_bytes: int | str | None
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


class ConvertOptions(Fetching, total=False):
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
    jobs: int | None
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


#: Keywords without an option: the command line has --losses and --report.
_FOR_PROGRAMS: Final = frozenset({"count_fields", "tell_losses"})

_BY_KEYWORD: Final = {option.keyword: option for option in OPTIONS if not option.cli_only}


def parse(given: ConvertOptions, now: datetime) -> Job:
    """Check the keywords, each and together.

    Args:
        given: None counts as not given.
        now: the time of the run.

    Raises:
        OptionError: a value is refused, or two options contradict each other; the message names
            them as the command line does.
        TypeError: there is no such keyword.
    """
    unknown = given.keys() - _BY_KEYWORD.keys() - _FOR_PROGRAMS
    if unknown:
        raise TypeError(f"convert() has no keyword {min(unknown)!r}")
    values: dict[str, Any] = {"now": now}
    for keyword, value in given.items():
        if keyword in _FOR_PROGRAMS:
            values[keyword] = bool(value)
        elif value is not None:
            option = _BY_KEYWORD[keyword]
            values[option.field or keyword] = option.type.check(option.long, value)
    if "expire" in values:
        values["expired_before"] = now - timedelta(days=values["expire"])
    values["news_apart"] = "news_output" in values
    values["read"] = _made(ReadOptions, values)
    values["passes"] = _made(PassOptions, values)
    values["write"] = _made(WriteOptions, values)
    values["fetch"] = _made(FetchOptions, values)
    values["live"] = _made(LiveOptions, values)
    job = _made(Job, values)
    for is_so, sentence in _REFUSED:
        if is_so(job):
            raise OptionError(sentence.format(word=_ordering(job)))
    return job


def _made(kind: type[T], values: Mapping[str, Any]) -> T:
    """Make one of the classes from the fields that are given; its defaults are the options'."""
    return kind(**{name: values[name] for name in kind.__annotations__ if name in values})


# -- options that contradict each other -------------------------------------------------------


def _ordering(job: Job) -> str | None:
    """Give the option that gives entries a place of their own in the set, if there is one."""
    if job.live.update:
        return "--update"
    return "--part-by" if job.live.part_by else None


#: A combination and the sentence that refuses it; {word} is what `_ordering` gives.
_REFUSED: Final[tuple[tuple[Callable[[Job], object], str], ...]] = (
    (
        lambda job: job.live.news_output is not None and job.write.news_name is None,
        "--news-output is a news sitemap, which names its publication; give that with --news NAME",
    ),
    (
        lambda job: job.live.robots is not None and job.passes.sitemap_url is None,
        "--robots writes where the sitemap can be fetched; give that with --sitemap-url URL",
    ),
    (
        lambda job: _ordering(job) and job.split_hosts,
        "{word} and --split-hosts cannot be had together; make one run for each host, with --host",
    ),
    (
        lambda job: _ordering(job) and job.passes.sort not in {None, "input"},
        (
            "{word} and --sort cannot be had together: in a set that lives, what is there keeps "
            "its place; leave one of them out"
        ),
    ),
    (
        lambda job: job.live.robots is not None and job.split_hosts,
        (
            "--robots and --split-hosts cannot be had together: a robots.txt is one host's; make "
            "one run for each host, with --host"
        ),
    ),
    (
        lambda job: job.live.news_output is not None and job.split_hosts,
        (
            "--news-output and --split-hosts cannot be had together: a news sitemap is one host's; "
            "make one run for each host, with --host"
        ),
    ),
)


def check_target(job: Job, title: str, *, has_index: bool, is_stream: bool) -> None:
    """Refuse options that this output cannot have.

    Args:
        job: the options.
        title: what to call the output's format.
        has_index: an output of this format may be several files.
        is_stream: the output is standard output, a device or a program's own stream.

    Raises:
        OptionError: the sentence names the option.
    """
    live = job.live
    if is_stream:
        for option, is_given, reason in (
            ("--update", live.update, "holds nothing to add to"),
            ("--part-by", live.part_by, "is one file"),
            ("--robots", live.robots is not None, "is nothing that is fetched"),
        ):
            if is_given:
                raise OptionError(
                    f"{option}: standard output (or a stream) {reason}; name a file with -o PATH"
                )
    if live.part_by and not has_index:
        raise OptionError(
            f"--part-by: {title} has no index that could list its parts; "
            "leave it out, or choose --to sitemap"
        )
