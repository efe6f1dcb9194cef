"""Whether something offered is better or worse than now: its word, its sign and its colours."""

from __future__ import annotations

from PySide6.QtGui import QColor

from gui.basics.ink import Ink

BETTER, WORSE, SAME, ILLEGAL, PENDING = "better", "worse", "same", "illegal", "pending"
SIGNS = {BETTER: "▼", WORSE: "▲", SAME: "=", ILLEGAL: "", PENDING: ""}


def verdict_colours(ink: Ink, verdict: str) -> tuple[QColor, QColor]:
    """(surface, text) of a pill that says so."""
    if verdict == BETTER:
        return ink.better_surface, ink.better
    if verdict == WORSE:
        return ink.worse_surface, ink.worse
    return ink.surface, ink.text if verdict == SAME else ink.muted
