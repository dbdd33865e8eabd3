"""Updates what is published already: existing entries stay in their places, new ones follow."""
