"""A form beside what it is about: it gets the width that it would like, where there is room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from gui.form.area import FormArea

_SHARE = 3  # the form gets more than it usually has up to the third part of the width


class FormSplit(QSplitter):
    """A form on the left; the rest is for what is put beside it.

    The form's share follows the width until the user draws the line; from then on it is theirs.
    """

    def __init__(self, form: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("study_splitter")
        self.setChildrenCollapsible(False)
        self._drawn = False
        self.area = FormArea(form)
        self.addWidget(self.area)
        form.installEventFilter(self)
        self.splitterMoved.connect(self._keep)  # by the user alone

    def put_beside(self, widget: QWidget) -> None:
        """Show a widget beside the form."""
        self.addWidget(widget)
        self.setStretchFactor(1, 1)
        self.fit()

    def fit(self) -> None:
        """Show all titles of choices in full, within the form's share."""
        self.area.fit()
        if self._drawn or self.count() < 2:
            return
        width = self.width() - self.handleWidth()
        wanted = max(self.area.usual_width, min(self.area.full_width, width // _SHARE))
        if self.sizes()[0] != wanted:
            self.setSizes([wanted, width - wanted])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the width."""
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the form."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def _keep(self, _place: int, _index: int) -> None:
        self._drawn = True
