"""The commands of docs/recipes.md and docs/updating.md work as the pages say."""

from __future__ import annotations

import configparser
import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from converter.options.parsing import check_target, parse
from tests.sources.http.server import serving

DOCS = Path(__file__).parents[2] / "docs"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FEED = "https://www.example.org/feed/"
GUARDS = {"update": True, "min_urls": "10", "fail_if_shrinks": "10"}
RECIPES = ("cron", "systemd", "GitHub Actions", "GitLab CI", "Behind nginx")


def logical_lines(block: str) -> Iterator[str]:
    """Put together what a shell, systemd, or a folded scalar of YAML puts together."""
    lines = iter(block.replace("\\\n", " ").splitlines())
    for line in lines:
        if not line.endswith(">-"):
            yield line
            continue
        depth = len(line) - len(line.lstrip(" -"))
        folded = []
        for following in lines:
            if len(following) - len(following.lstrip()) < depth:
                yield " ".join(folded)
                yield following
                break
            folded.append(following.strip())


def commands(text: str) -> list[list[str]]:
    """The words of every command that converts."""
    found = [
        line[line.index("feed2sitemap https://") :]
        for _, block in FENCED.findall(text)
        for line in logical_lines(block)
        if "feed2sitemap https://" in line
    ]
    return [shlex.split(command)[1:] for command in found]


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def recipes() -> dict[str, str]:
    """The sections of the page, by their headings."""
    _, *parts = re.split(r"^## (.+)$", page("recipes.md"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def blocks(language: str) -> list[str]:
    return [block for kind, block in FENCED.findall(page("recipes.md")) if kind == language]


LIVING = commands(page("updating.md"))


def test_each_scheduler_has_a_recipe() -> None:
    assert tuple(recipes()) == RECIPES
    assert all(len(commands(section)) == 1 for section in recipes().values())
    assert len(LIVING) == len(FENCED.findall(page("updating.md"))) > 6


@pytest.mark.parametrize(
    "words", [*LIVING, *commands(page("recipes.md"))], ids=lambda words: " ".join(words[1:])
)
def test_documented_commands_are_valid(run: Any, library: Any, words: list[str]) -> None:
    assert run(*words).code == 0
    job = parse(library.options, datetime(2026, 1, 15, tzinfo=UTC))
    check_target(job, "a sitemap", has_index=True, is_stream=library.target == "-")
    assert library.target.endswith("sitemap.xml")


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_use_the_guards(run: Any, library: Any, recipe: str) -> None:
    (words,) = commands(recipes()[recipe])
    run(*words)
    assert library.options.items() >= GUARDS.items()
    assert library.sources == (FEED,)


def feed(first: int, last: int) -> bytes:
    items = "".join(
        f"<item><title>{n}</title><link>https://www.example.org/{n}</link></item>"
        for n in range(last, first - 1, -1)
    )
    link = "<link>https://www.example.org/</link>"
    return f'<rss version="2.0"><channel><title>T</title>{link}{items}</channel></rss>'.encode()


def _state(path: Path) -> object:
    found = path.stat() if path.exists() else None
    return found and (found.st_ino, found.st_mtime_ns)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_works(run: Any, tmp_path: Path, recipe: str) -> None:
    (words,) = commands(recipes()[recipe])
    for folder in ("html", "public", "cache"):
        (tmp_path / folder).mkdir()
    with serving({"/feed/": [feed(1, 12), feed(8, 15), feed(8, 15), feed(1, 2)]}) as server:
        places = {
            FEED: server.url("/feed/"),
            "/var/www/html/": f"{tmp_path}/html/",
            "/var/cache/feed2sitemap": f"{tmp_path}/cache",
        }
        for shown, place in places.items():
            words = [word.replace(shown, place) for word in words]
        output = Path(words[words.index("-o") + 1])
        for count in (12, 15, 15, 15):
            before = _state(output)
            ended = run(*words, "--allow-private-hosts")
            assert ended.code == 0, ended.err
            assert output.read_text().count("<url>") == count
        assert _state(output) == before  # there was nothing new
    if "--robots" in words:
        line = "Sitemap: https://www.example.org/sitemap.xml\n"
        assert (tmp_path / "html" / "robots.txt").read_text() == line


# -- what stands around the commands ----------------------------------------------------------


def test_the_units_are_well_formed() -> None:
    parsed = []
    for block in blocks("ini"):
        unit = configparser.ConfigParser(interpolation=None, strict=True)
        unit.optionxform = str  # type: ignore[assignment,method-assign]  # as its docs say
        unit.read_string(block.replace("\\\n", " "))
        parsed.append(unit)
    service, timer = parsed
    assert service["Service"]["Type"] == "oneshot"
    assert service["Service"]["ExecStart"].startswith("/opt/feed2sitemap/bin/feed2sitemap ")
    assert service["Service"]["ReadWritePaths"] in service["Service"]["ExecStart"]
    assert service["Service"]["CacheDirectory"] in service["Service"]["ExecStart"]
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_the_crontab_has_five_times_and_no_bare_percent_sign() -> None:
    (block,) = blocks("crontab")
    variable, line = block.splitlines()
    assert re.fullmatch(r"[A-Z]+=\S+", variable)
    assert re.match(r"(?:[\d*/,-]+ ){5}/opt/feed2sitemap/bin/feed2sitemap ", line)
    assert "%" not in line


def test_the_workflows_are_laid_out_as_yaml_is() -> None:
    for block in blocks("yaml"):
        lines = block.splitlines()
        depths = [len(line) - len(line.lstrip(" ")) for line in lines]
        assert "\t" not in block
        assert all(depth % 2 == 0 for depth in depths)
        assert all(later - sooner <= 4 for sooner, later in pairwise(depths))
        keys = [line for line, depth in zip(lines, depths, strict=True) if not depth]
        assert all(re.fullmatch(r"[a-z]+:.*", key) for key in keys)
        assert len(keys) == len(set(keys))


def test_the_braces_of_nginx_are_closed() -> None:
    (block,) = blocks("nginx")
    assert block.count("{") == block.count("}")
    statements = [line.strip() for line in block.splitlines() if line.strip()]
    assert all(line.endswith(("{", "}", ";")) for line in statements)
    pattern = re.search(r"location ~ (\S+) {", block)
    assert pattern
    for name in ("/sitemap.xml", "/sitemap-2.xml", "/sitemap-2026-11.xml", "/sitemap-news.xml"):
        assert re.search(pattern[1], name)
    assert not re.search(pattern[1], "/blog/sitemap.xml.old")
