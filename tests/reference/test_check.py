"""`check` agrees with an independent validator, and ends in findings for any document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from converter.errors import LimitError
from converter.issues import Severity
from tests.checks.rule_cases import Run, check

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Outcome, Reference

ROOT = Path(__file__).parents[2]
MUTATIONS = 1000

#: Texts that replace the text of an element.
TEXTS = (
    "", " ", "http://", "2024-02-30", "&nbsp;", "%", "<x/>", "0", "-1", "yes", "2024-05-06T07:08",
    "https://other.example/", "/relative", "é", "#top",
)  # fmt: skip

#: Why the validator refuses a file that has no error here, by its rule: the XML Schema has an
#: order of elements, which the specifications do not have; elements that Google no longer reads
#: are not checked.
STRICTER_THERE = {
    "xsd:ELEMENT_CONTENT": "order",
    "xsd:CVC_COMPLEX_TYPE_2_3": "content of a PageMap or tvshow",
    "xsd:CVC_ENUMERATION_VALID": "values in a tvshow",
    "xsd:CVC_DATATYPE_VALID_1_2_3": "dates in a tvshow",
    "xsd:CVC_DATATYPE_VALID_1_2_1": "numbers in a tvshow",
    "loc-several-hosts": "a warning here: Google allows verified hosts",
    "loc-mixed-scheme": "a warning here",
    "doctype": "a warning here",
    "gzip-trailing": "a warning here",
}
#: Errors here that are warnings there, or are not checked.
STRICTER_HERE = {"url-duplicate", "leaf-repeated", "index-child-unreadable", "element-misplaced"}


def _errors(run: Run) -> set[str]:
    return {finding.code for finding in run.findings if finding.severity is Severity.ERROR}


def _sitemaps(reference: Reference) -> list[Path]:
    files = [*reference.corpus, ROOT / "samples" / "sitemap.xml"]
    return [path for path in files if re.search(r"<urlset|<sitemapindex", _head(path))]


def _head(path: Path) -> str:
    return path.read_bytes()[:3000].decode("utf-8", "replace")


def _differences(files: list[Path], reference: Reference) -> Iterator[tuple[str, Any, Any]]:
    now = "2026-01-15T12:00:00Z"
    verdicts = reference.judged(
        "validate_sitemap.py", files, "--now", now, "--max", "1", fine=(0, 1)
    )
    by_file: Mapping[str, Any] = {verdict["file"]: verdict for verdict in verdicts}
    for path in files:
        ours, theirs = _errors(check(str(path))), by_file[str(path)]
        if bool(ours) is theirs["valid"]:
            rules = set(theirs["rules"])
            if not (ours <= STRICTER_HERE if ours else rules <= STRICTER_THERE.keys()):
                yield path.name, sorted(ours), sorted(rules)


def test_the_corpus_is_judged_as_by_an_independent_validator(reference: Reference) -> None:
    assert list(_differences(_sitemaps(reference), reference)) == []


def test_mutations_are_judged_as_by_an_independent_validator(
    reference: Reference, tmp_path: Path
) -> None:
    random, files = Random(1), list[Path]()  # noqa: S311
    texts = [path.read_text("utf-8") for path in _sitemaps(reference) if _is_small(path)]
    for number in range(MUTATIONS):
        files.append(tmp_path / f"{number}.xml")
        files[-1].write_text(_mutated(random.choice(texts), random), "utf-8")
    assert list(_differences(files, reference)) == []


def _is_small(path: Path) -> bool:
    return path.suffix == ".xml" and path.stat().st_size < 30_000 and "<urlset" in _head(path)


def _mutated(text: str, random: Random) -> str:
    """Replace the text of an element, remove an element, or copy one to another place."""
    leaves = list(re.finditer(r"<([a-z:_]+)[^<>]*>([^<>]*)</\1>", text))
    if not leaves:
        return text
    leaf, other = random.choice(leaves), random.choice(leaves)
    match random.randrange(3):
        case 0:
            value = random.choice((*TEXTS, other[2]))
            return text[: leaf.start(2)] + value + text[leaf.end(2) :]
        case 1:
            return text[: leaf.start()] + text[leaf.end() :]
        case _:
            return text[: other.start()] + leaf[0] + text[other.start() :]


def test_what_a_conversion_of_the_corpus_writes_has_no_errors(
    converted: Mapping[str, Outcome],
) -> None:
    written = {name: it.sitemap for name, it in converted.items() if it.sitemap is not None}
    assert len(written) > 150
    found = {name: _errors(check(str(path))) for name, path in written.items()}
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_hostile_documents_end_in_findings_or_limits(reference: Reference, tmp_path: Path) -> None:
    made = reference.run("abuse/make_abuse.py", "--out", tmp_path)
    assert made.returncode == 0, made.stderr
    files = [path for path in tmp_path.rglob("*.*") if path.name != "MANIFEST.json"]
    assert len(files) > 400
    for path in files:
        assert all(isinstance(error, LimitError) for error in check(str(path)).errors), path


@pytest.fixture(autouse=True)
def _no_fetching(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children of indexes are not fetched."""
    from converter.errors import HttpError
    from converter.sources.http.client import HttpClient

    def fetch(_self: object, url: str, **_options: object) -> None:
        raise HttpError(f"{url}: not fetched in tests")

    monkeypatch.setattr(HttpClient, "fetch", fetch)
