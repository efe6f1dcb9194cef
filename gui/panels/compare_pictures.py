"""The pictures below the table of plans, with a switch between them at the head of each."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QSplitter, QStackedWidget, QToolButton, QWidget

from gui.document.document import Document
from gui.panels.trade_off_panel import TradeOffPanel, front_plot
from gui.panels.two_plans_panel import TwoPlansPanel
from gui.plots.bar_chart import BarChart
from gui.plots.bar_panel import BarPanel

EMPTY = "Pin the current plan or add a strategy to see plans side by side."
_SWITCHES = (  # as on the button, and what is shown
    ("Bars", "All plans by cause of time, gap and utilisation"),
    ("Two schedules", "Two plans on one time axis: what moves, and what limits each"),
    ("Trade-off", "The makespan against machines, processors, total time, money or energy"),
)


class Pictures(NamedTuple):
    """One panel for each switch."""

    bars: BarPanel
    two: TwoPlansPanel
    trade_off: TradeOffPanel

    @classmethod
    def in_parts(cls, document: Document) -> Generator[None, None, Pictures]:
        """All of them, made in turns of the event loop: each takes half a frame or more."""
        bars = _bars()
        yield
        two = TwoPlansPanel(document)
        yield
        plot = front_plot()
        yield
        trade_off = TradeOffPanel(plot=plot)
        yield
        return cls(bars, two, trade_off)


class ComparePictures(QStackedWidget):
    """Panels of which one is shown, all in the same room: their switch stays under the pointer.

    `splitter`: what parts the table from the pictures, and takes these. `switches`: one at the head
    of each panel; ids are the panels' places.
    """

    def __init__(self, panels: Pictures, splitter: QSplitter) -> None:
        super().__init__()
        self.setObjectName("compare_pictures")
        splitter.addWidget(self)
        self.switches: list[QButtonGroup] = []
        for panel in panels:
            self.addWidget(panel)
            panel.title.hide()
            switch = QButtonGroup(self)
            for index, (text, hint) in enumerate(_SWITCHES):
                button = _button(panel, text, hint)
                switch.addButton(button, index)
                panel.header.insertWidget(index, button, 0, Qt.AlignmentFlag.AlignTop)
            switch.idClicked.connect(self.show_picture)
            switch.button(0).setChecked(True)
            self.switches.append(switch)

    def show_picture(self, index: int) -> None:
        """Show the panel at this place."""
        self.setCurrentIndex(index)
        for switch in self.switches:
            switch.button(index).setChecked(True)


def _button(panel: QWidget, text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(f"{panel.objectName()}_{text.lower().replace(' ', '_')}")
    button.setText(text)
    button.setToolTip(hint)
    button.setCheckable(True)
    return button


def _bars() -> BarPanel:
    chart = BarChart("compare_bars", "Plans side by side", EMPTY)
    return BarPanel(chart, "compare_plot", "Comparison")
