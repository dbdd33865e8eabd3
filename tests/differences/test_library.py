from __future__ import annotations

import gzip
import io
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest

import converter
from converter import Change, FieldChange
from tests.differences.sitemaps import SITE, Page, differences, image, sitemap, video


def listed(*urls: str) -> BytesIO:
    return BytesIO("".join(f"{url}\n" for url in urls).encode())


def dated(*dates: str) -> list[Page]:
    return [(f"{SITE}/{number}", f"<lastmod>{date}</lastmod>") for number, date in enumerate(dates)]


def kinds(changes: Sequence[Change]) -> list[tuple[str, str]]:
    return [(change.kind, change.url.removeprefix(SITE)) for change in changes]


# -- what is compared ---------------------------------------------------------------------------


def test_pages_are_added_and_removed() -> None:
    changes = converter.diff(listed(f"{SITE}/a", f"{SITE}/b"), listed(f"{SITE}/b", f"{SITE}/c"))
    assert list(changes) == [
        Change(kind="removed", url=f"{SITE}/a"),
        Change(kind="added", url=f"{SITE}/c"),
    ]
    totals = changes.totals
    assert totals.sentence() == "1 added, 1 removed, 0 changed, 1 same"
    assert (totals.is_different, totals.removed_percent) == (True, 50)


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("2026-01-06T10:00:00+01:00", "2026-01-06T09:00:00Z", True),
        ("2026-01-06", "2026-01-06T23:59:59Z", True),
        ("2026-01-06", "2026-01-07T00:30:00+02:00", True),
        ("2026-01-06", "2026-01-06T00:30:00+02:00", False),
        ("2026-01", "2026-01-31", True),
        ("2026-01", "2026-02-01", False),
        ("9999-12-31T23:59:59-14:00", "9999-12-31T23:59:58-14:00", False),
    ],
)
def test_dates_are_compared_as_instants(old: str, new: str, is_same: bool) -> None:
    found = differences(dated(old), dated(new))
    assert (found == []) is is_same


def test_a_date_that_is_less_precise_is_counted() -> None:
    changes = converter.diff(
        sitemap(dated("2026-01-06", "2026-01-06")),
        sitemap(dated("2026-01-06T10:00:00Z", "2026-01-06")),
    )
    assert list(changes) == []
    assert changes.totals.less_precise == 1


def test_a_lastmod_that_went_back_is_older_on_request() -> None:
    old, new = dated("2026-01-06", "2026-01-06", "2026-01-06"), dated("2026-01-05", "2026-01-07")
    assert [kind for kind, _ in kinds(differences(old, new))] == ["changed", "changed", "removed"]
    found = differences(old, new, lastmod_order="newer")
    assert [kind for kind, _ in kinds(found)] == ["older", "changed", "removed"]
    assert found[0].fields == (FieldChange("lastmod", "2026-01-06", "2026-01-05"),)


def test_only_some_kinds_are_yielded_and_all_are_counted() -> None:
    old, new = dated("2026-01-06", "2026-01-06"), dated("2026-01-06", "2026-01-07")
    changes = converter.diff(sitemap(old), sitemap(new), only=["same"])
    assert kinds(list(changes)) == [("same", "/0")]
    assert changes.totals.count(["changed", "older"]) == 1


def test_images_and_videos_are_sets_by_url_whose_values_are_compared() -> None:
    old = [(f"{SITE}/", image(1) + image(2, "two") + video(1, "one", 2))]
    new = [(f"{SITE}/", video(1, "one", 3) + image(3) + image(2, "three"))]
    assert differences(old, new) == [
        Change(
            kind="changed",
            url=f"{SITE}/",
            fields=(
                FieldChange("images", f"{SITE}/1.jpg", None),
                FieldChange("images", "two", "three", item=f"{SITE}/2.jpg", name="title"),
                FieldChange("images", None, f"{SITE}/3.jpg"),
                FieldChange("videos", "2", "3", item=f"{SITE}/1.mp4", name="duration_s"),
            ),
        )
    ]


def test_only_what_both_formats_hold_is_compared() -> None:
    pages = dated("2026-01-06")
    changes = converter.diff(listed(f"{SITE}/0"), sitemap(pages))
    assert list(changes) == []
    assert changes.totals.compared == ()
    assert "lastmod" in changes.totals.not_compared

    table = BytesIO(f"url,lastmod,title\n{SITE}/0,2026-01-07,x\n".encode())
    changes = converter.diff(table, sitemap(pages), compare=["all"])
    assert [field.field for change in changes for field in change.fields] == ["lastmod"]
    assert changes.totals.compared == ("lastmod", "images", "videos", "hints")


def test_titles_are_compared_within_feeds() -> None:
    item = "<item><link>{}/a</link><title>{}</title></item>"
    feed = f'<rss version="2.0"><channel>{item}</channel></rss>'
    old, new = (BytesIO(feed.format(SITE, title).encode()) for title in ("one", "two"))
    (change,) = converter.diff(old, new, compare=["title"])
    assert change.fields == (FieldChange("title", "one", "two"),)


# -- URLs ---------------------------------------------------------------------------------------


