"""Reduces a DOCTYPE to the entities and attribute defaults that the document itself declares."""

from __future__ import annotations

import re
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
    rf"|<!ENTITY\s++(?P<name>{NAME})\s++(?:(?P<value>{_LITERAL})\s*+>|(?P<external>SYSTEM|PUBLIC)\b)"
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
    kept: list[str] = []
    for found in _DECLARATION.finditer(doctype, root.end()):
        name = found["name"]
        if name in references.internal or name in references.removed:
            continue  # the first declaration binds
        if found["external"]:
            references.removed[name] = "stands outside of the document, and is never loaded"
        elif name and _MARKUP.search(found["value"]):
            references.removed[name] = "holds markup"
        elif name:
            value = references.repaired(found["value"], line).replace("%", "&#37;")
            references.internal.add(name)
            kept.append(f"<!ENTITY {name} {value}>")
        elif found["attributes"]:
            kept.append(references.repaired(found["attributes"], line))
    subset = "".join(kept)
    missing = doctype.count("\n") - subset.count("\n")
    return f"<!DOCTYPE {root['name']} [{subset}{chr(10) * missing}]>"
