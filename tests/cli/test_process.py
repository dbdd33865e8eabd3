"""The end of the process: exit codes, signals, pipes, never a traceback."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import click
import pytest

from converter import errors
from converter.cli import main
from converter.cli.exit_codes import Exit, error_message, exit_code_of

#: Runs the program with a library that says when it has begun, does as told, and cleans up.
DRIVER = """
import pathlib, sys, time
from converter import api
from converter.cli import main

def convert(source, target, /, **_):
    try:
        sys.stderr.write("begun\\n")
        sys.stderr.flush()
        {act}
    finally:
        pathlib.Path("cleaned").touch()

api.convert = convert
sys.exit(main())
"""

#: Shows the help without what the package's face brings in.
ALONE = """
import sys, types
package = types.ModuleType("converter")
package.__path__ = [{folder!r}]
package.__version__ = "0"
sys.modules["converter"] = package
from converter.cli import main
main(["--help"])
sys.exit(any(name in sys.modules for name in ("lxml", "requests", "converter.api")))
"""


def start(act: str, *words: str, **given: Any) -> subprocess.Popen[bytes]:
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER.format(act=act), *words], **(streams | given)
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.OptionError("no"), 2),
        (errors.SourceError("no"), 3),
        (errors.DocumentError("no"), 4),
        (errors.UnknownFormatError("no"), 4),
        (errors.LimitError("no", limit="max_bytes"), 5),
        (errors.SinkError("no"), 6),
        (errors.RefusedError("no"), 7),
    ],
)
@pytest.mark.parametrize("words", [(), ("--strict",)])
def test_each_error_has_an_exit_code_and_one_line(
    run: Any, library: Any, error: Exception, code: int, words: Any
) -> None:
    library.outcome = error
    ended = run("a.rss", *words)
    assert ended.code == code
    assert ended.err == "feed2sitemap: error: no\n"


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)])
def test_some_exits_print_no_message(run: Any, library: Any, error: Any, code: int) -> None:
    library.outcome = error
    ended = run("a.rss")
    assert (ended.code, ended.out, ended.err) == (code, "", "")


@pytest.mark.parametrize("error", [KeyError("a\x1b[0m"), RecursionError("deep"), MemoryError()])
def test_an_internal_error_prints_no_traceback(run: Any, library: Any, error: Any) -> None:
    library.outcome = error
    ended = run("a.rss")
    assert ended.code == 70
    assert "Traceback" not in ended.err
    assert "\x1b" not in ended.err
    assert len(ended.err.splitlines()) <= 2


def test_debug_mode_prints_the_traceback(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEED2SITEMAP_DEBUG", "1")
    library.outcome = KeyError("a")
    ended = run("a.rss")
    assert ended.code == 70
    assert "Traceback" in ended.err


def test_error_messages_are_escaped_to_one_line(run: Any, library: Any) -> None:
    library.outcome = errors.SourceError("a\x1b[0m\nb\x07")
    assert run("a.rss").err == "feed2sitemap: error: a\\x1b[0m\\nb\\x07\n"


def test_an_error_without_a_message_prints_one_line(run: Any, library: Any) -> None:
    library.outcome = errors.SourceError()
    assert run("a.rss").err == "feed2sitemap: error: \n"


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit, click.UsageError, OSError])
def test_every_exit_has_a_code(kind: type[BaseException]) -> None:
    error = kind("x")
    assert exit_code_of(error) in Exit
    assert error_message(error)


def test_signal_handlers_are_restored(run: Any, library: Any) -> None:
    before = signal.getsignal(signal.SIGTERM)
    run("a.rss")
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_command_can_run_in_a_thread(library: Any) -> None:
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["a.rss", "-q"])))
    thread.start()
    thread.join()
    assert codes == [0]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["SIGTERM", "SIGINT"]
)
def test_signals_run_the_clean_up(tmp_path: Path, number: int, code: int) -> None:
    with start("time.sleep(60)", "a.rss", "--report", "r.json") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"begun\n"
        process.send_signal(number)
        assert process.wait(30) == code
        assert process.stderr.read() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["cleaned"]


def test_a_closed_pipe_ends_the_run_silently() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        with start("sys.stdout.write('x' * 9); sys.stdout.flush()", "-q", stdout=write) as process:
            _, err = process.communicate(timeout=30)
    finally:
        os.close(write)
    assert process.returncode == 141
    assert err == b"begun\n"


def test_help_into_a_closed_pipe_is_silent() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        with start("pass", "--help", stdout=write) as process:
            _, err = process.communicate(timeout=30)
    finally:
        os.close(write)
    assert (process.returncode, err) == (141, b"")


def test_a_closed_standard_error_ends_the_run_silently() -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        with start("pass", "--nonsense", stderr=write) as process:
            process.communicate(timeout=30)
    finally:
        os.close(write)
    assert process.returncode in {2, 141}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_exit_6() -> None:
    with Path("/dev/full").open("wb") as full, start("pass", "--help", stdout=full) as process:
        _, err = process.communicate(timeout=30)
    assert process.returncode == 6
    assert err == b"feed2sitemap: error: standard output: No space left on device\n"


def test_closed_standard_streams_are_no_traceback() -> None:
    command = 'exec "$@" <&- >&-'
    words = ["sh", "-c", command, "sh", sys.executable, "-m", "converter", "--help"]
    ended = subprocess.run(words, capture_output=True, timeout=30, check=False)
    assert ended.returncode == 0
    assert ended.stderr == b""


def test_start_up_imports_no_unneeded_module() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ALONE.format(folder=str(Path(errors.__file__).parent))],
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith(b"Usage: ")


def test_sigterm_during_a_run_ends_it(run: Any, library: Any) -> None:
    library.act = lambda: os.kill(os.getpid(), signal.SIGTERM)
    ended = run("a.rss")
    assert (ended.code, ended.out, ended.err) == (143, "", "")


def test_a_closed_output_is_not_flushed_at_exit(
    run: Any, library: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        stream.write("half a sitemap")
        library.outcome = BrokenPipeError()
        assert run("a.rss").code == 141
        stream.flush()  # it goes nowhere, and silently
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left on device"), 6), (BrokenPipeError(), 141)]
)
def test_unwritable_standard_output_is_an_error(
    run: Any, monkeypatch: pytest.MonkeyPatch, error: OSError, code: int
) -> None:
    echo = click.echo

    def failing(text: str, *, err: bool = False, **more: Any) -> None:
        if not err:
            raise error
        echo(text, err=err, **more)

    monkeypatch.setattr(click, "echo", failing)
    ended = run("formats")
    assert ended.code == code
    said = "feed2sitemap: error: standard output: No space left on device\n"
    assert ended.err == (said if code == 6 else "")


def test_an_ascii_terminal_is_supported() -> None:
    plain = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    for word in ("--help", "formats"):
        ended = subprocess.run(
            [sys.executable, "-m", "converter", word],
            env=os.environ | plain,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, b"")


def test_the_version_is_that_of_the_installed_package(run: Any) -> None:
    assert run("--version").out == f"feed2sitemap {importlib.metadata.version('feed2sitemap')}\n"
