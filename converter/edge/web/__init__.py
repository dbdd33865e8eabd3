"""Sources over HTTP: fetched whole, within limits, from public addresses only.

    with Web(options, limits, spool, report) as web:
        source = web.fetch("https://example.com/feed.rss")

Importing this package imports requests, so do it only where something is fetched.
"""

from __future__ import annotations

from converter.edge.web.client import Web

__all__ = ["Web"]
