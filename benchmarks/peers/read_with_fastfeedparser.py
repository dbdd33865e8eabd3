"""Read a feed with fastfeedparser, and print how many entries it has."""

import sys
from pathlib import Path

import fastfeedparser

print(len(fastfeedparser.parse(Path(sys.argv[1]).read_bytes()).entries))
