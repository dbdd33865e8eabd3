"""The clock: the system's, or the one that SOURCE_DATE_EPOCH sets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from converter.conversion import clock
from converter.errors import OptionError


@pytest.mark.parametrize(
    ("given", "instant"),
    [
        ("0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("315532800", datetime(1980, 1, 1, tzinfo=UTC)),
        ("253402300799", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_the_environment_sets_the_clock(
    monkeypatch: pytest.MonkeyPatch, given: str, instant: datetime
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    assert clock.now() == instant
    assert clock.now().tzinfo is UTC


@pytest.mark.parametrize(
    "given",
    ["yesterday", "-1", "1.5", " 1", "1\n", "٣", "253402300800", "9" * 5000, "0x10", "1e9"],
)
def test_other_values_than_seconds_are_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    with pytest.raises(OptionError, match="SOURCE_DATE_EPOCH is '") as refusal:
        clock.now()
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("given", [None, ""])
def test_without_it_the_clock_of_the_system_is_used(
    monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    if given is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    before = datetime.now(UTC)  # noqa: TID251  # held against the clock under test
    told = clock.now()
    assert told.microsecond == 0
    assert told.tzinfo is UTC
    assert abs((told - before).total_seconds()) < 60
