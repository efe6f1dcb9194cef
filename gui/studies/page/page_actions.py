"""The actions of a study's page: its checks by simulation, and its answer as text."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

LONGER = 10  # times as much is simulated by the longer check


def study_actions(parent: QObject) -> tuple[QAction, QAction, QAction]:
    """To check, to check for longer, and to copy."""
    return (
        _action(
            parent,
            "study_check",
            "Check by simulation",
            "Simulate the chosen case message by message, and draw what comes out, with its 95 % "
            "confidence intervals, over the prediction",
        ),
        _action(
            parent,
            "study_check_longer",
            "Narrower intervals",
            f"Simulate {LONGER} times as much, which makes the confidence intervals about a third "
            "as wide",
        ),
        _action(
            parent, "study_copy", "Copy answer", "The answer with its figures and reasons, as text"
        ),
    )


def _action(parent: QObject, name: str, text: str, hint: str) -> QAction:
    action = QAction(text, parent)
    action.setObjectName(name)
    action.setToolTip(hint)
    return action
