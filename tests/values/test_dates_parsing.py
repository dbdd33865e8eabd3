"""Reading of dates as feeds have them; the tables follow mapping 7.1 to 7.3."""

from __future__ import annotations

import pickle
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from converter.issues import Code
from converter.values import dates

ASSUMED, UNKNOWN = Code.DATE_ASSUMED, Code.DATE_ZONE_UNKNOWN


def written(reading: dates.DateResult) -> str | None:
    """What a sitemap would say; a partial date by its precision."""
    if reading.moment is None:
        return None
    if reading.moment.is_partial:
        return reading.moment.precision.name
    return dates.to_w3c(reading.moment)


def codes(reading: dates.DateResult) -> list[Code]:
    return [code for code, _ in reading.notes]


# what is read without a word -----------------------------------------------------------------

TEN_UTC = "2025-01-06T10:00:00+00:00"
TEN_CET = "2025-01-06T10:00:00+01:00"

SILENT = [
    # RFC 822 and what is taken for it
    ("Mon, 06 Jan 2025 10:00:00 GMT", TEN_UTC),
    ("Mon, 06 Jan 2025 10:00:00 +0100", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 +01:00", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 GMT+0100", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 UTC+1", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 UTC+01:00", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 GMT-3:30", "2025-01-06T10:00:00-03:30"),
    ("Mon, 06 Jan 2025 10:00:00 −0330", "2025-01-06T10:00:00-03:30"),
    ("Mon, 06 Jan 2025 10:00:00 -0000", TEN_UTC),
    ("6 Jan 2025 10:00:00 -0000", TEN_UTC),
    ("2025-01-06 10:00 -0001", "2025-01-06T10:00:00-00:01"),
    ("Mon, 06 Jan 2025 10:00:00 +1400", "2025-01-06T10:00:00+14:00"),
    ("Mon, 6 Jan 25 9:05 EST", "2025-01-06T09:05:00-05:00"),
    ("Mon, 06 Jan 2025 10:00:00 +0100 (CET)", TEN_CET),
    ("Mon, 06 Jan 2025 10:00:00 +0100 CET", TEN_CET),
    ("Sun, 06 Jan 2025 10:00:00 GMT", TEN_UTC),
    ("Mon 06 Jan 2025 10:00:00 GMT", TEN_UTC),
    ("Mon,06 Jan 2025 10:00:00 GMT", TEN_UTC),
    ("mån, 06 jan 2025 10:00:00 GMT", TEN_UTC),
    ("Monday, 06-Jan-25 10:00:00 GMT", TEN_UTC),
    ("Monday, January 06, 2025 10:00 AM GMT", TEN_UTC),
    ("06-Jan-2025", "2025-01-06"),
    ("06 Jan 2025 GMT", "2025-01-06"),
    ("Jan 06, 2025", "2025-01-06"),
    ("Jan 06,2025", "2025-01-06"),
    ("January 6th, 2025", "2025-01-06"),
    ("Sept 6, 2025", "2025-09-06"),
    ("2025 Jan 06", "2025-01-06"),
    ("  Mon,\n06 Jan 2025\t10:00:00 GMT ", TEN_UTC),
    # years of two and three digits
    ("06 Jan 00", "2000-01-06"),
    ("06 Jan 49", "2049-01-06"),
    ("06 Jan 99", "1999-01-06"),
    ("06 Jan 125", "2025-01-06"),
    # asctime, and JavaScript
    ("Mon Jan  6 10:00:00 GMT 2025", TEN_UTC),
    ("Mon Jan  6 10:00:00 PST 2025", "2025-01-06T10:00:00-08:00"),
    ("Mon Jan 06 2025 10:00:00 GMT+0100 (Central European Standard Time)", TEN_CET),
    # ISO 8601 and its neighbours
    ("2025-01-06T10:00:00Z", TEN_UTC),
    ("2025-01-06T10:00:00+01:00", TEN_CET),
    ("2025-01-06T10:00Z", TEN_UTC),
    ("2025-01-06T10:00:00.999Z", TEN_UTC),
    ("2025-01-06T10:00:00,9Z", TEN_UTC),
    (f"2025-01-06T10:00:00.{'9' * 40}Z", TEN_UTC),
    ("2025-01-06t10:00:00z", TEN_UTC),
    ("2025-01-06T10:00:00+01", TEN_CET),
    ("2025-01-06T10:00:00+0100", TEN_CET),
    ("2025-01-06 10:00:00 +0100", TEN_CET),
    ("2025-01-06 10:00:00+0100", TEN_CET),
    ("2025-01-06 10:00:00 +0000 UTC", TEN_UTC),
    ("2025-01-06T10:00:00+01:00[Europe/Berlin]", TEN_CET),
    ("2025-01-06T10:00:00[Europe/Berlin]", TEN_CET),
    ("2025-01-06T10:00:00+14:00", "2025-01-06T10:00:00+14:00"),
    ("20250106T100000Z", TEN_UTC),
    ("20250106T1000Z", TEN_UTC),
    ("2025-01-06", "2025-01-06"),
    ("2025-1-6", "2025-01-06"),
    ("2025/01/06", "2025-01-06"),
    ("20250106", "2025-01-06"),
    ("2025-01-06Z", "2025-01-06"),
    ("2025-01-06+02:00", "2025-01-06"),
    ("2025-01-06-02:00", "2025-01-06"),
    ("2025-006", "2025-01-06"),
    ("2024-366", "2024-12-31"),
    ("2025-W02-1", "2025-01-06"),
    ("2025W021", "2025-01-06"),
    ("2025-W02", "2025-01-06"),
    ("2025-W02-7T10:00Z", "2025-01-12T10:00:00+00:00"),
    # Unix
    ("1736157600", TEN_UTC),
    ("1736157600999", TEN_UTC),
    # clocks
    ("2025-12-31T24:00:00Z", "2026-01-01T00:00:00+00:00"),
    ("2025-12-31T23:59:60Z", "2025-12-31T23:59:59+00:00"),
    ("06.01.2025 10.00.00 GMT", TEN_UTC),
    ("2025-01-06 10h00 GMT", TEN_UTC),
    ("2025-01-06 10h GMT", TEN_UTC),
    ("2025-01-06 10 am GMT", TEN_UTC),
    ("2025-01-06 10:00 p.m. GMT", "2025-01-06T22:00:00+00:00"),
    ("2025-01-06 12:00 PM GMT", "2025-01-06T12:00:00+00:00"),
    ("2025-01-06 12:00 AM GMT", "2025-01-06T00:00:00+00:00"),
    ("2025-01-06 00:30 AM GMT", "2025-01-06T00:30:00+00:00"),
    ("2025-01-06 13:00 AM GMT", "2025-01-06T13:00:00+00:00"),
    ("2025-01-06 13:00 PM GMT", "2025-01-06T13:00:00+00:00"),
    ("January 6, 2025 at 10:00 GMT", TEN_UTC),
    ("Mon, 13/01/2025 - 10:00 GMT", "2025-01-13T10:00:00+00:00"),
    # day and month as numbers
    ("06.01.2025", "2025-01-06"),
    ("6. 1. 25", "2025-01-06"),
    ("13/06/2025", "2025-06-13"),
    ("Fri, 05/03/2019", "2019-05-03"),  # as Drupal writes it in the United States
    ("TUESDAY 05/03/2019", "2019-03-05"),
    ("Fri, 05/03/19", "2019-05-03"),
    ("06/13/2025", "2025-06-13"),
    ("13-06-2025", "2025-06-13"),
    ("06/06/2025", "2025-06-06"),
    # other languages
    ("6 janv. 2025", "2025-01-06"),
    ("samedi 1er février 2025", "2025-02-01"),
    ("mar. 6 aout 2025 à 10h00 GMT", "2025-08-06T10:00:00+00:00"),
    ("6 juin 2025", "2025-06-06"),
    ("6 juil. 2025", "2025-07-06"),
    ("06 Mär 2025", "2025-03-06"),
    ("06 mrz 2025", "2025-03-06"),
    ("Mo, 06 Mai 2025 10:00 MESZ", "2025-05-06T10:00:00+02:00"),
    ("6. Dezember 2025 um 10:00 MEZ", "2025-12-06T10:00:00+01:00"),
    ("6 de enero de 2025", "2025-01-06"),
    ("segunda-feira, 6 de outubro de 2025", "2025-10-06"),
    ("mercoledì 6 luglio 2025", "2025-07-06"),
    ("ma 6 maart 2025", "2025-03-06"),
    ("6 października 2025", "2025-10-06"),
    ("пн, 06 мая 2025 10:00 MSK", "2025-05-06T10:00:00+03:00"),
]


@pytest.mark.parametrize(("text", "expected"), SILENT)
def test_reads_without_a_word(text: str, expected: str) -> None:
    reading = dates.parse(text)
    assert (written(reading), reading.notes) == (expected, ())


# what is read, and remarked upon -------------------------------------------------------------

REMARKED = [
    ("2025", "YEAR", Code.DATE_PARTIAL, '"2025" has no more than a year; kept as that'),
    ("2025-01", "MONTH", Code.DATE_PARTIAL, '"2025-01" has no more than a month; kept as that'),
    ("Jan 2025", "MONTH", Code.DATE_PARTIAL, "month"),
    ("enero de 2025", "MONTH", Code.DATE_PARTIAL, "month"),
    ("January, 2025", "MONTH", Code.DATE_PARTIAL, "month"),
    ("2025-01-06T10:00:00", TEN_UTC, ASSUMED, "has no zone; read as UTC"),
    ("20250106100000", TEN_UTC, ASSUMED, "has no zone"),
    ("01/06/2025", "2025-06-01", ASSUMED, '"01/06/2025" may be two dates; read as 2025-06-01'),
    ("01-06-2025", "2025-06-01", ASSUMED, "two dates"),
    ("Sun, 05/03/2019", "2019-03-05", ASSUMED, "two dates"),
    ("13/06/25", "2025-06-13", ASSUMED, "two dates"),
    ("2025-01-06 10:00 IST", "2025-01-06T10:00:00+05:30", ASSUMED, "ambiguous zone IST"),
    ("2025-01-06 10:00 ET", "2025-01-06T10:00:00-05:00", ASSUMED, "ambiguous zone ET"),
    ("2025-01-06 10:00 M", TEN_UTC, UNKNOWN, 'has the unknown zone "M"; read as UTC'),
    ("2025-01-06 10:00 Martian", TEN_UTC, UNKNOWN, '"Martian"'),
    ("2025-01-06T10:00:00+14:01", TEN_UTC, UNKNOWN, '"+14:01"'),
    ("2025-01-06T10:00:00+01:60", TEN_UTC, UNKNOWN, '"+01:60"'),
    ("1989-12-31", "1989-12-31", Code.DATE_OLD, '"1989-12-31" is before 1990; kept'),
    ("06 Jan 50 10:00 GMT", "1950-01-06T10:00:00+00:00", Code.DATE_OLD, "before 1990"),
]


@pytest.mark.parametrize(("text", "expected", "code", "words"), REMARKED)
def test_reads_with_a_remark(text: str, expected: str, code: Code, words: str) -> None:
    reading = dates.parse(text)
    assert written(reading) == expected
    ((found, message),) = reading.notes
    assert found is code
    assert words in message


def test_two_doubts_are_two_notes() -> None:
    assert codes(dates.parse("01/06/2025 10:00")) == [ASSUMED, ASSUMED]
    assert codes(dates.parse("1970")) == [Code.DATE_PARTIAL, Code.DATE_OLD]


# what is not read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "Not before 6 Jan 2025",
        "31 Jun 2025",
        "2025-02-29",
        "2025-13-01",
        "2025-366",
        "2025-000",
        "2025-W54",
        "31.02.2025",
        "13/13/2025",
        "25-01-06",
        "6 jui 2025",
        "6 Foo 2025",
        "6 Jan",
        "6 Jan 10:00",
        "10:00",
        "2025-01-06T",
        "2025-01-06T10",
        "2025-01-06 10:61",
        "2025-01-06 10:00:61",
        "2025-01-06 25:00",
        "2025-01-06T24:00:01Z",
        "2025-01-06 tomorrow",
        "2025-01-06 10:00 - 12:00",
        "2025-01-06 10:00 ../../etc/passwd",
        "Mon, 06 Xyz 2025 10:00:00 GMT",
        "Mon, 31 Jun 2025 10:00:00 GMT",
        "9999-12-31T24:00:00Z",
        "173615760",
        "1736157600.5",
        "1736157600]",
        "٢٠٢٥-٠١-٠٦",
        "2025-01-06" + "x" * 200,
        "2025-01-06 " * 100,
    ],
)
def test_unreadable(text: str) -> None:
    moment, ((code, message),) = dates.parse(text)
    assert moment is None
    assert code is Code.DATE_UNREADABLE
    assert message.endswith(" is not a date; left out")
    assert len(message) < 100


