"""The board: the schedule and the graph, and the hands that change them."""
