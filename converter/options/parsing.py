"""The table of all options, and how keywords become the options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from converter.errors import OptionError
from converter.options import (
    CommandOptions,
    FetchOptions,
    Limits,
    PublishOptions,
    ReadOptions,
    RunOptions,
    TransformOptions,
    WriteOptions,
)
from converter.options.types import Option, OptionGroup, options_of

T = TypeVar("T", bound=OptionGroup)


#: The sections of the help and of docs/cli.md, in their order.
SECTIONS: Final = (
    "Sources",
    "Fetching sources from the web",
    "Output",
    "Updating a published sitemap",
    "URLs",
    "Selecting entries",
    "Content",
    "Header of a written feed (instead of the source's)",
    "Messages, settings and processes",
)

_GROUPS: Final = (
    RunOptions,
    PublishOptions,
    ReadOptions,
    FetchOptions,
    TransformOptions,
    WriteOptions,
)

#: By the names of fields.
_COMMAND: Final = dict(options_of(CommandOptions))
_LIBRARY: Final = dict(item for group in _GROUPS for item in options_of(group))
_FIELDS: Final = {option.keyword: name for name, option in _LIBRARY.items()}

#: The options that only the command line has.
COMMAND_OPTIONS: Final = tuple(_COMMAND.values())

#: The keywords of `convert()`.
KEYWORDS: Final[Mapping[str, Option]] = {each.keyword: each for each in _LIBRARY.values()}

#: The options of the command line, section by section.
OPTIONS: Final[tuple[Option, ...]] = tuple(
    each
    for section in SECTIONS
    for each in (*COMMAND_OPTIONS, *_LIBRARY.values())
    if each.section == section
)


def _checked(option: Option, value: Any) -> Any:
    try:
        return option.type.check(value)
    except ValueError as error:
        raise OptionError(f"{option.long}: {error}") from error


def parse_command(given: Mapping[str, Any]) -> CommandOptions:
    """Check the options that only the command line has, by the names of their fields.

    Raises:
        OptionError: a value is refused.
    """
    return CommandOptions(**{key: _checked(_COMMAND[key], given[key]) for key in given})


def parse(given: Mapping[str, Any], now: datetime) -> RunOptions:
    """Check the keywords of `convert`, each and together.

    Args:
        given: see `ConvertOptions`; None counts as not given.
        now: the time of the run.

    Raises:
        OptionError: a value is refused, or two options contradict each other; the message names
            them as the command line does.
        TypeError: there is no such keyword.
    """
    if unknown := given.keys() - KEYWORDS.keys():
        raise TypeError(f"convert() has no keyword {min(unknown)!r}")
    values: dict[str, Any] = {
        _FIELDS[keyword]: _checked(KEYWORDS[keyword], value)
        for keyword, value in given.items()
        if value is not None
    }
    values |= {"now": now, "news_apart": "news_output" in values}
    if "expire" in values:
        values["expired_before"] = now - timedelta(days=values["expire"])
    if size := values.get("max_bytes"):
        values["limits"] = Limits(max_source_bytes=size, max_unpacked_bytes=size)
    values["read"] = _made(ReadOptions, values)
    values["transforms"] = _made(TransformOptions, values)
    values["write"] = _made(WriteOptions, values)
    values["fetch"] = _made(FetchOptions, values)
    values["publish"] = _made(PublishOptions, values)
    options = _made(RunOptions, values)
    _check_combinations(options)
    return options


def _made(group: type[T], values: Mapping[str, Any]) -> T:
    """Make a group of the values that it has a field for."""
    return group(**{it.name: values[it.name] for it in fields(group) if it.name in values})


# -- options that contradict each other -------------------------------------------------------


def _check_combinations(options: RunOptions) -> None:
    publish, splits = options.publish, options.split_hosts
    if publish.news_output is not None and options.write.news_name is None:
        raise OptionError("--news-output needs the name of the publication: add --news NAME")
    if publish.robots is not None and options.transforms.sitemap_url is None:
        raise OptionError("--robots needs the public URL of the sitemap: add --sitemap-url URL")
    placing = "--update" if publish.update else "--part-by" if publish.part_by else ""
    if placing and options.transforms.sort not in {None, "input"}:
        raise OptionError(
            f"{placing} and --sort cannot be combined: published entries keep their place; "
            "leave one of the two out"
        )
    for option, is_given in (
        (placing, placing),
        ("--robots", publish.robots is not None),
        ("--news-output", publish.news_output is not None),
    ):
        if is_given and splits:
            raise OptionError(
                f"{option} and --split-hosts cannot be combined; make one run per host, with --host"
            )


def check_target(options: RunOptions, title: str, *, has_index: bool, is_stream: bool) -> None:
    """Refuse options that this output cannot have.

    Args:
        options: the options.
        title: what to call the output's format.
        has_index: an output of this format may be several files.
        is_stream: the output is standard output, a device or a program's own stream.

    Raises:
        OptionError: the message names the option.
    """
    publish = options.publish
    for option, is_given in (
        ("--update", publish.update),
        ("--part-by", publish.part_by),
        ("--robots", publish.robots is not None),
    ):
        if is_given and is_stream:
            raise OptionError(f"{option} needs an output file, not a stream; add -o PATH")
    if publish.part_by and not has_index:
        raise OptionError(
            f"--part-by: {title} has no index for its parts; leave it out, or use --to sitemap"
        )
