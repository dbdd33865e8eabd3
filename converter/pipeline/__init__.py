"""From documents to the parts of an output: read, transform, render, de-duplicate, split."""
