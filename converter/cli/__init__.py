"""The command line: words become options, issues become lines, a run becomes one exit code."""

from __future__ import annotations

from collections.abc import Sequence

from converter.cli import collector

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the words behind the program's name; None: those of this process, which is then taken
            to be ours alone, from here to its end.

    Returns:
        The exit code; see docs/cli.md.
    """
    with collector.paused(is_ours=argv is None):
        from converter.cli.process import main as run

        return run(argv)
