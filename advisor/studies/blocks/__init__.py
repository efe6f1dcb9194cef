"""Study: how large a block of a wavefront should be."""
