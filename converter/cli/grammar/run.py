"""Options about the run itself, and what is told of it."""

from __future__ import annotations

from converter.cli.grammar.option import Option

__all__ = ["RUN"]

RUN = (
    Option(
        "--config",
        metavar="FILE",
        completes="path",
        help="Read options from FILE. Default: feed2sitemap.toml, else [tool.feed2sitemap] in"
        " pyproject.toml, in the working directory.",
    ),
    Option(
        "--strict",
        takes="flag",
        help="Exit 1 if anything at warning or above was reported.",
    ),
    Option(
        "--report",
        metavar="FILE",
        completes="path",
        help="Write the run as one JSON document: outputs, counts, every issue.",
    ),
    Option(
        "--losses",
        takes="flag",
        help="Print a table of what was left out, and of the fields that were altered or lost.",
    ),
    Option(
        "--quiet",
        short="-q",
        takes="flag",
        help="Print errors only, and the table if --losses is given.",
    ),
    Option(
        "--verbose",
        short="-v",
        takes="flag",
        help="Print infos too, and every issue. Default: warnings, at most 10 of a code.",
    ),
    Option(
        "--jobs",
        short="-j",
        takes="whole",
        metavar="N",
        help="Processes that share the work on sources. Default: one for each core.",
    ),
    Option(
        "--progress",
        takes="switch",
        help="A bar on standard error. Default: on a terminal, after one second.",
    ),
    Option(
        "--color",
        takes="switch",
        help="Also NO_COLOR and FORCE_COLOR. Default: on a terminal.",
    ),
)
