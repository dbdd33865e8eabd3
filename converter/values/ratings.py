"""Ratings: stars out of five, and whether a video is fit for families (mapping 3.8)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from converter.issues import Code
from converter.model import Rating
from converter.values.lazy_regex import lazy_regex

_FIVE = Decimal(5)
_HUNDREDTH = Decimal("0.01")

#: Scheme to value to "fit for families"; a value that is not here says nothing.
_FRIENDLY = {
    # true and false: media:adult, the deprecated form of the same
    "urn:simple": {"adult": False, "nonadult": True, "true": False, "false": True},
    "urn:mpaa": {"nc-17": False, "x": False, "g": True, "m": True, "pg": True, "pg-13": True},
    "urn:v-chip": {"tv-ma": False, "18+": False}
    | dict.fromkeys(("c", "c8", "g", "pg", "tv-y", "tv-y7", "tv-y7-fv", "tv-g", "tv-pg"), True),
}

#: ICRA labels, `r (nz 1 sz 1 va 0)`: a code and whether it applies. https://www.rssboard.org/media-rss
_ICRA_LABEL = lazy_regex(r"\b([a-z]{2})\s+([01])\b")
_ICRA_UNFIT = {"na", "nb", "nc", "sa", "sb", "sc", "sd", "se", "sf"}

_EXPLICIT = {
    **dict.fromkeys(("yes", "true", "explicit"), True),
    **dict.fromkeys(("no", "false", "clean"), False),
}


def stars(
    average: Decimal | None,
    count: int | None,
    minimum: Decimal | int | None,
    maximum: Decimal | int | None,
) -> Decimal | None:
    """Scale `media:starRating` to 0 to 5, two decimals; None where it says nothing."""
    if average is None or count == 0:
        return None
    if maximum is None:
        return _two_decimals(average) if average <= _FIVE else None
    if maximum == _FIVE and minimum in {None, 0, 1}:
        return _two_decimals(min(average, _FIVE))
    low = Decimal(minimum or 0)
    if low >= maximum:
        return None
    return _two_decimals(min(_FIVE * (average - low) / (maximum - low), _FIVE))


def stars_text(value: Decimal) -> str:
    """Write stars with one or two decimals and no exponent: `4.95`, `4.0`."""
    return f"{_two_decimals(value):f}".removesuffix("0")


def family_friendly(
    ratings: Iterable[Rating],
) -> tuple[bool | None, tuple[tuple[Code, str], ...]]:
    """Say whether ratings of one level call a video fit for families; None: they do not tell.

    Any "unfit" wins, then any "fit". A rating that no rule maps is noted.
    """
    verdicts: set[bool | None] = set()
    notes: list[tuple[Code, str]] = []
    for rating in ratings:
        verdict = _verdict(rating.scheme.strip().lower(), rating.value.strip().lower())
        verdicts.add(verdict)
        if verdict is None:
            message = (
                f'rating "{rating.value[:60]}" of {rating.scheme[:60]} does not tell whether '
                "the video is family-friendly; passed over"
            )
            notes.append((Code.RATING_UNMAPPED, message))
    return False not in verdicts and (True in verdicts or None), tuple(notes)


def explicit(text: str) -> bool | None:
    """Read `itunes:explicit`, in any case; None for anything but its six words."""
    return _EXPLICIT.get(text.strip().lower())


def _two_decimals(value: Decimal) -> Decimal:
    return max(Decimal(0), value).quantize(_HUNDREDTH, ROUND_HALF_UP)


def _verdict(scheme: str, value: str) -> bool | None:
    if scheme != "urn:icra":
        return _FRIENDLY.get(scheme, {}).get(value)
    codes = {code for code, applies in _ICRA_LABEL.findall(value) if applies == "1"}
    if codes & _ICRA_UNFIT:
        return False
    return True if codes and all(code.endswith("z") for code in codes) else None
