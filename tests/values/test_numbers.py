"""Numbers, flags and hints: what is read, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code
from converter.values import numbers

READ: list[tuple[Callable[[str], Any], str, Any]] = [
    (numbers.whole, " 42 ", 42),
    (numbers.whole, "+7", 7),
    (numbers.whole, "007", 7),
    (numbers.whole, "9" * 18, 10**18 - 1),
    (numbers.views, "304321", 304321),
    (numbers.views, "1,234", 1234),
    (numbers.views, "1.234.567", 1234567),
    (numbers.views, "12 345", 12345),
    (numbers.views, "1'234", 1234),
    (numbers.views, "1\u00a0234\u00a0567", 1234567),
    (numbers.views, "1\u202f234", 1234),
    (numbers.decimal, "4.95", Decimal("4.95")),
    (numbers.decimal, " 4,5 ", Decimal("4.5")),
    (numbers.decimal, "-3", Decimal(-3)),
    (numbers.decimal, ".5", Decimal("0.5")),
    (numbers.decimal, "5.", Decimal(5)),
    (numbers.size_bytes, "12345", 12345),
    (numbers.size_bytes, "12,345,678", 12345678),
    (numbers.size_bytes, "12.3 MB", 12_300_000),
    (numbers.size_bytes, "1,5kb", 1500),
    (numbers.size_bytes, "2 KiB", 2048),
    (numbers.size_bytes, "3GB", 3 * 10**9),
    (numbers.size_bytes, "1 tib", 1024**4),
    (numbers.size_bytes, "512 bytes", 512),
    (numbers.size_bytes, "512 B", 512),
    (numbers.size_bytes, "0", None),
    (numbers.size_bytes, "1", None),
    (numbers.size_bytes, "0 MB", None),
    (numbers.flag, "yes", True),
    (numbers.flag, " TRUE ", True),
    (numbers.flag, "1", True),
    (numbers.flag, "No", False),
    (numbers.flag, "false", False),
    (numbers.flag, "0", False),
]


@pytest.mark.parametrize(("read", "text", "value"), READ)
def test_read(read: Callable[[str], Any], text: str, value: Any) -> None:
    found = read(text)
    assert found == value
    assert type(found) is type(value)


REFUSED: list[tuple[Callable[[str], Any], str]] = [
    *(
        (numbers.whole, text)
        for text in ("", "-1", "1.0", "1e5", "1_000", "٣", "9" * 19, "9" * 9999)
    ),
    *(
        (numbers.views, text)
        for text in ("1.2K", "12.5", "-3", "1,23", "1,234.567", "1234,567", ",123")
    ),
    *((numbers.views, text) for text in ("1" + ",000" * 6, "1" + ",000" * 100_000)),
    *((numbers.decimal, text) for text in ("", ".", "-", "1e5", "nan", "inf", "1.2.3", "1,2.3")),
    *((numbers.decimal, text) for text in ("9" * 19, "0." + "1" * 19, "٣", "1" * 99_999)),
    *((numbers.size_bytes, text) for text in ("", "-1", "big", "1.2.3 MB", "MB", "1 XB", "5 iB")),
    (numbers.size_bytes, "9" * 19 + " MB"),
    *((numbers.flag, text) for text in ("", "y", "2", "yes please")),
]


@pytest.mark.parametrize(
    ("read", "text"), REFUSED, ids=[f"{r.__name__}-{t[:20]}" for r, t in REFUSED]
)
def test_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match=r"not|nor"):
        read(text)


@pytest.mark.parametrize(
    ("text", "word", "note"),
    [
        (" weekly ", "weekly", None),
        ("Weekly", "weekly", 'changefreq "Weekly" read as "weekly"'),
        ("biweekly", None, 'changefreq "biweekly" is not one of the seven words; left out'),
        ("", None, 'changefreq "" is not one of the seven words; left out'),
    ],
)
def test_changefreq(text: str, word: str | None, note: str | None) -> None:
    notes = ((Code.CHANGEFREQ_UNKNOWN, note),) if note else ()
    assert numbers.changefreq(text) == (word, notes)


@pytest.mark.parametrize(
    ("text", "value", "note"),
    [
        ("0.8", "0.8", None),
        (" 1.0 ", "1.0", None),
        ("0.0", "0.0", None),
        ("0.85", "0.85", None),
        ("1", "1.0", 'priority "1" read as 1.0'),
        ("0", "0.0", 'priority "0" read as 0.0'),
        (".5", "0.5", 'priority ".5" read as 0.5'),
        ("0,8", None, 'priority "0,8" is not a number from 0.0 to 1.0; left out'),
        ("1.5", None, 'priority "1.5" is not a number from 0.0 to 1.0; left out'),
        ("-0.5", None, 'priority "-0.5" is not a number from 0.0 to 1.0; left out'),
        ("5e-1", None, 'priority "5e-1" is not a number from 0.0 to 1.0; left out'),
        ("1.01", None, 'priority "1.01" is not a number from 0.0 to 1.0; left out'),
    ],
)
def test_priority(text: str, value: str | None, note: str | None) -> None:
    found, notes = numbers.priority(text)
    assert (found if found is None else str(found)) == value
    assert notes == (((Code.PRIORITY_UNKNOWN, note),) if note else ())


@pytest.mark.property
@given(st.integers(0, 10**18 - 1))
def test_grouping_does_not_change_a_count(count: int) -> None:
    assert numbers.views(f"{count:,}") == numbers.views(str(count)) == count


@pytest.mark.property
@given(st.text() | st.text(st.sampled_from("0123456789.,eE+-kMiB ")))
def test_any_text_is_a_number_or_a_value_error(text: str) -> None:
    for read in (numbers.whole, numbers.views, numbers.decimal, numbers.size_bytes, numbers.flag):
        try:
            value = read(text)
        except ValueError:
            continue
        assert value is None or read is numbers.decimal or value >= 0
    priority, _ = numbers.priority(text)
    assert priority is None or 0 <= priority <= 1


@pytest.mark.parametrize(("text", "value"), [("12", 12.0), (" 1,5 ", 1.5), (".5", 0.5)])
def test_a_real_number_is_a_decimal_one_as_a_float(text: str, value: float) -> None:
    assert numbers.real(text) == value == float(numbers.decimal(text))


@pytest.mark.parametrize(
    ("text", "value"), [("640", 640), ("640px", 640), ("640.9", 640), ("0", 0)]
)
def test_pixels(text: str, value: int) -> None:
    assert numbers.pixels(text) == value


@pytest.mark.parametrize("text", ["100%", "auto", "", "1e3", "9" * 19])
def test_invalid_numbers_of_pixels(text: str) -> None:
    with pytest.raises(ValueError, match="not a decimal number"):
        numbers.pixels(text)
