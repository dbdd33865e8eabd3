"""From the name of a source to a rewindable stream and its format: files, HTTP, discovery."""
