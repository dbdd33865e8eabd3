"""From what was named to what is read: the feed of a page, the feeds of a list, older pages."""
