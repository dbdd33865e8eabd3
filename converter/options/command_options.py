"""The options that only the commands `check` and `diff` have; see `declarations`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from converter.options import option_types
from converter.options.option_types import FLAG, RULES, choice, number, option, path, text

if TYPE_CHECKING:
    from converter.model import Moment


@dataclass(slots=True, kw_only=True, repr=False)
class CheckCommandOptions:
    """Options of the command `check`, in addition to those that fetch sources."""

    select: tuple[str, ...] = option(
        RULES, "Check only these rules or families; all for all of them.", section="Rules"
    )
    ignore: tuple[str, ...] = option(RULES, "Do not check these rules or families.")
    profiles: tuple[str, ...] = option(
        option_types.PROFILES,
        "Apply the rules of this search engine: protocol, google, bing or yandex. Default: google"
        " and bing.",
        long="--profile",
    )
    now: Moment | None = option(
        option_types.DATE, "The time for rules about dates. Default: the present."
    )
    explain: str | None = option(text("RULE"), "Print the text of a rule, and exit.")
    list_rules: bool = option(FLAG, "Print all rules, and exit.", long="--list")
    format: Literal["text", "json", "github", "sarif"] = option(
        choice("text", "json", "github", "sarif"),
        "Format of the findings.",
        default="text",
        section="Findings",
    )
    output: str = option(
        path("FILE"),
        "File to write. Default: -, which is standard output.",
        default="-",
        short="-o",
    )
    fail_on: Literal["error", "warning", "info", "never"] = option(
        choice("error", "warning", "info", "never"),
        "Exit with 1 if there is a finding of this severity or above.",
        default="warning",
    )
    max_per_rule: int = option(
        number("N"), "Show at most N findings of a rule in text and github.", default=20
    )


@dataclass(slots=True, kw_only=True, repr=False)
class DiffCommandOptions:
    """Options of the command `diff`, in addition to those that read sources."""

    old: tuple[str, ...] = option(
        option_types.SOURCES, "A source of the old side, instead of OLD.", section="Sides"
    )
    new: tuple[str, ...] = option(option_types.SOURCES, "A source of the new side, instead of NEW.")
    from_old: str | None = option(
        option_types.SOURCE_FORMAT, "Format of the old side. Default: detected."
    )
    from_new: str | None = option(
        option_types.SOURCE_FORMAT, "Format of the new side. Default: detected."
    )
    allow_truncated: bool = option(
        FLAG, "Also compare a document that is broken before its end. Default: refuse it."
    )
    compare: tuple[str, ...] = option(
        option_types.NAMES,
        "A difference in this field makes a page changed: lastmod, title, images, videos, news,"
        " alternates, hints, loc (none of them) or all. Default: lastmod, images, videos, news,"
        " alternates.",
        section="Comparison",
    )
    lastmod_order: Literal["any", "newer"] = option(
        choice("any", "newer"),
        "newer: a page whose lastmod went back is older, not changed.",
        default="any",
    )
    map_host: tuple[str, ...] = option(
        option_types.PAIRS, "Replace the host OLD in the URLs of the old side."
    )
    map_url: tuple[str, ...] = option(
        option_types.PAIRS, "Replace matches of the expression OLD in these URLs.", long="--map"
    )
    raw: bool = option(FLAG, "Compare URLs without cleaning them.")
    max_in_memory: int = option(
        option_types.SIZE,
        "Sort more pages than that in temporary files. Default: 64 MiB.",
        default=64 * 1024 * 1024,
    )
    only: tuple[str, ...] = option(
        option_types.NAMES,
        "Show this kind of pages: added, removed, changed, older or same. Default: all but same.",
        section="Changes",
    )
    format: Literal["text", "json", "jsonl", "txt", "csv", "markdown"] = option(
        choice("text", "json", "jsonl", "txt", "csv", "markdown"),
        "Format of the changes.",
        default="text",
    )
    output: str = option(
        path("FILE"),
        "File to write. Default: -, which is standard output.",
        default="-",
        short="-o",
    )
    summary: bool = option(FLAG, "Print only the counts.")
    fail_if_removed: str | None = option(
        option_types.PERCENT_OR_NUMBER,
        "Exit with 1 only if more pages than that were removed: 20% or 20.",
    )
