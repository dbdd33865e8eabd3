"""Asks for the time, and is the only place that does: the rest is told, so runs can be repeated."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from converter.errors import OptionError

#: 9999-12-31T23:59:59Z, the last second that a `datetime` can hold.
_LAST_S = 253_402_300_799


def now() -> datetime:
    """The time in UTC, in whole seconds; that of `SOURCE_DATE_EPOCH` where it is set.

    Source: https://reproducible-builds.org/specs/source-date-epoch/. Set but empty is unset, as
    shells write it.

    Raises:
        OptionError: the variable is no count of seconds since 1970, or lies past the year 9999.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        return datetime.now(UTC).replace(microsecond=0)  # noqa: TID251  # this is the one place
    # Twelve digits hold the last second; int() refuses thousands of them in its own words.
    if not re.fullmatch(r"[0-9]{1,12}", given) or int(given) > _LAST_S:
        raise OptionError(
            f"SOURCE_DATE_EPOCH is {given[:40]!a}; wanted whole seconds since 1970 "
            "(up to the year 9999), as `date +%s` prints them. Mend or unset it"
        )
    return datetime.fromtimestamp(int(given), UTC)
