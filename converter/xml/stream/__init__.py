"""Walks XML documents of any size, well-formed or not, entry by entry."""

from __future__ import annotations

from converter.xml.stream.faults import line_of
from converter.xml.stream.walk import Walk

__all__ = ["Walk", "line_of"]
