"""One example of everything that can be added: one file each, and one line in its registry."""
