from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

from converter.differences.change import KINDS, Change, DiffTotals, FieldChange, SideTotals
from converter.differences.reports import REPORTS

URL = "https://example.com/"
CHANGES = (
    Change(kind="added", url=f"{URL}a"),
    Change(
        kind="changed",
        url=f"{URL}b",
        fields=(
            FieldChange("lastmod", "2026-01-01", "2026-02-03"),
            FieldChange("images", None, f"{URL}1.jpg"),
            FieldChange("images", f"{URL}2.jpg", None),
            FieldChange("images", f"{URL}3.jpg", None),
            FieldChange("images", "x", "\x1b[1mé", item=f"{URL}4.jpg", name="title"),
            FieldChange("news", "one", None, name="title"),
            FieldChange("hints", None, "0.5", name="priority"),
        ),
    ),
    Change(kind="older", url=f"{URL}c", fields=(FieldChange("lastmod", "2026-02", "2026-01"),)),
    Change(kind="removed", url=f"{URL}d"),
)
TOTALS = DiffTotals(
    old=SideTotals(names=("a.xml",), formats={"sitemap"}, urls=20_008),
    new=SideTotals(names=("-",), formats={"sitemap"}, urls=20_008, duplicates=1),
    kinds=Counter(added=1, removed=1, changed=1, older=1, same=20_005),
    compared=("lastmod", "images"),
    not_compared=("news",),
    less_precise=2,
)


def report(name: str, changes: tuple[Change, ...] = CHANGES) -> str:
    return "".join(REPORTS[name](changes, TOTALS))


def test_text() -> None:
    details = (
        "lastmod 2026-01-01 → 2026-02-03; +1 image; -2 images; title of 1 image; "
        "news title one → none; priority none → 0.5"
    )
    assert report("text").splitlines() == [
        f"+ {URL}a",
        f"~ {URL}b  {details}",
        f"< {URL}c  lastmod 2026-02 → 2026-01",
        f"- {URL}d",
    ]
    assert TOTALS.sentence() == "1 added, 1 removed, 2 changed (1 older), 20,005 same"


def test_text_escapes_control_codes() -> None:
    title = FieldChange("title", "\x1b[1mbold", "plain")
    assert "\x1b" not in report("text", (Change(kind="changed", url=URL, fields=(title,)),))


def test_txt() -> None:
    assert report("txt") == f"{URL}a\n{URL}b\n{URL}c\n{URL}d\n"


def test_json() -> None:
    document = json.loads(report("json"))
    assert document["layout"] == 1
    assert document["counts"] == {
        "added": 1, "removed": 1, "changed": 1, "older": 1, "same": 20_005, "less_precise": 2,
    }  # fmt: skip
    assert (document["compared"], document["not_compared"]) == (
        ["loc", "lastmod", "images"],
        ["news"],
    )
    assert document["old"]["urls"] == 20_008
    assert document["new"]["duplicates"] == 1
    assert document["changes"][0] == {"change": "added", "url": f"{URL}a"}
    assert document["changes"][1]["fields"] == {
        "lastmod": ["2026-01-01", "2026-02-03"],
        "images": {
            "added": [f"{URL}1.jpg"],
            "removed": [f"{URL}2.jpg", f"{URL}3.jpg"],
            "changed": {f"{URL}4.jpg": {"title": ["x", "\x1b[1mé"]}},
        },
        "news": {"title": ["one", None]},
        "hints": {"priority": [None, "0.5"]},
    }


def test_json_without_changes_is_a_document() -> None:
    assert json.loads(report("json", ()))["changes"] == []


def test_json_lines_are_the_changes_of_json() -> None:
    lines = [json.loads(line) for line in report("jsonl").splitlines()]
    assert lines == json.loads(report("json"))["changes"]


def test_json_holds_lone_surrogates() -> None:
    changes = (Change(kind="added", url=f"{URL}\udc80é"),)
    assert json.loads(report("jsonl", changes).encode())["url"] == f"{URL}\udc80é"


def test_csv_has_a_row_for_each_value() -> None:
    head, *rows = csv.reader(io.StringIO(report("csv")))
    assert head == ["change", "url", "field", "old", "new"]
    assert rows[0] == ["added", f"{URL}a", "", "", ""]
    assert rows[1] == ["changed", f"{URL}b", "lastmod", "2026-01-01", "2026-02-03"]
    assert [row[2] for row in rows[2:8]] == [
        "images", "images", "images", f"images[{URL}4.jpg]/title", "news/title", "hints/priority",
    ]  # fmt: skip


def test_markdown_has_counts_and_a_list_of_each_kind() -> None:
    text = report("markdown")
    assert text.startswith("**1 added, 1 removed, 2 changed (1 older), 20,005 same**\n")
    assert text.count("<details>") == text.count("</details>") == 4
    assert f"- `{URL}a`\n" in text


@pytest.mark.parametrize("title", ["<img src=x>", "a`b``c", "[x](y) @team #1 |"])
def test_markdown_interprets_nothing_of_a_value(title: str) -> None:
    fields = (FieldChange("title", None, title),)
    text = report("markdown", (Change(kind="changed", url=URL, fields=fields),))
    (row,) = [line for line in text.splitlines() if line.startswith("- ")]
    fence = "```" if "``" in title else "`"
    assert f"title none → {title}" in row
    assert row.endswith(fence)
    assert row.count(fence) >= 2


def test_markdown_fits_into_a_comment() -> None:
    fields = (FieldChange("title", "`" * 99, "x" * 999),)
    changes = tuple(
        Change(kind=kind, url=f"{URL}{'`' * 2000}{number}", fields=fields)
        for kind in KINDS
        for number in range(60)
    )
    totals = DiffTotals(kinds=Counter(dict.fromkeys(KINDS, 60)))
    text = "".join(REPORTS["markdown"](changes, totals))
    assert len(text) <= 65_536
    shown = text.count("\n- ")
    assert shown >= len(KINDS)
    assert text.count(f"\n{60 - shown // len(KINDS)} more\n") == len(KINDS)


def test_markdown_shows_fifty_changes_of_a_kind() -> None:
    changes = tuple(Change(kind="added", url=f"{URL}{number}") for number in range(60))
    totals = DiffTotals(kinds=Counter(added=60))
    text = "".join(REPORTS["markdown"](changes, totals))
    assert text.count("\n- ") == 50
    assert "\n10 more\n" in text
