"""The papers' figures, redrawn by the models, with the printed numbers in their places."""