def test_message_quotes_the_value() -> None:
    assert dates.parse("yesterday").notes == (
        (Code.DATE_UNREADABLE, '"yesterday" is not a date; left out'),
    )


@pytest.mark.parametrize(
    "text",
    [
        "0000-00-00",
        "0000-00-00 00:00:00",
        "0000-00-00T00:00:00+01:00",
        "0001-01-01T00:00:00",
        "Mon, 01 Jan 0001 00:00:00 GMT",
        "01/01/0001 00:00:00",
        "-0001-11-30T00:00:00+00:00",
        "Wed, 30 Nov -0001 00:00:00 +0000",
        "1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00+01:00",
        "Thu, 01 Jan 1970 01:00:00 +0100",
        "1970-01-01",
        "0",
        "0000000000",
        "",
        " \n\t ",
        " " * 5000,
    ],
)
def test_placeholders_are_no_dates(text: str) -> None:
    reading = dates.parse(text)
    assert reading.moment is None
    assert codes(reading) == [Code.DATE_PLACEHOLDER]


# zones ---------------------------------------------------------------------------------------

ZONES = {
    "+00:00": "Z UT UTC GMT WET",
    "-03:00": "ADT America/Argentina/Buenos_Aires",
    "-03:30": "NST",
    "-04:00": "EDT AST",
    "-05:00": "EST CDT Etc/GMT+5",
    "-06:00": "CST MDT",
    "-07:00": "MST PDT",
    "-08:00": "PST AKDT",
    "-09:00": "AKST",
    "-10:00": "HST",
    "+01:00": "CET MET MEZ WEST BST Europe/Berlin",
    "+02:00": "CEST MEST MESZ EET",
    "+03:00": "EEST MSK",
    "+08:00": "HKT SGT AWST",
    "+09:00": "JST KST",
    "+09:30": "ACST",
    "+10:00": "AEST",
    "+11:00": "AEDT",
    "+12:00": "NZST",
    "+13:00": "NZDT",
}


