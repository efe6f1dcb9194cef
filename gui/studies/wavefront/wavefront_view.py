"""The picture of the blocks study: the Gantt chart of the chosen number of blocks."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.basics.quantities import number
from advisor.basics.units import Unit
from advisor.messages.diamond_blocks import GANTT_CAUSES, Gantt
from gui.plots.gantt_chart import GanttChart
from gui.plots.plot_panel import PlotPanel
from gui.plots.zoom_keys import STEP
from gui.studies.picture.pictures import PictureView
from gui.tables.table_columns import Column, Texts

_CHART = "gantt_chart"  # its name


class GanttPanel(PlotPanel):
    """The chart with its zoom, its numbers, copies and exports."""

    def __init__(self, chart: GanttChart, parent: QWidget | None = None) -> None:
        self.gantt_chart = chart
        super().__init__(chart, "gantt", "Gantt chart", parent=parent)
        commands = (
            ("Zoom in", "Enlarge the time (+; Alt and + for the rows)", lambda: chart.zoom(STEP)),
            ("Zoom out", "Shrink the time (−; Alt and − for the rows)",
             lambda: chart.zoom(1 / STEP)),
            ("Fit", "Show everything (F, or a double click in the chart)", chart.fit),
        )  # fmt: skip
        actions = []
        for text, hint, command in commands:
            actions.append(QAction(text, self))
            actions[-1].setToolTip(hint)
            actions[-1].triggered.connect(lambda _checked=False, command=command: command())
        self.add_commands(actions)

    def refresh_table(self) -> None:
        """Show the pieces as columns; they may be hundreds of thousands."""
        gantt = self.gantt_chart.gantt
        if gantt is None or not self.table_button.isChecked():
            return
        unit = gantt.unit
        times = {"start": gantt.start, "end": gantt.end}
        text = Unit.of(unit, gantt.start, gantt.end).text
        self.table_view.set_columns(
            [
                Column("processor", "Row of the chart", gantt.row.astype(np.float64), number),
                Column("cause", "What the time goes to", Texts(GANTT_CAUSES, gantt.cause)),
                *(Column(name, name, array, text, unit) for name, array in times.items()),
            ]
        )


class GanttView(PictureView):
    """Draws `Gantt` values; nothing in it can be edited."""

    def __init__(self, chart: GanttChart | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gantt_view")
        self.setAccessibleName("Gantt chart")
        self.panel = GanttPanel(chart or GanttChart(_CHART))
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(self.panel)

    @classmethod
    def in_parts(cls) -> Generator[None, None, GanttView]:
        """The chart takes a turn of its own."""
        chart = GanttChart(_CHART)
        yield
        return cls(chart)

    def set_picture(self, picture: object) -> None:
        """Show another chart."""
        if isinstance(picture, Gantt):
            self.panel.title.setText(picture.title)
            self.panel.gantt_chart.set_gantt(picture)
            self.panel.refresh_table()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old chart dimmed until a new one comes."""
        self.panel.set_dimmed(dimmed)
