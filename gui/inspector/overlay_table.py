"""The table of an overlay's machines: back-ends on each, and who may hold internal processes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.entries import count
from advisor.overlays.overlay import Overlay
from advisor.project import overlay_edits
from gui.basics.theme import GRID
from gui.document.document import Document
from gui.form.error_label import error_label
from machines.errors import PlacewiseError
from machines.parameters import spoken

MACHINE, BACK_ENDS, INTERNAL = range(3)
_HEADINGS = ("Machine", "Back-ends", "Internal")
_TIPS = (
    "Machines of the platform",
    "How many back-ends run there; 0: none",
    "Whether internal processes may run there",
)
_SHOWN_ROWS = 6  # before the table scrolls
_Index = QModelIndex | QPersistentModelIndex


class MachineModel(QAbstractTableModel):
    """Machines as rows; `written` carries the overlay as it was changed, or what refuses it."""

    written = Signal(object)  # Overlay | PlacewiseError

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._machines: tuple[str, ...] = ()
        self._overlay: Overlay | None = None
        self._back_ends: dict[str, int] = {}

    def show(self, machines: tuple[str, ...], overlay: Overlay | None) -> None:
        """Show the overlay on these machines."""
        if (machines, overlay) == (self._machines, self._overlay):
            return
        alike = machines == self._machines
        if not alike:
            self.beginResetModel()
        self._machines, self._overlay = machines, overlay
        self._back_ends = {} if overlay is None else dict(overlay.back_ends)
        if not alike:
            self.endResetModel()
        elif machines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(machines) - 1, INTERNAL))

    def rowCount(self, parent: _Index | None = None) -> int:
        """One a machine."""
        return 0 if parent is not None and parent.isValid() else len(self._machines)

    def columnCount(self, _parent: _Index | None = None) -> int:
        """Name, back-ends, internal."""
        return len(_HEADINGS)

    def headerData(self, section: int, way: Qt.Orientation, role: int = 0) -> Any:
        """Headings with their tooltips."""
        if way != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return _TIPS[section]
        return _HEADINGS[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Numbers are typed, ticks are set."""
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == BACK_ENDS:
            return found | Qt.ItemFlag.ItemIsEditable
        return found | Qt.ItemFlag.ItemIsUserCheckable if index.column() == INTERNAL else found

    def data(self, index: _Index, role: int = 0) -> Any:
        """What a cell shows."""
        if self._overlay is None:
            return None
        name, column = self._machines[index.row()], index.column()
        if column == INTERNAL:
            holds = self._overlay.may_hold(name)
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if holds else Qt.CheckState.Unchecked
            said = f"Internal processes {'may' if holds else 'may not'} run on {name}"
            spoken_roles = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
            return said if role in spoken_roles else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return name if column == MACHINE else str(self._back_ends.get(name, 0))
        if role == Qt.ItemDataRole.ToolTipRole:
            return name if column == MACHINE else f"Back-ends on {name}; 0: none"
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Write what was typed or ticked; a number that can't be is refused in place."""
        if self._overlay is None:
            return False
        name = self._machines[index.row()]
        try:
            if index.column() == INTERNAL and role == Qt.ItemDataRole.CheckStateRole:
                changed = self._allowing(name, Qt.CheckState(value) == Qt.CheckState.Checked)
            elif index.column() == BACK_ENDS and role == Qt.ItemDataRole.EditRole:
                changed = self._with_back_ends(name, str(value))
            else:
                return False
        except PlacewiseError as error:
            self.written.emit(error)
            return False
        self.written.emit(changed)
        return True

    def _with_back_ends(self, name: str, text: str) -> Overlay:
        assert self._overlay is not None
        many = 0 if text.strip() in {"", "0"} else count(text)
        found = dict(self._back_ends)
        if many:
            found[name] = many
        else:
            found.pop(name, None)
        return replace(self._overlay, back_ends=tuple(found.items()))

    def _allowing(self, name: str, allowed: bool) -> Overlay:
        assert self._overlay is not None
        held = [
            one
            for one in self._machines
            if (allowed if one == name else self._overlay.may_hold(one))
        ]
        everywhere = len(held) == len(self._machines)
        return replace(self._overlay, internal_on=None if everywhere else tuple(held))


class TickTable(QTableView):
    """A table with boxes to tick, whose outlines the theme knows by the name of this class."""


class OverlayMachines(QWidget):
    """The table below the sheet of an overlay; hidden while none is selected."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overlay-machines")
        self.setAccessibleName("Section of the overlay's machines")
        self._document = document
        self.model = MachineModel(self)
        self.model.written.connect(self._write)
        heading = QLabel("Back-ends by machine")
        heading.setProperty("role", "headline")
        self.table = self._table()
        self.message = error_label("error.overlay-machines")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID // 2)
        for widget in (heading, self.table, self.message):
            column.addWidget(widget)
        document.changed.connect(self._show)
        document.selection_changed.connect(self._show)
        self._show()

    def _table(self) -> TickTable:
        table = TickTable()
        table.setObjectName("overlay-machines.table")
        table.setAccessibleName("Back-ends by machine, and where internal processes may run")
        table.setToolTip("Type a number of back-ends; tick where internal processes may run")
        table.setModel(self.model)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        rows = table.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(table.fontMetrics().height() + GRID)
        header = table.horizontalHeader()
        header.setSectionResizeMode(MACHINE, QHeaderView.ResizeMode.Stretch)
        for column in (BACK_ENDS, INTERNAL):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            width = table.fontMetrics().horizontalAdvance(_HEADINGS[column]) + 3 * GRID
            header.resizeSection(column, width)
        return table

    def _show(self, _change: object = None) -> None:
        place, project = self._document.selection.overlay, self._document.project
        if place is None or place >= len(project.workload.overlays):
            self.model.show((), None)
            self.message.hide()
            self.hide()
            return
        self.model.show(tuple(project.platform.index), project.workload.overlays[place])
        self.message.hide()
        rows = min(_SHOWN_ROWS, self.model.rowCount())
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(
            head + rows * self.table.verticalHeader().defaultSectionSize() + GRID // 2
        )
        self.show()

    def _write(self, changed: object) -> None:
        place, project = self._document.selection.overlay, self._document.project
        if isinstance(changed, PlacewiseError):
            self.message.setText(spoken(changed, ()).text)
            self.message.show()
        elif isinstance(changed, Overlay) and place is not None:
            before = project.workload.overlays[place]
            what = "Back-ends" if changed.back_ends != before.back_ends else "Internal processes"
            edited = overlay_edits.with_overlay(project, place, changed)
            self._document.apply(edited, f"{what} of {changed.name}")
