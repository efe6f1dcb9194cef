"""The place of a form: scrolls when it is long, and is as wide as the form needs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from gui.basics.theme import GRID
from gui.form.editors import ChoiceList, LineEditor

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

    @property
    def usual_width(self) -> int:
        """As wide as the form is by itself."""
        return max(self._form.sizeHint().width() + self._bar, _LEAST)

    @property
    def full_width(self) -> int:
        """So wide that no title of a choice is cut."""
        lists = [one for one in self._form.findChildren(ChoiceList) if not one.isHidden()]
        lines = [one for one in self._form.findChildren(LineEditor) if not one.isHidden()]
        column = max((one.sizeHint().width() for one in (*lists, *lines)), default=0)
        more = max((one.full_width - column for one in lists), default=0)
        return self.usual_width + max(0, more)

    @property
    def _bar(self) -> int:
        return self.verticalScrollBar().sizeHint().width()

    def fit(self) -> None:
        """Be as wide as the form needs."""
        self.setMinimumWidth(max(self._form.minimumSizeHint().width() + self._bar, _LEAST))
