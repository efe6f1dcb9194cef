"""Plans as other programs carry them out, one file each."""
