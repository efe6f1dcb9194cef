"""Docks and pages about the plan on the board, and the evidence."""
