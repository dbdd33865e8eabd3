"""What each format has no place for, or holds only altered: field by field (mapping 5).

The tables count, so that no loss is silent; and they are what `feed2sitemap formats` and
docs/formats.md show.
"""
