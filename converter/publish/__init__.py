"""Publishes an output whole or not at all: one file, a set of files in a folder, or a stream."""
