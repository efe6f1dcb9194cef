"""The pages of the centre, one of which is in sight."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class Pages(QStackedWidget):
    """As narrow as the page in sight can be: Qt's own is as wide as the widest ever built."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pages")
        self.currentChanged.connect(lambda _index: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """What the page in sight needs, so that docks beside it have their share."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()
