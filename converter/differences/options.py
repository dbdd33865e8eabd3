"""The options of a comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from converter.differences.change import KINDS, SHOWN_KINDS
from converter.errors import OptionError
from converter.issues import printable
from converter.options import RunOptions

#: The fields of `--compare`, in the order in which they are reported, and the attributes of an
#: entry that hold them.
FIELDS: Final = {
    "lastmod": ("published", "updated"),
    "title": ("title",),
    "images": ("images",),
    "videos": ("videos",),
    "news": ("news",),
    "alternates": ("alternates",),
    "hints": ("changefreq", "priority"),
}
#: The attributes of images, videos and news that are not compared: lines, the properties of files
#: (of feeds only, and each writer adds some), and uninterpreted elements.
NOT_COMPARED: Final = frozenset({"line", "rendition", "renditions", "words"})
DEFAULT_FIELDS: Final = ("lastmod", "images", "videos", "news", "alternates")
MEMORY_BYTES: Final = 64 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class DiffOptions:
    """How the sides are read and compared.

    Raises:
        OptionError: a value is unknown.
    """

    run: RunOptions
    """How sources are read and fetched, how URLs are cleaned, and `include` and `exclude`. The
    format is that of both sides."""
    compare: tuple[str, ...] = DEFAULT_FIELDS
    """Names of `FIELDS`; `loc`, which is always compared; or `all`."""
    lastmod_order: Literal["any", "newer"] = "any"
    """With `newer`, a lastmod that went back makes a page `older`."""
    map_host: tuple[str, ...] = ()
    """`OLD=NEW`: hosts, perhaps with a port or a scheme, of the URLs of the old side."""
    map_url: tuple[str, ...] = ()
    """`REGEX=TEMPLATE`, applied to the URLs of the old side; see `url_map`."""
    raw: bool = False
    """Compare URLs as they are read, without cleaning them."""
    only: frozenset[str] = SHOWN_KINDS
    """The kinds of changes that are yielded; all are counted."""
    from_old: str | None = None
    """The format of the old side; None: `run.format`."""
    from_new: str | None = None
    allow_truncated: bool = False
    """Compare a document that is broken before its end as far as it can be read."""
    memory_bytes: int = MEMORY_BYTES
    """The pages of both sides that are held in memory; more are sorted in temporary files."""

    def __post_init__(self) -> None:
        _check("compare", self.compare, (*FIELDS, "loc", "all"))
        _check("only", self.only, KINDS)
        _check("lastmod-order", (self.lastmod_order,), ("any", "newer"))

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields to compare, in their order, without the URL."""
        return tuple(name for name in FIELDS if {name, "all"} & set(self.compare))


def _check(option: str, values: Iterable[str], known: Iterable[str]) -> None:
    if unknown := sorted(set(values).difference(known)):
        choices = ", ".join(known)
        raise OptionError(
            f'--{option}: "{printable(unknown[0])}" is unknown; wanted one of {choices}'
        )
