"""A set that is published already learns what is new: what stands there stays, in its place."""
