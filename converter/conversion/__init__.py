"""One conversion: from opened sources to published files, with its guards and results."""
