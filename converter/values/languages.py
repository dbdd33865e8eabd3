"""Language codes as news sitemaps and hreflang want them (mapping 2.3, 2.4)."""

from __future__ import annotations

import re

from converter.values.countries import ALPHA2
from converter.values.lazy_regex import lazy_regex

#: ISO 639-1, as in Debian's iso-codes 4.15 (184 entries):
#: https://www.loc.gov/standards/iso639-2/php/code_list.php
_ISO_639_1 = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_LANGUAGES = frozenset(_ISO_639_1.split())
#: ISO 639-2 codes that name no language: undetermined, several, uncoded, no linguistic content.
_NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})

_TRADITIONAL = lazy_regex(r"zh-(?:hant|tw|hk|mo)(?:-.*)?")
_HREFLANG = lazy_regex(r"([A-Za-z]{2})(?:-[A-Za-z]{4})?(?:-([A-Za-z]{2}))?")


def news_language(code: str) -> str | None:
    """Give a language as `news:language` takes it: `en`, `zh-cn`, `zh-tw`; None if it is none."""
    tag = code.strip().lower().replace("_", "-")
    primary = tag.partition("-")[0]
    if primary == "zh":
        return "zh-tw" if _TRADITIONAL.fullmatch(tag) else "zh-cn"
    if re.fullmatch("[a-z]{2,3}", primary) and primary not in _NO_LANGUAGE:
        return primary
    return None


def hreflang(value: str) -> tuple[str, bool]:
    """Give a value with `-` for `_`, and whether it was as Google wants it.

    That is ISO 639-1, then perhaps a script, then perhaps a country; or `x-default`.
    """
    given = value.strip()
    if given.lower() == "x-default":
        return "x-default", True
    found = _HREFLANG.fullmatch(given)
    is_usual = (
        found is not None
        and found[1].lower() in _LANGUAGES
        and (found[2] is None or found[2].upper() in ALPHA2)
    )
    return given.replace("_", "-"), is_usual
