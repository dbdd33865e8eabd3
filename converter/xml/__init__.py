"""Reading and writing XML: names, a hardened walk, escaping."""
