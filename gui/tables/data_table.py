"""The view of `gui.tables.table_columns`: whole rows, sortable headings, a shared selection."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.basics.event_loop_slices import EventLoopSlices
from gui.basics.figures import Table
from gui.basics.literal_menu import mark
from gui.basics.tables_out import TablesOut
from gui.basics.theme import GRID
from gui.tables.table_columns import Column, ColumnsModel

_FITTED_ROWS = 50
_LONG = 40 * GRID  # pixels of a column, where there is no room for more
_SPARE = GRID  # pixels of a column around its text that it gives before the table scrolls
_PARTS = 1000  # of a selection that are made in a turn: some milliseconds


class DataTable(QTableView):
    """The view: whole rows, sortable headings, Ctrl+C copies the selected rows with headings."""

    rows_selected = Signal(object)  # tuple of column positions, in the order shown
    row_activated = Signal(object)  # a column position: double click or Enter

    def __init__(
        self,
        name: str,
        title: str,
        parent: QWidget | None = None,
        model: ColumnsModel | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.columns_model = ColumnsModel() if model is None else model
        self.columns_model.setParent(self)
        self.setModel(self.columns_model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)  # rows are chosen whole: Tab leaves the table
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + GRID)
        rows.setVisible(False)
        # with the table's own selection the header would ask every selected row at each paint
        header_selection = QItemSelectionModel(self.columns_model, self)
        self.horizontalHeader().setSelectionModel(header_selection)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self._out = TablesOut(self)
        self._copy = QAction("Copy rows", self)
        self._copy.triggered.connect(self.copy)
        self.addAction(self._copy)
        mark(self.actions())
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.selectionModel().selectionChanged.connect(self._tell_selection)
        self.columns_model.modelReset.connect(self._restore)
        self.activated.connect(self._tell_activation)
        self._wanted: frozenset[int] = frozenset()
        self._turns = EventLoopSlices(self)
        self._quiet = False
        # widths by section: found, at most `_LONG`; what all would be seen in; what it was given
        self._fitted: dict[int, int] = {}
        self._wished: dict[int, int] = {}
        self._given: dict[int, int] = {}
        self._spreading = False
        self.horizontalHeader().sectionResized.connect(self._spread)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show `columns` where the view is.

        Widths are fitted when the headings change; later they only grow, where a text needs it.
        """
        headings = [column.heading for column in self.columns_model.columns]
        bar = self.verticalScrollBar()
        scrolled = bar.value()
        self.columns_model.set_columns(columns)
        sorting = self.columns_model.sorting or (-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicator(*sorting)
        bar.setValue(scrolled)
        self.fit_columns(anew=headings != [column.heading for column in columns])

    def sizeHint(self) -> QSize:
        """A few rows: tables take the room that there is and scroll the rest."""
        return QSize(40 * GRID, 12 * GRID)

    def fit_columns(self, anew: bool = True) -> None:
        """Fit the widths to the headings and the first rows; Qt itself may look at all rows.

        What is too long for its column may have what the table has room for. Unless `anew`, columns
        only grow, and those that the user made narrower stay.
        """
        if anew:
            self._fitted, self._wished, self._given = {}, {}, {}
        self._spreading = True
        model, metrics = self.columns_model, self.fontMetrics()
        for section, column in enumerate(model.columns):
            texts = {column.shown(row) for row in model.rows[:_FITTED_ROWS].tolist()}
            widths = [metrics.horizontalAdvance(text) + 2 * GRID for text in texts]
            heading = self.horizontalHeader().sectionSizeHint(section) + GRID
            wished = max([heading, *widths])
            self._wished[section] = max(wished, self._wished.get(section, 0))
            needed, before = min(wished, _LONG), self._fitted.get(section, 0)
            own = self._is_own(section)
            if needed > before and (own or self.columnWidth(section) >= before):
                self._fitted[section] = needed
                if own:
                    self._give(section, needed)
                else:
                    self.setColumnWidth(section, max(needed, self.columnWidth(section)))
        self._spreading = False
        self._spread()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns that are too narrow for their texts take the room that there is."""
        self._spread()  # first: else there is a scroll bar until the next turn
        super().resizeEvent(event)

    def _is_own(self, section: int) -> bool:
        """Whether a column is as wide as it was made here, and not by the user."""
        return self._given.get(section, self.columnWidth(section)) == self.columnWidth(section)

    def _give(self, section: int, width: int) -> None:
        self.setColumnWidth(section, width)
        self._given[section] = self.columnWidth(section)

    def _spread(self) -> None:
        """Give columns that are cut off what is left of the table's width, the shortest first.

        Where a little is missing, all have a little less around their texts.
        """
        if self._spreading:
            return
        self._spreading = True
        own = [section for section in self._fitted if self._is_own(section)]
        others = set(range(len(self.columns_model.columns))) - set(own)
        taken = sum(map(self.columnWidth, others)) + sum(self._fitted[one] for one in own)
        room = self.viewport().width() - taken
        if room < -_SPARE * len(own):
            room = 0  # it scrolls anyhow
        cut = sorted(own, key=lambda one: self._wished[one] - self._fitted[one])
        for place, section in enumerate(cut):
            more = min(self._wished[section] - self._fitted[section], room // (len(cut) - place))
            self._give(section, self._fitted[section] + more)
            room -= more
        self._spreading = False

    def select_rows(self, positions: frozenset[int]) -> None:
        """Select the rows of these column positions, silently; those filtered out wait."""
        self._wanted = positions
        self._restore()

    def selected(self) -> tuple[int, ...]:
        """Column positions of the selected rows, in the order shown."""
        return tuple(self.columns_model.rows[self._selected_rows()].tolist())

    def chosen_table(self) -> Table:
        """The selected rows with full precision, or all when none is selected."""
        chosen = self._selected_rows()
        return self.columns_model.table(chosen if len(chosen) else None)

    def copy(self) -> None:
        """Copy the selected rows, or all, tab-separated with full precision."""
        self._out.copy(self.chosen_table())

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+C for the rows while the table has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies whole rows, not one cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def _selected_rows(self) -> NDArray[np.intp]:
        """Places of the selected rows among those shown, rising."""
        self._turns.finish()
        selection = self.selectionModel().selection()
        chosen = np.zeros(len(self.columns_model.rows), dtype=bool)
        for place in range(selection.count()):
            part = selection.at(place)
            chosen[part.top() : part.bottom() + 1] = True
        return np.flatnonzero(chosen)

    def _tell_selection(self) -> None:
        if not self._quiet:
            self._turns.drop()
            chosen = self.selected()
            self._wanted = frozenset(chosen)
            self.rows_selected.emit(chosen)

    def _tell_activation(self, index: QModelIndex) -> None:
        self.row_activated.emit(int(self.columns_model.rows[index.row()]))

    def _restore(self) -> None:
        """Select what should be selected, after the rows or the wish changed."""
        model = self.columns_model
        edges = np.zeros((0, 2), dtype=np.intp)
        if self._wanted and model.columns:
            wanted = np.isin(model.rows, list(self._wanted))
            around = np.concatenate(([False], wanted, [False]))
            edges = np.flatnonzero(np.diff(around)).reshape(-1, 2)
        self._turns.drop()
        if len(edges) <= _PARTS:
            deque(self._select(edges), 0)
        else:
            self._turns.start(self._select(edges))

    def _select(self, edges: NDArray[np.intp]) -> Iterator[None]:
        """Select the rows between these edges, and nothing else: at last, all at once."""
        model, selection = self.columns_model, QItemSelection()
        for begin in range(0, len(edges), _PARTS):
            for first, end in edges[begin : begin + _PARTS].tolist():
                selection.append(model.rows_from(first, end))
            if begin + _PARTS < len(edges):
                yield
        self._quiet = True
        self.setUpdatesEnabled(False)  # drawn once, not each range looked up in the view
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.setUpdatesEnabled(True)
        self._quiet = False
        if not selection.isEmpty():
            top = model.index(selection.first().top(), 0)
            self.scrollTo(top, QAbstractItemView.ScrollHint.EnsureVisible)
