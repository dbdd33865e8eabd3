"""The command line: arguments become options, issues lines, and a run one exit code."""

from __future__ import annotations

import gc
from collections.abc import Sequence

__all__ = ["ENVIRONMENT_PREFIX", "PROGRAM", "main"]

PROGRAM = "feed2sitemap"

#: `FEED2SITEMAP_LIMIT_URLS` is `--limit-urls`.
ENVIRONMENT_PREFIX = "FEED2SITEMAP"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    In a process of its own the garbage collector is off while modules are imported, until
    `convert` turns it on, and at exit: it would find nothing, and take a sixth of a short run.

    Args:
        argv: the arguments; None: those of this process, which then belongs to this run alone.

    Returns:
        The exit code; see docs/cli.md.
    """
    if argv is None:
        gc.disable()
    try:
        from converter.cli.program import main as run

        return run(argv)
    finally:
        if argv is None:
            gc.freeze()
