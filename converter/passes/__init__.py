"""What happens to entries between reader and writer: from entries to entries, one at a time."""
