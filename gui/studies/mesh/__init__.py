"""The picture of a mapping: processes on the nodes of a network."""
