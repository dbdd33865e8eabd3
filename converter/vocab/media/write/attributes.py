"""Numbers, as attributes of Media RSS hold them."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite

__all__ = ["count", "number", "positive"]


def number(value: float | Decimal | None) -> str | None:
    """Write a number without an exponent, and without a fraction of nothing."""
    if value is None or not isfinite(value):
        return None
    digits = f"{Decimal(str(value)):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def count(value: int | None) -> str | None:
    """Write a whole number."""
    return None if value is None else str(value)


def positive(value: int | None) -> str | None:
    """Write a size; 0 is none, and validators take it for an error."""
    return str(value) if value and value > 0 else None
