"""The table of all options; turns keywords into the checked options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from converter.errors import OptionError
from converter.options import (
    CheckCommandOptions,
    CommandOptions,
    DiffCommandOptions,
    FetchOptions,
    Limits,
    PublishOptions,
    ReadOptions,
    RunOptions,
    TransformOptions,
    WriteOptions,
)
from converter.options.option_types import Option, options_of

T = TypeVar("T")

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

#: The fields of `RunOptions` that are groups of options.
_GROUPS: Final[Mapping[str, type]] = {
    "publish": PublishOptions,
    "read": ReadOptions,
    "fetch": FetchOptions,
    "transforms": TransformOptions,
    "write": WriteOptions,
}

#: The options that only the command line has.
COMMAND_OPTIONS: Final = {each.keyword: each for each in options_of(CommandOptions)}

#: The keywords of `convert()`.
KEYWORDS: Final[Mapping[str, Option]] = {
    each.keyword: each for group in (RunOptions, *_GROUPS.values()) for each in options_of(group)
}

#: The options of the command line, section by section.
OPTIONS: Final[tuple[Option, ...]] = tuple(
    each
    for section in SECTIONS
    for each in (*COMMAND_OPTIONS.values(), *KEYWORDS.values())
    if each.section == section
)


_FETCHING: Final = (
    *("max_bytes", "timeout", "retries", "user_agent", "headers", "cache"),
    *("allow_private_hosts", "config", "quiet", "color"),
)


def _options_of_command(own: type, *shared: str) -> tuple[Option, ...]:
    """Return the options of a command, section by section."""
    others = (each for each in OPTIONS if each.keyword in {*shared, *_FETCHING})
    return (*options_of(own), *others)


#: The options of the commands `check` and `diff`.
CHECK_OPTIONS: Final = _options_of_command(CheckCommandOptions, "sitemap_url")
DIFF_OPTIONS: Final = _options_of_command(DiffCommandOptions, "base_url", "include", "exclude")


def take_options(group: type[T], values: dict[str, Any]) -> T:
    """Check the options that only one command has, and remove them from the values.

    Raises:
        OptionError: a value is refused.
    """
    own = [option for option in options_of(group) if option.keyword in values]
    return group(**{it.field: it.check(values.pop(it.keyword)) for it in own})


def parse(keywords: Mapping[str, Any], now: datetime) -> RunOptions:
    """Check the keywords of `convert`, each and in combination.

    Args:
        keywords: see `ConvertOptions`; None means the default.
        now: the time of the run.

    Raises:
        OptionError: a value is refused, or two options contradict each other; the message names
            them as on the command line.
        TypeError: a keyword does not exist.
    """
    if unknown := keywords.keys() - KEYWORDS.keys():
        raise TypeError(f"convert() has no keyword {min(unknown)!r}")
    given = {KEYWORDS[keyword]: value for keyword, value in keywords.items() if value is not None}
    values = {option.field: option.check(value) for option, value in given.items()}
    values |= {"now": now, "news_apart": "news_output" in values}
    if "expire" in values:
        values["expired_before"] = now - timedelta(days=values["expire"])
    if size := values.get("max_bytes"):
        values["limits"] = Limits(max_source_bytes=size, max_unpacked_bytes=size)
    values |= {name: _select(group, values) for name, group in _GROUPS.items()}
    options: RunOptions = _select(RunOptions, values)
    _check_combinations(options)
    return options


def _select(group: type, values: Mapping[str, Any]) -> Any:
    """Create a group of options from those values that are fields of it."""
    return group(**{it.name: values[it.name] for it in fields(group) if it.name in values})


def _updating_option(publish: PublishOptions) -> str:
    return "--update" if publish.update else "--part-by" if publish.part_by else ""


def _check_combinations(options: RunOptions) -> None:
    publish = options.publish
    if publish.news_output and not options.write.news_name:
        raise OptionError("--news-output needs the name of the publication: add --news NAME")
    if publish.robots and not options.transforms.sitemap_url:
        raise OptionError("--robots needs the public URL of the sitemap: add --sitemap-url URL")
    updating = _updating_option(publish)
    if updating and options.transforms.sort not in {None, "input"}:
        raise OptionError(
            f"{updating} and --sort cannot be combined: published entries keep their order; "
            "remove one of the two options"
        )
    one_file = (
        updating or (publish.robots and "--robots") or (publish.news_output and "--news-output")
    )
    if one_file and options.split_hosts:
        raise OptionError(
            f"{one_file} and --split-hosts cannot be combined; make one run per host, with --host"
        )


def check_target(options: RunOptions, title: str, *, has_index: bool, is_stream: bool) -> None:
    """Refuse options that are impossible for this output.

    Args:
        options: the options of the run.
        title: the name of the output's format in messages.
        has_index: whether the format has an index for several files.
        is_stream: whether the output is standard output, a device or a binary stream.

    Raises:
        OptionError: the message names the option.
    """
    publish = options.publish
    needs_file = _updating_option(publish) or (publish.robots and "--robots")
    if needs_file and is_stream:
        raise OptionError(f"{needs_file} needs an output file, not a stream; add -o PATH")
    if publish.part_by and not has_index:
        raise OptionError(
            f"--part-by: {title} has no index for several files; "
            "remove the option, or use --to sitemap"
        )
