"""Parameters that tell of the visit and not of the page (mapping 6.1, steps 14 to 16; 6.5; 6.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TypeAlias

from converter.issues import Code
from converter.values.lazy_regex import lazy_regex
from converter.values.urls import syntax
from converter.values.urls.syntax import Note, quoted

#: Names in lower case; a `*` at the end makes a prefix of one.
#: Core: the rules of Apache Nutch (regex-normalize.xml.template) and of ural
#: (https://github.com/medialab/ural); the rest are the documented names of shop systems and
#: application servers.
SESSION = """
phpsessid phpsessionid jsessionid aspsessionid* asp.net_sessionid sessionid session_id session-id
_session_id sessid lsid bv_sid bv_sessionid bv_engineid cfid cftoken oscsid zenid xtcsid mscsid
wosid gsessionid
"""
#: `sid=789` stands in a URL that Google recommends, so these must look like a session id too
#: (https://developers.google.com/search/docs/crawling-indexing/url-structure).
SESSION_IF_LONG = "sid s session sess ssid"
#: From ClearURLs (https://github.com/ClearURLs/Rules), ural and Nutch. Not here, for they may
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

#: Where the path of an http(s) URL can begin at the earliest.
_HTTP_CHARS = len("http://a")

#: What goes, in the words of its note.
_SESSION_IDS, _PARAMETERS = "session id", "parameters"
_IF_LONG = "session id, if it is long"
_CODES = {_SESSION_IDS: Code.URL_SESSION_ID_REMOVED, _PARAMETERS: Code.URL_TRACKING_REMOVED}

_Removed: TypeAlias = list[tuple[str, str]]
"""What the names are, and the names."""
_Kind: TypeAlias = tuple[str | None, frozenset[str], tuple[str, ...]]
"""What becomes of parameters (None: they stay); their names and prefixes of names, lower case."""


def _names(kind: str | None, patterns: Iterable[str]) -> _Kind:
    """Take names in any case and encoding."""
    names = [syntax.normalise_escapes(pattern).lower() for pattern in patterns]
    return kind, frozenset(names), tuple(name[:-1] for name in names if name.endswith("*"))


def _kind_of(name: str, kinds: Iterable[_Kind]) -> str | None:
    """Say what a parameter is by its name in lower case; the first kind that has it wins."""
    for kind, names, prefixes in kinds:
        if name in names or name.startswith(prefixes):
            return kind
    return None


@dataclass(slots=True, kw_only=True)
class ParameterRules:
    """Which parameters go. What is to be kept wins over everything."""

    keep_params: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()
    keep_tracking: bool = False
    keep_session_ids: bool = False
    _of_path: tuple[_Kind, ...] = field(init=False, repr=False, compare=False)
    _of_query: tuple[_Kind, ...] = field(init=False, repr=False, compare=False)
    _by_name: dict[str, str | None] = field(init=False, repr=False, compare=False)
    _prefixes: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kept = _names(None, self.keep_params)
        tracking = "" if self.keep_tracking else TRACKING
        session, if_long = ("", "") if self.keep_session_ids else (SESSION, SESSION_IF_LONG)
        session_ids = _names(_SESSION_IDS, session.split())
        dropped = _names(_PARAMETERS, (*self.drop_params, *tracking.split()))
        self._of_path = (kept, session_ids)
        self._of_query = kinds = (kept, dropped, session_ids, _names(_IF_LONG, if_long.split()))
        self._by_name = {name: _kind_of(name, kinds) for _, names, _ in kinds for name in names}
        self._prefixes = tuple(prefix for _, _, prefixes in kinds for prefix in prefixes)

    @classmethod
    def of(cls, options: object) -> ParameterRules:
        """Take the rules out of options that have attributes of the same names."""
        return cls(**{rule.name: getattr(options, rule.name) for rule in fields(cls) if rule.init})

    def stripped(self, url: str) -> tuple[str, tuple[Note, ...]]:
        """Take session ids and tracking out of a clean http(s) URL that has no fragment.

        Returns:
            The same object, if there is nothing to take out.
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
            name = text.partition("=")[0].lower()
            if mark == ";" and (kind := _kind_of(name, self._of_path)):
                removed.append((kind, name))
            else:
                kept += mark, text
        bare = "".join(kept)
        path = _SESSION_SEGMENT.sub("", bare)
        if path != bare:
            removed.append((_SESSION_IDS, "a path segment of ASP.NET"))
        # what is left may be a dot segment: `/a/..;jsessionid=1`
        return syntax.remove_dot_segments(path) if removed else path

    def _query(self, query: str, removed: _Removed) -> str:
        """Leave out what goes with the mark before it, and if something does, what is empty."""
        kept = []
        pieces = _PIECE.findall(f"&{query}")
        for piece in pieces:
            name, _, value = piece[1:].partition("=")
            lowered = name.lower()
            kind = self._by_name.get(lowered)
            if lowered.startswith(self._prefixes):
                kind = _kind_of(lowered, self._of_query)
            if kind == _IF_LONG:
                kind = _SESSION_IDS if _LIKE_SESSION_ID.fullmatch(value) else None
            if kind is None:
                kept.append(piece)
            else:
                removed.append((kind, name))
        if len(kept) == len(pieces):
            return query
        return "".join([piece for piece in kept if len(piece) > 1])[1:]


@lru_cache(maxsize=64)  # a site has the same parameters all over
def _notes(removed: tuple[tuple[str, str], ...]) -> tuple[Note, ...]:
    """Make one note a kind, with each name once."""
    kinds: dict[str, dict[str, None]] = {}
    for kind, name in removed:
        kinds.setdefault(kind, {})[name] = None
    return tuple(
        (_CODES[kind], f"{kind} removed: {quoted(', '.join(names))[1:-1]}")
        for kind, names in kinds.items()
    )
