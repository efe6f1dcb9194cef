"""The published models: pages of pure functions, each with its equations, source and domain."""
