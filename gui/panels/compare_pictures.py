"""The pictures below the table of plans, with a switch between them at the head of each."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from PySide6.QtWidgets import QButtonGroup, QSplitter, QStackedWidget, QToolButton, QWidget

from gui.document.document import Document
from gui.panels.trade_off_panel import TradeOffPanel, front_plot
from gui.panels.two_plans_panel import TwoPlansPanel
from gui.plots.bar_panel import BarPanel
from gui.plots.bars import BarChart

EMPTY = "Pin the current plan or add a strategy to see plans side by side."
_SWITCHES = (  # as on the button, what is shown, and the room that the table has beside it
    ("Bars", "All plans by cause of time, gap and utilisation", [200, 300]),
    ("Two schedules", "Two plans on one time axis: what moves, and what limits each", [100, 400]),
    (
        "Trade-off",
        "The makespan against machines, processors, total time, money or energy",
        [160, 340],
    ),
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
    """Panels of which one is shown; each leaves the table above as much room as it was given.

    Parameters
    ----------
    panels : Pictures
    splitter : QSplitter
        What parts the table from the pictures, and takes these.

    Attributes
    ----------
    switches : list of QButtonGroup
        One at the head of each panel; ids are the panels' places.
    """

    def __init__(self, panels: Pictures, splitter: QSplitter) -> None:
        super().__init__()
        self.setObjectName("compare_pictures")
        splitter.addWidget(self)
        self._splitter = splitter
        self._sizes = [sizes for _, _, sizes in _SWITCHES]
        self.switches: list[QButtonGroup] = []
        for panel in panels:
            self.addWidget(panel)
            panel.title.hide()
            switch = QButtonGroup(self)
            for index, (text, hint, _) in enumerate(_SWITCHES):
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


def _bars() -> BarPanel:
    chart = BarChart("compare_bars", "Plans side by side", EMPTY)
    return BarPanel(chart, "compare_plot", "Comparison")