def test_urls_are_cleaned_unless_raw() -> None:
    old, new = f"{SITE}/%7euser?utm_source=x", f"{SITE}/~user"
    assert list(converter.diff(listed(old), listed(new))) == []
    found = list(converter.diff(listed(old), listed(new), raw=True))
    assert [change.url for change in found] == [old, new]


def test_duplicates_are_merged_as_a_conversion_does() -> None:
    pages = [
        (f"{SITE}/", "<lastmod>2026-01-06</lastmod>" + image(1, "one")),
        (f"{SITE}/#top", "<lastmod>2026-01-08</lastmod>" + image(2)),
        (f"{SITE}/", "<changefreq>daily</changefreq>" + image(1, "other")),
        (f"{SITE}/", ""),
    ]
    merged = BytesIO()
    converter.convert(sitemap(pages), merged, legacy_tags=True)
    merged.seek(0)
    changes = converter.diff(sitemap(pages), merged, compare=["all"])
    assert list(changes) == []
    assert (changes.totals.old.urls, changes.totals.old.duplicates) == (1, 3)


def test_hosts_and_paths_of_the_old_side_are_rewritten() -> None:
    staging = "http://staging.example.com:8080"
    old = [(f"{staging}/blog/1", image(1).replace(SITE, staging))]
    new = [(f"{SITE}/news/1", image(1))]
    options = {
        "map_host": ["staging.example.com:8080=https://example.com"],
        "map_url": [r"/blog/(\d+)=/news/\1"],
    }
    assert differences(old, new, **options) == []
    assert len(differences(old, new, map_host=options["map_host"])) == 2


def test_hosts_can_be_swapped() -> None:
    old, new = listed("https://a.com/1", "https://b.com/2"), listed("https://b.com/1")
    changes = converter.diff(old, new, map_host=["a.com=b.com", "b.com=a.com"])
    assert [(it.kind, it.url) for it in changes] == [("removed", "https://a.com/2")]


def test_an_equals_sign_of_a_pattern_has_a_backslash() -> None:
    old, new = listed(f"{SITE}/?id=7"), listed(f"{SITE}/item/?n=7")
    assert list(converter.diff(old, new, map_url=[r"\?id\=(\d+)$=item/?n=\1"])) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("map_host", "a.com"),
        ("map_host", "a.com=b.com/path"),
        ("map_host", "a b=c.com"),
        ("map_url", "pattern"),
        ("map_url", "(=x"),
        ("map_url", r"a=\1"),
        ("compare", "lastmodified"),
        ("only", "new"),
        ("lastmod_order", "older"),
        ("include", "("),
        ("from_old", "doc"),
    ],
)
def test_invalid_options_are_refused(option: str, value: str) -> None:
    given = value if option in {"lastmod_order", "from_old"} else [value]
    with pytest.raises(converter.OptionError):
        list(converter.diff(listed(f"{SITE}/a"), listed(f"{SITE}/b"), **{option: given}))  # type: ignore[arg-type]


def test_only_selected_pages_are_compared() -> None:
    old, new = listed(f"{SITE}/a", f"{SITE}/b/1"), listed(f"{SITE}/c", f"{SITE}/b/2")
    changes = converter.diff(old, new, include=["/[bc]"], exclude=["/b/2"])
    assert kinds(list(changes)) == [("removed", "/b/1"), ("added", "/c")]
    assert (changes.totals.old.filtered, changes.totals.new.filtered) == (1, 1)


def test_entries_without_a_usable_url_are_left_out_and_counted() -> None:
    long = f"{SITE}/{'a' * 2100}"
    issues: list[converter.Issue] = []
    changes = converter.diff(listed(f"{SITE}/a", long), listed(f"{SITE}/a"), report=issues.append)
    assert list(changes) == []
    assert changes.totals.old.left_out == 1
    assert [issue.code for issue in issues] == [converter.Code.URL_TOO_LONG]


# -- sources ------------------------------------------------------------------------------------


