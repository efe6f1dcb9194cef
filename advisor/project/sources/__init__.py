"""Workflows, task graphs and sites in the formats of others, each told by its content."""
