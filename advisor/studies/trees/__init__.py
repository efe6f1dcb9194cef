"""Study: which tree of processes."""
