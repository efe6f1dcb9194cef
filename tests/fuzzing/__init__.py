"""Mutated files for every reader: no foreign exception, no hang, no memory beyond a gibibyte."""
