"""What the program is called, and which version of it is installed."""

from __future__ import annotations

__all__ = ["PROGRAM", "installed_version"]

PROGRAM = "feed2sitemap"


def installed_version() -> str:
    """The version that is installed; `unknown` in a source tree that is not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "unknown"
