"""Study: which process runs on which node."""
