"""What the program is called, what its surroundings may say to it, and which version it is."""

from __future__ import annotations

__all__ = ["COMPLETE", "CONFIG_FILES", "PROGRAM", "VARIABLES", "installed_version"]

PROGRAM = "feed2sitemap"

#: What the variables of options begin with, and the one by which a shell asks for completions.
VARIABLES = "FEED2SITEMAP"
COMPLETE = "_FEED2SITEMAP_COMPLETE"

#: Where options may stand in the working directory: in a file of our own, in one of many programs.
CONFIG_FILES = ("feed2sitemap.toml", "pyproject.toml")


def installed_version() -> str:
    """The version that is installed; `unknown` in a source tree that is not."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "unknown"
