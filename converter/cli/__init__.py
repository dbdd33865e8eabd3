"""The command line: parses arguments, prints issues, and returns one exit code per run."""

from __future__ import annotations

import gc
from collections.abc import Sequence

__all__ = ["ENVIRONMENT_PREFIX", "PROGRAM", "main"]

PROGRAM = "feed2sitemap"

#: `FEED2SITEMAP_LIMIT_URLS` sets `--limit-urls`.
ENVIRONMENT_PREFIX = "FEED2SITEMAP"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    The garbage collector takes a sixth of a short run and finds nothing while modules are
    imported and at exit, so it is off there, unless `argv` is given and the process is not ours.

    Args:
        argv: the arguments; None for those of this process.

    Returns:
        The exit code; see docs/cli.md.
    """
    if argv is None:
        gc.disable()  # until `convert` enables it
    try:
        from converter.cli.commands import main as run_command

        return run_command(argv)
    finally:
        if argv is None:
            gc.freeze()
