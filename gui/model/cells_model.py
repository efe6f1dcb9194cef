"""The rows of one kind as a Qt model over the frozen project; nothing is copied but their order."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor

from advisor.project.project import Project
from gui.basics.theme import theme
from gui.basics.tips import plain_tip
from gui.inspector.sheet import VARIOUS
from gui.model.row_kind import CellColumn, RowKind

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_TINT = 40  # of 255: behind a wrong text
_Role = Qt.ItemDataRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CellsModel(QAbstractTableModel):
    """Rows are positions in the project, in the order of the last sorting; new ones are last."""

    typed = Signal(int, int, str)  # position, column, text

    def __init__(self, kind: RowKind, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kind, self._project = kind, project
        self.rows = list(range(kind.length(project)))
        self._places = {at: at for at in self.rows}
        self._sorting: tuple[int, Qt.SortOrder] | None = None
        self._editable: dict[tuple[int, int], bool] = {}  # a field takes long to make
        self.wrong: dict[tuple[int, int], tuple[str, str]] = {}  # cell → text, message

    def show(self, project: Project, *, anew: bool = False) -> None:
        """Show another project: rows, order, wrong texts and open editors stay where they can."""
        before, self._project, self._editable = len(self.rows), project, {}
        now = self.kind.length(project)
        if anew or now < before:
            self.beginResetModel()
            self.wrong = {}
            self._order(now)
            self.endResetModel()
            return
        if now > before:
            self.beginInsertRows(_ROOT, before, now - 1)
            for at in range(before, now):
                self._places[at] = len(self.rows)
                self.rows.append(at)
            self.endInsertRows()
        if before:
            corner = self.index(before - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), corner)

    def column(self, section: int) -> CellColumn:
        """The column there."""
        return self.kind.columns[section]

    def is_editable(self, position: int, section: int) -> bool:
        """Whether there is a field behind a cell."""
        cell = position, section
        if cell not in self._editable:
            self._editable[cell] = self.column(section).field(self._project, position) is not None
        return self._editable[cell]

    def place(self, position: int) -> int | None:
        """In which row a thing of the project is shown."""
        return self._places.get(position)

    def refuse(self, position: int, section: int, text: str, message: str) -> None:
        """Keep a text that can't be taken, and say why."""
        self.wrong[position, section] = text, message
        self._tell(position, section)

    def accept(self, position: int, section: int) -> None:
        """Forget what was wrong in a cell."""
        if self.wrong.pop((position, section), None) is not None:
            self._tell(position, section)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One row a thing."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """As declared."""
        return 0 if parent.isValid() else len(self.kind.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Cells with a field can be edited."""
        found = super().flags(index)
        if index.isValid() and self.is_editable(self.rows[index.row()], index.column()):
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        """Texts, a wrong one where it was typed."""
        row, section = index.row(), index.column()
        if not 0 <= row < len(self.rows):
            return None
        position, column = self.rows[row], self.column(section)
        wrong = self.wrong.get((position, section))
        if role in (_Role.DisplayRole, _Role.EditRole, _Role.AccessibleTextRole):
            return self.text(position, section) if wrong is None else wrong[0]
        if role == _Role.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        if role == _Role.ToolTipRole:
            return plain_tip(column.hint if wrong is None else wrong[1])
        return self._ink(position, section, role)

    def _ink(self, position: int, section: int, role: int) -> QColor | None:
        """Colours of a wrong text, and of what can't be edited."""
        wrong = (position, section) in self.wrong
        if role == _Role.ForegroundRole and not wrong:
            editable = self.is_editable(position, section)
            return None if editable else QColor(theme().colours.muted)
        if not wrong or role not in (_Role.ForegroundRole, _Role.BackgroundRole):
            return None
        ink = QColor(theme().colours.worse)
        ink.setAlpha(255 if role == _Role.ForegroundRole else _TINT)
        return ink

    def text(self, position: int, section: int) -> str:
        """What the project has there."""
        return self.column(section).text(self._project, position)

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        """Tell what was typed; the project decides."""
        if role != _Role.EditRole:
            return False
        self.typed.emit(self.rows[index.row()], index.column(), str(value))
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> object:
        """Titles with their hints; rows are numbered as in the project."""
        if orientation == Qt.Orientation.Vertical:
            known = role == _Role.DisplayRole and 0 <= section < len(self.rows)
            return self.rows[section] + 1 if known else None
        if not 0 <= section < len(self.kind.columns):
            return None
        column = self.column(section)
        if role == _Role.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        return {_Role.DisplayRole: column.title, _Role.ToolTipRole: column.hint}.get(_Role(role))

    def sort(self, section: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1: as in the project."""
        self._sorting = None if section < 0 else (section, order)
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        positions = [self.rows[one.row()] for one in held]
        self._order(len(self.rows))
        moved = [
            self.index(self._places[position], one.column())
            for position, one in zip(positions, held, strict=True)
        ]
        self.changePersistentIndexList(held, moved)
        self.layoutChanged.emit()

    def _order(self, length: int) -> None:
        self.rows = list(range(length))
        if self._sorting is not None:
            section, order = self._sorting
            value = self.column(section).value
            keys = [_key(value(self._project, at)) for at in self.rows]
            descending = order == Qt.SortOrder.DescendingOrder
            self.rows.sort(key=keys.__getitem__, reverse=descending)
        self._places = {position: row for row, position in enumerate(self.rows)}

    def _tell(self, position: int, section: int) -> None:
        row = self.place(position)
        if row is not None:
            cell = self.index(row, section)
            self.dataChanged.emit(cell, cell)


def _key(value: object) -> tuple[int, object]:
    """Nothing before numbers before texts before lists."""
    if value is None or value is VARIOUS:
        return 0, 0
    if isinstance(value, int | float):
        return 1, value
    if isinstance(value, str):
        return 2, value.casefold()
    if isinstance(value, tuple) and value and not isinstance(value[0], str):
        return 1, sum(many * size for many, size in value)  # data sets
    return (3, value) if value else (0, 0)
