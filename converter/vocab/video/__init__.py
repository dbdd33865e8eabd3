"""The `video:video` elements of a page: sitemap-video 1.1 (mapping 2.2, 3.7 and 3.8).

https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps

`fallback` is what the page lends to videos that say nothing themselves, `choose` picks addresses
and pictures, `clip` decides whether there is a video to tell of, `rows` tells it. `reading` is the
way back.
"""

from converter.vocab.video.block import Block, blocks
from converter.vocab.video.reading import read

__all__ = ["Block", "blocks", "read"]
