"""How what is wrong looks: a sign, so that colour is not alone, and the style sheet's `wrong`."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

SIGN = "\u26a0"


def mark_wrong(widget: QWidget, wrong: bool) -> None:
    """Let a field or a label look wrong, or right again."""
    if bool(widget.property("wrong")) != wrong:
        widget.setProperty("wrong", wrong)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()  # else the mark is first seen with the next key or hover
