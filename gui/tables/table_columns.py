"""A table's columns as a Qt model: sorted and filtered as arrays, so that 30,000 rows stay fluid.

The rows that are shown are positions into the columns. Numbers are shown rounded, with the
full value in the tooltip and in everything that is copied or exported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QColor

from advisor.basics.quantities import exact
from gui.basics.figures import Table
from gui.basics.theme import theme
from gui.basics.tips import plain_tip
from machines.arrays import Flags

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_Role = Qt.ItemDataRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_SIGNS = frozenset("▼▲✕")  # of better, worse and failed
_ANSWERED = frozenset(
    (
        _Role.DisplayRole,
        _Role.AccessibleTextRole,
        _Role.ToolTipRole,
        _Role.TextAlignmentRole,
        _Role.ForegroundRole,
    )
)


class Texts:
    """The texts of a column: distinct names, and which of them stands in each row.

    Sort keys and lower-case forms are derived once, so that a table of the same names with new
    numbers costs nothing more.

    `names`: the names; without `codes` one for each row. `codes`: shape (rows,); position in
    `names` of every row's text.
    """

    def __init__(self, names: Sequence[str], codes: NDArray[np.integer] | None = None) -> None:
        self._names = tuple(names)  # texts alone: the collector never looks into it again
        self._codes = np.arange(len(names)) if codes is None else codes

    @classmethod
    def grouped(cls, texts: Sequence[str]) -> Texts:
        """Texts of which many are alike."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        return cls(tuple(places), np.array([places[text] for text in texts], dtype=np.intp))

    def at(self, codes: NDArray[np.integer]) -> Texts:
        """The same names, with others of them in the rows."""
        return Texts(self._names, codes)

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, row: int) -> str:
        return self._names[int(self._codes[row])]

    @cached_property
    def ranks(self) -> NDArray[np.intp]:
        """Rank of every row's text; numbers count by their value: "t2" before "t10"."""
        joined = "\n".join([name.replace("\n", " ") for name in self._names])
        padded = re.sub(r"\d+", lambda digits: digits[0].zfill(12), joined).casefold()
        _, ranks = np.unique(np.array(padded.split("\n"), dtype=np.str_), return_inverse=True)
        return ranks[self._codes]

    def matching(self, text: str) -> Flags:
        """Rows of which the text contains `text` (casefolded)."""
        found = np.array([text in name for name in self._lowered], dtype=bool)
        return found[self._codes]

    def distinct(self) -> tuple[str, ...]:
        """The texts that some row has."""
        return tuple(self._names[code] for code in np.unique(self._codes).tolist())

    def prepare(self) -> Texts:
        """These texts with all keys derived, e.g. by a worker thread."""
        _ = self.ranks, self._lowered
        return self

    def listed(self, rows: NDArray[np.intp]) -> list[str]:
        """The texts of these rows."""
        return [self._names[code] for code in self._codes[rows].tolist()]

    @cached_property
    def _lowered(self) -> tuple[str, ...]:
        return tuple([name.casefold() for name in self._names])


@dataclass(frozen=True, eq=False)
class Column:
    """One column.

    `heading`, `hint`: what it is; symbol, unit and source. `said`: what stands in each row instead
    of `text` of its value: papers print 4 and 4.0.
    """

    heading: str
    hint: str
    values: Texts | NDArray[Any]  # shape (rows,); floats, bools or texts
    text: Callable[[Any], str] = str  # a value as people read it
    unit: str = ""  # unit of the full-precision value; goes into the heading of exports
    whole: bool = False  # whether the tooltip has the value itself, as `text` shows a part of it
    said: Texts | None = None

    def shown(self, row: int) -> str:
        """What stands in a row."""
        return self.text(self.values[row]) if self.said is None else self.said[row]

    def tip(self, value: Any) -> str:
        """A text as its tooltip says it."""
        return str(value if self.whole else self.text(value))

    @cached_property
    def numeric(self) -> bool:
        """Whether it holds numbers, aligned right and sorted by value."""
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "fiu"


