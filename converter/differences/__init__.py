"""Compare two sets of pages: what was added, removed and changed (docs/comparing.md)."""
