"""The picture of the map of fan-outs: the chart, which fan-out it shows, and what is pointed at."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.trees.fanout_map import FanoutMap
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.plots.plot_panel import PlotPanel
from gui.plots.region_map import Point
from gui.studies.fanout.fanout_chart import SHOWN, FanoutChart
from gui.studies.picture.pictures import PictureView

_HINT = "Point at the map, or move with the arrow keys, to read out a point."


class FanoutMapPanel(PlotPanel):
    """The chart with the choice of the tree, its numbers, copies and exports."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.fanout_chart = FanoutChart()
        super().__init__(self.fanout_chart, "fanout_map", "Best fan-out", parent=parent)
        self.shown = ChoiceBox()
        self.shown.setObjectName("fanout_map_shown")
        self.shown.setAccessibleName("Fan-out of")
        self.shown.setToolTip(
            "Fan-out of the best balanced tree, or number of children of the front-end of the "
            "exact optimum, whose processes differ"
        )
        self.shown.addItems(SHOWN)
        self.header.insertWidget(1, self.shown)
        self.readout = QLabel(_HINT)
        self.readout.setObjectName("fanout_map_readout")
        self.readout.setWordWrap(True)
        self.readout.setContentsMargins(GRID, 0, GRID, GRID // 2)
        self.body.addWidget(self.readout)
        self.shown.currentTextChanged.connect(self.fanout_chart.show_fanouts)
        self.fanout_chart.hovered.connect(self._read_out)

    def _read_out(self, point: Point | None) -> None:
        self.readout.setText(_HINT if point is None else self.fanout_chart.text_of(point))


class FanoutMapView(PictureView):
    """Draws `FanoutMap` values; nothing in it can be edited."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fanout_map_view")
        self.setAccessibleName("Map of the best fan-out")
        self.panel = FanoutMapPanel()
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(self.panel)

    def set_picture(self, picture: object) -> None:
        """Show another map."""
        if isinstance(picture, FanoutMap):
            self.panel.fanout_chart.show_fanout_map(picture)
            self.panel.refresh_table()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old map dimmed until a new one comes."""
        self.panel.set_dimmed(dimmed)
