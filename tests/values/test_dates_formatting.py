"""Strict dates, writing, the choice of lastmod, and the laws that bind reading and writing."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code
from converter.model import Moment, Precision
from converter.values import dates
from converter.values.dates import LastmodPolicy
from tests.builders import NOW, at, moment

FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


YEAR = at(2025, precision=Precision.YEAR)
MONTH = at(2025, 3, precision=Precision.MONTH)

# writing -------------------------------------------------------------------------------------

WRITTEN = [
    (
        moment("2025-01-06T10:00:00+01:00"),
        "2025-01-06T10:00:00+01:00",
        "2025-01-06T10:00:00+01:00",
        "Mon, 06 Jan 2025 10:00:00 +0100",
    ),
    (
        moment("2025-01-06T10:00:00+00:00"),
        "2025-01-06T10:00:00+00:00",
        "2025-01-06T10:00:00Z",
        "Mon, 06 Jan 2025 10:00:00 +0000",
    ),
    (
        moment("2025-01-06"),
        "2025-01-06",
        "2025-01-06T00:00:00Z",
        "Mon, 06 Jan 2025 00:00:00 +0000",
    ),
    (
        moment("2025-01-06T10:00:00-03:30"),
        "2025-01-06T10:00:00-03:30",
        "2025-01-06T10:00:00-03:30",
        "Mon, 06 Jan 2025 10:00:00 -0330",
    ),
    (  # the validator warns of odd minutes in RFC 822
        moment("2025-01-06T01:00:00+05:45"),
        "2025-01-06T01:00:00+05:45",
        "2025-01-06T01:00:00+05:45",
        "Sun, 05 Jan 2025 19:15:00 +0000",
    ),
    (  # no format can say an offset with seconds, nor XML Schema one over 14:00
        moment("1880-01-06T10:00:00+00:53:28"),
        "1880-01-06T09:06:32+00:00",
        "1880-01-06T09:06:32Z",
        "Tue, 06 Jan 1880 09:06:32 +0000",
    ),
    (
        moment("2025-01-06T10:00:00-15:00"),
        "2025-01-07T01:00:00+00:00",
        "2025-01-07T01:00:00Z",
        "Tue, 07 Jan 2025 01:00:00 +0000",
    ),
    (
        moment("2025-01-06T10:00:00.5+01:00"),
        "2025-01-06T10:00:00+01:00",
        "2025-01-06T10:00:00+01:00",
        "Mon, 06 Jan 2025 10:00:00 +0100",
    ),
    (
        moment("0987-01-06T10:00:00+00:00"),
        "0987-01-06T10:00:00+00:00",
        "0987-01-06T10:00:00Z",
        "Sat, 06 Jan 0987 10:00:00 +0000",
    ),
]


@pytest.mark.parametrize(("moment", "w3c", "rfc3339", "rfc822"), WRITTEN)
def test_written(moment: Moment, w3c: str, rfc3339: str, rfc822: str) -> None:
    assert dates.to_w3c(moment) == w3c
    assert dates.to_rfc3339(moment) == rfc3339
    assert dates.to_rfc822(moment) == rfc822


def test_zulu_concerns_utc_only() -> None:
    assert dates.to_w3c(moment("2025-01-06T10:00:00+00:00"), zulu=True) == "2025-01-06T10:00:00Z"
    assert dates.to_w3c(moment("2025-01-06"), zulu=True) == "2025-01-06"
    one = moment("2025-01-06T10:00:00+01:00")
    assert dates.to_w3c(one, zulu=True) == dates.to_w3c(one)


@pytest.mark.parametrize("partial", [YEAR, MONTH])
def test_partial_dates_are_not_for_sitemaps(partial: Moment) -> None:
    with pytest.raises(ValueError, match="is not a date for a sitemap"):
        dates.to_w3c(partial)


def test_partial_dates_in_feeds_are_the_first_day() -> None:
    assert dates.to_rfc822(YEAR) == "Wed, 01 Jan 2025 00:00:00 +0000"
    assert dates.to_rfc3339(MONTH) == "2025-03-01T00:00:00Z"


@pytest.mark.parametrize("write", [dates.to_w3c, dates.to_rfc822])
def test_never_written_without_a_zone(write: Callable[[Moment], str]) -> None:
    naive = Moment(instant=NOW.replace(tzinfo=None))
    with pytest.raises(ValueError, match="without a zone"):
        write(naive)


@pytest.mark.parametrize(
    ("edge", "ahead", "expected"),
    [
        (FIRST, timedelta(hours=1, seconds=1), "0001-01-01T00:00:00+00:00"),
        (LAST, timedelta(hours=-1, seconds=-1), "9999-12-31T23:59:59+00:00"),
    ],
)
def test_the_ends_of_the_calendar(edge: datetime, ahead: timedelta, expected: str) -> None:
    moment = Moment(instant=edge.replace(tzinfo=timezone(ahead)))
    assert dates.to_w3c(moment) == expected
    assert dates.to_rfc822(moment).endswith("+0000")


# order ---------------------------------------------------------------------------------------


def test_a_plain_date_is_midnight_and_less_precise() -> None:
    plain, midnight = moment("2025-03-05"), moment("2025-03-05T01:00:00+01:00")
    morning = moment("2025-03-05T10:00:00+00:00")
    ordered = sorted([morning, midnight, plain], key=dates.sort_key)
    assert ordered == [plain, midnight, morning]
    assert dates.latest(plain, midnight) == dates.latest(midnight, plain) == midnight


def test_latest_of_nothing_is_nothing() -> None:
    assert dates.latest() is dates.latest(None, None) is None


# lastmod -------------------------------------------------------------------------------------

PAST, LATER = moment("2025-01-06T10:00:00+01:00"), moment("2025-02-01T08:30:00-05:00")
FUTURE = moment("2027-01-15T00:00:00+00:00")

CHOICES: list[tuple[Moment | None, Moment | None, LastmodPolicy, Moment | None]] = [
    (PAST, LATER, "auto", LATER),
    (LATER, PAST, "auto", LATER),
    (PAST, None, "auto", PAST),
    (None, PAST, "auto", PAST),
    (None, None, "auto", None),
    (PAST, LATER, "published", PAST),
    (LATER, PAST, "updated", PAST),
    (PAST, None, "updated", None),
    (None, PAST, "published", None),
    (PAST, LATER, "none", None),
    (PAST, MONTH, "auto", PAST),
    (YEAR, MONTH, "auto", None),
    (
        moment("2025-03-05"),
        moment("2025-03-05T00:00:00+00:00"),
        "auto",
        moment("2025-03-05T00:00+00"),
    ),
    (PAST, Moment(instant=NOW), "auto", Moment(instant=NOW)),
]


@pytest.mark.parametrize(("published", "updated", "policy", "expected"), CHOICES)
def test_lastmod(
    published: Moment | None, updated: Moment | None, policy: LastmodPolicy, expected: Moment | None
) -> None:
    found = dates.choose_lastmod(published, updated, policy=policy, now=NOW)
    assert found == dates.DateResult(expected, ())


@pytest.mark.property
@given(
    st.lists(
        st.builds(
            lambda hours, zone, precision: Moment(
                instant=(NOW + timedelta(hours=hours)).astimezone(timezone(timedelta(hours=zone))),
                precision=precision,
            ),
            st.integers(-3, 1),
            st.integers(-2, 2),
            st.sampled_from(Precision),
        )
        | st.none(),
        min_size=2,
        max_size=2,
    )
)
def test_lastmod_is_the_latest_full_date_not_in_the_future(pair: list[Moment | None]) -> None:
    published, updated = pair
    usable = [m for m in (updated, published) if m and not m.is_partial and m.instant <= NOW]
    found = dates.choose_lastmod(published, updated, policy="auto", now=NOW)
    assert found.moment is dates.latest(*usable)


def test_the_future_is_struck_before_the_choice() -> None:
    found = dates.choose_lastmod(PAST, FUTURE, policy="auto", now=NOW)
    message = '"2027-01-15T00:00:00+00:00" is in the future; left out'
    assert found == dates.DateResult(PAST, ((Code.DATE_FUTURE, message),))


def test_lastmod_is_left_out_if_all_is_future() -> None:
    found = dates.choose_lastmod(moment("2026-01-16"), FUTURE, policy="auto", now=NOW)
    assert found.moment is None
    assert [code for code, _ in found.notes] == [Code.DATE_FUTURE, Code.DATE_FUTURE]


def test_an_unused_date_is_not_reported() -> None:
    assert dates.choose_lastmod(FUTURE, PAST, policy="updated", now=NOW) == dates.DateResult(
        PAST, ()
    )


def test_ten_minutes_ahead_are_now_in_the_offset_of_the_source() -> None:
    ahead = moment("2026-01-15T14:10:00+02:00")
    found = dates.choose_lastmod(None, ahead, policy="auto", now=NOW.replace(microsecond=5))
    assert found == dates.DateResult(moment("2026-01-15T14:00:00+02:00"), ())
    assert found.moment
    assert dates.to_w3c(found.moment) == "2026-01-15T14:00:00+02:00"


def test_a_plain_date_beginning_within_ten_minutes_is_today() -> None:
    late = datetime(2026, 1, 15, 23, 55, tzinfo=UTC)
    found = dates.choose_lastmod(moment("2026-01-16"), None, policy="auto", now=late)
    assert found == dates.DateResult(moment("2026-01-15"), ())


@pytest.mark.parametrize(("minutes", "expected"), [(0, True), (10, True), (10.1, False)])
def test_not_future(minutes: float, expected: bool) -> None:
    moment = Moment(instant=NOW + timedelta(minutes=minutes))
    assert dates.is_not_future(moment, NOW) is expected


def test_not_future_at_the_end_of_time() -> None:
    assert dates.is_not_future(PAST, LAST)


# strict W3C ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "instant", "precision"),
    [
        ("2025", "2025-01-01T00:00:00+00:00", Precision.YEAR),
        ("2025-03", "2025-03-01T00:00:00+00:00", Precision.MONTH),
        ("2025-03-04", "2025-03-04T00:00:00+00:00", Precision.DAY),
        ("2025-03-04T05:06Z", "2025-03-04T05:06:00+00:00", Precision.SECOND),
        ("2025-03-04T05:06:07-14:00", "2025-03-04T05:06:07-14:00", Precision.SECOND),
        ("2025-03-04T05:06:07.999999999999Z", "2025-03-04T05:06:07+00:00", Precision.SECOND),
    ],
)
def test_from_w3c(text: str, instant: str, precision: Precision) -> None:
    expected = Moment(instant=datetime.fromisoformat(instant), precision=precision)
    assert dates.parse_w3c(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 2025",
        "2025-1-6",
        "20250106",
        "2025-02-30",
        "2025-01-06T10:00",
        "2025-01-06 10:00Z",
        "2025-01-06T10:00.5Z",
        "2025-01-06T24:00Z",
        "2025-01-06T10:00:60Z",
        "2025-01-06T10:00+14:01",
        "2025-01-06Z",
        "0000",
        "2" * 200_000,
    ],
)
def test_from_w3c_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="is not a W3C date"):
        dates.parse_w3c(text)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("Mon, 06 Jan 2025 10:00:00 +0100", "2025-01-06T10:00:00+01:00"),
        ("6 Jan 2025 10:00:00 GMT", "2025-01-06T10:00:00+00:00"),
        ("06 Jan 25 10:00 EST", "2025-01-06T10:00:00-05:00"),
        ("mon,6 jan 2025 10:00:00 z", "2025-01-06T10:00:00+00:00"),
        (" Mon, 06 Jan (a comment) 2025\n10:00:00 UT ", "2025-01-06T10:00:00+00:00"),
        ("Sun, 06 Jan 2025 10:00:00 GMT", "2025-01-06T10:00:00+00:00"),
    ],
)
def test_from_rfc822(text: str, instant: str) -> None:
    assert dates.parse_rfc822(text) == moment(instant)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2025-01-06T10:00:00Z",
        "Mon, 06 Jan 2025",
        "Mon, 06 Jan 2025 10:00:00",
        "Mon, 06 Jan 2025 10:00:00 CET",
        "Mon, 06 Jan 2025 10:00:00 UTC",
        "Mon, 06 Jan 2025 10:00:00 J",
        "Mon, 06 Jan 2025 10:00:00 +01:00",
        "Mon, 06 Jan 2025 24:00:00 GMT",
        "Monday, 06 Jan 2025 10:00:00 GMT",
        "Mo, 06 Januar 2025 10:00:00 GMT",
        "Mon, 06 Jan 025 10:00:00 GMT",
        "31 Feb 2025 10:00:00 GMT",
        "(" * 300,
    ],
)
def test_from_rfc822_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="is not a date of RFC 822"):
        dates.parse_rfc822(text)


# laws ----------------------------------------------------------------------------------------

instants = st.datetimes(
    min_value=datetime(1990, 1, 2),  # noqa: DTZ001  # hypothesis wants naive bounds
    max_value=datetime(2049, 12, 30),  # noqa: DTZ001
    timezones=st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m))),
).map(lambda instant: instant.replace(microsecond=0))


@pytest.mark.property
@given(instants)
def test_w3c_is_read_as_it_was_written(instant: datetime) -> None:
    for zulu in (False, True):
        reading = dates.parse(dates.to_w3c(Moment(instant=instant), zulu=zulu))
        assert reading == dates.DateResult(Moment(instant=instant), ())
        assert reading.moment
        assert reading.moment.instant.utcoffset() == instant.utcoffset()
        assert dates.parse_w3c(dates.to_w3c(Moment(instant=instant), zulu=zulu)) == reading.moment


@pytest.mark.property
@given(instants)
def test_rfc822_is_read_as_it_was_written(instant: datetime) -> None:
    text = dates.to_rfc822(Moment(instant=instant))
    assert dates.parse(text) == dates.DateResult(Moment(instant=instant), ())
    assert dates.parse_rfc822(text) == Moment(instant=instant)
    assert email.utils.parsedate_to_datetime(text) == instant


@pytest.mark.property
@given(st.dates(min_value=date(1990, 1, 1)))
def test_plain_dates_are_read_as_they_were_written(plain: date) -> None:
    moment, notes = dates.parse(plain.isoformat())
    assert moment
    assert (dates.to_w3c(moment), notes) == (plain.isoformat(), ())
    assert dates.parse(plain.strftime("%Y%m%d")).moment == moment
    assert dates.parse(plain.strftime("%G-W%V-%u")).moment == moment
    assert dates.parse(plain.strftime("%Y-%j")).moment == moment


def words(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(text.split())


def numbers(usual: range, odd: str) -> st.SearchStrategy[str]:
    return st.sampled_from([f"{number:02}" for number in usual]) | words(odd)


YEARS = words("2024 2025 2023 1990 1989 1970 0001 0000 9999 25 125")
DAYS = numbers(range(1, 32), "00 32 99 1 9")
CLOCKS = st.tuples(
    numbers(range(24), "24 25 99 1 +1 0Z"),
    st.sampled_from([":", ":", ":", ".", "", "::"]),
    numbers(range(60), "60 61 99 5 -0"),
    st.sampled_from([":", ":", ":", ".", ""]),
    numbers(range(60), "60 61 99 5 .0"),
).map("".join)
OFFSETS = """
Z GMT UT EST PDT IST ET AM A z gmt +0000 -0000 +0100 -0330 +1400 +1359 +1401 +1900 +0160 +00:00
-00:00 +01:00 -03:30 +14:00 +14:01 +19:00 +01:60 +01 +1 GMT+1 +01:00:30 Europe/Berlin (CET) +0100x
"""
ZONES = st.sampled_from([*OFFSETS.split(), "", " ", f"+0100{' ' * 40}", f"+0100 {'X' * 2000}"])
RFC_822 = st.builds(
    "{}, {} {} {} {} {}".format,
    words("Mon Tue Sun Son Xxx mon Monday"),
    DAYS,
    words("Jan Feb Apr Jun Sep Dec jan Xyz Mai Sept"),
    YEARS,
    CLOCKS,
    ZONES,
)
RFC_3339 = st.builds(
    "{}-{}-{}{}{}{}{}".format,
    YEARS,
    numbers(range(1, 13), "00 13 99 1 W01 W54"),
    DAYS,
    st.sampled_from("TTTTt "),
    CLOCKS,
    st.sampled_from(["", "", ".0", ".123456789", ".", ".1.2", ",5", f".{'1' * 900}"]),
    ZONES,
)
PLAIN_DAYS = st.builds("{}-{}-{}".format, YEARS, numbers(range(1, 13), "00 13 1"), DAYS)


@pytest.mark.property
@given(RFC_822 | RFC_3339 | PLAIN_DAYS)
def test_fast_and_slow_path_agree(text: str) -> None:
    quick = dates.parse(text)
    slow = dates.parse(f" {text}")  # what does not begin at once, is not canonical
    assert quick == slow
    if quick.moment and slow.moment:
        assert quick.moment.instant.utcoffset() == slow.moment.instant.utcoffset()
        assert type(quick.moment.instant.tzinfo) is timezone


@pytest.mark.property
@given(
    st.datetimes(
        timezones=st.timezones()
        | st.integers(-86399, 86399).map(lambda s: timezone(timedelta(seconds=s)))
    ),
    st.booleans(),
)
def test_w3c_equals_isoformat_for_valid_offsets(instant: datetime, zulu: bool) -> None:
    iso = instant.isoformat(timespec="seconds")
    if len(iso) != 25 or iso[20:] > "14:00":
        try:
            iso = instant.astimezone(UTC).isoformat(timespec="seconds")
        except OverflowError:
            return
    if zulu and iso.endswith("+00:00"):
        iso = f"{iso[:19]}Z"
    assert dates.to_w3c(Moment(instant=instant), zulu=zulu) == iso


PIECES = (
    "Mon |Jan| janv. |мая|6|06|31|2025|25|-0001|0000| 10:00|24:00|:60|10h|10.00.00| AM|T|Z|W02|"
    "+01:00|+9999| GMT| IST| Europe/Berlin| ../x|,|.|/|-|(|)|[|]| de | at | à "
)
pieced = st.lists(st.sampled_from(PIECES.split("|")), max_size=12).map("".join)


@pytest.mark.property
@given(st.text() | pieced)
def test_any_date_read_can_be_written_or_is_noted(text: str) -> None:
    moment, notes = dates.parse(text)
    if moment is None:
        assert len(notes) == 1
        return
    assert moment.instant.utcoffset() is not None
    assert moment.instant.microsecond == 0
    dates.to_rfc822(moment)
    if not moment.is_partial:
        assert dates.parse_w3c(dates.to_w3c(moment)) == moment


@pytest.mark.parametrize(
    "text",
    ["1" * 200_000, " " * 200_000, "(" * 200_000, "2025-01-06T10:00:00." + "1" * 200_000 + "Z"]
    + [piece * 330 for piece in ("(", "[", "a", "a-", "1:", "- ", "à ", "\u0300")],
)
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    begun = time.process_time()
    assert dates.parse(text).moment is None
    assert time.process_time() - begun < 0.1
