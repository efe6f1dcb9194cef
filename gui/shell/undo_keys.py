"""Whose Ctrl+Z it is: of the text that is being typed, else of the window.

Every editor of Qt keeps the keys of undo and redo to itself, even where it has nothing to take
back. Here it keeps them only while its text is not taken yet; otherwise they reach the window,
whose undo is that of the page, or of the document.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_KEYS = {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress}


class UndoKeys(QObject):
    """Watches the editor of `window` that has the focus."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("undo_keys")
        self._window = window
        self._watched: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys to what is around the editor where it has no use for them."""
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        undo = event.matches(QKeySequence.StandardKey.Undo)
        redo = event.matches(QKeySequence.StandardKey.Redo)
        if not (undo or redo) or _keeps(watched, undo):
            return False
        event.ignore()
        return True

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and shiboken6.isValid(self._watched):
            self._watched.removeEventFilter(self)
        text = _text_of(new) if new is not None and self._is_inside(new) else None
        self._watched = new if text is not None else None
        if self._watched is not None:
            self._watched.installEventFilter(self)
        if isinstance(new, QAbstractSpinBox) and isinstance(text, QLineEdit):
            # a line says by itself that its text was taken, a box with a number does not
            unique = Qt.ConnectionType.UniqueConnection
            new.editingFinished.connect(self._take, unique)

    def _take(self) -> None:
        text = _text_of(self._watched)
        if isinstance(text, QLineEdit):
            text.setModified(False)

    def _is_inside(self, widget: QWidget) -> bool:
        """Whether a widget is in the window or in one of its docks that floats."""
        window = widget.window()
        floats = isinstance(window, QDockWidget) and window.parentWidget() is self._window
        return window is self._window or floats


def _text_of(widget: QObject | None) -> QLineEdit | QPlainTextEdit | QTextEdit | None:
    """What is typed into, of an editor that has the focus."""
    if isinstance(widget, QAbstractSpinBox | QComboBox):
        return widget.lineEdit()
    return widget if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit) else None


def _keeps(editor: QObject, undo: bool) -> bool:
    """Whether an editor has text of its own to take back, or to bring back."""
    text = _text_of(editor)
    if isinstance(text, QLineEdit):
        return text.isModified() and text.isUndoAvailable() if undo else text.isRedoAvailable()
    if text is None:
        return False
    page = text.document()
    return page.isModified() and page.isUndoAvailable() if undo else page.isRedoAvailable()
