"""Rules for sitemaps, feeds, lists and robots.txt, and the command `check` that applies them."""
