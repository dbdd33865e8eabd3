"""The only input and output: sources, sinks, the clock."""
