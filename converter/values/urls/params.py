"""Parameters that tell of the visit and not of the page (mapping 6.1, steps 14 to 16; 6.5; 6.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from typing import Protocol, TypeAlias, TypeVar

from converter.issues import Code
from converter.values.patterns import lazy
from converter.values.urls import spelling
from converter.values.urls.notes import Note, shown

__all__ = ["SESSION", "SESSION_IF_LONG", "TRACKING", "Names", "Rules"]

T = TypeVar("T")


class _Options(Protocol):
    """The options that `Rules` are made of."""

    @property
    def keep_params(self) -> tuple[str, ...]: ...
    @property
    def drop_params(self) -> tuple[str, ...]: ...
    @property
    def keep_tracking(self) -> bool: ...
    @property
    def keep_session_ids(self) -> bool: ...


@dataclass(slots=True, eq=False)
class Names:
    """A set of parameter names, exact or by prefix; case is no matter."""

    exact: frozenset[str]
    prefixes: tuple[str, ...] = ()

    @classmethod
    def of(cls, patterns: Iterable[str]) -> Names:
        """Read names in any case and encoding; a `*` at the end makes a prefix of one."""
        exact, prefixes = set(), []
        for pattern in patterns:
            name = spelling.encoded(pattern.removesuffix("*")).lower()
            if pattern.endswith("*"):
                prefixes.append(name)
            else:
                exact.add(name)
        return cls(frozenset(exact), tuple(prefixes))

    def __contains__(self, lowered: str) -> bool:
        return lowered in self.exact or lowered.startswith(self.prefixes)

    def __or__(self, other: Names) -> Names:
        return Names(self.exact | other.exact, self.prefixes + other.prefixes)


#: Core: the rules of Apache Nutch (regex-normalize.xml.template) and of ural
#: (https://github.com/medialab/ural); the rest are the documented names of shop systems and
#: application servers.
_SESSION = """
phpsessid phpsessionid jsessionid aspsessionid* asp.net_sessionid sessionid session_id session-id
_session_id sessid lsid bv_sid bv_sessionid bv_engineid cfid cftoken oscsid zenid xtcsid mscsid
wosid gsessionid
"""
#: `sid=789` stands in a URL that Google recommends, so these must look like a session id too
#: (https://developers.google.com/search/docs/crawling-indexing/url-structure).
_SESSION_IF_LONG = "sid s session sess ssid"
#: From ClearURLs (https://github.com/ClearURLs/Rules), ural and Nutch. Not here, for they may
#: select content: ref ref_src source campaign cid id spm cmpid feature at_* xtor sc_* trk amp.
_TRACKING = """
utm_* mtm_* pk_campaign pk_kwd pk_source pk_medium pk_content pk_cid
itm_campaign itm_medium itm_source hmb_campaign hmb_medium hmb_source
gclid gclsrc dclid gbraid wbraid srsltid _gl _ga fbclid fb_action_ids fb_action_types fb_source
fb_ref msclkid yclid ysclid _openstat twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok
_hsenc _hsmi __hssc __hstc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id wickedid
rb_clickid s_cid ml_subscriber ml_subscriber_hash __twitter_impression echobox guccounter
"""

SESSION = Names.of(_SESSION.split())
SESSION_IF_LONG = Names.of(_SESSION_IF_LONG.split())
TRACKING = Names.of(_TRACKING.split())
_NOBODY = Names(frozenset())

#: ASP.NET without cookies: https://learn.microsoft.com/dotnet/api/system.web.httpcookiemode
_SESSION_SEGMENT = lazy(r"/\((?:X\(1\))?S\([0-9A-Za-z_-]{24}\)\)(?=/)", re.IGNORECASE)

#: `;` too: https://www.w3.org/TR/html401/appendix/notes.html#h-B.2.2
_PIECE = lazy(r"[&;][^&;]*+")
#: A path parameter ends where the next one, or the next segment, begins.
_PATH_PUNCTUATION = lazy(r"([/;])")
#: What goes, in the words of its note; not the codes, for an Enum is hashed ten times as long.
_SESSION_IDS, _PARAMETERS = "session id", "parameters"
_IF_LONG = "session id, if it is long"
_CODES = {_SESSION_IDS: Code.URL_SESSION_ID_REMOVED, _PARAMETERS: Code.URL_TRACKING_REMOVED}

_Removed: TypeAlias = list[tuple[str, str]]
"""What the names are, and the names."""
_Verdict: TypeAlias = tuple[list[bool], _Removed, bool]
"""Which parameters stay, what goes, and whether more may go if a value is long."""

#: Where the path of an http(s) URL can begin at the earliest.
_HTTP_CHARS = len("http://a")

#: How many names and queries are remembered, and how long they may be.
_MOST_KNOWN, _MOST_CHARS = 1024, 256

#: Of a parameter. What is left are names.
_VALUE = lazy("=[^&;]*+")

_LIKE_SESSION_ID = lazy(r"(?=[^0-9]*[0-9])[0-9A-Za-z_-]{16,}")
#: There is none without it.
_LONG_VALUE = lazy("=[0-9A-Za-z_-]{16}")


def _remember(known: dict[str, T], key: str, value: T) -> None:
    """Keep what is not too long; if there is too much of it, begin again."""
    if len(key) <= _MOST_CHARS:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[key] = value


class _Kinds(dict[str, str | None]):
    """What parameters are by their names, in whatever spelling: each is judged once."""

    def __init__(self, kept: Names, *kinds: tuple[Names, str]) -> None:
        super().__init__()
        self._judged = (kept, None), *kinds

    def __missing__(self, name: str) -> str | None:
        lowered = name.lower()
        kind = next((kind for names, kind in self._judged if lowered in names), None)
        _remember(self, name, kind)
        return kind


class _Verdicts(dict[str, _Verdict | None]):
    """What becomes of queries without their values, each once: a site has few.

    One look-up takes half as long as a look at each name. None: there are semicolons.
    """

    def __init__(self, kinds: _Kinds) -> None:
        super().__init__()
        self._kinds = kinds

    def __missing__(self, query: str) -> _Verdict | None:
        verdict = None if ";" in query else self._judged(query.split("&"))
        _remember(self, query, verdict)
        return verdict

    def _judged(self, pieces: list[str]) -> _Verdict:
        names = [piece.partition("=")[0] for piece in pieces]
        kinds = [self._kinds[name] for name in names]
        may_stay = {None, _IF_LONG}
        stays = [
            piece != "" and kind in may_stay for piece, kind in zip(pieces, kinds, strict=True)
        ]
        gone = [
            (kind, name)
            for kind, name in zip(kinds, names, strict=True)
            if kind is not None and kind != _IF_LONG
        ]
        return stays, gone, _IF_LONG in kinds


@dataclass(slots=True, kw_only=True)
class Rules:
    """Which parameters go. What is to be kept wins over everything."""

    keep_params: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()
    keep_tracking: bool = False
    keep_session_ids: bool = False
    _kept: Names = field(init=False, repr=False, compare=False)
    _session: Names = field(init=False, repr=False, compare=False)
    _kinds: _Kinds = field(init=False, repr=False, compare=False)
    _verdicts: _Verdicts = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tracking = Names.of(self.drop_params) | (_NOBODY if self.keep_tracking else TRACKING)
        session = _NOBODY if self.keep_session_ids else SESSION
        if_long = _NOBODY if self.keep_session_ids else SESSION_IF_LONG
        kept = Names.of(self.keep_params)
        kinds = _Kinds(kept, (tracking, _PARAMETERS), (session, _SESSION_IDS), (if_long, _IF_LONG))
        self._kept = kept
        self._session = session
        self._kinds = kinds
        self._verdicts = _Verdicts(kinds)

    @classmethod
    def of(cls, options: _Options) -> Rules:
        """Take the rules out of what was asked for."""
        return cls(
            keep_params=options.keep_params,
            drop_params=options.drop_params,
            keep_tracking=options.keep_tracking,
            keep_session_ids=options.keep_session_ids,
        )

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
        kept = self._query(query, removed) if query else query
        if not removed:
            return url, ()
        return f"{head}{mark}{kept}" if kept or not query else head, _notes(tuple(removed))

    def _path(self, path: str, removed: _Removed) -> str:
        head, *rest = _PATH_PUNCTUATION.split(path)
        kept = [head]
        for mark, text in zip(rest[::2], rest[1::2], strict=True):
            name = text.partition("=")[0].lower()
            if mark == ";" and name in self._session and name not in self._kept:
                removed.append((_SESSION_IDS, name))
            else:
                kept += mark, text
        bare = "".join(kept)
        path = _SESSION_SEGMENT.sub("", bare)
        if path != bare:
            removed.append((_SESSION_IDS, "a path segment of ASP.NET"))
        # what is left may be a dot segment: `/a/..;jsessionid=1`
        return spelling.without_dot_segments(path) if removed else path

    def _query(self, query: str, removed: _Removed) -> str:
        """Leave out what goes, and if something does, what is empty."""
        verdict = self._verdicts[_VALUE.sub("=", query)]
        if verdict is None or (verdict[2] and _LONG_VALUE.search(query)):
            return self._query_by_values(query, removed)
        stays, gone, _ = verdict
        if not gone:
            return query
        removed += gone
        return "&".join(compress(query.split("&"), stays))

    def _query_by_values(self, query: str, removed: _Removed) -> str:
        """Take each piece by itself, as any query can be; each takes the mark before it along."""
        kinds, pieces = self._kinds, _PIECE.findall(f"&{query}")
        kept = [
            piece
            for piece in pieces
            if kinds[piece[1:].partition("=")[0]] is None or not self._goes(piece[1:], removed)
        ]
        if len(kept) == len(pieces):
            return query
        return "".join([piece for piece in kept if len(piece) > 1])[1:]

    def _goes(self, piece: str, removed: _Removed) -> bool:
        name, _, value = piece.partition("=")
        kind = self._kinds[name]
        if kind == _IF_LONG:
            kind = _SESSION_IDS if _LIKE_SESSION_ID.fullmatch(value) else None
        if kind is None:
            return False
        removed.append((kind, name))
        return True


@lru_cache(maxsize=64)
def _notes(removed: tuple[tuple[str, str], ...]) -> tuple[Note, ...]:
    """One note a kind, with each name once. A site has the same parameters all over."""
    kinds = dict.fromkeys(kind for kind, _ in removed)
    return tuple([_note(kind, [name for its, name in removed if its == kind]) for kind in kinds])


def _note(kind: str, names: Iterable[str]) -> Note:
    return _CODES[kind], f"{kind} removed: {shown(', '.join(dict.fromkeys(names)))[1:-1]}"
