"""Sliders and boxes that the wheel changes only while they have the keyboard.

Without it the wheel goes on to what scrolls: nobody who scrolls a form means to edit it. A click
or Tab gives the keyboard, the wheel itself does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QSpinBox, QWidget

if TYPE_CHECKING:
    _Base: TypeAlias = QWidget
else:
    _Base = object


class WheelNeedsFocus(_Base):
    """Mixed into an input before its class of Qt."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Change the value with the focus; else let what is around scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ValueSlider(WheelNeedsFocus, QSlider):
    """A slider."""


class ChoiceBox(WheelNeedsFocus, QComboBox):
    """A list of choices."""


class NumberBox(WheelNeedsFocus, QSpinBox):
    """A whole number."""
