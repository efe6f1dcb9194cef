"""A table of a study's result; a row that carries settings can be adopted."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from advisor.studies.study import Table as StudyResultTable
from gui.basics.figures import Table
from gui.basics.literal_menu import mark
from gui.plots.plot_panel import columns_of
from gui.tables.data_table import DataTable


class StudyTable(DataTable):
    """Shows a table; double click, Enter or the menu adopts a row."""

    adopted = Signal(object)  # {name of a parameter: value}

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, parent)
        self._table: StudyResultTable | None = None
        self.adopt_action = QAction("Adopt row", self)
        self.adopt_action.setToolTip("Set the parameters so that this row is the answer")
        self.adopt_action.triggered.connect(self._adopt_selected)
        self.addAction(self.adopt_action)
        mark(self.actions())
        self.row_activated.connect(self._adopt)

    def set_table(self, table: StudyResultTable) -> None:
        """Show another table."""
        self._table = table
        names, units = zip(*table.columns, strict=True)
        self.set_columns(columns_of(Table(names, table.rows), units, unlike=table.unlike))
        self.adopt_action.setVisible(bool(table.settings))
        hint = "Double-click a row, or press Enter on it, to make it the answer."
        self.setToolTip(hint if table.settings else "")

    def _adopt_selected(self) -> None:
        for position in self.selected()[:1]:
            self._adopt(position)

    def _adopt(self, position: object) -> None:
        if self._table is not None and self._table.settings and isinstance(position, int):
            self.adopted.emit(dict(self._table.settings[position]))