def test_a_side_may_be_several_sources_and_an_index(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(sitemap(dated("2026-01-06")).getvalue())
    (tmp_path / "b.xml").write_bytes(sitemap([(f"{SITE}/b", "")]).getvalue())
    names = "".join(f"<sitemap><loc>{SITE}/{name}.xml</loc></sitemap>" for name in "ab")
    xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9"
    index = tmp_path / "index.xml"
    index.write_text(f'<sitemapindex xmlns="{xmlns}">{names}</sitemapindex>')
    changes = converter.diff([tmp_path / "a.xml", tmp_path / "b.xml"], index)
    assert list(changes) == []
    assert (changes.totals.old.urls, changes.totals.new.urls) == (2, 2)
    assert changes.totals.new.names == (str(index),)


def test_an_empty_side_is_a_difference(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    changes = converter.diff(listed(f"{SITE}/a"), empty)
    assert [change.kind for change in changes] == ["removed"]
    assert changes.totals.new.urls == 0


def _broken(of: bytes) -> bytes:
    return of[: of.index(b"<url>", of.index(b"<url>") + 1) + 30]


@pytest.mark.parametrize("is_old", [True, False])
def test_a_side_that_breaks_off_is_an_error_unless_that_is_allowed(is_old: bool) -> None:
    whole = sitemap(dated("2026-01-06", "2026-01-07", "2026-01-08")).getvalue()

    def sides() -> tuple[BytesIO, BytesIO]:
        return BytesIO(_broken(whole) if is_old else whole), BytesIO(
            whole if is_old else _broken(whole)
        )

    with pytest.raises(converter.DocumentError, match="would appear to be removed"):
        next(converter.diff(*sides()))
    found = list(converter.diff(*sides(), allow_truncated=True))
    assert {change.kind for change in found} == {"added" if is_old else "removed"}


def test_a_compressed_list_that_breaks_off_is_an_error() -> None:
    lines = "".join(f"{SITE}/{number * 7919}\n" for number in range(50_000)).encode()
    cut = gzip.compress(lines)[:-5000]
    with pytest.raises(converter.DocumentError, match="break off"):
        next(converter.diff(BytesIO(cut), BytesIO(lines)))
    assert len(list(converter.diff(BytesIO(cut), BytesIO(lines), allow_truncated=True))) > 0


def test_a_missing_source_is_an_error_before_the_first_change() -> None:
    with pytest.raises(converter.SourceError, match=r"missing\.txt"):
        next(converter.diff(listed(f"{SITE}/a"), "missing.txt"))


def test_standard_input_can_be_one_side_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(listed(f"{SITE}/a")))
    with pytest.raises(converter.OptionError, match="one side only"):
        next(converter.diff("-", "-"))
    assert kinds(list(converter.diff("-", listed(f"{SITE}/b")))) == [
        ("removed", "/a"),
        ("added", "/b"),
    ]


def test_bytes_and_unknown_keywords_are_refused() -> None:
    with pytest.raises(TypeError, match="BytesIO"):
        converter.diff(b"https://example.com/", listed(f"{SITE}/a"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no keyword 'colour'"):
        converter.diff(listed(f"{SITE}/a"), listed(f"{SITE}/a"), colour=1)  # type: ignore[call-arg]


def test_closing_ends_the_changes() -> None:
    with converter.diff(listed(f"{SITE}/a"), listed(f"{SITE}/b", f"{SITE}/c")) as changes:
        next(changes)
    assert list(changes) == []


def test_properties_of_files_are_not_compared() -> None:
    def feed(size: str) -> BytesIO:
        file = f"<enclosure url='{SITE}/a.jpg' type='image/jpeg' {size}/>"
        item = f"<item><link>{SITE}/a</link>{file}</item>"
        return BytesIO(f"<rss version='2.0'><channel>{item}</channel></rss>".encode())

    old, new = feed(""), feed("length='7'")
    assert list(converter.diff(old, new)) == []


def test_values_of_a_video_are_compared_by_their_meaning() -> None:
    """Countries are a set, numbers are equal in any form, and a flag is yes or no."""

    def of(tags: str) -> list[Page]:
        file = f"<video:content_loc>{SITE}/1.mp4</video:content_loc>"
        return [(f"{SITE}/", f"<video:video>{file}{tags}</video:video>")]

    allow = '<video:restriction relationship="allow">{}</video:restriction>'
    rating = "<video:rating>{}</video:rating>"
    assert differences(of(allow.format("DE US")), of(allow.format("US DE"))) == []
    assert differences(of(rating.format("4.50")), of(rating.format("4.5"))) == []
    (change,) = differences(
        of(f"<video:live>no</video:live>{allow.format('DE')}"),
        of(f"<video:live>yes</video:live>{allow.format('FR')}"),
    )
    found = {(field.name, field.old, field.new) for field in change.fields}
    assert found == {("live", "no", "yes"), ("countries", "allow DE", "allow FR")}


def test_between_formats_images_are_sets_of_urls() -> None:
    table = f"url,image\n{SITE}/,{SITE}/1.jpg\n".encode()
    pages = [(f"{SITE}/", image(1, "a title"))]
    assert list(converter.diff(BytesIO(table), sitemap(pages))) == []
    (change,) = converter.diff(BytesIO(table), sitemap([(f"{SITE}/", image(2, "a title"))]))
    assert [(field.old, field.new) for field in change.fields] == [
        (f"{SITE}/1.jpg", None),
        (None, f"{SITE}/2.jpg"),
    ]


def test_a_scheme_of_a_host_limits_the_rewriting_to_it() -> None:
    old = listed("http://a.com/1", "https://a.com/2")
    changes = converter.diff(
        old, listed("https://b.com/1"), map_host=["http://a.com=https://b.com"]
    )
    assert [(it.kind, it.url) for it in changes] == [("removed", "https://a.com/2")]


def test_rewritten_urls_are_cleaned() -> None:
    old, new = listed(f"{SITE}/a"), listed(f"{SITE}/~a")
    assert list(converter.diff(old, new, map_url=["/a$=/%7ea#top"])) == []


def test_the_first_of_two_images_with_one_url_counts() -> None:
    old, new = image(1, "one") + image(1, "two"), image(1, "one")
    assert differences([(f"{SITE}/", old)], [(f"{SITE}/", new)]) == []
