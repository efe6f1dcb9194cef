"""The small field at the pointer that asks what the flows just drawn carry."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QVBoxLayout, QWidget

from advisor.basics import entries
from advisor.project.graph_edits import DataSets
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID
from gui.basics.validation_style import mark_wrong
from gui.form.error_label import error_label
from machines.errors import PlacewiseError

_WIDTH = 28 * GRID
_AWAY = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class DataField(QFrame):
    """Asks once: Enter takes the data; Esc, an empty entry or a click elsewhere leaves it at none.

    `take`: gets the data; a PlacewiseError that it raises is shown.
    """

    def __init__(
        self, what: str, take: Callable[[DataSets], object], parent: QWidget, at: QPoint
    ) -> None:
        super().__init__(parent)
        self.setObjectName("data-field")
        self.setProperty("role", "card")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._take, self._view, self._at = take, parent, at
        self._done = False
        title = QLabel(what)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setProperty("role", "headline")
        title.setText(title.fontMetrics().elidedText(what, Qt.TextElideMode.ElideMiddle, _WIDTH))
        self.editor = QLineEdit(self)
        self.editor.setObjectName("data-field-editor")
        self.editor.setAccessibleName("Data of the flow")
        self.editor.setToolTip("A size or count × bytes, separated by semicolons: 2 GB; 100 × 2048")
        self.editor.setPlaceholderText("Data, e.g. 2 GB")
        self.editor.setMinimumWidth(_WIDTH)
        self.message = error_label("data-field-error")
        self.message.setMaximumWidth(_WIDTH)
        self._hint = QLabel("Enter sets it, Esc leaves it at no data")
        self._hint.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(4)
        for widget in (title, self.editor, self.message, self._hint):
            column.addWidget(widget)
        self.editor.returnPressed.connect(self._finish)
        self.editor.textEdited.connect(lambda _text: self._show(""))
        self.editor.installEventFilter(self)
        self._place()
        self.show()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def dismiss(self) -> None:
        """Go away; the flows have no data unless they were taken."""
        if self._done:
            return
        self._done = True
        if self.editor.hasFocus():
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Who goes on elsewhere leaves the flows without data."""
        leaves = isinstance(event, QFocusEvent) and event.lostFocus()
        if leaves and isinstance(event, QFocusEvent) and event.reason() not in _AWAY:
            self.dismiss()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; what the editor has no use for is not for the board either."""
        event.accept()
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on its edge is no click on the board."""
        event.accept()

    def _finish(self) -> None:
        try:
            data = entries.data_sets(self.editor.text())
            if data:
                self._take(data)
        except PlacewiseError as error:
            self._show(sentence(error))
            return
        self.dismiss()

    def _show(self, wrong: str) -> None:
        self.message.setText(wrong)
        self.message.setVisible(bool(wrong))
        self._hint.setVisible(not wrong)
        mark_wrong(self.editor, bool(wrong))
        self._place()

    def _place(self) -> None:
        """Beside the pointer, inside the view."""
        layout, room = self.layout(), self._view.rect()
        assert layout is not None
        layout.activate()
        width = self.sizeHint().width()
        height = max(self.sizeHint().height(), layout.totalHeightForWidth(width))
        x = min(self._at.x() + GRID, room.width() - width - GRID)
        y = min(self._at.y() + GRID, room.height() - height - GRID)
        self.setGeometry(max(0, x), max(0, y), width, height)
