"""Filter entries by URL and date."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias

from converter.errors import OptionError
from converter.issues import Code, Issue, Report
from converter.model import Entry, Moment
from converter.options import TransformOptions
from converter.pipeline.transforms import Transform
from converter.values import dates

LastmodOf: TypeAlias = Callable[[Entry], Moment | None]
"""Returns the date that the target writes, as `--lastmod` says."""


def filters(
    transforms: TransformOptions, lastmod_of: LastmodOf, report: Report
) -> Sequence[Transform]:
    """Return the filters by URL and date that the options require.

    Raises:
        OptionError: a pattern is no regular expression.
    """
    filters: list[Transform] = []
    if transforms.drop:
        filters.append(Expiry(transforms.drop).filter(lastmod_of, report))
    if transforms.include or transforms.exclude:
        filters.append(matching(transforms.include, transforms.exclude, report))
    if transforms.since or transforms.until or transforms.require_lastmod:
        bounds = (transforms.since, transforms.until, transforms.require_lastmod)
        filters.append(between(*bounds, lastmod_of, report))
    return filters


class Expiry:
    """Decides which pages `--drop` and `--expire` remove, by URL and date of modification."""

    def __init__(self, drop: Sequence[str] = (), before: datetime | None = None) -> None:
        """Compile the patterns.

        Args:
            drop: patterns; a page is removed if one is found in its URL.
            before: a page that was last modified before this time is removed.

        Raises:
            OptionError: a pattern is no regular expression.
        """
        self._searches = _searches("drop", drop)
        self._before = before

    def __bool__(self) -> bool:
        """Return True if any page can be removed."""
        return bool(self._searches) or self._before is not None

    def reason(self, loc: str, lastmod: Moment | None) -> tuple[Code, str] | None:
        """Return why a page is removed; None if it stays.

        A plain date counts until its day has ended in UTC; a page without a date stays.
        """
        if any(search(loc) for search in self._searches):
            return Code.ENTRY_DROPPED, "matches --drop"
        if self._before is None or lastmod is None or lastmod.is_partial:
            return None
        if dates.last_second(lastmod) >= self._before:
            return None
        date = dates.to_w3c(lastmod)
        return Code.ENTRY_EXPIRED, f"was last modified {date}, longer ago than --expire allows"

    def filter(self, lastmod_of: LastmodOf, report: Report) -> Transform:
        """Return a filter; with `before`, apply it after duplicates are merged.

        Then the existing entry of a page has the date of the new one.
        """

        def reason(entry: Entry) -> tuple[Code, str] | None:
            return self.reason(entry.loc or "", lastmod_of(entry) if self._before else None)

        return _dropping(reason, report)


def matching(include: tuple[str, ...], exclude: tuple[str, ...], report: Report) -> Transform:
    """Return the filter that keeps URLs with a match of `include`, if any, and none of `exclude`.

    An entry without a URL matches nothing.

    Raises:
        OptionError: a pattern is no regular expression.
    """
    included, excluded = _searches("include", include), _searches("exclude", exclude)

    def reason(entry: Entry) -> tuple[Code, str] | None:
        loc = entry.loc or ""
        if any(search(loc) for search in excluded):
            return Code.ENTRY_FILTERED, "matches --exclude"
        if included and not any(search(loc) for search in included):
            return Code.ENTRY_FILTERED, "matches no --include"
        return None

    return _dropping(reason, report)


def between(
    since: Moment | None,
    until: Moment | None,
    require_lastmod: bool,
    lastmod_of: LastmodOf,
    report: Report,
) -> Transform:
    """Return the filter that keeps what was last modified from `since` to `until`, inclusive.

    A bound that is a plain date means the whole day in UTC, a month the whole month; an entry
    with a plain date counts as 00:00 UTC. Entries without a date stay, unless `require_lastmod`.
    """
    after = None if since is None else since.instant
    before = None if until is None else dates.last_second(until)

    def reason(entry: Entry) -> tuple[Code, str] | None:
        lastmod, why = lastmod_of(entry), ""
        if lastmod is None:
            why = "has no date of modification" if require_lastmod else ""
        elif after is not None and lastmod.instant < after:
            why = f"was last modified {dates.to_w3c(lastmod)}, before --since"
        elif before is not None and lastmod.instant > before:
            why = f"was last modified {dates.to_w3c(lastmod)}, after --until"
        return (Code.ENTRY_FILTERED, why) if why else None

    return _dropping(reason, report)


def _dropping(reason: Callable[[Entry], tuple[Code, str] | None], report: Report) -> Transform:
    """Return a filter that drops and reports the entries for which there is a reason."""

    def keep(entry: Entry) -> Entry | None:
        if (found := reason(entry)) is None:
            return entry
        code, why = found
        message, name = f"the entry {why}; left out", entry.loc or entry.id
        report(Issue(code=code, message=message, line=entry.line, entry=name))
        return None

    return keep


def _searches(option: str, patterns: Sequence[str]) -> list[Callable[[str], object]]:
    try:
        return [re.compile(pattern).search for pattern in patterns]
    except re.error as error:
        raise OptionError(
            f'{option} "{error.pattern!s}" is no regular expression: {error}'
        ) from None
