"""Reads options from a TOML file in the working directory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

import click

from converter.cli import PROGRAM
from converter.cli.argument_checks import suggestion
from converter.errors import OptionError
from converter.options.parsing import CHECK_OPTIONS, DIFF_OPTIONS, OPTIONS

_OWN_FILE, _SHARED_FILE = "feed2sitemap.toml", "pyproject.toml"

#: Key in `Context.meta`: the name of the file in messages.
CONFIG_NAME = "converter.cli.config_file.name"

#: Commands with options of their own, which a table of this name has.
_COMMAND_OPTIONS: Final = {"check": CHECK_OPTIONS, "diff": DIFF_OPTIONS}


def load_config(ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    """Use the options of the file as defaults of the command line.

    Raises:
        OptionError: the file is missing or not TOML; an option is unknown or its value refused.
    """
    paths = [path] if path else list(filter(os.path.isfile, (_OWN_FILE, _SHARED_FILE)))
    if paths and not ctx.resilient_parsing:
        name, table = _read_table(paths[0])
        ctx.default_map, ctx.meta[CONFIG_NAME] = _checked(table, name, ctx.info_name or "")
    return path


def _read_table(path: str) -> tuple[str, Mapping[str, object]]:
    """Return the name of a file in messages, and its options."""
    import tomllib  # most runs have no such file

    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except (OSError, ValueError, RecursionError) as error:  # also UnicodeDecodeError
        raise OptionError(f"{path} cannot be read as TOML: {error}") from error
    if os.path.basename(path) != _SHARED_FILE:
        return path, document
    name = f"{path} [tool.{PROGRAM}]"
    tool = document.get("tool", {})
    table = tool.get(PROGRAM, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise OptionError(f"{name} is not a table")
    return name, table


def _checked(document: Mapping[str, object], name: str, command: str) -> tuple[dict[str, Any], str]:
    """Return the values for a command by the names of click's parameters, and their table."""
    table = {key: value for key, value in document.items() if key not in _COMMAND_OPTIONS}
    if command in _COMMAND_OPTIONS:
        own = document.get(command, {})
        if not isinstance(own, dict):
            raise OptionError(f"{name}: {command} is not a table")
        table, name = own, f"{name} [{command}]"
    known = {it.name: it for it in _COMMAND_OPTIONS.get(command, OPTIONS) if it.name != "config"}
    defaults: dict[str, Any] = {}
    for key, value in table.items():
        option = known.get(key.replace("-", "_"))
        if option is None:
            hint = suggestion(key.replace("_", "-"), [it.long[2:] for it in known.values()])
            raise OptionError(f'{name}: there is no option "{key}"{hint}')
        if option.name in defaults:
            raise OptionError(f'{name}: the option "{key}" is set twice')
        try:
            option.check(value)
        except OptionError as error:
            raise OptionError(f"{error} ({option.long} was set in {name})") from error
        is_one = option.type.is_repeatable and isinstance(value, str)
        defaults[option.name] = [value] if is_one else value
    return defaults, name
