"""Output shows no passwords and no control characters."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from converter.cli import main
from converter.issues import hide_userinfo, printable
from converter.values import urls

SECRET = "s3cr3t"  # noqa: S105  made up

FEED = """<rss version="2.0"><channel><title>t</title>
<item><link>http://ex.com/a</link><guid isPermaLink="false">7</guid></item>
<item><link>http://ex.com/b</link></item></channel></rss>
"""

MISTYPED = [
    "https://me:{}@h.invalid/f",
    " https://me:{}@h.invalid/f",
    "\thttps://me:{}@h.invalid/f",
    "me:{}@h.invalid/feed",
    "me:{}@h.invalid",
    "//me:{}@h.invalid/f",
    "http:/me:{}@h.invalid/f",
    "https//me:{}@h.invalid/f",
    "https:me:{}@h.invalid/f",
    "http:\\\\me:{}@h.invalid\\f",
    "http:\\me:{}@h.invalid/f",
    "HTTPS://ME:{}@H.INVALID/F",
    "hxxp://me:{}@h.invalid/f",
    "ftp://me:{}@h.invalid/f",
    "feed:https://me:{}@h.invalid/f",
    "socks5://me:{}@h.invalid:1",
    "https://{}@h.invalid:x/f",
    "http://me:a/{}@h.invalid/f",
    "http://me:a#{}@h.invalid/f",
    "http://me:a?{}@h.invalid/f",
    "http://me:a@{}@h.invalid/f",
    "http://me:my {}@h.invalid:x/f",
    "http://me:{}%40h.invalid/f",
    "me:a/{}@h.invalid/feed",
    "(https://me:{}@h.invalid/f)",
    "https ://me:{}@h.invalid/f",
    "http://ex.com/?u=https://me:{}@h.invalid/f",
    "htps//me:{}@h.invalid/f",
    "htps/me:{}@h.invalid/f",
    "https：//me:{}@h.invalid/f",
    "https:／／me:{}@h.invalid/f",
    "https://me:{}＠h.invalid/f",
]
#: Here a password is told from other text only if it holds no slash.
WITHOUT_SLASH = ["m:{}@h.invalid", "m:{}@localhost/f", "htps\\\\m:{}@h/f"]
OPTIONS = ["--merge", "-o", "--sitemap-url", "--base-url", "--link", "--loc-template", "--header"]
OPTIONS += ["--limit-urls", "--from", "--user-agent", "--host", "--since", "--robots", "--cache"]
OPTIONS += ["--config", "--news-output", "--include", "--assume-tz", "--max-bytes", "--jobs"]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, in_tmp_path: Path) -> None:
    """A folder with a feed; proxies that nobody answers at, so that no host is looked up."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", f"http://me:{SECRET}@127.0.0.1:9")
    Path("x.rss").write_text(FEED)


def shown(*words: str) -> str:
    """Run the command with a report; return its exit code, its report and what was published."""
    code = main([*words, "-v", "--report", "r.json", "--retries", "0", "--timeout", "5"])
    assert code != 70
    written = [path.read_text() for path in Path().rglob("*") if path.is_file()]
    return "\n".join(written)


