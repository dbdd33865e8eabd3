"""Names, passwords and headers: used for the hosts that were named, shown and written nowhere."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from netrc import NetrcParseError
from urllib.parse import unquote, urlsplit

from requests import Session
from requests.utils import get_netrc_auth

from converter.issues import Code, Issue, Report
from converter.sources.http.headers import canonical
from converter.values.urls import syntax


class Credentials:
    """What may be sent where. A document from outside names no host: it could be its maker's.

    So a redirect to another host, and a page that a document leads to elsewhere, get nothing;
    not even what netrc has for them. The same host under another port is another, and http is
    none for keys that were meant for https.
    """

    def __init__(self, headers: tuple[tuple[str, str], ...]) -> None:
        self._headers = dict(headers)
        self._others = {n: v for n, v in headers if n.lower() != "authorization"}
        self._must_strip: Callable[[str, str], bool] = Session().should_strip_auth
        self._named: dict[str, str | None] = {}
        self._is_netrc_broken = False

    def name(self, url: str, report: Report) -> Mapping[str, str]:
        """Remember a host that was named; give the credentials in the URL, by their host.

        Raises:
            ValueError: it is none.
        """
        userinfo, at, _ = urlsplit(url).netloc.rpartition("@")
        origin = _origin(canonical(syntax.remove_userinfo(url)))
        if at:
            user, _, password = userinfo.partition(":")
            own = {origin: _basic(unquote(user), unquote(password))}
            self._named.update(own)
            return own
        if origin not in self._named:
            self._named[origin] = self._from_netrc(origin, report)
        return {}

    def _from_netrc(self, origin: str, report: Report) -> str | None:
        if self._is_netrc_broken or self._headers != self._others:
            return None
        try:
            found = get_netrc_auth(origin, raise_errors=True)
        except (NetrcParseError, UnicodeDecodeError, OSError) as error:
            self._is_netrc_broken = True
            # Where it is broken, and nothing that stands in it.
            reason = getattr(error, "strerror", None) or "it is not UTF-8"
            if isinstance(error, NetrcParseError):
                line = error.lineno
                reason = f"line {line} is none of its kind" if line else "it is broken"
            said = f"netrc cannot be read ({reason}); nothing of it is used"
            report(Issue(code=Code.NETRC_UNREADABLE, message=said))
            return None
        return _basic(*found) if found else None

    def of(self, url: str, own: Mapping[str, str]) -> Mapping[str, str]:
        """Give the headers that this URL may be asked with.

        Args:
            url: what is asked for.
            own: what `name` gave for the URL that has led there: it goes before what is known of
                its host from others.
        """
        named = {**self._named, **own}
        same = _origin(url)
        for origin in sorted(named, key=lambda origin: origin != same):  # the very same first
            if not self._must_strip(origin, url):
                basic = named[origin]
                return self._others | {"Authorization": basic} if basic else self._headers
        return {}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}/"


def _basic(user: str, password: str) -> str:
    """In UTF-8, as RFC 7617 recommends."""
    given = f"{user}:{password}".encode("utf-8", "surrogateescape")
    return f"Basic {base64.b64encode(given).decode()}"
