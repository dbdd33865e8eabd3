"""Every element that a reader asks for is one that its dialect knows, and so finds in any case.

Feeds write `<pubdate>` and `<itunes:Image>`. A dialect gives such an element its right name if it
has that name in a table; a name that is looked up, but in no table, is found only as it is spelt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import converter
from converter.formats.atom.read import DIALECT as ATOM
from converter.formats.feed_reader import FeedDialect
from converter.formats.rss.read import DIALECT as RSS
from converter.xml.namespaces import URI_OF

CONVERTER = Path(converter.__file__).parent

#: Modules that both dialects use; `atom_constructs.py` has a test of its own.
SHARED = (
    "extensions/podcast.py",
    "extensions/mediarss/build_media.py",
    "extensions/mediarss/schema.py",
    "extensions/mediarss/group.py",
    "extensions/mediarss/read_metadata.py",
)

#: What issues call the one attribute that has a prefix.
ATTRIBUTES = {"rdf:about"}

#: What the children of an element are called where names are looked up in them.
CHILDREN = {"found", "children", "inner", "group", "level", "outer", "elements"}
#: Functions whose texts are names of elements, behind the children.
LOOK_UPS = {"texts", "first_text", "first_date"}


def looked_up(module: str) -> set[str]:
    """Return the names that a module looks up, and all other texts in it that have a prefix."""
    tree = ast.parse((CONVERTER / module).read_text("utf-8"))
    nodes = list(ast.walk(tree))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    prefixed = {text for text in texts if isinstance(text, str) and _has_prefix(text)}
    return prefixed | {name for node in nodes for name in _names_in(node)}


def _has_prefix(text: str) -> bool:
    match = re.fullmatch(r"([A-Za-z]+):[A-Za-z]+", text)
    return match is not None and match[1] in URI_OF and text not in ATTRIBUTES


def _names_in(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name == "get" and isinstance(called, ast.Attribute):
        is_look_up = getattr(called.value, "id", getattr(called.value, "attr", "")) in CHILDREN
        wanted = node.args[:1] if is_look_up else []
    else:
        wanted = node.args[1:] if name in LOOK_UPS else []
    for argument in wanted:
        for constant in ast.walk(argument):
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                yield constant.value


def shouted(name: str) -> str:
    """Return a name in capitals, as a tag of lxml."""
    prefix, _, local = name.rpartition(":")
    return f"{{{URI_OF[prefix]}}}{local.upper()}" if prefix else local.upper()


def unknown(names: set[str], dialect: FeedDialect) -> set[str]:
    return {name for name in names if dialect.names[shouted(name)] != name}


@pytest.mark.parametrize("module", SHARED)
@pytest.mark.parametrize("dialect", [RSS, ATOM], ids=lambda d: d.format)
def test_names_of_shared_vocabularies_are_known(module: str, dialect: FeedDialect) -> None:
    names = looked_up(module)
    assert names
    assert unknown(names, dialect) == set()


@pytest.mark.parametrize(
    ("module", "dialect"),
    [("formats/rss/read.py", RSS), ("formats/atom/read.py", ATOM)],
)
def test_names_of_a_format_are_known(module: str, dialect: FeedDialect) -> None:
    names = looked_up(module)
    assert len(names) > 10
    assert unknown(names, dialect) == set()


def test_names_of_people_are_known_to_one_dialect_at_least() -> None:
    names = looked_up("extensions/atom_constructs.py")
    assert names
    assert unknown(names, RSS) & unknown(names, ATOM) == set()
