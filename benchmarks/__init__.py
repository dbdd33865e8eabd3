"""Time and memory of feed2sitemap, compared with those of other programs."""
