"""What messages cost their program: styles, patterns, networks, waits and wavefronts in blocks."""
