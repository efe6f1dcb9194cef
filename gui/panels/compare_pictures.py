"""The pictures below the table of plans, with a switch between them at the head of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QButtonGroup, QSplitter, QStackedWidget, QToolButton, QWidget

from gui.plots.panel import PlotPanel


class ComparePictures(QStackedWidget):
    """Panels of which one is shown; each leaves the table above as much room as it was given.

    Parameters
    ----------
    panels : sequence of (panel, text, hint, sizes)
        `sizes`: of the table and the picture at first.
    splitter : QSplitter
        What parts the table from the pictures, and takes these.

    Attributes
    ----------
    switches : list of QButtonGroup
        One at the head of each panel; ids are the panels' places.
    """

    def __init__(
        self, panels: Sequence[tuple[PlotPanel, str, str, list[int]]], splitter: QSplitter
    ) -> None:
        super().__init__()
        self.setObjectName("compare_pictures")
        splitter.addWidget(self)
        self._splitter = splitter
        self._sizes = [sizes for _, _, _, sizes in panels]
        self.switches: list[QButtonGroup] = []
        for panel, _, _, _ in panels:
            self.addWidget(panel)
            panel.title.hide()
            switch = QButtonGroup(self)
            for index, (_, text, hint, _) in enumerate(panels):
                button = _button(panel, text, hint)
                switch.addButton(button, index)
                panel.header.insertWidget(index, button)
            switch.idClicked.connect(self.show_picture)
            switch.button(0).setChecked(True)
            self.switches.append(switch)

    def show_picture(self, index: int) -> None:
        """Show the panel at this place."""
        if index != self.currentIndex():
            self._sizes[self.currentIndex()] = self._splitter.sizes()
            self.setCurrentIndex(index)
            self._splitter.setSizes(self._sizes[index])
        for switch in self.switches:
            switch.button(index).setChecked(True)


def _button(panel: QWidget, text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(f"{panel.objectName()}_{text.lower().replace(' ', '_')}")
    button.setText(text)
    button.setToolTip(hint)
    button.setCheckable(True)
    return button
