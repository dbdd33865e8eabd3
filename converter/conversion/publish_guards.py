"""Refuses to publish suspiciously few URLs; the existing output then stays unchanged."""

from __future__ import annotations

from converter.errors import RefusedError
from converter.options import PublishOptions

#: In percent: 67 of 1,000 are 6.7 %, and a little more among floats.
_ROUNDING = 1e-9


def check(
    options: PublishOptions,
    urls: int,
    existing: int | None,
    *,
    dropped: int = 0,
    outcome: str = "Nothing was published",
    advice: str = "",
) -> None:
    """Compare the number of URLs with `--min-urls`, `--fail-if-shrinks` and the existing output.

    Args:
        options: the limits.
        urls: number of URLs of the new output.
        existing: number of URLs of the existing output; None if unknown.
        dropped: number of these that `--expire` or `--drop` removes, which are not missed.
        outcome: what a refusal leaves, as a clause.
        advice: what to do if there are no URLs, as a sentence.

    Raises:
        RefusedError: there are none, or fewer than the limits allow.
    """
    known = "" if existing is None else f", the existing one {existing:,}"
    if not urls:
        message = f"refused: the new output has no URLs{known}. {outcome}. {advice}"
        raise RefusedError(message.rstrip())
    new = f"refused: the new output has {urls:,} URL{'' if urls == 1 else 's'}"
    if options.min_urls is not None and urls < options.min_urls:
        raise RefusedError(f"{new}{known}; --min-urls wants {options.min_urls:,}. {outcome}")
    most, kept = options.fail_if_shrinks, (existing or 0) - dropped
    percent = 100 * (kept - urls) / kept if urls < kept else 0.0
    if most is not None and percent > most + _ROUNDING:
        without = f" without the {dropped:,} that are dropped or expired" if dropped else ""
        raise RefusedError(
            f"{new}, the existing one {kept:,}{without} (−{percent:.3g} %; "
            f"--fail-if-shrinks allows {most:g} %). {outcome}. "
            "To remove pages on purpose use --drop or --expire"
        )
