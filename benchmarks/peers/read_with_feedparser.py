"""Read a feed with feedparser, and print how many entries it has."""

import sys

import feedparser

print(len(feedparser.parse(sys.argv[1]).entries))
