"""The map of the best fan-outs."""
