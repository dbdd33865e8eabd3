"""The `video:video` elements of a page: sitemap-video 1.1 (mapping 2.2, 3.7 and 3.8).

https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps

`required` decides whether a video has what the schema requires, with the page's values for videos
without their own; `write` writes the elements, and `read` reads them.
"""

from converter.extensions.video.read import read
from converter.extensions.video.write import write_videos

__all__ = ["read", "write_videos"]
