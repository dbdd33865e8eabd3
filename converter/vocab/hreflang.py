"""A page's other languages: read with their doubts, written as `xhtml:link`.

https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from converter.issues import Code, printable
from converter.model import Alternate
from converter.values import languages
from converter.values.patterns import lazy
from converter.vocab.context import Context
from converter.xml.emit import escape
from converter.xml.take import Element

__all__ = ["links", "version"]

#: `xsd:language`: the schema of XHTML refuses any other value.
_TAG: Final = lazy("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


def version(
    hreflang: str, href: str, element: Element, context: Context, name: str
) -> Alternate | None:
    """Make a version of a page; a language that Google does not know is reported, and kept.

    What is no language tag at all could not be written: None, and reported, too.
    """
    code, is_usual = languages.hreflang(hreflang)
    is_tag = _TAG.fullmatch(code) is not None
    if not is_usual:
        fate = "is no language that Google knows; kept" if is_tag else "is no language; left out"
        message = f'hreflang "{printable(hreflang, 40)}" {fate}'
        context.tell(Code.HREFLANG_UNUSUAL, message, element, name)
    return Alternate(hreflang=code, href=href) if is_tag else None


def links(alternates: Iterable[Alternate]) -> str:
    """Write the links by hreflang, `x-default` last, the same one once.

    Whether they may be written, which takes all pages of the set, is decided before.
    """
    pairs = {(a.hreflang.lower() == "x-default", a.hreflang, a.href) for a in alternates}
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(hreflang)}" href="{escape(href)}"/>'
        for _, hreflang, href in sorted(pairs)
    )
