"""Plans, mappings and trees as files for other programs: one module a program, in `registry`."""
