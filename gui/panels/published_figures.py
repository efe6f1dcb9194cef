"""The papers' figures, redrawn by the models: a list, the chosen figure, and its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from advisor.basics.quantities import count
from advisor.published.redrawn.redrawn import NotRedrawn, Redrawn
from gui.basics.theme import GRID
from gui.basics.widget_labels import said
from gui.panels.published_numbers import NumbersTable
from gui.plots.curve_panel import CurvePanel
from gui.plots.plot_panel import Exports
from gui.studies.page.study_curves import StudyCurves
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts

_NAME, _TITLE = "published_figure", "Published figure"
_SHARES = (3, 7), (3, 2)  # of list and figure, of plot and numbers


class PublishedFigures(QWidget):
    """A list of all figures of the papers, with the plot and the table of the chosen one."""

    chosen = Signal()  # another figure is shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("published_figures")
        self._all: tuple[Redrawn | NotRedrawn, ...] = ()
        self.shown: Redrawn | NotRedrawn | None = None
        self.list = DataTable("published_figures_list", "Figures of the papers")
        self.list.rows_selected.connect(self._choose)
        self.heading = said("published_figure_heading", "headline")
        self.equation = said("published_figure_equation", "muted")
        curves = StudyCurves(f"{_NAME}_plot", _TITLE)
        self.panel = CurvePanel(_NAME, _TITLE, curves=curves)
        self.numbers = NumbersTable("published_figure_numbers")
        self.panel.title.hide()  # the heading is above
        out = Exports(self, "printed numbers", None, self.numbers.table.chosen_table)
        for action in out.actions:  # the plot has numbers, too
            action.setText(action.text().replace("numbers", "printed numbers"))
        self.numbers.table.addAction(out.actions[-1])  # beside "Copy rows"
        self._number_exports = tuple(out.actions)
        self._lay_out()

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written: picture and values, and the printed numbers."""
        if not isinstance(self.shown, Redrawn):
            return ()
        plot = self.panel.exports
        # its scales are no exports
        return (*(one for one in plot.actions if one.parent() is plot), *self._number_exports)

    @property
    def sentence(self) -> str:
        """How many figures are redrawn, and how many are not."""
        drawn = sum(isinstance(one, Redrawn) for one in self._all)
        other = len(self._all) - drawn
        return f"{count(drawn, 'figure')} redrawn, {other} not."

    def show_figures(self, figures: Sequence[Redrawn | NotRedrawn]) -> None:
        """List these, and show the first, unless the one in sight is among them."""
        self._all = tuple(figures)
        self.list.select_rows(frozenset())
        self.list.set_columns(
            [
                Column("Paper", "Its first author",
                       Texts.grouped([_author(one.model) for one in self._all])),
                Column("Figure", "Its place in the paper, and what it shows", Texts([
                    one.heading if isinstance(one, Redrawn) else _absent(one) for one in self._all
                ])),
            ]
        )  # fmt: skip
        place = self._all.index(self.shown) if self.shown in self._all else 0
        if self._all:
            self.list.select_rows(frozenset({place}))
            self._choose((place,))

    def _choose(self, rows: object) -> None:
        """Show the figure of the chosen row."""
        if rows and (one := self._all[rows[0]]) is not self.shown:  # type: ignore[index]
            self.shown = one
            self._show(one)
            self.chosen.emit()

    def _show(self, one: Redrawn | NotRedrawn) -> None:
        drawn = isinstance(one, Redrawn)
        self._parts.setVisible(drawn)
        self._blank.setVisible(not drawn)
        if not isinstance(one, Redrawn):
            self.heading.setText(_absent(one))
            self.equation.setText(f"{one.reason[:1].upper()}{one.reason[1:]}.")
            return
        self.heading.setText(one.heading)
        self.equation.setText(" – ".join(filter(None, (one.equation, one.note))))
        curves = self.panel.curves
        curves.set_series(one.series)
        for across, log in enumerate(one.logarithmic):
            curves.set_log(bool(across), log)
        curves.fit()
        self.panel.refresh_table()
        self.numbers.show_numbers(one.numbers)

    def _lay_out(self) -> None:
        self._parts = QSplitter(Qt.Orientation.Vertical)
        self._blank = QWidget()
        for part in (self.panel, self.numbers):
            self._parts.addWidget(part)
        figure = QWidget()
        column = QVBoxLayout(figure)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        for widget, stretch in (
            (self.heading, 0), (self.equation, 0), (self._parts, 1), (self._blank, 1),
        ):  # fmt: skip
            column.addWidget(widget, stretch)
        across = QSplitter(Qt.Orientation.Horizontal)
        across.addWidget(self.list)
        across.addWidget(figure)
        for splitter, shares in ((across, _SHARES[0]), (self._parts, _SHARES[1])):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(2 * GRID)
            for place, share in enumerate(shares):
                splitter.setStretchFactor(place, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(across)


def _author(model: str) -> str:
    """The first author of "Moritz & Frank 2001"."""
    return model.partition(",")[0].partition(" & ")[0].rstrip("0123456789 ")


def _absent(one: NotRedrawn) -> str:
    return f"{one.where}: not redrawn"
