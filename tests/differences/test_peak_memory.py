"""Sides that are larger than `max_in_memory` are sorted on disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_memory import GAUGE

PAGES = 150_000
#: The interpreter and lxml; with the pages in memory, it would be more than 80 MB.
MAX_BYTES = 56_000_000

PROGRAM = """
import sys, converter
changes = converter.diff(*sys.argv[2:], max_in_memory=4_000_000)
assert sum(1 for _ in changes) == int(sys.argv[1])
"""


@pytest.mark.memory
def test_memory_does_not_grow_with_the_sides(tmp_path: Path, unmeasured: dict[str, str]) -> None:
    names = []
    for first in 0, PAGES // 10:
        numbers = range(first, first + PAGES)
        lines = "".join(f"https://example.com/{n * 7919 % 999_983:09}.html\n" for n in numbers)
        names.append(str(tmp_path / f"{first}.txt"))
        Path(names[-1]).write_text(lines)
    program = [sys.executable, "-c", PROGRAM, str(PAGES // 5), *names]
    gauge = [sys.executable, "-c", GAUGE, "0", *program]
    done = subprocess.run(gauge, capture_output=True, text=True, check=True, env=unmeasured)
    assert int(done.stdout) * 1024 < MAX_BYTES
