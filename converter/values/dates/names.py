"""Names of months and weekdays, as feeds of nine languages write them (mapping 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

__all__ = ["MONTHS", "WEEKDAYS", "is_weekday", "month"]

#: As RFC 822 writes them, and as strftime would only in an English locale.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: January to December, as the shortest beginnings that tell them apart; `|` parts variants.
_MONTHS = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "jan feb mär|mrz apr mai jun jul aug sep okt nov dez",
    "fr": "jan fév mar avr mai juin juil aoû sep oct nov déc",
    "es": "ene feb mar abr may jun jul ago sep|set oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "jan feb mrt|maa apr mei jun jul aug sep okt nov dec",
    "pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "ru": "янв фев мар апр мая|май июн июл авг сен окт ноя дек",
}

#: What may stand before a date without a comma, likewise; two letters are a whole word.
_WEEKDAYS = {
    "en": "mon tue wed thu fri sat sun",
    "de": "mo di mi do fr sa so die mit don fre sam son",
    "fr": "lun mar mer jeu ven sam dim",
    "es": "lun mar mié jue vie sáb dom",
    "it": "lun mar mer gio ven sab dom",
    "pt": "seg ter qua qui sex sáb dom",
    "nl": "ma di wo do vr za zo maa din woe don vri zat zon",
    "pl": "pon wto śro czw pią sob nie pn wt śr cz pt so nd",
    "ru": "пон вто сре чет пят суб вос пн вт ср чт пт сб вс",
}


def _folded(word: str) -> str:
    """Without case and accents: `Août` and `aout` are one month."""
    import unicodedata

    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


# These are made when a date is first met that needs them: most are in canonical form.


@cache
def _month_by_prefix() -> Mapping[str, int]:
    return {
        _folded(prefix): number
        for names in _MONTHS.values()
        for number, prefixes in enumerate(names.split(), start=1)
        for prefix in prefixes.split("|")
    }


@cache
def _weekday_prefixes() -> frozenset[str]:
    return frozenset(_folded(prefix) for names in _WEEKDAYS.values() for prefix in names.split())


@lru_cache(maxsize=256)
def month(word: str) -> int:
    """Number a month from its name or any abbreviation of it: `janv`, `Sept`, `Mär`, `мая`.

    Raises:
        ValueError: no month of the nine languages; also `jui`, which is June or July.
    """
    folded = _folded(word)
    numbers = _month_by_prefix()
    number = numbers.get(folded[:3]) or numbers.get(folded[:4])
    if number is None:
        raise ValueError(f'"{word}" is not a month')
    return number


def is_weekday(word: str) -> bool:
    """Tell whether the word is a weekday of these languages; which one, is not asked here."""
    return _folded(word)[:3] in _weekday_prefixes()
