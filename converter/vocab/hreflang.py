"""The `xhtml:link` elements that name a page's other languages.

https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap
"""

from __future__ import annotations

from collections.abc import Iterable

from converter.model import Alternate
from converter.xml.emit import escape

__all__ = ["links"]


def links(alternates: Iterable[Alternate]) -> str:
    """Write the links by hreflang, `x-default` last, the same one once.

    Whether they may be written, which takes all pages of the set, is decided before.
    """
    pairs = {(a.hreflang.lower() == "x-default", a.hreflang, a.href) for a in alternates}
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(hreflang)}" href="{escape(href)}"/>'
        for _, hreflang, href in sorted(pairs)
    )
