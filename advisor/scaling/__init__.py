"""How a program scales with its processors: laws, measurements, fits and what they say."""
