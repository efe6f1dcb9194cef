"""A parameter of a study: one field of its record."""
