"""Study: which allocation is best at which load."""
