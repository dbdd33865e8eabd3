"""Keywords of the library: accepted values, and messages for refused ones."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import OptionError
from converter.formats.registry import FORMATS
from converter.model import Precision
from converter.options import (
    FetchOptions,
    Limits,
    ReadOptions,
    RunOptions,
    TransformOptions,
    WriteOptions,
    typed_dicts,
)
from converter.options.option_types import options_of
from converter.options.parsing import KEYWORDS, check_target, parse
from converter.options.typed_dicts import ConvertOptions
from tests.builders import NOW

CET = timezone(timedelta(hours=1))


def job(**given: Any) -> RunOptions:
    return parse(given, NOW)  # type: ignore[arg-type]  # that is what is tried


def check_for(job: RunOptions, to: str, *, is_stream: bool) -> None:
    row = FORMATS[to]
    check_target(job, row.title, has_index=row.index is not None, is_stream=is_stream)


def test_no_options_give_the_defaults() -> None:
    bare = RunOptions(
        read=ReadOptions(),
        transforms=TransformOptions(now=NOW),
        write=WriteOptions(now=NOW),
    )
    assert job() == bare
    assert job(**dict.fromkeys(ConvertOptions.__annotations__)) == bare


def test_a_job_can_be_sent_to_another_process() -> None:
    given = job(since="2025-01-01", assume_tz="Europe/Berlin", max_bytes="1MB", include=["a"])
    assert pickle.loads(pickle.dumps(given)) == given  # noqa: S301  our own


@pytest.mark.parametrize(
    ("keyword", "value", "part", "name", "expected"),
    [
        ("format", "rss", None, "format", "rss"),
        ("format", "auto", None, "format", None),
        ("to", "txt", None, "to", "txt"),
        ("gzip", True, None, "gzip", True),
        ("split_hosts", True, None, "split_hosts", True),
        ("dry_run", True, None, "dry_run", True),
        ("force", True, None, "force", True),
        ("base_url", "https://ex.com/a#b", "read", "base_url", "https://ex.com/a#b"),
        ("assume_tz", "Europe/Berlin", "read", "assume_tz", ZoneInfo("Europe/Berlin")),
        ("assume_tz", CET, "read", "assume_tz", CET),
        ("scan_html", True, "read", "scan_html", True),
        ("host", "ex.com", "transforms", "host", "ex.com"),
        ("unify_host", True, "transforms", "unify_host", True),
        ("scheme", "https", "transforms", "scheme", "https"),
        (
            "loc_template",
            "https://ex.com/{id}",
            "transforms",
            "loc_template",
            "https://ex.com/{id}",
        ),
        ("keep_params", ["a", "b*"], "transforms", "keep_params", ("a", "b*")),
        ("drop_params", "a", "transforms", "drop_params", ("a",)),  # a word is no list of letters
        ("keep_tracking", True, "transforms", "keep_tracking", True),
        ("keep_session_ids", True, "transforms", "keep_session_ids", True),
        ("include", ["^a", "b$"], "transforms", "include", ("^a", "b$")),
        ("exclude", "^a", "transforms", "exclude", ("^a",)),
        ("require_lastmod", True, "transforms", "require_lastmod", True),
        ("sort", "newest", "transforms", "sort", "newest"),
        ("max_entries", 1, "transforms", "max_entries", 1),
        ("max_entries", "1", "transforms", "max_entries", 1),
        ("lastmod", "none", "transforms", "lastmod", "none"),
        ("lastmod", "updated", "write", "lastmod", "updated"),
        ("sitemap_url", "https://ex.com/s", "transforms", "sitemap_url", "https://ex.com/s"),
        ("changefreq", "Never", "write", "changefreq", "never"),
        ("priority", 0.5, "write", "priority", "0.5"),
        ("priority", 1, "write", "priority", "1.0"),
        ("priority", "0", "write", "priority", "0.0"),
        ("priority", ".25", "write", "priority", "0.25"),
        ("images", False, "write", "images", False),
        ("videos", False, "write", "videos", False),
        ("news", "The Times", "write", "news_name", "The Times"),
        ("news_language", "de", "write", "news_language", "de"),
        ("mobile", True, "write", "mobile", True),
        ("legacy_tags", True, "write", "legacy_tags", True),
        ("limit_urls", 50_000, "write", "limit_urls", 50_000),
        ("limit_bytes", "50MiB", "write", "limit_bytes", 52_428_800),
        ("limit_bytes", 1024, "write", "limit_bytes", 1024),
        ("pretty", True, "write", "pretty", True),
        ("title", "T", "write", "title", "T"),
        ("link", "https://ex.com", "write", "link", "https://ex.com"),
        ("description", "D", "write", "description", "D"),
        ("author", "A", "write", "author", "A"),
        ("self_url", "http://ex.com/f", "write", "self_url", "http://ex.com/f"),
        ("timeout", 30, "fetch", "timeout_s", 30.0),
        ("timeout", "30", "fetch", "timeout_s", 30.0),
        ("timeout", 2.5, "fetch", "timeout_s", 2.5),
        ("retries", 0, "fetch", "retries", 0),
        (
            "user_agent",
            "me/1.0 (+https://ex.com)",
            "fetch",
            "user_agent",
            "me/1.0 (+https://ex.com)",
        ),
        ("headers", ["A: b", "C:d, e"], "fetch", "headers", (("A", "b"), ("C", "d, e"))),
        ("headers", "X-Key:  1 2 ", "fetch", "headers", (("X-Key", "1 2"),)),
        ("cache", "fetched", "fetch", "cache", "fetched"),
        ("allow_private_hosts", True, "fetch", "allow_private_hosts", True),
        ("all_feeds", True, "fetch", "all_feeds", True),
        ("follow_pages", True, "fetch", "follow_pages", True),
        ("max_pages", 5, "fetch", "max_pages", 5),
        ("keep_going", True, "fetch", "keep_going", True),
        (
            "merge",
            ["old.xml", "https://ex.com/s"],
            "publish",
            "merge",
            ("old.xml", "https://ex.com/s"),
        ),
        ("merge", "old.xml", "publish", "merge", ("old.xml",)),
        ("update", True, "publish", "update", True),
        ("part_by", "month", "publish", "part_by", "month"),
        ("min_urls", 10, "publish", "min_urls", 10),
        ("fail_if_shrinks", 12.5, "publish", "fail_if_shrinks", 12.5),
        ("fail_if_shrinks", 0, "publish", "fail_if_shrinks", 0.0),
        ("fail_if_shrinks", "20%", "publish", "fail_if_shrinks", 20.0),
        ("fail_if_shrinks", " 12.5 % ", "publish", "fail_if_shrinks", 12.5),
        ("fail_if_shrinks", "20", "publish", "fail_if_shrinks", 20.0),
        ("news_empty", "remove", "publish", "news_empty", "remove"),
        ("drop", ["/a", "/b"], "transforms", "drop", ("/a", "/b")),
        ("expire", 15, "transforms", "expired_before", datetime(2025, 12, 31, 12, tzinfo=UTC)),
    ],
)
def test_each_keyword_sets_its_field(
    keyword: str, value: Any, part: str | None, name: str, expected: Any
) -> None:
    given = job(**{keyword: value})
    assert getattr(getattr(given, part) if part else given, name) == expected


def test_a_size_for_sources_bounds_them_packed_and_unpacked() -> None:
    limits = job(max_bytes="2KiB").read.limits
    assert limits == Limits(max_source_bytes=2048, max_unpacked_bytes=2048)


@pytest.mark.parametrize(
    ("text", "instant", "precision"),
    [
        ("2025-01-31", datetime(2025, 1, 31, tzinfo=UTC), Precision.DAY),
        ("2025-01-31T10:00:00+01:00", datetime(2025, 1, 31, 9, tzinfo=UTC), Precision.SECOND),
    ],
)
@pytest.mark.parametrize("name", ["since", "until"])
def test_bounds_are_dates(name: str, text: str, instant: datetime, precision: Precision) -> None:
    bound = getattr(job(**{name: text}).transforms, name)
    assert (bound.instant, bound.precision) == (instant, precision)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (2048, 2048),
        ("2048", 2048),
        ("2048b", 2048),
        (" 2 kB ", 2000),
        ("2KiB", 2048),
        ("3MB", 3_000_000),
        ("1gb", 10**9),
        ("1GiB", 1024**3),
        ("1.5 MB", 1_500_000),
        ("5M", 5_000_000),
        ("5Ki", 5120),
    ],
)
def test_sizes_may_have_units(given: Any, expected: int) -> None:
    assert job(max_bytes=given).read.limits.max_source_bytes == expected


@pytest.mark.parametrize(
    ("keyword", "value", "words"),
    [
        ("base_url", "/feed", ("--base-url", '"/feed"', "https://")),
        ("base_url", "ftp://ex.com/", ("--base-url",)),
        ("base_url", "https://", ("--base-url",)),
        ("sitemap_url", "sitemap.xml", ("--sitemap-url",)),
        ("link", "ex.com", ("--link",)),
        ("self_url", "mailto:a@ex.com", ("--self-url",)),
        ("assume_tz", "Mars/Olympus", ("--assume-tz", "Mars/Olympus", "Europe/Berlin")),
        ("assume_tz", "../../etc/passwd", ("--assume-tz",)),
        ("assume_tz", "", ("--assume-tz",)),
        ("assume_tz", "Europe", ("--assume-tz",)),  # a folder of the database
        ("scheme", "ftp", ("--scheme", "http, https")),
        ("sort", "random", ("--sort", "input, url, newest")),
        ("lastmod", "now", ("--lastmod", "auto, updated, published, none")),
        ("changefreq", "often", ("--changefreq", "always, hourly")),
        ("priority", "2", ("--priority", '"2" is not a number from 0.0 to 1.0')),
        ("priority", -0.1, ("--priority",)),
        ("priority", "high", ("--priority",)),
        ("priority", "5e-1", ("--priority",)),
        ("priority", "nan", ("--priority",)),
        ("include", "(", ("--include", '"("', "not a regular expression")),
        ("exclude", ["a", "["], ("--exclude", '"["')),
        ("since", "yesterday", ("--since", '"yesterday" is not a full date', "2025-01-31")),
        ("until", "2025-02-30", ("--until",)),
        ("until", "2025-02", ("--until", "not a full date")),
        ("since", "9" * 10_000, ("--since",)),
        ("max_entries", 2.9, ("--max-entries", '"2.9" is not a whole number')),
        ("max_entries", 0, ("--max-entries", '"0" is not a whole number of 1 or more')),
        ("max_entries", "x", ("--max-entries", '"x" is not a whole number')),
        ("limit_urls", 0, ("--limit-urls", '"0" is not a whole number from 1 to 50,000')),
        ("limit_urls", 50_001, ("--limit-urls",)),
        ("limit_bytes", 1023, ("--limit-bytes", '"1023" is not a size from 1,024 to 52,428,800')),
        ("limit_bytes", "50.1MiB", ("--limit-bytes", "is not a size", "10MiB")),
        ("limit_bytes", "51MiB", ("--limit-bytes",)),
        ("max_bytes", "0", ("--max-bytes", "is not a size")),
        ("max_bytes", "5X", ("--max-bytes", "10MB")),
        ("max_bytes", -1, ("--max-bytes",)),
        ("max_bytes", "1" * 10_000, ("--max-bytes",)),
        ("timeout", 0, ("--timeout", '"0" is not a number from 1 to 86,400')),
        ("timeout", float("nan"), ("--timeout",)),
        ("retries", -1, ("--retries", '"-1" is not a whole number from 0 to 10')),
        ("retries", 11, ("--retries",)),
        ("user_agent", "a\r\nHost: b", ("--user-agent", "one line of ASCII")),
        ("user_agent", "", ("--user-agent",)),
        ("headers", "Authorization", ("--header", "'Authorization: Bearer 123'")),
        ("headers", "A b: c", ("--header",)),
        ("headers", "A: b\nC: d", ("--header",)),
        ("headers", "A:", ("--header",)),
        ("max_pages", 0, ("--max-pages", "1 or more")),
        ("part_by", "day", ("--part-by", "month, year")),
        ("min_urls", 0, ("--min-urls", "1 or more")),
        ("fail_if_shrinks", 101, ("--fail-if-shrinks", "from 0 to 100")),
        ("fail_if_shrinks", -1, ("--fail-if-shrinks",)),
        ("fail_if_shrinks", "101%", ("--fail-if-shrinks", "from 0 to 100")),
        ("fail_if_shrinks", "many", ("--fail-if-shrinks", '"many"', "20%")),
        ("expire", 0, ("--expire", '"0" is not a whole number from 1 to 36,525')),
        ("expire", 10**9, ("--expire", "36,525")),
        ("drop", "*", ("--drop", '"*"', "not a regular expression")),
        ("news_empty", "hide", ("--news-empty", "keep, remove")),
        ("news_output", "news.xml", ("--news-output", "--news NAME")),
        ("robots", "robots.txt", ("--robots", "--sitemap-url URL")),
    ],
)
def test_invalid_values_are_refused_by_their_option_name(
    keyword: str, value: Any, words: tuple[str, ...]
) -> None:
    with pytest.raises(OptionError) as raised:
        job(**{keyword: value})
    message = str(raised.value)
    assert len(message) < 400
    assert "\n" not in message
    for word in words:
        assert word in message


def test_header_values_are_not_shown() -> None:
    with pytest.raises(OptionError) as raised:
        job(headers=["Authorization: secret\x00"])
    assert "secret" not in str(raised.value)
    assert "secret" not in repr(job(headers=["Authorization: secret"]))


URL = "https://ex.com/sitemap.xml"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"update": True, "split_hosts": True}, ("--update and --split-hosts", "--host")),
        ({"part_by": "year", "split_hosts": True}, ("--part-by and --split-hosts",)),
        ({"update": True, "sort": "url"}, ("--update and --sort",)),
        ({"part_by": "month", "sort": "newest"}, ("--part-by and --sort",)),
        (
            {"robots": "robots.txt", "sitemap_url": URL, "split_hosts": True},
            ("--robots and --split-hosts",),
        ),
        (
            {"news_output": "n.xml", "news": "N", "split_hosts": True},
            ("--news-output and --split-hosts",),
        ),
    ],
)
def test_conflicting_options_are_refused_by_both_names(
    given: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(OptionError) as raised:
        job(**given)
    for word in words:
        assert word in str(raised.value)
    for name in given.keys() - {"sitemap_url", "news"}:
        job(**{key: value for key, value in given.items() if key != name})


def test_compatible_options_are_kept() -> None:
    given = job(news_output="n.xml", news="N", robots="robots.txt", sitemap_url=URL, update=True)
    assert (given.publish.news_output, given.publish.robots) == ("n.xml", "robots.txt")
    assert job(update=True, sort="input").transforms.sort == "input"


@pytest.mark.parametrize(
    ("given", "to", "is_stream", "words"),
    [
        ({"update": True}, "sitemap", True, ("--update", "-o PATH")),
        ({"part_by": "month"}, "sitemap", True, ("--part-by", "-o PATH")),
        ({"robots": "r.txt", "sitemap_url": URL}, "sitemap", True, ("--robots", "-o PATH")),
        ({"part_by": "month"}, "txt", False, ("--part-by", "no index", "--to sitemap")),
        ({"part_by": "year"}, "atom", False, ("--part-by", "Atom")),
    ],
)
def test_options_that_the_output_does_not_support_are_refused(
    given: dict[str, Any], to: str, is_stream: bool, words: tuple[str, ...]
) -> None:
    with pytest.raises(OptionError) as raised:
        check_for(job(**given), to, is_stream=is_stream)
    for word in words:
        assert word in str(raised.value)


def test_options_of_updates_are_accepted_for_a_file() -> None:
    given = job(update=True, part_by="month", robots="r.txt", sitemap_url=URL)
    check_for(given, "sitemap", is_stream=False)
    check_for(job(), "txt", is_stream=True)


def test_an_unknown_keyword_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="'a_b'"):
        job(colour=1, a_b=2)


TYPED_KEYWORDS = '''"""The typed keywords of `read` and `convert`; docs/cli.md explains each.

