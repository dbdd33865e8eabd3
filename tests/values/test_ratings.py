"""Ratings: the tables of mapping 3.8."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code
from converter.model import Rating
from converter.values import ratings


def number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


@pytest.mark.parametrize(
    ("average", "minimum", "maximum", "text"),
    [
        ("4.95", "1", "5", "4.95"),
        ("8.7", "0", "10", "4.35"),
        ("4", None, None, "4.0"),
        ("3.5", None, "5", "3.5"),
        ("3.5", "0", "5.0", "3.5"),
        ("3", "1", "10", "1.11"),
        ("3", "-5", "5", "4.0"),
        ("3", "2", "5", "1.67"),
        ("50", None, "100", "2.5"),
        ("2.345", None, None, "2.35"),
        ("2.344", None, None, "2.34"),
        ("2.995", None, None, "3.0"),
        ("6", None, "5", "5.0"),
        ("12", None, "10", "5.0"),
        ("-1", None, "10", "0.0"),
        ("-1", None, None, "0.0"),
        ("0", "0", "10", "0.0"),
        ("5", None, None, "5.0"),
        ("5.1", None, None, None),
        ("0E-7", None, None, "0.0"),
        ("-0", None, None, "0.0"),
        ("4", "10", "10", None),
        ("4", "10", "1", None),
        ("4", None, "0", None),
    ],
)
def test_stars(average: str, minimum: str | None, maximum: str | None, text: str | None) -> None:
    assert ratings.stars(Decimal(average), number(minimum), number(maximum)) == text


DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12)


@pytest.mark.property
@given(DECIMALS, st.none() | DECIMALS, st.none() | DECIMALS)
def test_stars_range_from_zero_to_five(
    average: Decimal, minimum: Decimal | None, maximum: Decimal | None
) -> None:
    text = ratings.stars(average, minimum, maximum)
    assert text is None or 0 <= Decimal(text) <= 5


FRIENDLY: dict[str, dict[str, bool | None]] = {
    "urn:simple": {"adult": False, "nonadult": True, "teen": None},
    "urn:mpaa": {
        "nc-17": False,
        "x": False,
        "G": True,
        "m": True,
        "PG": True,
        "pg-13": True,
        "r": None,
    },
    "urn:v-chip": {
        "tv-ma": False,
        "18+": False,
        "c": True,
        "c8": True,
        "TV-Y7-FV": True,
        "tv-pg": True,
        "14+": None,
        "tv-14": None,
    },
    "urn:icra": {
        "r (cz 1 lz 1 nz 1 oz 1 vz 1)": True,
        "r (nz 1 vz 0)": True,
        "r (na 1 vz 1)": False,
        "r (SB 1)": False,
        "r (nb 0 vz 1)": True,
        "r (nb 0)": None,
        "r (va 1 vz 1)": None,
        "r (cz 1) r (sf 1)": False,
        "nonsense": None,
    },
    "http://example.com/": {"adult": None},
}


@pytest.mark.parametrize(
    ("scheme", "value", "verdict"),
    [
        (scheme, value, verdict)
        for scheme, row in FRIENDLY.items()
        for value, verdict in row.items()
    ],
)
def test_family_friendly(scheme: str, value: str, verdict: bool | None) -> None:
    for rating in (
        Rating(value=value, scheme=scheme),
        Rating(value=f" {value.upper()}", scheme=scheme.upper()),
    ):
        found, notes = ratings.family_friendly((rating,))
        assert found is verdict
        assert [code for code, _ in notes] == ([Code.RATING_UNMAPPED] if verdict is None else [])


def test_any_unfit_wins_then_any_fit_and_the_unmapped_are_noted() -> None:
    fit, unfit = Rating(value="nonadult"), Rating(value="adult")
    unmapped = Rating(value="r", scheme="urn:mpaa")
    assert ratings.family_friendly((fit, unfit, fit)) == (False, ())
    found, notes = ratings.family_friendly((unmapped, fit))
    assert found is True
    message = "does not decide whether the video is family-friendly; ignored"
    assert notes == ((Code.RATING_UNMAPPED, f'rating "r" of urn:mpaa {message}'),)
    assert ratings.family_friendly(()) == (None, ())


@pytest.mark.parametrize(
    ("text", "is_explicit"),
    [
        ("yes", True),
        ("TRUE", True),
        (" explicit ", True),
        ("no", False),
        ("False", False),
        ("clean", False),
        ("", None),
        ("1", None),
        ("notexplicit", None),
    ],
)
def test_explicit(text: str, is_explicit: bool | None) -> None:
    assert ratings.explicit(text) is is_explicit
