"""Bad input and unusable outputs: a short error, an exit code, no damage."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.builders import tree
from tests.conftest import Conversion

FEED = b"""<rss version="2.0"><channel><title>T</title>
<item><link>https://ex.com/1</link></item>
<item><link>https://ex.com/2</link></item>
</channel></rss>
"""
OLD = b"what stood there before"
TAR = b"urls.txt".ljust(257, b"\0") + b"ustar".ljust(255, b"\0") + b"https://ex.com/1\n"
WANTED = "wanted a feed (RSS, RDF, Atom, JSON Feed)"

pytestmark = pytest.mark.usefixtures("in_tmp_path")


def refused(ended: Conversion, code: int, *words: str) -> None:
    """One or two lines of error that hold all these words; no traceback."""
    assert (ended.code, ended.err.count("feed2sitemap: error: ")) == (code, 1), ended.err
    last = ended.err[ended.err.index("feed2sitemap: error: ") :]
    assert 1 <= last.count("\n") <= 2
    assert "Traceback" not in ended.err
    for word in words:
        assert word in last


HTML = b'<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="%s">'

CASES: dict[str, tuple[str, bytes, int, tuple[str, ...]]] = {
    "an empty file": ("a.xml", b"", 4, ("a.xml: empty (0 bytes)", WANTED)),
    "an empty feed": ("a.rss", b"", 4, ("a.rss: empty (0 bytes)", WANTED)),
    "an empty list": ("a.txt", b"", 7, ("no URLs", "no entries", "is unchanged")),
    "white space": ("a.xml", b" \n\t\r\n ", 4, ("a.xml: nothing but white space", WANTED)),
    "a blank list": ("a.txt", b" \n\n", 7, ("no entries",)),
    "a page": ("a.xml", HTML % b"/feed.rss", 4, ("an HTML page", "/feed.rss", "Fetch that")),
    "a page called feed": ("a.rss", HTML % b"/feed.rss", 4, ("an HTML page", "/feed.rss")),
    "a page without feed": ("a.html", b"<html><body>Hi</body></html>", 4, ("an HTML page", WANTED)),
    "JSON": ("a.json", b'{"a": [1, 2]}', 4, ("a.json: JSON", WANTED)),
    "a JSON Feed without items": (
        "a.json",
        b'{"version": "https://jsonfeed.org/version/1.1", "items": []}',
        7,
        ("no URLs", "no entries", "is unchanged"),
    ),
    "a JSON Feed cut in its first item": (
        "a.json",
        b'{"version": "https://jsonfeed.org/version/1.1",\n"items": [{"id": "1", "url": "htt',
        4,
        ("a.json: not JSON at line 2, column 30: found '\"htt'; Unterminated string",),
    ),
    "a JSON Feed nested without end": (
        "a.json",
        b'{"version": "https://jsonfeed.org/version/1.1", "x": ' + b"[" * 200_000,
        5,
        ("a.json: line 1: x is nested too deeply",),
    ),
    "a table without URLs": (
        "a.csv",
        b"url,title\nhttp,T\nmailto:x,://\n",
        4,
        ("a.csv: no row holds an http(s) URL",),
    ),
    "a picture": ("a.rss", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 4, ("a.rss: a binary file", WANTED)),
    "a PDF": ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\n", 4, ("a.pdf: a binary file", WANTED)),
    "a ZIP": ("a.zip", b"PK\x03\x04\x14\0\0\0", 4, ("a binary file", "Unpack an archive")),
    "a tar in gzip": (
        "urls.txt.gz",
        gzip.compress(TAR),
        4,
        ("a binary file", "tar -xf"),
    ),
    "gzip in gzip": ("a.gz", gzip.compress(gzip.compress(FEED)), 4, ("a binary file", "gunzip")),
    "noise": ("a.xml", bytes(range(1, 9)) * 90, 4, ("a.xml: a binary file", WANTED)),
    "prose": ("a.txt", b"Dear reader,\nthis is no list.\n", 4, ("there is no http(s) URL in it",)),
    "a list of other things": (
        "a.txt",
        b"mailto:x\nwww.ex.com\n",
        4,
        ("a.txt: there is no http(s) URL in it (lines left out: 2)", "wanted a list"),
    ),
    "a feed without entries": (
        "a.rss",
        b"<rss version='2.0'><channel><title>T</title></channel></rss>",
        7,
        ("no URLs", "no entries"),
    ),
    "a feed without pages": (
        "a.rss",
        b"<rss><channel><item><guid>x</guid></item></channel></rss>",
        7,
        ("no URLs", "See the messages above", "-v"),
    ),
    "a feed cut in its first entry": (
        "a.rss",
        FEED[:70],
        4,
        ("a.rss: not well-formed at line 2, column", "no complete entry before that"),
    ),
    "gzip cut in its first entry": (
        "a.rss.gz",
        gzip.compress(FEED, mtime=0)[:60],
        4,
        ("a.rss.gz: not well-formed at line",),
    ),
    "gzip cut in its header": (
        "a.gz",
        gzip.compress(FEED)[:8],
        4,
        ("a.gz: the gzip data break off, and nothing can be decompressed", "again"),
    ),
    "a bomb": (
        "a.xml.gz",
        gzip.compress(FEED + b" " * 20_000_000),
        5,
        ("a.xml.gz: the content is more than 1,000 times", "trust"),
    ),
    "a deep pit": (
        "a.rss",
        b"<rss><channel><item>" + b"<x>" * 1000,
        5,
        ("a.rss: line 1 exceeds a limit", "depth"),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("split", [(), ("--split-hosts",)])
def test_bad_input_is_named_and_does_no_harm(run: Any, name: str, split: tuple[str, ...]) -> None:
    source, content, code, words = CASES[name]
    Path(source).write_bytes(content)
    Path("s.xml").write_bytes(OLD)
    refused(run(source, "-o", "s.xml", *split), code, *words)
    assert tree() == {source: content, "s.xml": OLD}


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[2] in {4, 5}])
def test_one_bad_source_fails_the_run(run: Any, name: str) -> None:
    source, content, code, words = CASES[name]
    Path(source).write_bytes(content)
    Path("good.rss").write_bytes(FEED)
    refused(run("good.rss", source, "-o", "s.xml"), code, *words)
    assert tree() == {source: content, "good.rss": FEED}


WRONG = {
    "Atom, said to be RSS": (
        ("--from", "rss", "a"),
        b"<feed xmlns='http://www.w3.org/2005/Atom'/>",
        4,
        ("--from says RSS", "the content is Atom", "--from atom"),
    ),
    "a feed, said to be a list": (
        ("--from", "txt", "a"),
        FEED,
        4,
        ("a: --from says List of URLs", "the content is RSS", "--from rss"),
    ),
    "a list, said to be a feed": (
        ("--from", "atom", "a"),
        b"https://ex.com/\n",
        4,
        ("--from says Atom", "the content is List of URLs", "--from txt"),
    ),
    "no such format": (("--from", "gif", "a"), FEED, 2, ('--from: "gif" is no format', "rss")),
    "no such output": (("--to", "gif", "a"), FEED, 2, ('--to: "gif" is no format', "sitemap")),
    "no such file": (("b.rss",), b"", 3, ("b.rss: it cannot be opened: No such file", "Check")),
    "a folder": (("folder",), b"", 3, ("folder: it cannot be opened: Is a directory")),
    "a file as folder": (("a/b.rss",), b"", 3, ("a/b.rss: it cannot be opened: Not a directory",)),
    "a name too long": (("x" * 300,), b"", 3, ("File name too long",)),
    "no name": (("",), b"", 3, ("the name of a source is empty",)),
    "a bad priority": (("--priority", "2", "a"), FEED, 2, ("--priority", "0.0 to 1.0")),
    "a bad pattern": (("--include", "(", "a"), FEED, 2, ("--include", "not a regular expression")),
    "a bad date": (
        ("--since", "soon", "a"),
        FEED,
        2,
        ("--since", "is not a full date", "2025-01-31"),
    ),
    "too large a limit": (("--limit-urls", "60000", "a"), FEED, 2, ("--limit-urls", "50,000")),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_combinations_of_arguments_are_refused(run: Any, name: str) -> None:
    words, content, code, said = WRONG[name]
    Path("a").write_bytes(content)
    Path("folder").mkdir()
    Path("s.xml").write_bytes(OLD)
    refused(run(*words, "-o", "s.xml"), code, *said)
    assert tree() == {"a": content, "s.xml": OLD}


def test_issues_before_an_error_are_printed(run: Any) -> None:
    Path("a.txt").write_bytes(b"mailto:x\n")
    ended = run("a.txt", "-o", "s.xml")
    assert ended.err.startswith("a.txt:1: warning [line-not-url] ")


def test_the_entries_before_the_end_of_a_truncated_feed_are_used(run: Any) -> None:
    Path("a.rss").write_bytes(FEED[:-60])
    ended = run("a.rss", "-o", "s.xml")
    assert ended.code == 0
    assert ended.err.startswith("a.rss:3: error [xml-broken] not well-formed at line 3")
    assert ended.err.endswith("s.xml: 1 URL (from 1 source)\n")
    assert run("a.rss", "-o", "s.xml", "--strict").code == 1


def test_truncated_gzip_yields_the_data_before_the_end(run: Any) -> None:
    lines = b"".join(b"https://ex.com/%d\n" % number for number in range(1000))
    Path("a.gz").write_bytes(gzip.compress(lines)[:-8])
    ended = run("a.gz", "-o", "s.xml")
    assert ended.code == 0
    assert ended.err.startswith("a.gz: warning [gzip-repaired] the gzip data break off")
    assert ended.err.count("\n") == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_source_error(run: Any) -> None:
    Path("a.rss").write_bytes(FEED)
    Path("a.rss").chmod(0)
    refused(run("a.rss", "-o", "s.xml"), 3, "a.rss: it cannot be opened: Permission denied")


def test_a_file_that_cannot_be_read_to_its_end(run: Any) -> None:
    """What root may open, and not read: the memory of a process at address 0."""
    refused(run("/proc/self/mem", "-o", "s.xml"), 3, "/proc/self/mem: it cannot be read")
    assert tree() == {}


# -- places that take no output ---------------------------------------------------------------


def test_a_folder_that_is_not_there(run: Any) -> None:
    Path("a.rss").write_bytes(FEED)
    refused(run("a.rss", "-o", "no/s.xml"), 6, 'folder "no" does not exist', "create it first")
    assert not Path("no").exists()


def test_a_folder_in_the_place_of_the_output(run: Any) -> None:
    Path("a.rss").write_bytes(FEED)
    Path("s.xml").mkdir()
    refused(run("a.rss", "-o", "s.xml"), 6, '"s.xml" is the name of a folder', "name a file in it")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_an_output_error(run: Any) -> None:
    Path("a.rss").write_bytes(FEED)
    Path("locked").mkdir()
    Path("locked/s.xml").write_bytes(OLD)
    Path("locked").chmod(0o555)
    refused(run("a.rss", "-o", "locked/s.xml"), 6, "Permission denied")
    assert tree(Path("locked")) == {"s.xml": OLD}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
def test_a_device_that_is_full(run: Any) -> None:
    Path("a.rss").write_bytes(FEED)
    refused(run("a.rss", "-o", "/dev/full"), 6, '"/dev/full" could not be written', "No space left")


def many(count: int) -> bytes:
    return b"".join(b"https://ex.com/%d\n" % number for number in range(count))


@pytest.mark.parametrize("words", [("-o", "s.xml"), ("-o", "s.xml", "--sort", "url"), ()])
def test_a_file_size_limit_is_an_output_error(
    words: tuple[str, ...], unmeasured: dict[str, str]
) -> None:
    """As a full disk: the system refuses in the middle of writing."""
    Path("a.txt").write_bytes(many(60_000))
    Path("s.xml").write_bytes(OLD)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = subprocess.run(
        [sys.executable, "-m", "converter", "a.txt", *words],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=False,
        env=unmeasured,
    )
    ended = Conversion(done.returncode, "", done.stderr)
    refused(ended, 6, "could not be written", "File too large")
    assert tree() == {"a.txt": many(60_000), "s.xml": OLD}


def test_more_than_one_file_for_standard_output(run: Any) -> None:
    Path("a.txt").write_bytes(many(60_000))
    refused(run("a.txt"), 2, "the output needs several files", "-o PATH")


# -- ends from outside ------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_the_old_output_and_nothing_else(number: int, code: int) -> None:
    """The source is a pipe that says no more, so the run is in the middle of it."""
    Path("s.xml").write_bytes(OLD)
    with subprocess.Popen(
        [sys.executable, "-m", "converter", "-", "-o", "s.xml"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(many(10))
        process.stdin.flush()
        for _ in range(600):  # the lock is taken when the target is held
            if Path(".s.xml.lock").exists():
                break
            time.sleep(0.05)
        process.send_signal(number)
        said = process.stderr.read()
    assert (process.returncode, said) == (code, b"")
    assert tree() == {"s.xml": OLD}


def test_a_reader_that_closes_the_pipe_ends_the_run_silently() -> None:
    Path("a.txt").write_bytes(many(40_000))
    with subprocess.Popen(
        [sys.executable, "-m", "converter", "a.txt"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, b"")
