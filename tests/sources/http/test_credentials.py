"""Credentials: used where they were meant to be, and nowhere else; never shown."""

from __future__ import annotations

import base64
import contextlib
from pathlib import Path

import pytest

from converter.errors import ConverterError, HttpError
from converter.issues import ignore
from converter.options import FetchOptions
from converter.sources.http.headers import Credentials
from tests.builders import codes
from tests.sources.http.conftest import Client
from tests.sources.http.server import Asked, Reply, Server, serving

FEED = b"<rss/>"
SECRET = "s3cr%65t"  # noqa: S105  made up


def basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def named(server: Server, path: str, userinfo: str, host: str = "127.0.0.1") -> str:
    return server.url(path, host).replace("//", f"//{userinfo}@")


def here(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
def netrc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "netrc"
    path.write_text(
        "machine 127.0.0.1 login net password rc\nmachine other.com login o password rc\n"
    )
    path.chmod(0o600)
    monkeypatch.setenv("NETRC", str(path))
    return path


@pytest.mark.parametrize(
    ("userinfo", "sent"),
    [
        ("me:s3cret", basic("me", "s3cret")),
        ("me:s3%63ret", basic("me", "s3cret")),
        ("m%C3%A9:p%3Aw%40", basic("mé", "p:w@")),
        ("me", basic("me", "")),
        ("me:", basic("me", "")),
    ],
)
def test_name_and_password_of_the_url_are_used_and_taken_out(
    client: Client, web_server: Server, userinfo: str, sent: str
) -> None:
    web_server.routes["/f"] = FEED
    fetched = client.fetched(named(web_server, "/f", userinfo))
    assert web_server.asked[0].headers["authorization"] == sent
    assert fetched.url == fetched.name == web_server.url("/f")


@pytest.mark.usefixtures("netrc")
def test_netrc_is_used_and_the_url_wins_over_it(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    client.fetched(web_server.url("/f"))
    client.fetched(named(web_server, "/f", "me:pw"))
    assert [asked.headers["authorization"] for asked in web_server.asked] == [
        basic("net", "rc"),
        basic("me", "pw"),
    ]


@pytest.mark.usefixtures("netrc")
def test_an_authorization_header_wins_over_netrc(client: Client, web_server: Server) -> None:
    web_server.routes["/f"] = FEED
    client.fetched(web_server.url("/f"), headers=(("authorization", "Bearer 1"), ("X-A", "b")))
    sent = web_server.asked[0].headers
    assert (sent["authorization"], sent["x-a"]) == ("Bearer 1", "b")


KEYS = (("X-Key", "k3y"), ("Cookie", "id=k3y"))


@pytest.mark.usefixtures("netrc")
def test_a_redirect_on_the_same_host_keeps_credentials(client: Client, web_server: Server) -> None:
    web_server.routes |= {"/f": Reply(302, headers={"Location": "/g"}), "/g": FEED}
    client.fetched(named(web_server, "/f", "me:pw"), headers=KEYS)
    for asked in web_server.asked:
        assert asked.headers["authorization"] == basic("me", "pw")
        assert asked.headers["x-key"] == "k3y"


@pytest.mark.usefixtures("netrc")
@pytest.mark.parametrize("userinfo", ["", "stolen:x@"])
def test_a_redirect_to_another_host_drops_all_credentials(
    client: Client, web_server: Server, userinfo: str
) -> None:
    place = web_server.url("/g", "other.com").replace("//", f"//{userinfo}")
    back = Reply(302, headers={"Location": web_server.url("/h")})
    web_server.routes |= {"/f": Reply(302, headers={"Location": place}), "/g": back, "/h": FEED}
    fetched = client.fetched(named(web_server, "/f", "me:pw"), headers=KEYS, resolve=here)
    first, other, home = (asked.headers for asked in web_server.asked)
    assert first["authorization"] == home["authorization"] == basic("me", "pw")
    assert not {"authorization", "x-key", "cookie"} & other.keys()
    assert "stolen" not in fetched.url


def test_another_port_is_another_host(client: Client, web_server: Server) -> None:
    with serving({"/g": FEED}) as other:
        web_server.routes["/f"] = Reply(302, headers={"Location": other.url("/g")})
        client.fetched(named(web_server, "/f", "me:pw"), headers=KEYS)
        assert not {"authorization", "x-key", "cookie"} & other.asked[0].headers.keys()


def test_credentials_for_https_are_not_sent_over_http() -> None:
    credentials = Credentials(KEYS)
    credentials.add("https://me:pw@ex.com/", ignore)
    sent = credentials.headers_for("https://ex.com/a", {})
    assert set(sent) == {"X-Key", "Cookie", "Authorization"}
    assert credentials.headers_for("http://ex.com/a", {}) == {}
    credentials.add("http://me:pw@old.com/", ignore)
    assert "Authorization" in credentials.headers_for("https://old.com/a", {})


@pytest.mark.usefixtures("netrc")
def test_a_url_in_a_document_gets_credentials_only_for_hosts_the_user_named(
    client: Client, web_server: Server
) -> None:
    web_server.routes |= {"/f": FEED, "/2": FEED}
    web = client.web(headers=KEYS, resolve=here)
    web.fetch(named(web_server, "/f", "me:pw")).stream.close()
    web.fetch(web_server.url("/2"), is_named=False).stream.close()
    web.fetch(web_server.url("/2", "other.com"), is_named=False).stream.close()
    web.fetch(named(web_server, "/2", "a:b", "third.com"), is_named=False).stream.close()
    _, same, other, third = (asked.headers for asked in web_server.asked)
    assert (same["authorization"], same["x-key"]) == (basic("me", "pw"), "k3y")
    assert not {"authorization", "x-key", "cookie"} & (other.keys() | third.keys())


@pytest.mark.parametrize("host", ["MÜNCHEN.de", "xn--mnchen-3ya.de"])
def test_a_host_in_any_spelling_is_the_same(client: Client, web_server: Server, host: str) -> None:
    web_server.routes |= {"/f": FEED, "/2": FEED}
    web = client.web(headers=KEYS, resolve=here)
    url = web_server.url("/f", "münchen.de")
    with web.fetch(url).stream:
        pass
    with web.fetch(web_server.url("/2", host), is_named=False).stream:
        pass
    assert [asked.headers["x-key"] for asked in web_server.asked] == ["k3y", "k3y"]


@pytest.mark.parametrize("place", ["http://{0}\\@{1}/g", "http://{1}\\@{0}/g", "http://{0};@{1}/g"])
def test_an_ambiguous_redirect_gets_no_credentials(
    client: Client, web_server: Server, place: str
) -> None:
    """What compares hosts and what connects must read a URL in the same way."""
    hosts = [f"{name}:{web_server.port}" for name in ("good.com", "evil.com")]
    web_server.routes["/f"] = Reply(302, headers={"Location": place.format(*hosts)})
    with contextlib.suppress(HttpError):
        client.fetched(web_server.url("/f", "good.com"), headers=KEYS, resolve=here)
    for asked in web_server.asked:
        assert ("x-key" in asked.headers) == asked.headers["host"].startswith("good.com")


def _turned_away(asked: Asked) -> Reply:
    return Reply(302, headers={"Location": f"ftp://me:{SECRET}@ex.com/"})


@pytest.mark.parametrize(
    "route",
    [
        Reply(401),
        Reply(500),
        Reply(302, headers={"Location": "/f"}),
        Reply(body=FEED, headers={"Content-Length": "99"}),
        Reply(body=FEED, headers={"Content-Encoding": "br"}),
        Reply(body=FEED, headers={"Content-Length": "9" * 12}),
        _turned_away,
    ],
)
def test_no_message_shows_credentials(client: Client, web_server: Server, route: object) -> None:
    web_server.routes["/f"] = route  # type: ignore[assignment]
    url = named(web_server, "/f", f"me:{SECRET}")
    said = client.refusal(url, ConverterError, headers=(("X-Key", SECRET),))
    assert web_server.url("/f") in said
    assert "s3cr" not in said
    assert "me:" not in said


@pytest.mark.parametrize("url", [f"http://me:{SECRET}@[/", f"http://me:{SECRET}@/x"])
def test_no_message_shows_credentials_of_an_invalid_url(client: Client, url: str) -> None:
    assert "s3cr" not in client.refusal(url)


def test_no_issue_and_no_options_show_credentials(client: Client, web_server: Server) -> None:
    web_server.routes |= {"/f": Reply(301, headers={"Location": "/g"}), "/g": FEED}
    headers = (("X-Key", SECRET),)
    web = client.web(headers=headers)
    web.fetch(named(web_server, "/f", f"me:{SECRET}")).stream.close()
    assert codes(client.issues) == ["source-moved"]
    assert "s3cr" not in repr(client.issues) + repr(FetchOptions(headers=headers))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"machine\n\0 nonsense", "(line 2)"),
        (b"machine 127.0.0.1 logn me pasword s3cr\n", "(line 1)"),
        (b"machine 127.0.0.1 login m\xfcller password s3cr\n", "(its format)"),
        (None, "Is a directory"),
    ],
)
def test_an_unreadable_netrc_is_reported_once_and_ignored(
    client: Client, web_server: Server, netrc: Path, content: bytes | None, said: str
) -> None:
    if content is None:
        netrc.unlink()
        netrc.mkdir()
    else:
        netrc.write_bytes(content)
    web_server.routes |= {"/f": FEED}
    web = client.web()
    for fetched in web.fetch_all([web_server.url("/f"), web_server.url("/f?2")]):
        fetched.result().stream.close()
    assert all("authorization" not in asked.headers for asked in web_server.asked)
    (told,) = client.messages()
    assert told.startswith("warning [netrc-unreadable] netrc cannot be read (")
    assert said in told
    assert "s3cr" not in told


def test_a_broken_netrc_that_is_not_needed_is_not_reported(
    client: Client, web_server: Server, netrc: Path
) -> None:
    netrc.write_text("nonsense")
    web_server.routes["/f"] = FEED
    client.fetched(named(web_server, "/f", "me:pw"))
    client.fetched(web_server.url("/f"), headers=(("Authorization", "Bearer 1"),))
    assert client.messages() == []
