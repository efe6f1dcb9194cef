"""A panel around curves: each axis can be made logarithmic, and everything brought into view."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.plots.curve_plot import CurvePlot
from gui.plots.plot_panel import PlotPanel

_WHY_NOT = "A logarithmic axis needs values above 0 only"


class CurvePanel(PlotPanel):
    """A `CurvePlot` with "Log x", "Log y" and "Fit" beside its copies and exports."""

    def __init__(
        self,
        name: str,
        title: str,
        parent: QWidget | None = None,
        curves: CurvePlot | None = None,
    ) -> None:
        self.curves = curves or CurvePlot(f"{name}_plot", title)
        super().__init__(self.curves, name, title, parent=parent)
        self.log_actions = (self._log("x", across=False), self._log("y", across=True))
        fit = QAction("Fit", self)
        fit.setToolTip("Show everything (F, or a double click in the plot)")
        fit.triggered.connect(self.curves.fit)
        self.add_commands((*self.log_actions, fit))
        self.curves.scales_changed.connect(self._show_scales)
        self._show_scales()

    def _log(self, name: str, *, across: bool) -> QAction:
        action = QAction(f"Log {name}", self)
        action.setCheckable(True)
        action.triggered.connect(lambda checked: self.curves.set_log(across, checked))
        return action

    def _show_scales(self) -> None:
        for across, action in enumerate(self.log_actions):
            possible = self.curves.can_be_log(bool(across))
            action.setEnabled(possible)
            action.setChecked(self.curves.is_log(bool(across)))
            name = "vertical" if across else "horizontal"
            action.setToolTip(f"Logarithmic {name} axis" if possible else _WHY_NOT)
