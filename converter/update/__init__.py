"""Keeps an existing sitemap up to date: `--update`, `--merge`, `--expire` and `--drop`."""
