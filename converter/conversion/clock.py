"""Reads the system's clock, in this module only: all other code gets the time as a value."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from converter.errors import OptionError

#: 9999-12-31T23:59:59Z, the last second that a `datetime` can hold.
_LAST_S = 253_402_300_799


def now() -> datetime:
    """Return the time in UTC, in whole seconds, or that of `SOURCE_DATE_EPOCH` if it is set.

    Source: https://reproducible-builds.org/specs/source-date-epoch/. An empty value counts as
    unset.

    Raises:
        OptionError: the variable is no number of seconds since 1970, or after the year 9999.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return datetime.now(UTC).replace(microsecond=0)  # noqa: TID251  # this is the one place
    # Twelve digits hold the last second; int() would refuse thousands of them in its own words.
    if not re.fullmatch(r"[0-9]{1,12}", text) or int(text) > _LAST_S:
        raise OptionError(
            f"SOURCE_DATE_EPOCH is {text[:40]!a}; wanted whole seconds since 1970 "
            "(up to the year 9999), as `date +%s` prints them. Correct or unset it"
        )
    return datetime.fromtimestamp(int(text), UTC)
