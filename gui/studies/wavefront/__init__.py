"""The Gantt chart of a wavefront in blocks."""
