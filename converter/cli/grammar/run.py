"""Options about the run itself, and what is told of it."""

from __future__ import annotations

import click
from click import Option

from converter.cli.config import load_config
from converter.cli.words import complete_path

__all__ = ["RUN"]


def _remember_colour(
    ctx: click.Context, _param: click.Parameter, wanted: bool | None
) -> bool | None:
    """Keep it where an error that ends the run finds it, also if other words cannot be."""
    ctx.find_root().color = wanted
    return wanted


RUN = (
    Option(
        ("--config",),
        is_eager=True,
        callback=load_config,
        metavar="FILE",
        shell_complete=complete_path,
        help="Read options from FILE. Default: feed2sitemap.toml, else [tool.feed2sitemap] in"
        " pyproject.toml, in the working directory.",
    ),
    Option(
        ("--strict",),
        is_flag=True,
        help="Exit 1 if anything at warning or above was reported.",
    ),
    Option(
        ("--report",),
        metavar="FILE",
        shell_complete=complete_path,
        help="Write the run as one JSON document: outputs, counts, every issue.",
    ),
    Option(
        ("-q", "--quiet"),
        is_flag=True,
        help="Print errors only.",
    ),
    Option(
        ("-v", "--verbose"),
        is_flag=True,
        help="Print infos too, and every issue. Default: warnings, at most 10 of a code.",
    ),
    Option(
        ("-j", "--jobs"),
        type=int,
        metavar="N",
        help="Processes that work on a large source. Default: one for each core.",
    ),
    Option(
        ("--progress/--no-progress",),
        default=None,
        help="A bar on standard error. Default: on a terminal, after one second.",
    ),
    Option(
        ("--color/--no-color",),
        default=None,
        is_eager=True,
        callback=_remember_colour,
        help="Also NO_COLOR and FORCE_COLOR. Default: on a terminal.",
    ),
)
