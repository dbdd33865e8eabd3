"""How much of a video a sitemap tells.

https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
"""

from __future__ import annotations

from typing import Final

#: Characters. The schema and Google's Media RSS section say 100, its video page no longer does.
MOST_TITLE: Final = 100
MOST_DESCRIPTION: Final = 2048

MOST_TAGS: Final = 32
