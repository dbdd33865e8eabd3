"""Sources over HTTP: fetched whole, within limits, from public addresses only.

    with HttpClient(options, limits, spool, report) as client:
        source = client.fetch("https://example.com/feed.rss")

Importing this package imports requests, so do it only where something is fetched.
"""

from __future__ import annotations

from converter.sources.http.client import HttpClient

__all__ = ["HttpClient"]
