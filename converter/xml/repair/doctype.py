"""Reduces a DOCTYPE to the entities and attribute defaults that the document itself declares."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from converter.xml.repair.references import NAME, References

__all__ = ["end_of_doctype", "reduced"]

#: An end that is missing is the end of the text: an alternative that fails only there would be
#: tried from every `<!--` again.
_TOKEN: Final = re.compile(
    r"""<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|"[^"]*+"|'[^']*+'|(?P<mark>[\[\]>])""", re.DOTALL
)
_ROOT: Final = re.compile(rf"<!DOCTYPE\s++(?P<name>{NAME})", re.IGNORECASE)
_LITERAL: Final = r"""(?:"[^"]*+"|'[^']*+')"""
_DECLARATION: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)"
    rf"|<!ENTITY\s++(?P<name>{NAME})\s++(?:(?P<value>{_LITERAL})\s*+>|(?:SYSTEM|PUBLIC)\b)"
    rf"|(?P<attributes><!ATTLIST\s++(?:[^<>\"'%]++|{_LITERAL})*+>)",
    re.DOTALL,
)
#: lxml does not survive elements in entities (see `Pass` in xml.stream).
_MARKUP: Final = re.compile(r"<|&#0*+60;|&#[xX]0*+3[cC];")


def end_of_doctype(text: str, at: int) -> int | None:
    """Where the DOCTYPE that begins at `at` ends; None if it does not end in this text."""
    depth = 0
    for token in _TOKEN.finditer(text, at + len("<!DOCTYPE")):
        depth += {"[": 1, "]": -1}.get(token[0], 0)
        if token[0] == ">" and depth <= 0:
            return token.end()
    return None


def reduced(doctype: str, references: References, line: int) -> str:
    """The same without anything external, without markup in entities, and parameter entities.

    The names that it declares go to `references`. Its line breaks are kept in number.
    """
    root = _ROOT.match(doctype)
    if root is None:
        return "\n" * doctype.count("\n")
    declarations = tuple(_DECLARATION.finditer(doctype, root.end()))
    values = _declared(declarations, references)  # all of them first: one may name a later one
    kept = [f"<!ENTITY {name} {references.repaired(value, line)}>" for name, value in values]
    references.values = dict(values)  # references in them count only where they are used
    kept += [
        references.repaired(found["attributes"], line)
        for found in declarations
        if found["attributes"]
    ]
    subset = "".join(kept)
    missing = doctype.count("\n") - subset.count("\n")
    return f"<!DOCTYPE {root['name']} [{subset}{chr(10) * missing}]>"


def _declared(
    declarations: Iterable[re.Match[str]], references: References
) -> tuple[tuple[str, str], ...]:
    """The entities that may stay, with their values; all names go to `references`."""
    kept: dict[str, str] = {}
    for found in declarations:
        name, value = found["name"], found["value"]
        if not name or name in references.internal or name in references.removed:
            continue  # the first declaration binds
        if value is None:
            references.removed[name] = "stands outside of the document, and is never loaded"
        elif _MARKUP.search(value):
            references.removed[name] = "holds markup"
        else:
            references.internal.add(name)
            kept[name] = value.replace("%", "&#37;")
    return tuple(kept.items())
