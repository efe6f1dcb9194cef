"""Checks by simulation: messages one by one on their way through a network."""
