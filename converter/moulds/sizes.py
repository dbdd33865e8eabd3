"""From which size on the short way is worth its while."""

__all__ = ["FIRST_BYTES"]

#: So much of a document goes the plain way first; small documents altogether.
FIRST_BYTES = 64 * 1024
