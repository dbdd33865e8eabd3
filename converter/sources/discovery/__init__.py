"""Finds the feeds and sitemaps that web pages, OPML lists and paginated feeds name."""
