"""Tables of numbers that are sorted, copied and exported."""
