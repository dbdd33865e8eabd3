"""Names, passwords and headers: used for the hosts that were named, shown and written nowhere."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

from requests import Session
from requests.utils import get_netrc_auth

from converter.edge.web.headers import canonical, without_credentials

__all__ = ["Keys"]

_AUTHORIZATION = "authorization"


class Keys:
    """What may be sent where. A document from outside names no host: it could be its maker's.

    So a redirect to another host, and a page that a document leads to elsewhere, get nothing;
    not even what netrc has for them. The same host under another port is another, and http is
    none for keys that were meant for https.
    """

    def __init__(self, headers: tuple[tuple[str, str], ...], session: Session) -> None:
        self._headers = dict(headers)
        self._must_strip: Callable[[str, str], bool] = session.should_strip_auth
        self._lock = threading.Lock()
        self._named: dict[str, str | None] = {}

    def name(self, url: str) -> str:
        """Remember a host that was named, and give the URL without what may be in it.

        Raises:
            ValueError: it is none.
        """
        clean = without_credentials(url)
        userinfo, at, _ = urlsplit(url).netloc.rpartition("@")
        origin = _origin(canonical(clean))
        with self._lock:
            if at or origin not in self._named:
                self._named[origin] = _basic(*userinfo.partition(":")[::2]) if at else None
        return clean

    def of(self, url: str) -> Mapping[str, str]:
        """Give the headers that this URL may be asked with."""
        with self._lock:
            named = dict(self._named)
        same = _origin(url)
        origins = sorted(named, key=lambda origin: origin != same)  # the very same first
        for origin in origins:
            if not self._must_strip(origin, url):
                return self._given(origin, named[origin])
        return {}

    def _given(self, origin: str, basic: str | None) -> Mapping[str, str]:
        if any(name.lower() == _AUTHORIZATION for name in self._headers) and not basic:
            return self._headers
        if basic is None and (found := get_netrc_auth(origin)):
            basic = _basic(*found, is_quoted=False)
        others = {n: v for n, v in self._headers.items() if n.lower() != _AUTHORIZATION}
        return others | ({"Authorization": basic} if basic else {})


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}/"


def _basic(user: str, password: str, *, is_quoted: bool = True) -> str:
    """In UTF-8, as RFC 7617 recommends."""
    if is_quoted:
        user, password = unquote(user), unquote(password)
    given = f"{user}:{password}".encode("utf-8", "surrogateescape")
    return f"Basic {base64.b64encode(given).decode()}"
