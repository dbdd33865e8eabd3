"""Text to value and back: pure functions, one module a kind of value."""
