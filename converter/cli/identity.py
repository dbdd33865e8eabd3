"""What the program is called, what its surroundings may say to it, and which version it is."""

from __future__ import annotations

__all__ = ["COMPLETE", "CONFIG_FILES", "PROGRAM", "VARIABLES", "VERSION"]

PROGRAM = "feed2sitemap"

#: Packages take it from here: to ask what is installed takes longer than to read a feed.
VERSION = "0.1.0"

#: What the variables of options begin with, and the one by which a shell asks for completions.
VARIABLES = "FEED2SITEMAP"
COMPLETE = "_FEED2SITEMAP_COMPLETE"

#: Where options may stand in the working directory: in a file of our own, in one of many programs.
CONFIG_FILES = ("feed2sitemap.toml", "pyproject.toml")
