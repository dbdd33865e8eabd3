"""Sources over HTTP: fetched whole, within limits, from public addresses only."""
