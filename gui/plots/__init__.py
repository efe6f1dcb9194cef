"""Plots that are zoomed, copied and exported."""
