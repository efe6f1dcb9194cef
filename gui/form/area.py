"""The place of a form: scrolls when it is long, and is as wide as the form needs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.basics.theme import GRID

_LEAST = 28 * GRID


class FormArea(QScrollArea):
    """A form that scrolls upwards and downwards only."""

    def __init__(self, form: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._form = form
        self.setObjectName("study_form_scroll")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(form)
        form.installEventFilter(self)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Widen with the form."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def sizeHint(self) -> QSize:
        """As large as the form is now: Qt remembers what it was at first."""
        return self._form.sizeHint()

    def fit(self) -> None:
        """Be as wide as the form needs."""
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(max(self._form.minimumSizeHint().width() + bar, _LEAST))