class ColumnsModel(QAbstractTableModel):
    """Columns as a Qt model; `rows` holds the positions that are shown, in their order."""

    def __init__(self, columns: Sequence[Column] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.dimmed = False
        self._filter = ""
        self._sorting: tuple[int, Qt.SortOrder] | None = None
        self._held = False
        self.rows: NDArray[np.intp] = np.arange(_length(self.columns))

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Show other values; filter and sorting are kept, as far as its heading is there."""
        columns = tuple(columns)
        same = [old.heading for old in self.columns] == [new.heading for new in columns]
        self._follow_sorting([column.heading for column in columns])
        rows = self._arranged(columns)
        if self._held:
            rows = np.concatenate(
                [self.rows[np.isin(self.rows, rows)], np.setdiff1d(rows, self.rows)]
            )
        if same and np.array_equal(rows, self.rows):
            self.columns = columns
            self._tell_all_changed()
        else:
            self.beginResetModel()
            self.columns, self.rows = columns, rows
            self.endResetModel()

    @property
    def sorting(self) -> tuple[int, Qt.SortOrder] | None:
        """The column that is sorted by, and how."""
        return self._sorting

    def hold(self, held: bool) -> None:
        """Keep the rows where they are while more come in: those follow after the last."""
        self._held = held
        if not held:
            self._rearrange()

    def set_filter(self, text: str) -> None:
        """Show the rows of which a text column contains `text`, ignoring case."""
        self._filter = text.strip().casefold()
        self._rearrange()

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old values dimmed until new ones come."""
        if dimmed != self.dimmed:
            self.dimmed = dimmed
            self._tell_all_changed()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal values keep their original order. −1: the original order."""
        self._sorting = (column, order) if 0 <= column < len(self.columns) else None
        self._rearrange()

    def table(self, rows: NDArray[np.intp] | None = None) -> Table:
        """Full-precision values of the shown rows, or of those at `rows` of them."""
        chosen = self.rows if rows is None else self.rows[rows]
        headings = tuple(
            f"{column.heading} ({column.unit})" if column.unit else column.heading
            for column in self.columns
        )
        return Table(headings, Rows(self.columns, chosen))

    def rows_from(self, first: int, end: int) -> QItemSelectionRange:
        """All cells of the shown rows [first, end), without asking whether they are there.

        `index` would, for both corners of each of thousands of parts.
        """
        corner = self.createIndex(end - 1, len(self.columns) - 1)
        return QItemSelectionRange(self.createIndex(first, 0), corner)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Rows that pass the filter."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        """The rounded text, the exact tooltip, the alignment, the dimmed colour."""
        if role not in _ANSWERED:  # most of what a view asks, for every cell it paints
            return None
        row = index.row()
        if not 0 <= row < len(self.rows):
            return None
        column = self.columns[index.column()]
        if role == _Role.TextAlignmentRole:
            return _RIGHT if column.numeric else None
        place = int(self.rows[row])
        if role in (_Role.DisplayRole, _Role.AccessibleTextRole):
            return column.shown(place)
        if role == _Role.ToolTipRole:
            value = column.values[place]
            shown = exact(float(value), column.unit) if column.numeric else column.tip(value)
            return plain_tip(f"{column.heading}: {shown}")
        return self._ink(column.shown(place)[:1])

    def cell(self, row: int, column: int) -> tuple[str, bool, QColor | None]:
        """Text of a cell, whether it is a number, and its ink: for `gui.tables.plain_cells`."""
        if not 0 <= row < len(self.rows):
            return "", False, None
        asked = self.columns[column]
        text = asked.shown(int(self.rows[row]))
        return text, asked.numeric, self._ink(text[:1])

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> object:
        """Headings with their hints; rows are numbered from 1."""
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == _Role.DisplayRole else None
        if not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == _Role.DisplayRole:
            return column.heading
        if role == _Role.ToolTipRole:
            return column.hint
        if role == _Role.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        return None

    def _ink(self, sign: str) -> QColor | None:
        """Muted while old; the colour of better or worse beside their signs ▼, ▲ and ✕."""
        if self.dimmed:
            return QColor(theme().colours.muted)
        if sign not in _SIGNS:
            return None
        colours = theme().colours
        return QColor(colours.better if sign == "▼" else colours.worse)

    def _tell_all_changed(self) -> None:
        if len(self.rows) and self.columns:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _follow_sorting(self, headings: list[str]) -> None:
        """Sort by the column that has the heading of the one before."""
        if self._sorting is not None and self.columns and headings:
            heading = self.columns[self._sorting[0]].heading
            there = heading in headings
            self._sorting = (headings.index(heading), self._sorting[1]) if there else None

    def _rearrange(self) -> None:
        rows = self._arranged(self.columns)
        if not np.array_equal(rows, self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def _arranged(self, columns: tuple[Column, ...]) -> NDArray[np.intp]:
        """Positions of the rows of `columns` that pass the filter, sorted."""
        rows = np.arange(_length(columns))
        if self._filter:
            rows = rows[_matches(columns, self._filter)]
        return rows if self._sorting is None else sorted_rows(columns, rows, self._sorting)


def sorted_rows(
    columns: Sequence[Column], rows: NDArray[np.intp], sorting: tuple[int, Qt.SortOrder]
) -> NDArray[np.intp]:
    """Positions of rows, sorted by a column; equal values keep their original order."""
    place, order = sorting
    if place >= len(columns) or not len(rows):
        return rows
    keys = _sort_keys(columns[place])[rows]
    if order == Qt.SortOrder.DescendingOrder:
        # reversed twice, so that equal values keep their original order
        return rows[::-1][np.argsort(keys[::-1], kind="stable")][::-1]
    return rows[np.argsort(keys, kind="stable")]


def _length(columns: tuple[Column, ...]) -> int:
    return len(columns[0].values) if columns else 0


def _matches(columns: tuple[Column, ...], text: str) -> Flags:
    """Rows of which a text column contains `text` (casefolded)."""
    found = np.zeros(_length(columns), dtype=bool)
    for column in columns:
        if isinstance(column.values, Texts):
            found |= column.values.matching(text)
    return found


def _sort_keys(column: Column) -> NDArray[Any]:
    return column.values.ranks if isinstance(column.values, Texts) else column.values


class Rows(Sequence[tuple[object, ...]]):
    """Rows of columns with their full precision, made when they are asked for: like a tuple.

    `columns`: they never change: rows may be made on any thread. `places`: shape (rows,); positions
    in the columns.
    """

    def __init__(self, columns: Sequence[Column], places: NDArray[np.intp]) -> None:
        self._columns, self._places = columns, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> tuple[object, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[tuple[object, ...]]: ...

    def __getitem__(self, place: int | slice) -> tuple[object, ...] | Sequence[tuple[object, ...]]:
        chosen = self._places[place if isinstance(place, slice) else [place]]
        rows = tuple(zip(*[_plain(column, chosen) for column in self._columns], strict=True))
        return rows if isinstance(place, slice) else rows[0]

    def __eq__(self, other: object) -> bool:
        return self[:] == (other[:] if isinstance(other, Rows) else other)

    def __hash__(self) -> int:
        return hash(self[:])


def _plain(column: Column, rows: NDArray[np.intp]) -> list[Any]:
    if isinstance(column.values, Texts):
        return column.values.listed(rows)
    listed: list[Any] = column.values[rows].tolist()
    return listed
