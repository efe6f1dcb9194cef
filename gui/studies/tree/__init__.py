"""The picture of a tree of processes: drawn, played and reshaped."""
