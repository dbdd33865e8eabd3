"""User names, passwords and headers: sent only to the hosts that the user named, never shown."""

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
    """Decides which headers a URL may be requested with.

    A redirect to another host, or a page of another host that a document names, gets nothing, not
    even what netrc has for it: an attacker may have written the document. The same host with
    another port is another host, and credentials for https are not sent over http.
    """

    def __init__(self, headers: tuple[tuple[str, str], ...]) -> None:
        self._headers = dict(headers)
        self._other_headers = {n: v for n, v in headers if n.lower() != "authorization"}
        self._must_strip: Callable[[str, str], bool] = Session().should_strip_auth
        self._by_origin: dict[str, str | None] = {}
        self._is_netrc_broken = False

    def add(self, url: str, report: Report) -> Mapping[str, str]:
        """Remember the host of a URL that the user named; return credentials in it, by origin.

        Raises:
            ValueError: the URL is not valid.
        """
        userinfo, at, _ = urlsplit(url).netloc.rpartition("@")
        origin = _origin(canonical(syntax.remove_userinfo(url)))
        if at:
            user, _, password = userinfo.partition(":")
            credentials = {origin: _basic(unquote(user), unquote(password))}
            self._by_origin.update(credentials)
            return credentials
        if origin not in self._by_origin:
            self._by_origin[origin] = self._from_netrc(origin, report)
        return {}

    def _from_netrc(self, origin: str, report: Report) -> str | None:
        if self._is_netrc_broken or self._headers != self._other_headers:
            return None
        try:
            found = get_netrc_auth(origin, raise_errors=True)
        except (NetrcParseError, UnicodeDecodeError, OSError) as error:
            self._is_netrc_broken = True
            # No content of the file: it may be a password.
            line = getattr(error, "lineno", None)
            reason = getattr(error, "strerror", None) or (f"line {line}" if line else "its format")
            message = f"netrc cannot be read ({reason}); nothing of it is used"
            report(Issue(code=Code.NETRC_UNREADABLE, message=message))
            return None
        return _basic(*found) if found else None

    def headers_for(self, url: str, url_credentials: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers to request a URL with; those that `add` returned take precedence."""
        by_origin = {**self._by_origin, **url_credentials}
        same = _origin(url)
        for origin in sorted(by_origin, key=lambda origin: origin != same):  # the same first
            if not self._must_strip(origin, url):
                basic = by_origin[origin]
                return self._other_headers | {"Authorization": basic} if basic else self._headers
        return {}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}/"


def _basic(user: str, password: str) -> str:
    """Return the value of an Authorization header, in UTF-8 as RFC 7617 recommends."""
    pair = f"{user}:{password}".encode("utf-8", "surrogateescape")
    return f"Basic {base64.b64encode(pair).decode()}"
