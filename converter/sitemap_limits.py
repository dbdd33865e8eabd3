"""The limits of sitemaps, each with its source."""

from typing import Final

# https://www.sitemaps.org/protocol.html
MAX_URLS: Final = 50_000
"""In one sitemap, or in one list of URLs."""
MAX_SITEMAPS: Final = 50_000
"""In one index."""
MAX_BYTES: Final = 52_428_800
"""Of one file, uncompressed."""

# https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
MAX_NEWS: Final = 1_000
"""Articles in one sitemap."""

# https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
MAX_IMAGES: Final = 1_000
"""Of one page."""

# https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
MAX_VIDEO_TITLE: Final = 100
"""Characters; by the schema and Google's Media RSS section (its video page has no such limit)."""
MAX_VIDEO_DESCRIPTION: Final = 2048
"""Characters."""
MAX_VIDEO_TAGS: Final = 32
