"""Ratings: stars out of five, and family-friendliness (mapping 3.8)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from converter.issues import Code
from converter.model import Rating
from converter.values.lazy_regex import lazy_regex

_FIVE = Decimal(5)
_HUNDREDTH = Decimal("0.01")

#: Scheme -> value -> family-friendly, None for undecided; validators refuse any other value.
_FRIENDLY: Mapping[str, Mapping[str, bool | None]] = {
    "urn:simple": {"adult": False, "nonadult": True},
    "urn:mpaa": dict.fromkeys(("nc-17", "x"), False)
    | dict.fromkeys(("g", "m", "pg", "pg-13"), True)
    | {"r": None},
    "urn:v-chip": dict.fromkeys(("tv-ma", "18+"), False)
    | dict.fromkeys(("c", "c8", "g", "pg", "tv-y", "tv-y7", "tv-y7-fv", "tv-g", "tv-pg"), True)
    | dict.fromkeys(("14+", "tv-14"), None),
}

#: ICRA labels, `r (nz 1 sz 1 va 0)`: a code and whether it applies. https://www.rssboard.org/media-rss
_ICRA_LABEL = lazy_regex(r"\b([a-z]{2})\s+([01])\b")
_ICRA_UNFIT = {"na", "nb", "nc", "sa", "sb", "sc", "sd", "se", "sf"}

_EXPLICIT = {
    **dict.fromkeys(("yes", "true", "explicit"), True),
    **dict.fromkeys(("no", "false", "clean"), False),
}


@lru_cache(maxsize=1024)
def stars(average: Decimal, minimum: Decimal | None, maximum: Decimal | None) -> str | None:
    """Scale `media:starRating` to 0 to 5, as `4.95` or `4.0`; None if it is inconsistent."""
    scaled = average
    if maximum is None:
        if average > _FIVE:
            return None
    elif maximum != _FIVE or minimum not in {None, 0, 1}:
        low = minimum or Decimal(0)
        if low >= maximum:
            return None
        scaled = _FIVE * (average - low) / (maximum - low)
    rounded = max(Decimal(0), min(scaled, _FIVE)).quantize(_HUNDREDTH, ROUND_HALF_UP)
    return f"{rounded:f}".removesuffix("0")


@lru_cache(maxsize=64)
def family_friendly(
    ratings: tuple[Rating, ...],
) -> tuple[bool | None, tuple[tuple[Code, str], ...]]:
    """Return whether ratings of one level make a video family-friendly; None if undecided.

    One unfriendly rating decides, else one friendly rating. A rating without a rule is noted.
    """
    verdicts: set[bool | None] = set()
    notes: list[tuple[Code, str]] = []
    for rating in ratings:
        verdict = _verdict(rating.scheme.strip().lower(), rating.value.strip().lower())
        verdicts.add(verdict)
        if verdict is None:
            message = (
                f'rating "{rating.value[:60]}" of {rating.scheme[:60]} does not decide whether '
                "the video is family-friendly; ignored"
            )
            notes.append((Code.RATING_UNMAPPED, message))
    return False not in verdicts and (True in verdicts or None), tuple(notes)


def is_valid(value: str, scheme: str) -> bool:
    """Whether a scheme has this value; a scheme that names no values may have any."""
    return value in _FRIENDLY.get(scheme, {value})


def explicit(text: str) -> bool | None:
    """Parse `itunes:explicit` in any case; None for any other word."""
    return _EXPLICIT.get(text.strip().lower())


def _verdict(scheme: str, value: str) -> bool | None:
    if scheme != "urn:icra":
        return _FRIENDLY.get(scheme, {}).get(value)
    codes = {code for code, applies in _ICRA_LABEL.findall(value) if applies == "1"}
    if codes & _ICRA_UNFIT:
        return False
    return True if codes and all(code.endswith("z") for code in codes) else None
