"""Refuses to publish what is suspiciously little; the old output then stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from converter.errors import RefusedError
from converter.options import PublishOptions

if TYPE_CHECKING:
    from decimal import Decimal


def check(
    options: PublishOptions, urls: int, present: int | None, *, dropped: int = 0, advice: str = ""
) -> None:
    """Hold what would be published against what was asked for, and against what stands there.

    Args:
        options: what was asked for.
        urls: how many URLs there would be.
        present: how many the present output has; None: there is none yet.
        dropped: how many of these go because `--expire` or `--drop` says so; nobody misses them.
        advice: what to do if there are none, as a sentence.

    Raises:
        RefusedError: there would be none, or fewer than may be.
    """
    if not urls:
        said = f"there is not one URL to write{_against(present)}, so {_NOTHING_DONE}. {advice}"
        raise RefusedError(said.rstrip())
    if options.min_urls is not None and urls < options.min_urls:
        raise RefusedError(
            f"there would be {_urls(urls)}{_against(present)}, and --min-urls wants "
            f"{options.min_urls:,}; {_NOTHING_DONE}"
        )
    kept = (present or 0) - dropped
    if options.fail_if_shrinks is None or urls >= kept:
        return
    from decimal import Decimal

    # 67 of 1,000 are 6.7 % among decimals, and a little more among floats
    most = Decimal(repr(options.fail_if_shrinks))
    percent = Decimal(100 * (kept - urls)) / kept
    if percent > most:
        without = f" (without {dropped:,} that expired or were dropped)" if dropped else ""
        raise RefusedError(
            f"there would be {_urls(urls)} where there are {_urls(kept)}{without}: "
            f"{_shown(percent, most)} % fewer, and --fail-if-shrinks allows "
            f"{options.fail_if_shrinks:g} %; {_NOTHING_DONE}. "
            "If that is meant, say what may go with --expire or --drop"
        )


_NOTHING_DONE: Final = "nothing was published; what stood there before still stands"


def _urls(count: int) -> str:
    return f"{count:,} URL" if count == 1 else f"{count:,} URLs"


def _against(present: int | None) -> str:
    return "" if present is None else f" where there are {_urls(present)}"


def _shown(percent: Decimal, most: Decimal) -> str:
    """Show a percentage with as many digits as it takes to tell it from what is allowed."""
    from decimal import Decimal

    digits = 0
    while Decimal(text := f"{percent:.{digits}f}") <= most:
        digits += 1
    return text
