"""The options of our grammar as click has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from converter.cli.config import load_config
from converter.cli.grammar.option import Option
from converter.cli.words import (
    LineWord,
    ListWord,
    PercentWord,
    complete_path,
    complete_readable,
    complete_writable,
)

__all__ = ["clicked"]

#: By what an option takes.
_TYPES: Mapping[str, Any] = {
    "flag": {"is_flag": True},
    "whole": {"type": int},
    "number": {"type": float},
    "percent": {"type": PercentWord()},
    "words": {"type": ListWord(), "multiple": True},
    "lines": {"type": LineWord(), "multiple": True},
}
_COMPLETIONS: Mapping[str | None, Any] = {
    "path": complete_path,
    "readable": complete_readable,
    "writable": complete_writable,
}


def _remember_colour(
    ctx: click.Context, _param: click.Parameter, wanted: bool | None
) -> bool | None:
    """Keep it where an error that ends the run finds it, also if other words cannot be."""
    ctx.find_root().color = wanted
    return wanted


#: What is done with these before any other is looked at.
_EAGER: Mapping[str, Any] = {"config": load_config, "color": _remember_colour}


def clicked(option: Option) -> click.Option:
    """Make click's option of ours."""
    more: dict[str, Any] = dict(_TYPES.get(option.takes, {}))
    if option.takes == "choice":
        more["type"] = click.Choice(option.choices, case_sensitive=False)
    if option.denial is not None:
        more["default"] = option.default
    if option.name in _EAGER:
        more |= {"is_eager": True, "callback": _EAGER[option.name]}
    long = option.long if option.denial is None else f"{option.long}/{option.denial}"
    return click.Option(
        (long,) if option.short is None else (option.short, long),
        metavar=option.metavar,
        shell_complete=_COMPLETIONS.get(option.completes),
        help=option.help,
        **more,
    )
