"""What each format has no place for, or holds only altered: field by field (mapping 5).

The tables count, so that no loss is silent; and they are what `feed2sitemap formats` and
docs/formats.md show.
"""

from converter.vocab.lost.feeds import in_atom, in_mrss, in_rss
from converter.vocab.lost.sitemaps import in_sitemap, in_txt
from converter.vocab.lost.tables import singular

__all__ = ["in_atom", "in_mrss", "in_rss", "in_sitemap", "in_txt", "singular"]
