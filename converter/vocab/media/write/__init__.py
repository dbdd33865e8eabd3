"""Writes Media RSS, the same inside RSS and Atom: https://www.rssboard.org/media-rss.

Each object has all the elements that hold for it, so that nothing is inherited: elements of the
item would hold for its other objects too. What validators refuse is never written (mapping 4.1).
"""

from converter.vocab.media.write.files import enclosures
from converter.vocab.media.write.objects import Objects, objects

__all__ = ["Objects", "enclosures", "objects"]
