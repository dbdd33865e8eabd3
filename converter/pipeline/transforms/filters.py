"""Which entries go on: what stands in their URL and their date, and how many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.model import Entry, Moment, Precision
from converter.options import TransformOptions
from converter.pipeline.transforms import Transform
from converter.values import dates

LastmodOf: TypeAlias = Callable[[Entry], Moment | None]
"""The date that a target will write, chosen as `--lastmod` says."""


def filters(
    transforms: TransformOptions, lastmod_of: LastmodOf, report: Report
) -> Sequence[Transform]:
    """Return the filters by URL and date that the options ask for.

    Raises:
        OptionError: a pattern is no regular expression.
    """
    found: list[Transform] = []
    if transforms.drop:
        found.append(without(transforms.drop, report))
    if transforms.include or transforms.exclude:
        found.append(matching(transforms.include, transforms.exclude, report))
    if transforms.since or transforms.until or transforms.require_lastmod:
        bounds = (transforms.since, transforms.until, transforms.require_lastmod)
        found.append(between(*bounds, lastmod_of, report))
    return found


def without(drop: tuple[str, ...], report: Report) -> Transform:
    """Leave out the pages that somebody took down: those that a pattern finds in the URL.

    Raises:
        OptionError: at once, a pattern is no regular expression.
    """
    searches = _searches("drop", drop)

    def reason(entry: Entry) -> str | None:
        return "matches --drop" if any(search(entry.loc or "") for search in searches) else None

    return _without(reason, report, Code.ENTRY_DROPPED)


def unexpired(before: datetime, lastmod_of: LastmodOf, report: Report) -> Transform:
    """Leave out what was last modified before a time; what has no date stays.

    A plain date counts until its day has ended in UTC. To be asked when duplicates are united:
    the old copy of a page has the date of the new one then.
    """

    def reason(entry: Entry) -> str | None:
        lastmod = lastmod_of(entry)
        if lastmod is None or last_second(lastmod) >= before:
            return None
        return f"was last modified {dates.to_w3c(lastmod)}, longer ago than --expire allows"

    return _without(reason, report, Code.ENTRY_EXPIRED)


def matching(include: tuple[str, ...], exclude: tuple[str, ...], report: Report) -> Transform:
    """Keep what some `include` finds in its URL, or all if there is none, and no `exclude` does.

    An entry without a URL matches nothing.

    Raises:
        OptionError: at once, a pattern is no regular expression.
    """
    included, excluded = _searches("include", include), _searches("exclude", exclude)

    def reason(loc: str) -> str | None:
        if any(search(loc) for search in excluded):
            return "matches --exclude"
        if included and not any(search(loc) for search in included):
            return "matches no --include"
        return None

    return _without(lambda entry: reason(entry.loc or ""), report)


def between(
    since: Moment | None,
    until: Moment | None,
    require_lastmod: bool,
    lastmod_of: LastmodOf,
    report: Report,
) -> Transform:
    """Keep what was last modified from `since` to `until`, both inclusive.

    A bound that is a plain date means the whole day in UTC, a month the whole month; an entry
    with a plain date counts as 00:00 UTC. Entries without a date stay, unless `require_lastmod`.
    """
    after = None if since is None else since.instant
    before = None if until is None else last_second(until)

    def reason(entry: Entry) -> str | None:
        lastmod = lastmod_of(entry)
        if lastmod is None:
            return "has no date of modification" if require_lastmod else None
        if after is not None and lastmod.instant < after:
            return f"was last modified {dates.to_w3c(lastmod)}, before --since"
        if before is not None and lastmod.instant > before:
            return f"was last modified {dates.to_w3c(lastmod)}, after --until"
        return None

    return _without(reason, report)


def _without(
    reason: Callable[[Entry], str | None],
    report: Report,
    code: Code = Code.ENTRY_FILTERED,
) -> Transform:
    """Leave out the entries for which there is a reason, and report it."""

    def keep(entry: Entry) -> Entry | None:
        if (why := reason(entry)) is None:
            return entry
        message = f"the entry {why}; left out"
        name = entry.loc or entry.id
        report(Issue(code=code, message=message, line=entry.line, entry=name))
        return None

    return keep


def _searches(option: str, patterns: tuple[str, ...]) -> list[Callable[[str], object]]:
    try:
        return [re.compile(pattern).search for pattern in patterns]
    except re.error as error:
        raise OptionError(
            f'{option} "{error.pattern!s}" is no regular expression: {error}'
        ) from None


def last_second(moment: Moment) -> datetime:
    """Give the last second of what a date means: of a plain date, that of its day in UTC."""
    from calendar import isleap, monthrange

    start = moment.instant
    days = {
        Precision.DAY: 1,
        Precision.MONTH: monthrange(start.year, start.month)[1],
        Precision.YEAR: 365 + isleap(start.year),
    }.get(moment.precision)
    return start if days is None else start + timedelta(days=days, seconds=-1)
