"""Rules for which elements an element has, how often, and in which order."""

from __future__ import annotations

from typing import Final, NamedTuple

from converter.checks.context import CheckContext
from converter.checks.elements import Element
from converter.checks.rule import ERROR, PROTOCOL, WARNING, CheckRule
from converter.values.urls import quoted

_SCHEMA: Final = f"{PROTOCOL}#validating"

RULES: Final = (
    CheckRule(
        "xsd-order", WARNING, "an element is not in the order of the XML Schema",
        why="Search engines accept any order, but validators refuse the file.",
        fix="Write the elements in the order of the schema.",
        source=_SCHEMA, convert="repaired",
    ),
    CheckRule(
        "leaf-repeated", ERROR, "an element occurs too often",
        why="Which of the values is read is undefined.",
        fix="Keep one of the elements.",
        source=_SCHEMA, convert="repaired",
    ),
    CheckRule(
        "element-misplaced", ERROR, "an element or a text is in the wrong place",
        why="Search engines do not read it there.",
        fix="Move it into the element to which it belongs.",
        source=_SCHEMA, convert="dropped",
    ),
    CheckRule(
        "element-unknown", WARNING, "an element is not part of the format",
        why="It is ignored; most often its name is misspelled.",
        fix="Correct the name, or remove the element.",
        source=_SCHEMA, convert="dropped",
    ),
    CheckRule(
        "xml-case", ERROR, "the name of an element is written in the wrong case",
        why="Case matters in XML: <Url> is not <url>, and is ignored.",
        fix="Write the name as in the documentation, in lower case.",
        source=_SCHEMA, convert="dropped",
    ),
)  # fmt: skip


class Schema(NamedTuple):
    """The children that an element may have, in the order of its XML Schema."""

    order: tuple[str, ...]
    """Canonical names."""
    repeatable: frozenset[str] = frozenset()
    ranks: dict[str, int] = {}  # noqa: RUF012  `schema` fills it


def schema(*order: str, repeatable: str = "") -> Schema:
    """Return a schema; `repeatable` has the names that may occur several times."""
    ranks = {name: number for number, name in enumerate(order)}
    return Schema(order, frozenset(repeatable.split()), ranks)


def children_by_name(
    context: CheckContext, element: Element, children: Schema, path: str
) -> dict[str, list[Element]]:
    """Return the children by canonical name; report unknown, repeated and misplaced ones."""
    found: dict[str, list[Element]] = {}
    ranks, last, last_name = children.ranks, -1, ""
    if element.texts and (text := element.text.strip()):
        message = f"the text {quoted(text)} in <{element.written_name}>; expected only elements"
        context.report("element-misplaced", message, element, path=path)
    for child in element.children:
        name = child.names.canonical
        rank = ranks.get(name)
        if rank is None:
            _report_foreign(context, child, element, path)
            continue
        if child.children:
            _check_leaf(context, child, path)
        if rank < last:
            message = f"<{child.written_name}> after <{last_name}>; the schema has it before"
            context.report("xsd-order", message, child, path=f"{path}/{name}")
        else:
            last, last_name = rank, child.written_name
        same = found.get(name)
        if same is None:
            found[name] = [child]
            continue
        same.append(child)
        if name not in children.repeatable and name != "loc":  # `url-repeated`
            message = f"<{child.written_name}> again; expected one"
            context.report("leaf-repeated", message, child, path=f"{path}/{name}")
    return found


def _report_foreign(context: CheckContext, child: Element, parent: Element, path: str) -> None:
    """Report a child that the schema of its parent does not have."""
    name = child.names.canonical
    prefix = name.rpartition(":")[0]
    if name.startswith("{") or prefix not in _PREFIXES:
        return  # `document-namespace-unknown` reports the namespace
    written, path = f"<{child.written_name}>", f"{path}/{name}"
    if name in PARENT_OF:
        message = f"{written} in <{parent.written_name}>; expected in <{PARENT_OF[name]}>"
        context.report("element-misplaced", message, child, path=path)
    elif name.lower() in PARENT_OF:
        context.report("xml-case", f"{written}: wrong case; it is ignored", child, path=path)
    else:
        message = f"{written} is no element of <{parent.written_name}>"
        context.report("element-unknown", message, child, path=path)


def _check_leaf(context: CheckContext, leaf: Element, path: str) -> None:
    """Report elements in an element that has only a text."""
    name = leaf.names.canonical
    if name in SCHEMAS or name in _NOT_CHECKED or name.endswith("loc"):  # `url-markup-inside`
        return
    message = f"<{leaf.children[0].written_name}> in <{leaf.written_name}>; expected only a text"
    context.report("element-misplaced", message, leaf.children[0], path=f"{path}/{name}")


_VIDEO: Final = """
thumbnail_loc title description content_loc player_loc duration expiration_date rating
content_segment_loc view_count publication_date tag category family_friendly restriction
gallery_loc price requires_subscription uploader tvshow platform live id
"""
_NEWS: Final = "publication access genres publication_date title keywords stock_tickers"


def _names(prefix: str, names: str) -> tuple[str, ...]:
    return tuple(f"{prefix}:{name}" for name in names.split())


#: Parent -> its children, in the order of the XML Schemas.
SCHEMAS: Final[dict[str, Schema]] = {
    "url": schema(
        "loc", "lastmod", "changefreq", "priority",
        "image:image", "video:video", "news:news", "xhtml:link", "mobile:mobile",
        "pagemap:PageMap",
        repeatable="image:image video:video news:news xhtml:link mobile:mobile pagemap:PageMap",
    ),
    "sitemap": schema("loc", "lastmod"),
    "image:image": schema(*_names("image", "loc caption geo_location title license")),
    "video:video": schema(
        *_names("video", _VIDEO),
        repeatable="video:content_segment_loc video:tag video:price video:id",
    ),
    "news:news": schema(*_names("news", _NEWS)),
    "news:publication": schema(*_names("news", "name language")),
}  # fmt: skip
#: Extensions follow the elements of the protocol, in any order.
SCHEMAS["url"].ranks.update(dict.fromkeys(SCHEMAS["url"].order[4:], len(SCHEMAS["url"].order)))

#: Every element -> its parent.
PARENT_OF: Final[dict[str, str]] = {
    child: parent for parent, children in reversed(SCHEMAS.items()) for child in children.order
} | {"url": "urlset", "sitemap": "sitemapindex"}
_PREFIXES: Final = frozenset(name.rpartition(":")[0] for name in PARENT_OF)
_NOT_CHECKED: Final = frozenset({"video:tvshow", "pagemap:PageMap"})
