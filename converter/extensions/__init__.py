"""Reads and writes what formats share: Media RSS, podcast, image, video and news elements."""
