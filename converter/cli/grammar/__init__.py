"""Every option of `convert`, in the sections of its help: the one home of names and meanings.

The name of a parameter is its long option. So are its variable (`FEED2SITEMAP_LIMIT_URLS`) and
its key in a configuration file (`limit-urls`).
"""

from __future__ import annotations

from converter.cli.grammar import entries, run, sources, targets
from converter.cli.grammar.option import Option

__all__ = ["OPTIONS", "SECTIONS"]

#: Title and options of each section, as help and docs/cli.md show them.
SECTIONS: tuple[tuple[str, tuple[Option, ...]], ...] = (
    ("Sources", sources.SOURCES),
    ("Sources on the web", sources.FETCHING),
    ("Output", targets.TARGETS),
    ("A set that is published already", targets.LIVING),
    ("URLs", entries.URLS),
    ("Which entries", entries.ENTRIES),
    ("What is written", entries.CONTENT),
    ("Header of a feed that is written; wins over the source's", entries.HEADER),
    ("The run", run.RUN),
)

OPTIONS = tuple(option for _, options in SECTIONS for option in options)
