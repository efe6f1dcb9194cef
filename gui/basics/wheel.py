"""Sliders and boxes that the wheel changes only while they have the keyboard.

Without it the wheel goes on to what scrolls: nobody who scrolls a form means to edit it. A click
or Tab gives the keyboard, the wheel itself does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QSpinBox, QToolTip, QWidget

from gui.basics.tips import plain_tip

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
    """A whole number; what is typed is taken as it is, or refused with the reason."""

    refused = Signal(str)  # why

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.setLocale(QLocale.c())  # others take "2.5" for 25: a point parts thousands there

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let all be typed: a number without the letters that can't be is another number."""
        state, text, position = super().validate(text, position)
        states = QValidator.State
        return states.Intermediate if state == states.Invalid else state, text, position

    def fixup(self, text: str) -> str:
        """Refuse what was typed, unless only its unit is too much: the number stays as it was."""
        typed = self.cleanText()
        bare = typed.removesuffix(self.suffix().strip()).strip()
        once = f"{self.prefix()}{bare}{self.suffix()}"
        if self.validate(once, 0)[0] == QValidator.State.Acceptable:
            return once
        if typed:
            least, most = f"{self.minimum():,}", f"{self.maximum():,}"
            present = f"{self.prefix()}{self.textFromValue(self.value())}{self.suffix()}"
            said = f"“{typed}” is not taken: write a whole number from {least} to {most}. "
            said += f"It is still {present}."
            self.refused.emit(said)
            at = self.mapToGlobal(self.rect().bottomLeft())
            QTimer.singleShot(0, self, lambda: QToolTip.showText(at, plain_tip(said), self))
        return text

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter on what is refused goes no further, to a dialog's button say."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not self.hasAcceptableInput():
            self.interpretText()
            self.selectAll()
            return
        super().keyPressEvent(event)
