"""The panel of the makespan against a second measure: which one, the plans, who lacks what."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from advisor.allocation.comparison import Row
from advisor.allocation.measures import MEASURES, Measure, front
from gui.basics.literal_menu import literal
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.panels.compare_columns import Comparison
from gui.plots.curve_panel import CurvePanel
from gui.plots.front_plot import Across, FrontPlot, Point

_EMPTY = "Pin the current plan or add a strategy to compare plans."


def front_plot() -> FrontPlot:
    """The plot of a `TradeOffPanel`: by far the longest part of it to make."""
    return FrontPlot("trade_off_plot", "Makespan against a second measure")


class TradeOffPanel(CurvePanel):
    """All plans of a comparison between makespan and the chosen measure.

    `measure`: the second measure. `chooser`: all of them. `note`: which plans are left out, and
    why. `sheet_button`: goes to the first machine that lacks what the measure needs.
    """

    measure_changed = Signal()
    machine_asked = Signal(object)  # str: name of the machine whose sheet is wanted

    def __init__(self, parent: QWidget | None = None, plot: FrontPlot | None = None) -> None:
        self.plot = plot or front_plot()
        super().__init__("trade_off", "Trade-off", curves=self.plot, parent=parent)
        self.measure: Measure = next(iter(MEASURES.values()))
        self._rows: tuple[tuple[str, Row], ...] = ()
        against = QLabel("Makespan against")
        self.chooser = self._chooser()
        against.setBuddy(self.chooser)
        for place, widget in enumerate((against, self.chooser), 1):
            self.header.insertWidget(place, widget)
        self.note = SteadyLine("trade_off_note")
        self.note.setContentsMargins(GRID, 0, GRID, 0)
        self.note.setAccessibleName("Plans that are left out")
        self._lacking = ""
        self.sheet_button = QPushButton()
        self.sheet_button.setObjectName("trade_off_sheet")
        self.sheet_button.setToolTip("Select this machine on the board, with its sheet beside it")
        self.sheet_button.clicked.connect(lambda _on=False: self.machine_asked.emit(self._lacking))
        self.lack_row = QWidget()
        row = QHBoxLayout(self.lack_row)
        row.setContentsMargins(0, 0, GRID, GRID // 2)
        row.addWidget(self.note, 1)
        row.addWidget(self.sheet_button)
        self.body.addWidget(self.lack_row)
        self._draw()

    def take(self, comparison: Comparison | None) -> None:
        """Show the plans of a comparison that can run."""
        rows = () if comparison is None else comparison.rows
        self._rows = tuple((name, row) for name, row in rows if row is not None)
        self._draw()

    def _draw(self) -> None:
        rows, measure = [row for _, row in self._rows], self.measure
        found = zip(self._rows, front(rows, measure), strict=True)
        points = [
            Point(name, measure.trait.number(row), row.makespan_s, on_front)
            for (name, row), on_front in found
            if not measure.lacking(row)
        ]
        trait, lack = measure.trait, measure.lack(rows)
        across = Across(measure.title, trait.unit, trait.whole)
        self.plot.show_points(points, across, f"{lack}." if lack else _EMPTY)
        self._say_lacking(lack)
        self.refresh_table()

    def _say_lacking(self, lack: str) -> None:
        """Which plans are left out for want of what, and the way to give it."""
        found = [(name, self.measure.lacking(row)) for name, row in self._rows]
        machines = dict.fromkeys(machine for _, lacking in found for machine in lacking)
        self._lacking = next(iter(machines), "")
        left_out = ", ".join(name for name, lacking in found if lacking)
        self.note.setText(f"Not shown: {left_out}. {lack}." if lack else "")
        self.sheet_button.setText(f"Sheet of {literal(self._lacking)}")
        self.sheet_button.setAccessibleName(f"Sheet of {self._lacking}")
        names = self._rows[0][1].problem.platform.index if self._rows else {}
        self.sheet_button.setVisible(self._lacking in names)
        self.lack_row.setVisible(bool(lack))

    def _pick(self, index: int) -> None:
        self.measure = MEASURES[self.chooser.itemData(index)]
        self._draw()
        self.measure_changed.emit()

    def _chooser(self) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName("trade_off_measure")
        box.setAccessibleName("The measure that the makespan is weighed against")
        for place, measure in enumerate(MEASURES.values()):
            box.addItem(measure.title, measure.name)
            box.setItemData(place, measure.trait.help, Qt.ItemDataRole.ToolTipRole)
        box.setToolTip("\n".join(f"{one.title}: {one.trait.help}" for one in MEASURES.values()))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(self._pick)
        return box
