"""A panel around bars, whose axis can be broken where some are much longer than the rest."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.plots.bar_chart import BarChart
from gui.plots.plot_panel import PlotPanel


class BarPanel(PlotPanel):
    """A `BarChart`, scrolled, with "Break axis" where that shows more."""

    def __init__(
        self, bars: BarChart, name: str, title: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(bars, name, title, scrolled=True, parent=parent)
        self.bars = bars
        self.break_action = QAction("Break axis", self)
        self.break_action.setCheckable(True)
        self.break_action.setToolTip(
            "Cut the axis short before the longest bars, so that the others can be compared"
        )
        self.break_action.triggered.connect(bars.set_broken)
        self.add_commands((self.break_action,))
        bars.scale_changed.connect(self._show_scale)
        self._show_scale()

    def _show_scale(self) -> None:
        self.break_action.setVisible(self.bars.can_break)
        self.break_action.setChecked(self.bars.broken)
