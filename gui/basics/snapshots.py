"""A view as it is now, apart from its widget: another thread may draw it.

Views keep what they draw as frozen values. A still has those of a moment and the drawing of the
view, but nothing of Qt's behind it: whatever would ask the widget fails at once.
"""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject

View = TypeVar("View", bound=QObject)


def snapshot_of(view: View) -> View:
    """What a view knows now; the objects of Qt that it has are left out."""
    made: View = type(view).__new__(type(view))
    vars(made).update(
        {name: value for name, value in vars(view).items() if not isinstance(value, QObject)}
    )
    return made
