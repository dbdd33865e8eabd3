"""Hostile and broken documents are read or refused; never a traceback, a leak, or bad output."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pragma: no cover
    from conftest import Reference

#: The files were made before JSON Feed was a format; this one is now read, and not refused.
_READ_NOW = {"notfeed/json_feed.json": ["not-rejected"]}


def test_no_attack_succeeds(reference: Reference, tmp_path: Path) -> None:
    files, told = tmp_path / "files", tmp_path / "told.json"
    where = ("--canary", tmp_path / "canary.txt", "--port", str(_free_port()))
    made = reference.run("abuse/make_abuse.py", "--out", files, *where)
    assert made.returncode == 0, made.stderr
    program = (sys.executable, "-m", "converter", "{in}", "-o", "{out}")
    options = ("--files", files, "--cross-host", "--jobs", str(os.cpu_count() or 2), "--json", told)
    run = reference.run("abuse/run_abuse.py", *options, "--", *program)
    judged = json.loads(told.read_text("utf-8"))
    assert len(judged) > 400, run.stderr
    fails = {verdict["file"]: verdict["fails"] for verdict in judged if verdict["fails"]}
    assert fails == _READ_NOW, run.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
