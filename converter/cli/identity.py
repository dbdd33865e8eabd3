"""What the program is called, what its surroundings may say to it, and which version it is."""

from __future__ import annotations

__all__ = ["COMPLETE", "CONFIG_FILES", "PROGRAM", "VARIABLES", "__version__"]

PROGRAM = "feed2sitemap"

#: The one place that says it: the package's metadata and `converter.__version__` are made of it.
__version__ = "0.1.0"

#: What the variables of options begin with, and the one by which a shell asks for completions.
VARIABLES = "FEED2SITEMAP"
COMPLETE = "_FEED2SITEMAP_COMPLETE"

#: Where options may stand in the working directory: in a file of our own, in one of many programs.
CONFIG_FILES = ("feed2sitemap.toml", "pyproject.toml")
