"""Mappings: which process of a program runs on which node of a network, and what that costs."""
