from __future__ import annotations

from typing import Any

import pytest

from converter.errors import OptionError
from converter.issues import Code, Issue, ignore
from converter.model import Alternate, Entry
from converter.options import TransformOptions
from converter.pipeline import counts
from converter.pipeline.counts import Counts
from converter.pipeline.transforms.host_check import HostCheck
from tests.builders import NOW


def entries_at(*locs: str | None) -> list[Entry]:
    return [Entry(loc=loc, line=line) for line, loc in enumerate(locs, 1)]


def checked(entries: list[Entry], **options: Any) -> tuple[list[str | None], list[Issue]]:
    issues: list[Issue] = []
    hosts = HostCheck(TransformOptions(now=NOW, **options), issues.append, Counts())
    kept = [entry.loc for entry in filter(None, map(hosts.check, entries))]
    hosts.summarise()
    return kept, issues


def found(issues: list[Issue]) -> list[tuple[Code, int | None]]:
    return [(issue.code, issue.line) for issue in issues]


def test_one_host_and_one_scheme_are_nothing_to_report() -> None:
    locs = ["https://ex.com/a", "https://ex.com/b", None]
    assert checked(entries_at(*locs)) == (locs, [])


def test_every_deviation_from_the_majority_is_reported_once_with_its_number() -> None:
    locs = [
        "http://ex.com/1",
        "https://ex.com/2",
        "https://www.ex.com/3",
        "https://ex.com/4",
        "https://other.example/5",
        "https://www.ex.com/6",
        "https://ex.com:8080/7",
        "https://ex.com/8",
    ]
    kept, issues = checked(entries_at(*locs))
    assert kept == locs
    assert found(issues) == [
        (Code.SCHEME_MIXED, 1),
        (Code.HOST_SIBLING, 3),
        (Code.HOST_OTHER, 5),
        (Code.HOST_OTHER, 7),
    ]
    assert issues[0].message.startswith(
        "1 entry on http://ex.com, where most are on https://ex.com"
    )
    assert issues[1].message.startswith("2 entries on https://www.ex.com")


def test_of_two_hosts_with_the_same_number_the_first_is_the_reference() -> None:
    _, issues = checked(entries_at("https://b.example/", "https://a.example/"))
    assert found(issues) == [(Code.HOST_OTHER, 2)]


def test_hosts_without_number_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MAX_ORIGINS", 3)
    _, issues = checked(entries_at(*(f"https://h{n}.example/" for n in range(6))))
    assert found(issues) == [(Code.HOST_OTHER, 2), (Code.HOST_OTHER, 3), (Code.HOST_OTHER, 4)]
    assert issues[-1].message.startswith("3 entries on further hosts")


def test_the_host_option_drops_other_hosts() -> None:
    kept, issues = checked(
        entries_at("https://ex.com/34", "https://www.ex.com/34", "https://other.example/", None),
        host="EX.com",
    )
    assert kept == ["https://ex.com/34", None]
    assert found(issues) == [(Code.HOST_DROPPED, 2), (Code.HOST_DROPPED, 3)]
    assert "www" in issues[0].message.partition(";")[2]
    assert "--unify-host" not in issues[1].message


@pytest.mark.parametrize("host", ["", "https://ex.com", "ex.com:8080", "ex.com/a", "a b"])
def test_an_invalid_host_is_refused(host: str) -> None:
    with pytest.raises(OptionError, match="host"):
        HostCheck(TransformOptions(now=NOW, host=host), ignore, Counts())


def test_unify_rewrites_the_www_sibling_of_the_host() -> None:
    kept, issues = checked(
        entries_at("https://www.ex.com/a", "http://www.ex.com:8080/b", "https://x.example/"),
        host="ex.com",
        unify_host=True,
    )
    assert kept == ["https://ex.com/a", "http://ex.com:8080/b"]
    assert (Code.HOST_DROPPED, 3) in found(issues)
    assert [issue.message for issue in issues if issue.code is Code.URL_REWRITTEN] == [
        "2 entries rewritten as asked"
    ]


def test_unify_without_a_host_takes_the_first_one_seen() -> None:
    kept, issues = checked(
        entries_at("https://www.ex.com/a", "https://ex.com/b", "https://ex.com/c"), unify_host=True
    )
    assert kept == ["https://www.ex.com/a", "https://www.ex.com/b", "https://www.ex.com/c"]
    assert found(issues) == [(Code.URL_REWRITTEN, 2)]


def test_a_scheme_rewrites_pages_and_alternates_and_takes_the_default_port_away() -> None:
    issues: list[Issue] = []
    given = Entry(
        loc="http://ex.com:443/a",
        alternates=(
            Alternate(hreflang="de", href="http://de.ex.com/a"),
            Alternate(hreflang="en", href="https://ex.com/a"),
        ),
    )
    entry = HostCheck(TransformOptions(now=NOW, scheme="https"), issues.append, Counts()).check(
        given
    )
    assert entry is not None
    assert entry.loc == "https://ex.com/a"
    assert [alternate.href for alternate in entry.alternates] == [
        "https://de.ex.com/a",
        "https://ex.com/a",
    ]
    assert entry.alternates[1] is given.alternates[1]


def test_an_entry_that_needs_no_rewriting_stays_the_same_object() -> None:
    given = Entry(loc="https://ex.com/a")
    hosts = HostCheck(TransformOptions(now=NOW, scheme="https", unify_host=True), ignore, Counts())
    assert hosts.check(given) is given


def test_a_url_that_gets_too_long_by_rewriting_is_dropped() -> None:
    longest = "http://ex.com/".ljust(2047, "a")
    kept, issues = checked(entries_at(longest), scheme="https")
    assert kept == []
    assert found(issues) == [(Code.URL_TOO_LONG, 1)]


def test_the_scope_of_the_sitemap_is_reported_and_nothing_is_dropped() -> None:
    locs = [
        "https://ex.com/maps/a",
        "https://ex.com/maps",
        "https://ex.com/other",
        "http://ex.com/maps/a",
        "https://ex.com:8080/maps/a",
        "https://www.ex.com/maps/a",
    ]
    kept, issues = checked(entries_at(*locs), sitemap_url="https://EX.com/maps/sitemap.xml?a=/b/c")
    assert kept == locs
    assert found(issues) == [(Code.SCOPE_OUTSIDE, line) for line in (2, 3, 4, 5, 6)]


def test_an_invalid_sitemap_url_is_refused() -> None:
    with pytest.raises(OptionError, match="sitemap_url"):
        HostCheck(TransformOptions(now=NOW, sitemap_url="/sitemap.xml"), ignore, Counts())


def test_a_summary_is_given_once() -> None:
    issues: list[Issue] = []
    hosts = HostCheck(TransformOptions(now=NOW), issues.append, Counts())
    for entry in entries_at("https://a.example/", "https://b.example/"):
        hosts.check(entry)
    hosts.summarise()
    assert found(issues) == [(Code.HOST_OTHER, 2)]
    hosts.summarise()
    assert len(issues) == 1
