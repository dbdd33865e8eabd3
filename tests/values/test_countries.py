"""Countries: codes as feeds spell them, and what a restriction of them comes to."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.issues import Code
from converter.model import Restriction
from converter.values import countries


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("us ca", ("US", "CA"), ()),
        ("deu, UK  xx at", ("DE", "GB", "AT"), ("xx",)),
        ("at;DE\n\tFR\u00a0it", ("AT", "DE", "FR", "IT"), ()),
        ("DE deu de GBR uk", ("DE", "GB"), ()),
        ("ıt ß 840 eu EU", (), ("ıt", "ß", "840", "eu", "EU")),
        ("GERMANY xx xx", (), ("GERMANY", "xx")),
        (" , ", (), ()),
        ("", (), ()),
    ],
)
def test_codes(text: str, known: tuple[str, ...], unknown: tuple[str, ...]) -> None:
    assert countries.codes(text) == (known, unknown)


def test_the_table_is_that_of_iso_3166() -> None:
    assert len(countries.ALPHA2) == 249
    pairs = {"US": "USA", "DE": "DEU", "CH": "CHE", "SS": "SSD", "XK": "XKX", "AX": "ALA"}
    for alpha2, alpha3 in pairs.items():
        expected = () if alpha2 == "XK" else (alpha2,)  # Kosovo's is user-assigned
        assert countries.codes(f"{alpha3} {alpha2}")[0] == expected


NOBODY = Restriction(relationship="allow")
RESTRICTIONS: dict[str, tuple[str | None, str | None, str, Restriction | None, list[Code]]] = {
    "allow list": (
        "allow",
        "country",
        "us ca",
        Restriction(relationship="allow", codes=("US", "CA")),
        [],
    ),
    "deny list": (" DENY ", " Country ", "de", Restriction(relationship="deny", codes=("DE",)), []),
    "unknown among known": (
        "deny",
        "country",
        "deu, UK  xx at",
        Restriction(relationship="deny", codes=("DE", "GB", "AT")),
        [Code.COUNTRY_UNKNOWN],
    ),
    "allow only unknown": (
        "allow",
        "country",
        "xx yy",
        Restriction(relationship="allow", unknown=("xx", "yy")),
        [Code.COUNTRY_UNKNOWN],
    ),
    "deny only unknown": ("deny", "country", "xx", None, [Code.COUNTRY_UNKNOWN]),
    "allow nobody": ("allow", "country", "", NOBODY, []),
    "allow only separators": ("allow", "country", " , ", NOBODY, []),
    "deny nobody": ("deny", "country", " ", None, []),
    "allow none": ("allow", None, "none", NOBODY, []),
    "deny all": ("deny", "", " ALL ", NOBODY, []),
    "deny all countries": ("deny", "country", "all", NOBODY, []),
    "allow all": ("allow", None, "all", None, []),
    "deny none": ("deny", "country", "none", None, []),
    "a list without a type": ("allow", None, "us ca", None, [Code.RESTRICTION_WITHOUT_TYPE]),
    "nothing without a type": ("allow", None, "", None, [Code.RESTRICTION_WITHOUT_TYPE]),
    "uri": ("deny", "uri", "https://ex.com/", None, [Code.RESTRICTION_IGNORED]),
    "platform": ("deny", "platform", "web", None, [Code.RESTRICTION_IGNORED]),
    "sharing": ("deny", "sharing", "", None, []),
    "no relationship": (None, "country", "us", None, [Code.RESTRICTION_UNUSABLE]),
    "another relationship": ("only", None, "all", None, [Code.RESTRICTION_UNUSABLE]),
}


@pytest.mark.parametrize(
    ("relationship", "type_", "text", "restriction", "codes"),
    RESTRICTIONS.values(),
    ids=RESTRICTIONS,
)
def test_restriction(
    relationship: str | None,
    type_: str | None,
    text: str,
    restriction: Restriction | None,
    codes: list[Code],
) -> None:
    found, notes = countries.restriction(relationship, type_, text)
    assert found == restriction
    assert [code for code, _ in notes] == codes


def test_messages_of_restrictions() -> None:
    messages = [
        countries.restriction("allow", "country", "us xx yy")[1][0][1],
        countries.restriction("deny", "uri", "")[1][0][1],
        countries.restriction(None, None, "all")[1][0][1],
        countries.restriction("only", None, "all")[1][0][1],
        countries.restriction("allow", None, "us")[1][0][1],
    ]
    assert messages == [
        'unknown country codes "xx, yy"; left out of the allow list',
        'restriction ignored: type "uri" is not mapped',
        "restriction ignored: no relationship; it must be allow or deny",
        'restriction ignored: relationship "only"; it must be allow or deny',
        "restriction ignored: without a type only all and none are understood",
    ]


@pytest.mark.parametrize(
    ("relationship", "may_embed"), [("allow", True), (" Deny", False), ("", None), (None, None)]
)
def test_sharing(relationship: str | None, may_embed: bool | None) -> None:
    assert countries.sharing(relationship) is may_embed


@pytest.mark.property
@given(
    relationship=st.none() | st.sampled_from(["allow", "deny", "x"]),
    type_=st.none() | st.sampled_from(["", "country", "uri", "sharing"]),
    text=st.text()
    | st.lists(st.sampled_from(["us", "deu", "UK", "xx", "all", "none"])).map(" ".join),
)
def test_a_restriction_always_holds_to_the_schema(
    relationship: str | None, type_: str | None, text: str
) -> None:
    found, _ = countries.restriction(relationship, type_, text)
    if found is not None:
        assert re.fullmatch(r"([A-Z]{2}( [A-Z]{2})*)?", " ".join(found.codes))
        assert found.relationship == "allow" or found.codes
        assert not (found.codes and found.unknown)


def test_lists_for_and_against_the_same_countries_stay_apart() -> None:
    allowed, _ = countries.restriction("allow", "country", "us ca")
    denied, _ = countries.restriction("deny", "country", "us ca")
    assert allowed is not None
    assert denied is not None
    assert (allowed.relationship, denied.relationship) == ("allow", "deny")
    assert allowed.codes == denied.codes == ("US", "CA")


def test_a_list_that_is_too_long_to_be_remembered_is_read_all_the_same() -> None:
    found, notes = countries.restriction("allow", "country", "us " * 1000)
    assert found is not None
    assert found.codes == ("US",)
    assert not notes
