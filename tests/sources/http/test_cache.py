"""The cache: what is asked for again, what is kept, and what becomes of damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from converter.errors import OptionError
from tests.sources.http.conftest import Client
from tests.sources.http.server import Answer, Asked, Reply, Server

FEED = b"<rss/>"
DATE = "Mon, 12 Jan 2026 17:58:02 GMT"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache"


def versioned(body: bytes = FEED, etag: str = '"1"', **headers: str) -> object:
    """A page that knows its version; `_` in the names of headers is `-`."""

    def answer(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == etag:
            return Reply(304)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        return Reply(body=body, headers={"ETag": etag, **told})

    return answer


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.fetched"))


def test_the_charset_applies_to_cached_documents(
    client: Client, web_server: Server, folder: Path
) -> None:
    body = "<rss>\u0416</rss>"
    web_server.routes["/f"] = versioned(
        body.encode("koi8-r"), Content_Type="text/xml; charset=koi8-r"
    )  # type: ignore[assignment]
    for _ in range(2):
        assert client.read(web_server.url("/f"), cache=str(folder)) == body.encode()


def test_unchanged_documents_come_from_the_cache(
    client: Client, web_server: Server, folder: Path
) -> None:
    web_server.routes["/f"] = versioned(
        Content_Type="text/xml; charset=utf-8", Link='</2>; rel="next"', Last_Modified=DATE
    )  # type: ignore[assignment]
    url = web_server.url("/f")
    first = client.fetched(url, cache=str(folder))
    again = client.fetched(url, cache=str(folder))
    assert (first.is_unchanged, again.is_unchanged) == (False, True)
    assert again.stream.read() == first.stream.read() == FEED
    assert again.media_type == "text/xml"
    assert again.links == first.links == (("next", web_server.url("/2")),)
    assert "if-none-match" not in web_server.asked[0].headers
    assert web_server.asked[1].headers["if-none-match"] == '"1"'
    assert web_server.asked[1].headers["if-modified-since"] == DATE
    assert client.issues == []


def test_a_changed_document_replaces_the_cached_one(
    client: Client, web_server: Server, folder: Path
) -> None:
    url = web_server.url("/f")
    for number in ("1", "2"):
        web_server.routes["/f"] = versioned(number.encode(), f'"{number}"')  # type: ignore[assignment]
        fetched = client.fetched(url, cache=str(folder))
        assert (fetched.stream.read(), fetched.is_unchanged) == (number.encode(), False)
    assert client.fetched(url, cache=str(folder)).stream.read() == b"2"
    assert len(kept(folder)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=FEED),
        Reply(body=FEED, headers={"ETag": '"1"', "Cache-Control": "private, No-Store"}),
        Reply(body=FEED, headers={"ETag": '"1"', "Vary": "*"}),
        Reply(body=FEED, headers={"ETag": '"1"', "Content-Encoding": "gzip"}),
    ],
    ids=["no validator", "no-store", "vary", "damaged"],
)
def test_a_response_without_validator_or_with_no_store_is_not_cached(
    client: Client, web_server: Server, folder: Path, reply: Reply
) -> None:
    web_server.routes["/f"] = [Reply(body=FEED, headers={"ETag": '"0"'}), reply]
    for _ in range(2):
        client.fetched(web_server.url("/f"), cache=str(folder))
    assert kept(folder) == []


def test_redirects_are_not_cached_but_their_target_is(
    client: Client, web_server: Server, folder: Path
) -> None:
    web_server.routes |= {"/f": Reply(302, headers={"Location": "/g"}), "/g": versioned()}  # type: ignore[dict-item]
    for _ in range(2):
        fetched = client.fetched(web_server.url("/f"), cache=str(folder))
        assert fetched.url == web_server.url("/g")
    assert fetched.is_unchanged
    assert fetched.name == web_server.url("/f")
    asked_with = ["if-none-match" in asked.headers for asked in web_server.asked]
    assert asked_with == [False, False, False, True]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"nonsense",
        lambda data: b"[]\n" + FEED,
        lambda data: b"{}\n" + FEED,
        lambda data: data[:-1],
        lambda data: data + b"X",
        lambda data: data.replace(b'"links": []', b'"links": [1]'),
        lambda data: data.replace(b'"media_type": null', b'"media_type": 12'),
        lambda data: b"\xff" + data,
    ],
)
def test_a_damaged_cached_file_is_fetched_again_and_reported(
    client: Client, web_server: Server, folder: Path, damage: object
) -> None:
    web_server.routes["/f"] = versioned()  # type: ignore[assignment]
    url = web_server.url("/f")
    client.fetched(url, cache=str(folder))
    (path,) = kept(folder)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    fetched = client.fetched(url, cache=str(folder))
    assert fetched.stream.read() == FEED
    assert not fetched.is_unchanged
    (issue,) = client.issues
    assert (issue.code, issue.source) == ("cache-unusable", url)
    assert "fetched anew" in issue.message
    assert client.fetched(url, cache=str(folder)).is_unchanged


def test_credentials_are_part_of_the_cache_key_and_in_no_file(
    client: Client, web_server: Server, folder: Path
) -> None:
    web_server.routes["/f"] = versioned()  # type: ignore[assignment]
    plain = web_server.url("/f")
    secret = plain.replace("//", "//me:s3cret@")
    for url, headers in [(plain, ()), (secret, ()), (plain, (("X-Key", "s3cret"),))]:
        for is_unchanged in (False, True):
            fetched = client.fetched(url, cache=str(folder), headers=headers)
            assert fetched.is_unchanged == is_unchanged
    paths = kept(folder)
    assert len(paths) == 3
    for path in paths:
        assert b"s3cret" not in path.read_bytes() + path.name.encode()
        assert b"me:" not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0


def test_a_cached_file_can_be_inspected(client: Client, web_server: Server, folder: Path) -> None:
    web_server.routes["/f"] = versioned()  # type: ignore[assignment]
    client.fetched(web_server.url("/f"), cache=str(folder))
    head, _, body = kept(folder)[0].read_bytes().split(b"\n")
    assert body == FEED
    assert json.loads(head)["url"] == web_server.url("/f")


def test_an_impossible_cache_folder_is_refused_before_any_request(
    client: Client, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(OptionError, match=r"--cache: .*file cannot be a folder: File exists"):
        client.web(cache=str(file))


def test_a_document_that_cannot_be_cached_is_reported_and_used(
    client: Client, web_server: Server, folder: Path
) -> None:
    web_server.routes["/f"] = versioned()  # type: ignore[assignment]
    web = client.web(cache=str(folder))
    folder.rmdir()
    with web.fetch(web_server.url("/f")).stream as stream:
        assert stream.read() == FEED
    said = "it cannot be stored in the cache: No such file or directory"
    assert client.messages() == [f"warning [cache-unusable] {said}"]


def test_runs_side_by_side_see_whole_documents(
    client: Client, web_server: Server, folder: Path
) -> None:
    bodies = [b"%d" % number * 200_000 for number in (1, 2)]
    web_server.routes["/f"] = lambda asked: Reply(
        body=bodies[len(web_server.asked) % 2],
        headers={"ETag": f'"{len(web_server.asked)}"'},
    )
    webs = [client.web(cache=str(folder)) for _ in range(3)]
    url = web_server.url("/f")
    iterators = [web.fetch_all([url] * 10) for web in webs]
    for fetched in (f for several in zip(*iterators, strict=True) for f in several):
        with fetched.result().stream as stream:
            assert stream.read() in bodies
    assert client.issues == []
    assert [path.suffix for path in folder.iterdir()] == [".fetched"]
