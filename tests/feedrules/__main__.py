"""Judge files by hand: `python -m tests.feedrules FILE...`; the exit code is 1 for any error."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from tests.feedrules import check


def main(paths: list[str]) -> int:
    now = datetime.now(UTC)  # noqa: TID251  # no part of the program: the judge's own clock
    worst = 0
    for path in paths:
        for finding in check(Path(path).read_bytes(), now=now):
            print(f"{path}:{finding}")  # noqa: T201  # this is its output
            worst = max(worst, finding.severity == "error")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