@pytest.mark.parametrize("form", MISTYPED + WITHOUT_SLASH)
def test_no_source_shows_its_password(form: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = shown(form.format(SECRET))
    assert SECRET not in text + "".join(capfd.readouterr())


@pytest.mark.parametrize("option", OPTIONS)
def test_no_option_shows_a_password(option: str, capfd: pytest.CaptureFixture[str]) -> None:
    for form in MISTYPED + WITHOUT_SLASH:
        text = shown(
            "x.rss",
            f"{option}={form.format(SECRET)}" if option[1] == "-" else option,
            *([] if option[1] == "-" else [form.format(SECRET)]),
        )
        assert SECRET not in text + "".join(capfd.readouterr()), form


def test_no_header_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    for header in (f"Authorization {SECRET}", f"X-Key: {SECRET}\n", f"{SECRET}\x00: x", SECRET):
        assert SECRET not in shown("http://h.invalid/f", "--header", header)
    assert SECRET not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "content",
    [
        "header = 5",
        "header = 'Authorization {}'",
        "limit-urls = 'http://me:{}@h/'",
        "'http://me:{}@h/' = 1",
        "header = 'http://me:{}@h/",
        "link = 'http://me:{}@['",
    ],
)
def test_no_configuration_shows_a_password(content: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("feed2sitemap.toml").write_text(content.format(SECRET))
    assert main(["x.rss"]) == 2
    assert SECRET not in "".join(capfd.readouterr())


def test_no_sitemap_publishes_the_password_of_its_own_address() -> None:
    text = shown(
        "x.rss",
        "-o",
        "s.xml",
        "--limit-urls",
        "1",
        "--robots",
        "robots.txt",
        "--sitemap-url",
        f"https://me:{SECRET}@ex.com/s.xml",
    )
    assert "<loc>https://ex.com/s-1.xml</loc>" in text
    assert SECRET not in text


def test_a_debug_traceback_shows_no_password(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FEED2SITEMAP_DEBUG", "1")
    main([f"\x1b[31m me:{SECRET}@h.invalid/f"])
    said = capfd.readouterr().err
    assert "Traceback" in said
    assert SECRET not in said
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "text",
    [
        "mailto:joe@ex.com",
        "tag:joe@ex.com,2005:1",
        "http://ex.com/@joe",
        "http://ex.com:8080/a@b",
        "http://[::1]:80/a@b",
        "http://unpkg.com/npm:lodash@4",
        "joe@ex.com (Joe: the man)",
        "pictures/a@2x.rss",
        r"C:\feeds\a@b.rss",
        "blog.rss:12: joe@ex.com wrote it",
        "http://ex.com: the server answered 404 to joe@ex.com",
        "https://https://ex.com/@joe",
    ],
)
def test_texts_without_a_password_are_unchanged(text: str) -> None:
    assert hide_userinfo(text) == text


@pytest.mark.parametrize("noise", ["HTTP/", "://", "http:/", "ftp://x", "/?#"])
def test_a_password_may_resemble_a_url(noise: str) -> None:
    text = f"https://me:{SECRET}{noise}{SECRET}@ex.com/f@1"
    assert SECRET not in hide_userinfo(text)


@pytest.mark.parametrize("rest", ["", SECRET, ":pw"])
def test_a_user_name_may_be_a_secret_and_resemble_a_scheme(rest: str) -> None:
    text = f"see https://{SECRET}://{rest}@ex.com/f"
    assert hide_userinfo(text) == "see https://ex.com/f"


@given(
    st.sampled_from(MISTYPED),
    st.text(
        st.characters(blacklist_categories=("C", "Z"), blacklist_characters='"<>@'), max_size=9
    ),
    st.sampled_from(["", "x ", '"', "a: "]),
)
def test_any_password_is_hidden(form: str, noise: str, before: str) -> None:
    assume("://" not in noise)  # a user name with `://` is a URL within a URL
    text = before + form.format(f"{SECRET}{noise}{SECRET}")
    for said in (
        hide_userinfo(text),
        printable(text),
        urls.quoted(text),
        urls.hide_credentials(text),
    ):
        assert SECRET not in said


@given(st.text(max_size=60))
def test_hiding_twice_hides_no_more_and_a_text_without_at_stays(text: str) -> None:
    assert any(at in text for at in ("@", "＠", "%40")) or hide_userinfo(text) == text


# -- terminals ----------------------------------------------------------------------------

NASTY = "\x1b[2J\x07\x9b31m\u202e\u2066\u200f\u2028\x85\ue000"


def hostile_title(_: Path) -> list[str]:
    text = NASTY.replace("\x1b", "").replace("\x07", "")  # XML has no place for these two
    Path("y.rss").write_text(
        f"<rss version='2.0'><channel><title>{text}</title><item><title>{text}</title>"
        f"<link>{text}</link><guid>{text}</guid><pubDate>{text}</pubDate></item>"
        f"<item><link>http://ex.com/{text}</link><pubDate>{text}</pubDate></item>"
        f"<x:{'y'} xmlns:x='urn:{text}'>1</x:y></channel></rss>"
    )
    return ["y.rss"]


def hostile_name(_: Path) -> list[str]:
    Path(f"{NASTY}\n.rss").write_text(FEED)
    return [f"{NASTY}\n.rss"]


def hostile_bytes(_: Path) -> list[str]:
    name = os.fsdecode(b"\xff\xfe.rss")
    Path(name).write_text(FEED)
    return [name]


def hostile_output(_: Path) -> list[str]:
    return ["x.rss", "-o", f"{NASTY}.xml"]


def hostile_parts(_: Path) -> list[str]:
    return ["x.rss", "-o", f"{NASTY}.xml", "--limit-urls", "1"]


def hostile_word(_: Path) -> list[str]:
    return ["x.rss", "--limit-urls", NASTY]


def hostile_option(_: Path) -> list[str]:
    return ["x.rss", f"--{NASTY}"]


def hostile_choice(_: Path) -> list[str]:
    return ["x.rss", "--from", NASTY, "--progress"]


def hostile_list(_: Path) -> list[str]:
    Path("z.txt").write_text(f"http://ex.com/{NASTY}\n{NASTY}\n# {NASTY}\n")
    return ["z.txt"]


def hostile_markup(_: Path) -> list[str]:
    Path("z.rss").write_text(f"<rss><{NASTY}>&{NASTY};<![CDATA[{NASTY}")
    return ["z.rss"]


def hostile_root(_: Path) -> list[str]:
    Path("z.xml").write_text("<a\u202eb\u0085/>")
    return ["z.xml"]


@pytest.mark.parametrize("strict", [[], ["--strict"], ["--color"]])
@pytest.mark.parametrize(
    "hostile",
    [value for name, value in sorted(globals().items()) if name.startswith("hostile_")],
    ids=lambda made: made.__name__,
)
def test_nothing_steers_a_terminal(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    hostile: Callable[[Path], list[str]],
    strict: list[str],
) -> None:
    main([*hostile(tmp_path), "-v", *strict])
    said = capfd.readouterr().err
    plain = said.replace("\n", "")
    for ours in ("\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[0m") if "--color" in strict else ():
        plain = plain.replace(ours, "")
    assert plain.isprintable(), ascii(plain)
    assert all(
        line.startswith(("feed2sitemap: ", "Try ", "…", "/")) or ":" in line
        for line in said.splitlines()
    )
