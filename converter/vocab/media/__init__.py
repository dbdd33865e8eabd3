"""Media RSS, enclosures and YouTube's words: an entry's media objects (mapping 3.5 to 3.9).

https://www.rssboard.org/media-rss (1.5.1). `gather` finds the objects and their renditions,
`choose` picks the best one of each, `describe` resolves what is said of them at which level,
`assemble` makes the model's videos, images and audios of all that.
"""

from converter.vocab.media.assemble import Media, assemble
from converter.vocab.media.gather import Member, Setting, enclosure_of
from converter.vocab.media.names import INHERITED, NAMES

__all__ = ["INHERITED", "NAMES", "Media", "Member", "Setting", "assemble", "enclosure_of"]
