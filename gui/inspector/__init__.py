"""The inspector: what is selected, with every field editable."""

from gui.inspector.inspector import Inspector

__all__ = ["Inspector"]
