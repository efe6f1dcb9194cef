"""The editors of a row: a line to write in, or a list to choose from; both speak alike.

`finished` says that the user is done with a text, `escaped` that the present value shall come
back. Either is modified from the user's change until its text was taken or given up.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit


class Line(QLineEdit):
    """A line of text."""

    finished = Signal()
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.editingFinished.connect(self.finished)

    def show_text(self, text: str, _choices: tuple[str, ...]) -> None:
        """Show `text` as not modified."""
        self.setText(text)
        self.setCursorPosition(0)
        self.setModified(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape in changed text is told."""
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self.escaped.emit()
            return
        super().keyPressEvent(event)


class Choice(QComboBox):
    """A list of choices; the wheel scrolls the sheet and chooses nothing."""

    finished = Signal()
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._modified = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.activated.connect(self._chosen)

    def text(self) -> str:
        """The chosen text."""
        return self.currentText()

    def isModified(self) -> bool:
        """Whether it holds a choice of the user's that is not taken yet."""
        return self._modified

    def setModified(self, modified: bool) -> None:
        """As of a line."""
        self._modified = modified

    def selectAll(self) -> None:
        """As of a line: nothing."""

    def show_text(self, text: str, choices: tuple[str, ...]) -> None:
        """Show `text` among the choices, as not modified."""
        if [self.itemText(place) for place in range(self.count())] != list(choices):
            self.clear()
            self.addItems(list(choices))
        self.setCurrentIndex(self.findText(text))
        self._modified = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape brings the present value back."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the sheet."""
        event.ignore()

    def _chosen(self, _index: int) -> None:
        self._modified = True
        self.finished.emit()
