"""What cannot be asked for together, and what cannot be had of every output."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from converter.errors import OptionError
from converter.seams import Format

if TYPE_CHECKING:
    from converter.keywords import Job

__all__ = ["check", "check_target"]

_Rule: TypeAlias = "tuple[Callable[[Job], object], str]"


def _keeps_order(job: Job) -> str | None:
    """The word that gives entries a place of its own in the set, if there is one."""
    if job.live.update:
        return "--update"
    return "--part-by" if job.live.part_by else None


#: Each a combination, and the sentence that refuses it; {word} is what `_keeps_order` gives.
_RULES: Final[tuple[_Rule, ...]] = (
    (
        lambda job: job.live.news_output is not None and job.write.news_name is None,
        "--news-output is a news sitemap, which names its publication; give that with --news NAME",
    ),
    (
        lambda job: job.live.robots is not None and job.passes.sitemap_url is None,
        "--robots writes where the sitemap can be fetched; give that with --sitemap-url URL",
    ),
    (
        lambda job: _keeps_order(job) and job.split_hosts,
        "{word} and --split-hosts cannot be had together; make one run for each host, with --host",
    ),
    (
        lambda job: _keeps_order(job) and job.passes.sort not in {None, "input"},
        (
            "{word} and --sort cannot be had together: in a set that lives, what is there keeps "
            "its place; leave one of them out"
        ),
    ),
    (
        lambda job: job.live.robots is not None and job.split_hosts,
        (
            "--robots and --split-hosts cannot be had together: a robots.txt is one host's; make "
            "one run for each host, with --host"
        ),
    ),
    (
        lambda job: job.live.news_output is not None and job.split_hosts,
        (
            "--news-output and --split-hosts cannot be had together: a news sitemap is one host's; "
            "make one run for each host, with --host"
        ),
    ),
)

_STANDARD: Final = "standard output (or a stream) {cannot}; name a file with -o PATH"


def check(job: Job) -> None:
    """Hold the options of a job against each other.

    Raises:
        OptionError: two of them contradict each other, or one lacks another.
    """
    for is_so, sentence in _RULES:
        if is_so(job):
            raise OptionError(sentence.format(word=_keeps_order(job)))


def check_target(job: Job, row: Format, *, is_stream: bool) -> None:
    """Hold the options of a job against its output.

    Args:
        job: what is asked for.
        row: the format of the output.
        is_stream: it is standard output, a device or a program's own stream.

    Raises:
        OptionError: such an output cannot be had so.
    """
    live = job.live
    if is_stream and live.update:
        raise OptionError("--update: " + _STANDARD.format(cannot="holds nothing to add to"))
    if is_stream and live.part_by:
        raise OptionError("--part-by: " + _STANDARD.format(cannot="is one file"))
    if is_stream and live.robots is not None:
        raise OptionError("--robots: " + _STANDARD.format(cannot="is nothing that is fetched"))
    if live.part_by and row.index is None:
        raise OptionError(
            f"--part-by: {row.title} has no index that could list its parts; "
            "leave it out, or choose --to sitemap"
        )