@pytest.mark.parametrize(
    ("zone", "offset"), [(zone, offset) for offset, row in ZONES.items() for zone in row.split()]
)
@pytest.mark.parametrize("case", [str, str.lower])
def test_zone(zone: str, offset: str, case: Any) -> None:
    text = f"Mon, 06 Jan 2025 10:00:00 {zone if '/' in zone else case(zone)}"
    reading = dates.parse(text)
    assert written(reading) == f"2025-01-06T10:00:00{offset}"
    assert reading.notes == ()


@pytest.mark.parametrize("letter", "ABCDEFGHIKLMNOPQRSTUVWXY")
def test_military_letters_are_utc_whatever_is_assumed(letter: str) -> None:
    reading = dates.parse(f"6 Jan 25 10:00 {letter}", assume_tz=ZoneInfo("Asia/Tokyo"))
    assert written(reading) == TEN_UTC
    assert codes(reading) == [UNKNOWN]


@pytest.mark.parametrize(
    "zone",
    ["America/Argentina", "Europe/Nowhere", "Asia/../../etc/passwd", "localtime", "Europe/" * 9],
)
def test_names_that_are_not_time_zones(zone: str) -> None:
    assert codes(dates.parse(f"2025-01-06 10:00 {zone}")) == [UNKNOWN]


