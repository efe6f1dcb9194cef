"""The open project: its undo steps, predictions, advice and recovery."""
