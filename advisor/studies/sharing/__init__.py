"""Study: why the two readings of contention differ."""