Written by `pytest tests/test_options.py --update` from the classes in `converter.options`.
"""

from collections.abc import Sequence
from datetime import date, tzinfo
from typing import TypedDict


class ReadKeywords(TypedDict, total=False):
    """The keywords of `read`: how sources are fetched and read."""

{read}

class ConvertOptions(ReadKeywords, total=False):
    """The keywords of `convert`."""

{rest}'''


def test_the_typed_keywords_are_those_of_the_table(golden: Callable[[Path, str], None]) -> None:
    of_read = (option for group in (ReadOptions, FetchOptions) for option in options_of(group))
    names = {"format", *(option.keyword for option in of_read)}
    lines = {name: f"    {name}: {option.type.annotation}\n" for name, option in KEYWORDS.items()}
    read, rest = (
        "".join(line for name, line in lines.items() if (name in names) is among)
        for among in (True, False)
    )
    golden(Path(typed_dicts.__file__), TYPED_KEYWORDS.format(read=read, rest=rest))


NUMBERS = (
    "expire",
    "fail_if_shrinks",
    "limit_bytes",
    "limit_urls",
    "max_bytes",
    "max_entries",
    "max_pages",
    "min_urls",
    "priority",
    "retries",
    "timeout",
)


@pytest.mark.property
@given(
    st.tuples(st.sampled_from(sorted(ConvertOptions.__annotations__)), st.text())
    | st.tuples(st.sampled_from(NUMBERS), st.integers() | st.floats() | st.booleans())
)
def test_any_value_is_accepted_or_refused_with_a_message(given: tuple[str, Any]) -> None:
    with suppress(OptionError):
        job(**dict([given]))
