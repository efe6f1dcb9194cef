"""Forms and their entries: what a declared value is edited with, in studies and the inspector."""
