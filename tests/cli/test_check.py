from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from converter.checks.rules import RULES
from converter.cli import main
from converter.options.parsing import CHECK_OPTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "checking.md").read_text("utf-8")

SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    "<url><loc>/a</loc><lastmod>2020-01</lastmod></url>\n<url><loc>/b</loc></url>\n</urlset>\n"
)
GOOD = SITEMAP.replace("<loc>/", "<loc>https://www.example.com/").replace("2020-01", "2020-01-01")


@pytest.fixture(autouse=True)
def sitemap(in_tmp_path: Path) -> Path:
    Path("good.xml").write_text(GOOD, "utf-8")
    path = Path("sitemap.xml")
    path.write_text(SITEMAP, "utf-8")
    return path


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["check", *words])
    out, err = capfd.readouterr()
    return code, out, err


def test_findings_are_data_and_the_summary_is_a_message(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "sitemap.xml")
    assert code == 1
    relative = "relative; expected an absolute URL with https:// (convert: dropped)"
    partial = "only a month; expected a day (convert: dropped)"
    assert out.splitlines() == [
        f'sitemap.xml:3:6: error [url-relative] <loc> "/a": {relative}',
        "    Fix: Write the whole URL, with https:// and the host.",
        f'sitemap.xml:3:19: warning [date-partial] <lastmod> "2020-01": {partial}',
        "    Fix: Write the day: 2026-01-31.",
        f'sitemap.xml:4:6: error [url-relative] <loc> "/b": {relative}',
    ]
    assert err == "2 errors, 1 warning in 1 source (2 URLs)\n"


def test_a_good_sitemap_exits_with_zero(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "good.xml") == (0, "", "nothing found in 1 source (2 URLs)\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--fail-on", "never"], 0),
        (["--select", "date", "--fail-on", "error"], 0),
        (["--select", "date"], 1),
        (["--select", "date,url", "--ignore", "url", "--fail-on", "error"], 0),
        (["--ignore", "url,date-partial"], 0),
        (["missing.xml"], 3),
        (["missing.xml", "--fail-on", "never"], 3),
        (["--select", "urls"], 2),
        (["-o", "missing/out.txt"], 6),
    ],
)
def test_exit_codes(capfd: pytest.CaptureFixture[str], words: list[str], code: int) -> None:
    assert run(capfd, "sitemap.xml", *words)[0] == code


def test_json_has_all_findings_and_counts(capfd: pytest.CaptureFixture[str]) -> None:
    document: Any = json.loads(run(capfd, "--format", "json", "sitemap.xml")[1])
    assert document["layout"] == 1
    assert document["counts"] == {
        "error": 2,
        "warning": 1,
        "rules": {"url-relative": 2, "date-partial": 1},
    }
    assert document["sources"] == [
        {"name": "sitemap.xml", "kind": "sitemap", "urls": 2, "bytes": len(SITEMAP)}
    ]
    first = document["findings"][0]
    assert {"path", "entry", "message", "fix", "convert", "source_rule"} < first.keys()
    assert (first["code"], first["line"], first["column"]) == ("url-relative", 3, 6)


def test_json_without_findings_is_a_document(capfd: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capfd, "--format", "json", "good.xml")[1])["findings"] == []


def test_github_has_one_annotation_for_a_rule_and_file(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    out = run(capfd, "--format", "github", "sitemap.xml")[1]
    commands = [line for line in out.splitlines() if line.startswith("::")]
    assert [line.partition("::")[2].partition(" ")[0] for line in commands] == ["error", "warning"]
    assert commands[0].startswith("::error file=sitemap.xml,line=3,col=6,title=url-relative::")
    assert "(1 more in this file)" in commands[0]
    assert "| error | `url-relative` | 2 |" in Path("summary.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["a,line=9::error.xml", "::error::x.xml", "a\nb%0A.xml"])
def test_github_output_survives_hostile_names(capfd: pytest.CaptureFixture[str], name: str) -> None:
    Path(name).write_text(SITEMAP, "utf-8")
    out = run(capfd, "--format", "github", name)[1]
    commands = [line for line in out.splitlines() if line.startswith("::")]
    assert len(commands) == 2
    for command in commands:
        properties = command.split("::")[1].partition(" ")[2]
        found = dict(part.split("=", 1) for part in properties.split(","))
        assert list(found) == ["file", "line", "col", "title"]
        file = found["file"].replace("%3A", ":").replace("%2C", ",").replace("%0A", "\n")
        assert file.replace("%25", "%") == name


def test_sarif_names_rules_places_and_fingerprints(capfd: pytest.CaptureFixture[str]) -> None:
    document: Any = json.loads(run(capfd, "--format", "sarif", "sitemap.xml")[1])
    assert document["version"] == "2.1.0"
    (sarif,) = document["runs"]
    rules = sarif["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["url-relative", "date-partial"]
    for result in sarif["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]
        assert location["artifactLocation"] == {"uri": "sitemap.xml", "uriBaseId": "%SRCROOT%"}
        assert location["region"]["startColumn"] >= 1
    levels = [result["level"] for result in sarif["results"]]
    assert levels == ["error", "error", "warning"]


def test_the_fingerprint_of_a_finding_does_not_depend_on_its_line(
    capfd: pytest.CaptureFixture[str], sitemap: Path
) -> None:
    def fingerprints() -> list[Any]:
        document: Any = json.loads(run(capfd, "--format", "sarif", "sitemap.xml")[1])
        return [it["partialFingerprints"] for it in document["runs"][0]["results"]]

    before = fingerprints()
    sitemap.write_text(SITEMAP.replace("<url>", "\n<url>", 1), "utf-8")
    assert fingerprints() == before


def test_findings_above_the_limit_are_counted(capfd: pytest.CaptureFixture[str]) -> None:
    out = run(capfd, "--max-per-rule", "1", "--select", "url", "sitemap.xml")[1]
    assert out.splitlines()[-1] == "[url-relative] 1 more not shown (--max-per-rule)"


def test_a_file_is_published_whole(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "sitemap.xml", "-o", "findings.txt", "-q") == (1, "", "")
    assert Path("findings.txt").read_text("utf-8").count("[url-relative]") == 2


def test_rules_are_explained_and_listed(capfd: pytest.CaptureFixture[str]) -> None:
    out = run(capfd, "--explain", "url-relative")[1]
    assert out.startswith("url-relative (error): a URL is not absolute.\n")
    assert RULES["url-relative"].source in out
    assert len(run(capfd, "--list")[1].splitlines()) == len(RULES)


def test_options_come_from_the_table_check_of_the_configuration(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("feed2sitemap.toml").write_text('sort = "url"\n[check]\nselect = "date"\n', "utf-8")
    code, out, _ = run(capfd, "sitemap.xml")
    assert (code, out.count("[url-relative]"), out.count("[date-partial]")) == (1, 0, 1)
    assert main(["good.xml", "-o", "out.xml", "-q"]) == 0


def test_every_option_is_on_the_page() -> None:
    own = CHECK_OPTIONS[:10]
    assert [option.long for option in own if f"`{option.long}" not in PAGE] == ["--output"]
    assert "`-o FILE`" in PAGE
