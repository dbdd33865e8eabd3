"""The command line: arguments become options, issues lines, and a run one exit code."""

from __future__ import annotations

from collections.abc import Sequence

from converter.cli import collector

__all__ = ["ENVIRONMENT_PREFIX", "PROGRAM", "main"]

PROGRAM = "feed2sitemap"

#: `FEED2SITEMAP_LIMIT_URLS` is `--limit-urls`.
ENVIRONMENT_PREFIX = "FEED2SITEMAP"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; None: those of this process, which then belongs to this run alone.

    Returns:
        The exit code; see docs/cli.md.
    """
    with collector.paused(is_ours=argv is None):
        from converter.cli.process import main as run

        return run(argv)
