"""Clock notation and normal play time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.values import numbers


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("3723", 3723),
        ("62:03", 3723),
        ("1:02:03", 3723),
        ("01:02:03", 3723),
        ("00:75:30", 4530),
        ("119.5", 119.5),
        ("119,5", 119.5),
        ("1:02:03.25", 3723.25),
        ("5.", 5),
        (".5", 0.5),
        (" 1:02\n", 62),
        ("999999999", 999_999_999),
    ],
)
def test_from_clock(text: str, seconds: float) -> None:
    assert numbers.duration_s(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        ".",
        "1:",
        ":30",
        "-5",
        "1:-2",
        "+5",
        "1:2:3:4",
        "1 : 2",
        "45 min",
        "PT45S",
        "1e3",
        "inf",
        "nan",
        "1_000",
        "1000000000",
        "٥",
        "999999999:00:00",
        "1." + "1" * 64,
        "9" * 200_000,
        "1:" * 100_000,
    ],
)
@pytest.mark.parametrize("read", [numbers.duration_s, numbers.play_time_s])
def test_refused(read: Callable[[str], float], text: str) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match=r"is not a duration|longer") as caught:
        read(text)
    assert time.process_time() - begun < 0.1
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("12:05:35.3", 43_535.3),
        ("00:00:20", 20),
        ("5.5", 5.5),
        ("npt:5.5", 5.5),
        ("NPT=12:05:35.3", 43_535.3),
    ],
)
def test_normal_play_time(text: str, seconds: float) -> None:
    assert numbers.play_time_s(text) == seconds


@pytest.mark.parametrize("text", ["now", "npt=10-20", "npt", "smpte=0:10:20", "5npt:3"])
def test_no_normal_play_time(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        numbers.play_time_s(text)


@pytest.mark.property
@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59))
def test_all_notations_give_the_same_duration(hours: int, minutes: int, seconds: int) -> None:
    length_s = hours * 3600 + minutes * 60 + seconds
    for text in (
        f"{length_s}",
        f"{hours * 60 + minutes}:{seconds:02}",
        f"{hours}:{minutes:02}:{seconds:02}",
        f"{hours:02}:{minutes:02}:{seconds:02}.000",
    ):
        assert numbers.duration_s(text) == length_s


@pytest.mark.property
@given(st.text() | st.text("0123456789:., ", max_size=20))
def test_any_text_is_a_length_or_refused(text: str) -> None:
    try:
        length_s = numbers.duration_s(text)
    except ValueError:
        return
    assert 0 <= length_s <= 1e9