@pytest.mark.parametrize(
    ("tz", "expected"),
    [
        (timezone(timedelta(hours=2)), "2025-07-06T10:00:00+02:00"),
        (ZoneInfo("Europe/Berlin"), "2025-07-06T10:00:00+02:00"),
    ],
)
@pytest.mark.parametrize("zone", ["", " Martian"])
def test_assumed_zone(tz: tzinfo, expected: str, zone: str) -> None:
    reading = dates.parse(f"2025-07-06 10:00{zone}", assume_tz=tz)
    assert written(reading) == expected
    assert str(tz) in reading.notes[0][1]


def test_offsets_with_seconds_become_utc() -> None:
    berlin = dates.parse("1880-01-06 10:00 Europe/Berlin")  # 00:53:28 ahead of Greenwich
    assert written(berlin) == "1880-01-06T09:06:32+00:00"


def test_moments_carry_fixed_offsets_only() -> None:
    moment = dates.parse("2025-07-06 10:00 Europe/Berlin").moment
    assert moment
    assert type(moment.instant.tzinfo) is timezone
    assert pickle.loads(pickle.dumps(moment)) == moment  # noqa: S301  # our own bytes


def test_a_tzinfo_that_knows_no_offset_is_refused() -> None:
    class Shrug(tzinfo):
        def utcoffset(self, _: datetime | None) -> None:
            return None

        tzname = dst = utcoffset

    assert codes(dates.parse("2025-01-06 10:00", assume_tz=Shrug())) == [Code.DATE_UNREADABLE]


@pytest.mark.parametrize("lang", ["en-us", "en-US", "en_US", "en-ph"])
def test_month_first_for_languages_that_use_it(lang: str) -> None:
    reading = dates.parse("01/06/2025", lang=lang)
    assert (written(reading), codes(reading)) == ("2025-01-06", [ASSUMED])


@pytest.mark.parametrize("lang", [None, "en", "en-gb", "de"])
def test_day_first_elsewhere(lang: str | None) -> None:
    assert written(dates.parse("01/06/2025", lang=lang)) == "2025-06-01"


def test_every_month_prefix_is_one_month() -> None:
    assert written(dates.parse("6 Январь 2025")) == "2025-01-06"
    assert codes(dates.parse("6 jui 2025")) == [Code.DATE_UNREADABLE]
