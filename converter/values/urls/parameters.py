"""Removes session ids and tracking parameters (mapping 6.1, steps 14 to 16; 6.5; 6.6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from typing import TypeAlias

from converter.issues import Code, Note
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import syntax
from converter.values.urls.syntax import quoted

#: Names in lower case; a name that ends in `*` is a prefix. From Apache Nutch
#: (regex-normalize.xml.template), ural (https://github.com/medialab/ural), and the documentation of
#: shop systems and application servers.
SESSION = """
phpsessid phpsessionid jsessionid aspsessionid* asp.net_sessionid sessionid session_id session-id
_session_id sessid lsid bv_sid bv_sessionid bv_engineid cfid cftoken oscsid zenid xtcsid mscsid
wosid gsessionid
"""
#: Only with a value like a session id: Google recommends a URL with `sid=789`
#: (https://developers.google.com/search/docs/crawling-indexing/url-structure).
SESSION_IF_LONG = "sid s session sess ssid"
#: From ClearURLs (https://github.com/ClearURLs/Rules), ural and Nutch. Not these, which may
#: select content: ref ref_src source campaign cid id spm cmpid feature at_* xtor sc_* trk amp.
TRACKING = """
utm_* mtm_* pk_campaign pk_kwd pk_source pk_medium pk_content pk_cid
itm_campaign itm_medium itm_source hmb_campaign hmb_medium hmb_source
gclid gclsrc dclid gbraid wbraid srsltid _gl _ga fbclid fb_action_ids fb_action_types fb_source
fb_ref msclkid yclid ysclid _openstat twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok
_hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id wickedid
rb_clickid s_cid ml_subscriber ml_subscriber_hash __twitter_impression echobox guccounter
"""

#: ASP.NET without cookies: https://learn.microsoft.com/dotnet/api/system.web.httpcookiemode
_SESSION_SEGMENT = lazy_regex(r"/\((?:X\(1\))?S\([0-9A-Za-z_-]{24}\)\)(?=/)", re.IGNORECASE)

#: `;` too: https://www.w3.org/TR/html401/appendix/notes.html#h-B.2.2
_PIECE = re.compile(r"[&;][^&;]*+")
#: A path parameter ends where the next one, or the next segment, begins.
_PATH_PUNCTUATION = lazy_regex(r"([/;])")
_LIKE_SESSION_ID = lazy_regex(r"(?=[^0-9]*[0-9])[0-9A-Za-z_-]{16,}")

#: The earliest position of the path of an http(s) URL.
_HTTP_CHARS = len("http://a")

#: Kinds of parameters, as in the message of the note.
_SESSION_IDS, _PARAMETERS = "session id", "parameters"
_IF_LONG = "session id, if it is long"
_CODES = {_SESSION_IDS: Code.URL_SESSION_ID_REMOVED, _PARAMETERS: Code.URL_TRACKING_REMOVED}

_Removed: TypeAlias = list[tuple[str, str]]
"""Kinds and names."""
_Kind: TypeAlias = tuple[str | None, frozenset[str], tuple[str, ...]]
"""A kind of parameters (None: they stay), and their names and prefixes in lower case."""


def _names(kind: str | None, patterns: Iterable[str]) -> _Kind:
    """Return a kind for names in any case and encoding."""
    names = [syntax.normalise_escapes(pattern).lower() for pattern in patterns]
    return kind, frozenset(names), tuple(name[:-1] for name in names if name.endswith("*"))


def _kind_of(kinds: Iterable[_Kind], name: str) -> str | None:
    """Return the first kind that has a name, in any case; None if it stays."""
    lowered = name.lower()
    for kind, names, prefixes in kinds:
        if lowered in names or lowered.startswith(prefixes):
            return kind
    return None


@dataclass(slots=True, kw_only=True)
class ParameterRules:
    """The parameters to remove; `keep_params` wins over all other rules."""

    keep_params: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()
    keep_tracking: bool = False
    keep_session_ids: bool = False
    _kind: Callable[[str], str | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tracking = "" if self.keep_tracking else TRACKING
        session, if_long = ("", "") if self.keep_session_ids else (SESSION, SESSION_IF_LONG)
        kinds = (
            _names(None, self.keep_params),
            _names(_SESSION_IDS, session.split()),
            _names(_PARAMETERS, (*self.drop_params, *tracking.split())),
            _names(_IF_LONG, if_long.split()),
        )
        self._kind = lru_cache(maxsize=1024)(partial(_kind_of, kinds))  # a site repeats its names

    @classmethod
    def from_options(cls, options: object) -> ParameterRules:
        """Copy the rules from options with attributes of the same names."""
        return cls(**{rule.name: getattr(options, rule.name) for rule in fields(cls) if rule.init})

    def remove_from(self, url: str) -> tuple[str, tuple[Note, ...]]:
        """Remove session ids and tracking from a clean http(s) URL without a fragment.

        Returns:
            The URL, the same object if unchanged, and notes.
        """
        removed: _Removed = []
        head, mark, query = url.partition("?")
        if not self.keep_session_ids and (";" in head or "(" in head):
            start = head.index("/", _HTTP_CHARS)
            head = head[:start] + self._path(head[start:], removed)
        if query:
            query = self._query(query, removed)
            mark = "?" if query else ""
        return (f"{head}{mark}{query}", _notes(tuple(removed))) if removed else (url, ())

    def _path(self, path: str, removed: _Removed) -> str:
        head, *rest = _PATH_PUNCTUATION.split(path)
        kept = [head]
        for mark, text in zip(rest[::2], rest[1::2], strict=True):
            name = text.partition("=")[0]
            if mark == ";" and self._kind(name) == _SESSION_IDS:
                removed.append((_SESSION_IDS, name.lower()))
            else:
                kept += mark, text
        joined = "".join(kept)
        path = _SESSION_SEGMENT.sub("", joined)
        if path != joined:
            removed.append((_SESSION_IDS, "a path segment of ASP.NET"))
        # the rest may be a dot segment: `/a/..;jsessionid=1`
        return syntax.remove_dot_segments(path) if removed else path

    def _query(self, query: str, removed: _Removed) -> str:
        """Remove parameters with their separator, and, if any is removed, empty ones."""
        kept = []
        pieces = _PIECE.findall(f"&{query}")
        for piece in pieces:
            name, _, value = piece[1:].partition("=")
            kind = self._kind(name)
            if kind == _IF_LONG:
                kind = _SESSION_IDS if _LIKE_SESSION_ID.fullmatch(value) else None
            if kind is None:
                kept.append(piece)
            else:
                removed.append((kind, name))
        if len(kept) == len(pieces):
            return query
        return "".join([piece for piece in kept if len(piece) > 1])[1:]


@lru_cache(maxsize=64)  # a site repeats its parameters
def _notes(removed: tuple[tuple[str, str], ...]) -> tuple[Note, ...]:
    """Return one note per kind, with each name once."""
    kinds: dict[str, dict[str, None]] = {}
    for kind, name in removed:
        kinds.setdefault(kind, {})[name] = None
    return tuple(
        (_CODES[kind], f"{kind} removed: {quoted(', '.join(names))[1:-1]}")
        for kind, names in kinds.items()
    )
