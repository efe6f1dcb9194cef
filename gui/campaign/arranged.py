"""A table's model whose rows are filtered and sorted elsewhere: a hundred thousand stay fluid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt, Signal

from gui.tables.table_columns import Column, ColumnsModel


class ArrangedModel(ColumnsModel):
    """Shows the rows that it is given; it tells when others are wished.

    Rows that follow after those that are there are put in: neither the place that is looked at nor
    the row that the keyboard is on changes.
    """

    sorting_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._given: NDArray[np.intp] = np.arange(0)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for rows in another order."""
        before = self.sorting
        super().sort(column, order)
        if self.sorting != before:
            self.sorting_asked.emit()

    def give(self, rows: NDArray[np.intp]) -> None:
        """The rows to show with the columns that come next."""
        self._given = rows

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other values at the rows that were given."""
        old, rows = len(self.rows), self._given
        same = [one.heading for one in columns] == [one.heading for one in self.columns]
        if not (same and 0 < old < len(rows) and np.array_equal(rows[:old], self.rows)):
            super().set_columns(columns)
            return
        self.beginInsertRows(QModelIndex(), old, len(rows) - 1)
        self.columns, self.rows = tuple(columns), rows
        self.endInsertRows()
        self._tell_all_changed()

    def _arranged(self, columns: tuple[Column, ...]) -> NDArray[np.intp]:
        return self._given if columns else np.arange(0)
