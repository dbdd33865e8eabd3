"""Parameters that tell of the visit and not of the page (mapping 6.1, steps 14 to 16; 6.5; 6.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from converter.issues import Code
from converter.options import PassOptions
from converter.record import field, record
from converter.values.urls import spelling
from converter.values.urls.notes import Note, shown

__all__ = ["SESSION", "SESSION_IF_LONG", "TRACKING", "Names", "Rules"]


@record(kw_only=False)
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
_SESSION_SEGMENT = re.compile(r"/\((?:X\(1\))?S\([0-9A-Za-z_-]{24}\)\)(?=/)", re.IGNORECASE)

#: `;` too: https://www.w3.org/TR/html401/appendix/notes.html#h-B.2.2
_SEPARATOR = re.compile(r"([&;])")
_NAME = re.compile(r"[?&]([^=&]*)")
#: A path parameter ends where the next one, or the next segment, begins.
_PATH_PUNCTUATION = re.compile(r"([/;])")
_LIKE_SESSION_ID = re.compile(r"(?=[^0-9]*[0-9])[0-9A-Za-z_-]{16,}")


@record
class Rules:
    """Which parameters go. What is to be kept wins over everything."""

    keep_params: tuple[str, ...] = ()
    drop_params: tuple[str, ...] = ()
    keep_tracking: bool = False
    keep_session_ids: bool = False
    _kept: Names = field(init=False, repr=False, compare=False)
    _tracking: Names = field(init=False, repr=False, compare=False)
    _session: Names = field(init=False, repr=False, compare=False)
    _session_if_long: Names = field(init=False, repr=False, compare=False)
    _suspects: Names = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tracking = Names.of(self.drop_params) | (_NOBODY if self.keep_tracking else TRACKING)
        session = _NOBODY if self.keep_session_ids else SESSION
        if_long = _NOBODY if self.keep_session_ids else SESSION_IF_LONG
        for name, value in (
            ("_kept", Names.of(self.keep_params)),
            ("_tracking", tracking),
            ("_session", session),
            ("_session_if_long", if_long),
            ("_suspects", tracking | session | if_long),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, options: PassOptions) -> Rules:
        """Take the rules out of what was asked for."""
        return cls(
            keep_params=options.keep_params,
            drop_params=options.drop_params,
            keep_tracking=options.keep_tracking,
            keep_session_ids=options.keep_session_ids,
        )

    def may_strip(self, url: str) -> bool:
        """Could there be something to strip from a URL? Asked first, for it is answered fast."""
        if "(" in url or ";" in url:
            return True
        suspects = self._suspects
        return "?" in url and any(name in suspects for name in _NAME.findall(url.lower()))

    def stripped(self, parts: spelling.Parts) -> tuple[spelling.Parts, tuple[Note, ...]]:
        """Take session ids and tracking out of path and query; `parts` itself if there are none."""
        removed: list[tuple[Code, str]] = []
        path, query = parts.path, parts.query
        if not self.keep_session_ids and (";" in path or "(" in path):
            path = self._path(path, removed)
        if query:
            query = self._query(query, removed)
        if not removed:
            return parts, ()
        return parts._replace(path=path, query=query), _notes(removed)

    def _path(self, path: str, removed: list[tuple[Code, str]]) -> str:
        before = len(removed)
        head, *rest = _PATH_PUNCTUATION.split(path)
        kept = [head]
        for mark, text in zip(rest[::2], rest[1::2], strict=True):
            name = text.partition("=")[0].lower()
            if mark == ";" and name in self._session and name not in self._kept:
                removed.append((Code.URL_SESSION_ID_REMOVED, name))
            else:
                kept += mark, text
        bare = "".join(kept)
        path = _SESSION_SEGMENT.sub("", bare)
        if path != bare:
            removed.append((Code.URL_SESSION_ID_REMOVED, "a path segment of ASP.NET"))
        # what is left may be a dot segment: `/a/..;jsessionid=1`
        return path if len(removed) == before else spelling.without_dot_segments(path)

    def _query(self, query: str, removed: list[tuple[Code, str]]) -> str | None:
        before = len(removed)
        kept: list[str] = []
        mark = "&"
        for piece in _SEPARATOR.split(query):
            if piece in {"&", ";"}:
                mark = piece
                continue
            name, _, value = piece.partition("=")
            if (code := self._verdict(name.lower(), value)) is not None:
                removed.append((code, name))
            elif piece:
                kept += mark, piece
        if len(removed) == before:
            return query
        return "".join(kept[1:]) or None

    def _verdict(self, name: str, value: str) -> Code | None:
        if name not in self._suspects or name in self._kept:
            return None
        if name in self._tracking:
            return Code.URL_TRACKING_REMOVED
        if name in self._session or _LIKE_SESSION_ID.fullmatch(value):
            return Code.URL_SESSION_ID_REMOVED
        return None


def _notes(removed: list[tuple[Code, str]]) -> tuple[Note, ...]:
    """One note a code, with each name once."""
    names: dict[Code, dict[str, None]] = {}
    for code, name in removed:
        names.setdefault(code, {})[name] = None
    words = {
        Code.URL_SESSION_ID_REMOVED: "session id removed",
        Code.URL_TRACKING_REMOVED: "parameters removed",
    }
    return tuple(
        (code, f"{words[code]}: {shown(', '.join(found))[1:-1]}") for code, found in names.items()
    )
