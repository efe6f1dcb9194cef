"""The view of the study's picture."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.studies.picture.pictures import PictureView
from tests.dummies.study.picture import Die


class DieView(PictureView):
    """Says what die it is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel()
        QVBoxLayout(self).addWidget(self.label)

    def set_picture(self, picture: object) -> None:
        """Show another die."""
        if isinstance(picture, Die):
            self.label.setText(f"A die of {picture.sides} sides")

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old die dimmed."""
        self.label.setEnabled(not dimmed)
