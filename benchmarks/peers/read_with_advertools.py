"""Read a sitemap with advertools, and print how many URLs it has."""

import sys
from pathlib import Path

import advertools

print(len(advertools.sitemap_to_df(Path(sys.argv[1]).resolve().as_uri())))
