"""The `video:video` elements of a page: sitemap-video 1.1 (mapping 2.2, 3.7 and 3.8).

https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps

`required` decides whether a video has what the schema requires, with the page's values for videos
without their own; `elements` writes one element each. `reading` reads them.
"""

from converter.extensions.video.elements import videos
from converter.extensions.video.read import read

__all__ = ["read", "videos"]
