"""What pictures that are edited by hand share: bars, strips, layers, dragging, export."""
