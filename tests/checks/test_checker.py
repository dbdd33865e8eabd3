from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import converter
from converter.errors import LimitError, SourceError
from converter.issues import Severity
from tests.checks.rule_cases import check

ROOT = Path(__file__).parents[2]
SAMPLE = (ROOT / "samples" / "sitemap.xml").read_bytes()

URLSET = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</urlset>\n'
)
INDEX = URLSET.replace("urlset", "sitemapindex")
PAGE = "<url><loc>https://www.example.com/{}</loc></url>\n"


def sitemap(*names: object) -> str:
    return URLSET.format("".join(map(PAGE.format, names)))


def index(*names: str) -> str:
    child = "<sitemap><loc>https://www.example.com/{}</loc></sitemap>\n"
    return INDEX.format("".join(map(child.format, names)))


@pytest.mark.property
@given(data=st.binary(max_size=300))
def test_any_bytes_end_in_findings(data: bytes) -> None:
    run = check(BytesIO(data))
    assert run.findings or run.errors


@pytest.mark.property
@given(
    at=st.integers(0, len(SAMPLE)),
    length=st.integers(0, 40),
    inserted=st.binary(max_size=20) | st.sampled_from([b"<url>", b"]]>", b"&", b"\0", b"--"]),
    packed=st.booleans(),
)
def test_a_damaged_sitemap_ends_in_findings(
    at: int, length: int, inserted: bytes, packed: bool
) -> None:
    data = SAMPLE[:at] + inserted + SAMPLE[at + length :]
    assert check(BytesIO(gzip.compress(data) if packed else data)).errors == []


@pytest.mark.parametrize("source", sorted((ROOT / "samples").iterdir()), ids=lambda it: it.name)
@pytest.mark.parametrize("to", ["sitemap", "txt"])
def test_a_conversion_has_no_errors(source: Path, to: str, tmp_path: Path) -> None:
    output = tmp_path / ("sitemap.xml" if to == "sitemap" else "urls.txt")
    converter.convert(source, output, to=to, base_url="https://www.example.com/feed.xml")
    errors = [it for it in check(str(output)).findings if it.severity is Severity.ERROR]
    assert errors == []


def test_an_index_brings_its_sitemaps(tmp_path: Path) -> None:
    (tmp_path / "index.xml").write_text(index("1.xml", "2.xml.gz"))
    (tmp_path / "1.xml").write_text(sitemap("a", "b"))
    (tmp_path / "2.xml.gz").write_bytes(gzip.compress(sitemap("c").encode()))
    run = check(tmp_path / "index.xml")
    assert run.findings == []
    assert [(Path(it.name).name, it.kind, it.urls) for it in run.sources] == [
        ("index.xml", "index", 2),
        ("1.xml", "sitemap", 2),
        ("2.xml.gz", "sitemap", 1),
    ]


def test_a_folder_is_its_sitemaps_feeds_and_lists(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "c.txt", "d.json"):
        (tmp_path / name).write_text(sitemap(name))
    assert [Path(it.name).name for it in check(tmp_path).sources] == ["a.xml", "b.xml", "c.txt"]


def test_all_sources_are_checked_though_one_is_missing(tmp_path: Path) -> None:
    good = tmp_path / "good.xml"
    good.write_text(sitemap("a"))
    run = check("missing.xml", str(good))
    assert [type(error) for error in run.errors] == [SourceError]
    assert [it.name for it in run.sources] == [str(good)]


def test_entries_before_a_fault_are_checked() -> None:
    text = URLSET.format("<url><loc>/a</loc></url>\n").replace("</urlset>", "</wrong>")
    run = check(BytesIO(text.encode()))
    assert run.codes() == ["url-relative", "xml-not-well-formed"]


def test_a_minified_sitemap_has_columns() -> None:
    pages = "".join(f"<url><loc>{url}</loc></url>" for url in ("https://ex.com/", "/b", "/c"))
    run = check(BytesIO(URLSET.format(pages).encode()), select=("url-relative",))
    assert [(it.line, it.column) for it in run.findings] == [(3, 43), (3, 67)]


def test_a_default_namespace_may_end() -> None:
    text = URLSET.format(PAGE.format("a").replace("</loc>", '</loc><x xmlns=""/>'))
    assert check(BytesIO(text.encode())).codes() == ["element-unknown"]


def test_columns_are_code_points() -> None:
    text = URLSET.format("<!-- ééé 漢字 𝒳 --><url><loc>/a</loc></url>")
    run = check(BytesIO(text.encode()), select=("url-relative",))
    assert run.findings[0].column == text.splitlines()[2].index("<loc>") + 1


@pytest.mark.parametrize(
    "body",
    [
        "<url>" * 300,
        "<url><loc>" + "a" * 11_000_000,
        "<url>" + f'<x a="{"a" * 1000}"/>' * 11_000,
    ],
)
def test_hostile_documents_end_in_limits(body: str) -> None:
    run = check(BytesIO(URLSET.format(body).encode()))
    assert [type(error) for error in run.errors] == [LimitError]


def test_entities_are_not_expanded_without_end() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    text = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "0123456789">{entities}]>'
    text += sitemap("&e11;").partition("?>")[2]
    assert "xml-not-well-formed" in check(BytesIO(text.encode())).codes()


def test_an_external_entity_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    text = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "{secret}">]>'
    text += sitemap("&e;").partition("?>")[2]
    assert not any("canary" in it.message for it in check(BytesIO(text.encode())).findings)
