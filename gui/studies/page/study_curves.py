"""The curves of a study, with whole numbers alone along an axis that counts."""

from __future__ import annotations

from gui.plots.curve_plot import CurvePlot
from gui.plots.front_plot import whole_ticks
from gui.plots.span import Span


class StudyCurves(CurvePlot):
    """A `CurvePlot` whose ticks follow what its series say of x."""

    def recolour(self) -> None:
        """Also the ticks of an axis that counts."""
        super().recolour()
        self._count()

    def look_at(self, part: tuple[Span, Span] | None) -> None:
        """Show a part, or everything; whole numbers are the ticks of linear axes alone."""
        super().look_at(part)
        self._count()

    def _count(self) -> None:
        if self.series:
            first = self.series[0]
            ticks = whole_ticks if first.counts and not self.is_log(False) else None
            self.axes[0].measure(first.x_label, first.x_unit, ticks)
