"""The command line: words become options, issues become lines, a run becomes one exit code."""

from __future__ import annotations

from converter.cli.process import main

__all__ = ["main"]
