"""Study: how large a block of a wavefront shall be."""
