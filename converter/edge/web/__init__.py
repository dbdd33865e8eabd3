"""Sources over HTTP: fetched whole, within limits, from public addresses only.

    with Web(options, limits, spool, report) as web:
        fetched = web.fetch("https://example.com/feed.rss")

requests is imported as the first `Web` is made, so that others need not pay for it.
"""

from __future__ import annotations

from converter.edge.fetched import Fetched
from converter.edge.web.session import Web

__all__ = ["Fetched", "Web"]
