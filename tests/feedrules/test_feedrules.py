"""The judge itself: clean feeds pass, and every rule finds the feed that breaks it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import NOW
from tests.feedrules import RULES, check
from tests.feedrules.__main__ import main
from tests.feedrules.broken import ALONG, BROKEN
from tests.feedrules.clean import CLEAN, MINIMAL_ATOM, MINIMAL_RSS, entry, feed, item, pub_date


def broken(document: str) -> set[str]:
    return {finding.rule for finding in check(document.encode(), now=NOW)}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_documents_pass(name: str) -> None:
    assert check(CLEAN[name].encode(), now=NOW) == []


@pytest.mark.parametrize(
    ("rule", "document"), [(rule, document) for rule, some in BROKEN.items() for document in some]
)
def test_a_rule_is_found_and_no_other(rule: str, document: str) -> None:
    assert broken(document) == {rule} | ALONG.get(rule, set())


def test_each_rule_is_tried() -> None:
    assert set(BROKEN) == set(RULES)


def test_a_finding_names_its_line_and_element() -> None:
    (finding,) = check(MINIMAL_RSS.replace("<item>", "\n\n<item>\n<comments/>").encode())
    assert (finding.severity, finding.rule, finding.line) == ("error", "InvalidFullLink", 4)
    assert str(finding) == '4: error: InvalidFullLink: <comments>: "" is not an absolute URL'


def test_without_a_clock_no_date_is_too_late() -> None:
    assert check(pub_date("Fri, 15 Jan 2100 12:00:00 GMT").encode()) == []


def test_hexadecimal_references_reach_values_as_characters() -> None:
    spelt = "https://ex.com/a?b=1&#x26;c=2"
    document = item(f'<link>{spelt}</link><source url="{spelt}">T</source><own:a/>&#x26;')
    assert broken(document) == {"UndefinedText"}


@pytest.mark.parametrize("encoding", ["us-ascii", "iso-8859-1", "utf-16"])
def test_other_encodings_are_read_as_declared(encoding: str) -> None:
    document = f'<?xml version="1.0" encoding="{encoding}"?>' + item("<category>ü</category>")
    assert check(document.encode(encoding, "xmlcharrefreplace"), now=NOW) == []


def test_invalid_utf8_is_not_xml() -> None:
    assert [finding.rule for finding in check(b"<rss>\xff</rss>")] == ["SAXError"]


def test_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.atom", tmp_path / "bad.rss"
    good.write_text(MINIMAL_ATOM)
    bad.write_text("<rss/>")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == ""
    assert main([str(good), str(bad)]) == 1
    assert "bad.rss:1: error: MissingAttribute" in capsys.readouterr().out


def test_it_shares_nothing_with_the_converter() -> None:
    program = "import sys, tests.feedrules; sys.exit('converter' in sys.modules)"
    top = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", program], cwd=top, check=True)


@pytest.mark.property
@given(
    start=st.sampled_from([*CLEAN.values()]),
    at=st.floats(0, 1, exclude_max=True),
    put=st.text(max_size=20) | st.sampled_from(["<item>", "&#x3C;", '"', "<![CDATA[", "\uf83c"]),
    cut=st.integers(0, 30),
)
def test_any_document_is_judged(start: str, at: float, put: str, cut: int) -> None:
    place = int(at * len(start))
    document = start[:place] + put + start[place + cut :]
    for finding in check(document.encode("utf-8", "replace"), now=NOW):
        assert finding.severity == RULES[finding.rule]
        assert finding.line >= 0


@pytest.mark.property
@given(st.text(max_size=60))
def test_any_value_is_judged(text: str) -> None:
    escaped = text.encode("utf-8", "replace").decode().replace("&", "&amp;").replace("<", "&lt;")
    names = "title link pubDate guid author category description dc:date dcterms:valid"
    for name in names.split():
        check(item(f"<{name}>{escaped}</{name}>").encode(), now=NOW)
    check(feed(entry(one=escaped, updated=escaped)).encode(), now=NOW)
