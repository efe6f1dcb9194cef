"""Colours of the curves of a plot, in their order: readable on white, and on dark grounds."""

LIGHT = ("#0072B2", "#B34700", "#00664B", "#8A3D77", "#7A5900", "#5A6069")
DARK = ("#56B4E9", "#FF9A5C", "#4FD1A5", "#E29CC9", "#F0E442", "#A3A8B0")
