"""What the judge can find: one row a rule, with its severity, and the list that a run fills.

Where the W3C feed validator has a finding of the same meaning, the rule bears its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element
Severity: TypeAlias = Literal["error", "warning"]
#: A rule that is broken, and the words for it.
ParseFault: TypeAlias = tuple[str, str]

_ERRORS = (
    # any document
    "SAXError UndefinedElement UndefinedText UnexpectedAttribute DuplicateElement MissingAttribute "
    "MissingElement InvalidAttribute InvalidLanguage InvalidMIMEType InvalidFullLink UriNotIri "
    "InvalidNonNegativeInteger InvalidPositiveInteger InvalidNumber InvalidBooleanAttribute "
    "InvalidContact InvalidW3CDTFDate InvalidPeriod InvalidNamespace "
    # RSS 2.0
    "InvalidRSSVersion MissingTitle MissingLink MissingDescription "
    "ItemMustContainTitleOrDescription DuplicateValue InvalidHttpGUID UseZeroForUnknown "
    "InvalidRFC2822Date IncorrectDOW InvalidWidth InvalidHeight InvalidDay InvalidHour "
    "InvalidItunesExplicit InvalidDuration "
    # Media RSS 1.5.1
    "MediaGroupWithoutAlternatives InvalidCreditRole InvalidMediaRating InvalidMediaHash "
    "InvalidMediaTextType InvalidNPTTime InvalidCountryCode InvalidMediaTags InvalidStatus "
    "InvalidPrice "
    # Atom 1.0
    "InvalidIRI InvalidUUID InvalidTAG InvalidRFC3339Date MisplacedMetadata DuplicateIds "
    "MissingContentOrAlternate DuplicateAtomLink MissingSummary InvalidTextType MissingXhtmlDiv "
    "ContentNotEmpty InvalidBase64"
)
_WARNINGS = (
    "NotBlank ImplausibleDate ContainsRelRef NonCanonicalNamespace "
    "MissingAtomSelfLink SelfNotAtom MisplacedItem MissingGuid NotSufficientlyUnique "
    "ProblematicalRFC822Date DuplicateItemSemantics DuplicateEnclosure ContainsHTML "
    "NeedDescriptionBeforeContent MissingItunesElement MissingItunesEmail "
    "DeprecatedMediaAdult DuplicateDefault "
    "AvoidNamespacePrefix NonCanonicalURI MissingSelf RelativeSelf DuplicateEntries "
    "DuplicateUpdated MissingTextualContent"
)

#: Every rule there is.
RULES: Mapping[str, Severity] = {
    **dict.fromkeys(_ERRORS.split(), "error"),
    **dict.fromkeys(_WARNINGS.split(), "warning"),
}

#: Clocks differ: so far ahead is still now.
_SLACK = timedelta(minutes=10)
#: There were no feeds before.
_FIRST_YEAR = 1990


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One broken rule at one place."""

    severity: Severity
    rule: str
    #: Of the element, from 1; 0 where the document as a whole is meant.
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.severity}: {self.rule}: {self.message}"


@dataclass(slots=True)
class Judgement:
    """The findings of one run, and what the rules must know beside the element itself."""

    #: None: no date counts as too late.
    now: datetime | None = None
    #: Texts in which `<` or `&` was spelt in hexadecimal, so that it cannot be taken for markup.
    spelt: Mapping[Element, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def say(self, rule: str, element: Element, message: str) -> None:
        line = element.sourceline or 0
        name = etree.QName(element).localname
        self.findings.append(Finding(RULES[rule], rule, line, f"<{name}>: {message}"))

    def say_all(self, element: Element, faults: Iterable[ParseFault]) -> None:
        for rule, message in faults:
            self.say(rule, element, message)

    def hold_against_clock(self, element: Element, instant: datetime) -> None:
        too_late = self.now is not None and instant > self.now + _SLACK
        if too_late or instant.year < _FIRST_YEAR:
            self.say("ImplausibleDate", element, f"{instant.isoformat()} cannot be meant")
