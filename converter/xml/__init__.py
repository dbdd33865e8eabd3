"""Reading and writing XML: names, a hardened parser, repairs, escaping."""
