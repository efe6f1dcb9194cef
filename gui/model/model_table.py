"""One table of the model: typed into, filled down, sorted; each change is one undo step."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.project.project import Project
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID, theme
from gui.document.document import Document, Selection
from gui.inspector.sheet import Field
from gui.model.cells_model import CellsModel
from gui.model.pasted_rows import NotPasted, pasted
from gui.model.row_kind import RowKind, written
from machines.errors import PlacewiseError
from machines.parameters import spoken

_Flag = QItemSelectionModel.SelectionFlag
_Hint = QAbstractItemDelegate.EndEditHint
_WIDEST_NAMES = 36 * GRID
_WIDTHS = (18 * GRID, 14 * GRID)  # of the first columns, which hold names, and of others
_OWN = (  # keys that mean cells while the table has the focus, not the window's actions
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.Delete,
    QKeySequence.StandardKey.SelectAll,
)
_CTRL = Qt.KeyboardModifier.ControlModifier


class ModelTable(QTableView):
    """The rows of one kind; it follows the document's selection and sets it."""

    messaged = Signal(str)  # what is wrong, with its remedy; "" when nothing is
    pasted = Signal(str)  # text that is more than a cell's

    def __init__(self, document: Document, kind: RowKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"model_{kind.name}s")
        self.setAccessibleName(kind.title)
        self.document, self.kind = document, kind
        self.cells = CellsModel(kind, document.project, self)
        self.setModel(self.cells)
        self.setItemDelegate(_Cells(self))
        self._quiet = False  # the selection is the document's
        self._lay_out()
        self.cells.typed.connect(self._write)
        self.selectionModel().selectionChanged.connect(self._tell_selection)
        self.selectionModel().currentChanged.connect(self._tell_wrong)
        document.changed.connect(self._show)
        document.replaced.connect(lambda project: self.cells.show(project, anew=True))
        document.selection_changed.connect(self._follow)
        self._follow(document.selection)

    def _lay_out(self) -> None:
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)  # Tab leaves the table; in an editor it opens the next cell
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + GRID)
        columns.setSortIndicatorClearable(True)
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        columns.setStretchLastSection(True)
        self.setSortingEnabled(True)
        for section in range(self.cells.columnCount()):
            self.setColumnWidth(section, _WIDTHS[min(section, 1)])

    def sizeHint(self) -> QSize:
        """A few rows: tables take the room that there is and scroll the rest."""
        return QSize(40 * GRID, 12 * GRID)

    def chosen_rows(self) -> frozenset[int]:
        """Positions of the rows with a selected cell."""
        found: set[int] = set()
        selection = self.selectionModel().selection()
        for at in range(selection.count()):
            part = selection.at(at)
            found.update(self.cells.rows[part.top() : part.bottom() + 1])
        return frozenset(found)

    def add_row(self) -> None:
        """One more row, whose first cell is then edited."""
        kind = self.kind
        try:
            changed = kind.add(self.document.project)
        except PlacewiseError as error:
            self.messaged.emit(sentence(error))
            return
        self.document.apply(changed, f"Add {kind.name}")
        new = kind.length(changed) - 1
        self.document.select(kind.choice(frozenset((new,))))
        row = self.cells.place(new)
        if row is not None:
            cell = self.cells.index(row, 0)
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentIndex(cell)
            self.edit(cell)

    def remove_rows(self) -> None:
        """Remove the selected rows, one undo step."""
        rows = self.chosen_rows()
        if not rows:
            return
        text = f"Remove {count(len(rows), self.kind.name)}"
        try:
            changed = self.kind.remove(self.document.project, rows)
        except PlacewiseError as error:
            self.messaged.emit(sentence(error))
            return
        self.messaged.emit("")
        self.document.apply(changed, text)

    def fill_down(self) -> None:
        """Copy the first selected cell of every column into the others, one undo step.

        Where whole rows are selected only the column of the current cell is filled.
        """
        places = sorted(
            (one.column(), one.row()) for one in self.selectionModel().selectedIndexes()
        )
        columns = {section for section, _ in places}
        if len(columns) == self.cells.columnCount():
            columns = {self.currentIndex().column()}
        texts: dict[int, str] = {}
        cells = []
        for section, row in places:
            position = self.cells.rows[row]
            if section not in columns:
                continue
            if section in texts:
                cells.append((position, section, texts[section]))
            else:
                texts[section] = self.cells.text(position, section)
        self.write_all(cells, "Fill down")

    def paste_cells(self, text: str) -> None:
        """Put rows of cells from the current one on, one undo step; a single one into all.

        Titles say which columns they are of; rows below the last one are added.
        """
        if not text.strip("\r\n"):
            return
        first, rows = self.currentIndex(), self.cells.rows
        chosen = self.selectionModel().selectedIndexes() or [first]
        if first.isValid() and not any(mark in text.rstrip("\r\n") for mark in "\t\r\n"):
            cells = [(rows[one.row()], one.column(), text.strip()) for one in chosen]
            self.write_all(cells, "Paste cells")
            return
        present = rows[first.row() :] if first.isValid() else []
        try:
            found = pasted(self.kind, text, max(0, first.column()))
            changed = found.put(self.document.project, present)
        except NotPasted as refusal:
            self.messaged.emit(str(refusal))
            return
        for position, row in zip(present, found.rows, strict=False):
            for section, _ in row:
                self.cells.accept(position, section)
        self.document.apply(changed, "Paste cells")
        left = ", ".join(found.left_out)
        self.messaged.emit(f"Left out, as the table has no such column: {left}." if left else "")

    def write_all(self, cells: Iterable[tuple[int, int, str]], text: str) -> bool:
        """Write texts into cells (position, column, text) as one undo step; all or none."""
        project = self.document.project
        for position, section, typed in cells:
            field = self.cells.column(section).field(project, position)
            if field is None:
                continue
            try:
                project = written(project, field, typed)
            except PlacewiseError as error:
                self._refuse(position, section, field, typed, error)
                return False
            self.cells.accept(position, section)
        self.messaged.emit("")
        self.document.apply(project, text)
        return True

    def event(self, event: QEvent) -> bool:
        """Keep keys that mean cells: texts begin an edit, whatever the window does with them."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and (_is_typed(event) or any(map(event.matches, _OWN)) or _fills(event))
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Del removes rows, Insert adds one, Ctrl+D fills down, Enter goes one cell down."""
        if event.matches(QKeySequence.StandardKey.Delete):
            self.remove_rows()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit(QApplication.clipboard().text())
        elif _fills(event):
            self.fill_down()
        elif event.key() == Qt.Key.Key_Insert:
            self.add_row()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            # an editor hands its Enter on, and is committed a moment later: it goes down itself
            if self.state() != QAbstractItemView.State.EditingState:
                self._go_down()
        elif event.key() == Qt.Key.Key_Escape and self._current_wrong():
            index = self.currentIndex()
            self.cells.accept(self.cells.rows[index.row()], index.column())
            self.messaged.emit("")
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Enter goes one cell down, Tab to the next; neither while the text is wrong."""
        wrong = bool(self._current_wrong())
        super().closeEditor(
            editor, _Hint.NoHint if wrong or hint == _Hint.SubmitModelCache else hint
        )
        if hint == _Hint.SubmitModelCache and not wrong:
            self._go_down()

    def _go_down(self) -> None:
        index = self.currentIndex()
        below = self.cells.index(min(index.row() + 1, self.cells.rowCount() - 1), index.column())
        self.selectionModel().setCurrentIndex(below, _Flag.ClearAndSelect)

    def _current_wrong(self) -> str:
        index = self.currentIndex()
        if not index.isValid() or index.row() >= len(self.cells.rows):
            return ""
        wrong = self.cells.wrong.get((self.cells.rows[index.row()], index.column()))
        return "" if wrong is None else wrong[1]

    def _tell_wrong(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self.messaged.emit(self._current_wrong())

    def _write(self, position: int, section: int, text: str) -> None:
        """What was typed into a cell; the same text as before changes nothing."""
        field = self.cells.column(section).field(self.document.project, position)
        if field is None:
            return
        if text == self.cells.text(position, section):
            self.cells.accept(position, section)
            self.messaged.emit("")
            return
        self.write_all([(position, section, text)], f"Change {field.parameter.title}")

    def _refuse(
        self, position: int, section: int, field: Field, text: str, error: PlacewiseError
    ) -> None:
        called = self.kind.called(self.document.project, position)
        problem = spoken(error, (field.parameter,)).text
        value = f" “{text}”" if text and text not in problem else ""
        message = f"{called}, {self.kind.columns[section].title}{value}: {problem}"
        self.cells.refuse(position, section, text, message)
        self.messaged.emit(message)

    def _copy(self) -> None:
        """Copy the selected cells, tab-separated; those between them are empty."""
        texts = {
            (one.row(), one.column()): self.cells.text(self.cells.rows[one.row()], one.column())
            for one in self.selectionModel().selectedIndexes()
        }
        rows = sorted({row for row, _ in texts})
        sections = sorted({section for _, section in texts})
        lines = ("\t".join(texts.get((row, one), "") for one in sections) for row in rows)
        QApplication.clipboard().setText("\n".join(lines))

    def _show(self, project: Project) -> None:
        scrolled = self.verticalScrollBar().value()
        before, current = self.cells.rowCount(), self.currentIndex()
        row, section = current.row(), current.column()
        self._quiet = True
        self.cells.show(project)
        self._quiet = False
        if self.cells.rowCount() != before:
            self._widen_names()
        if self.cells.rowCount() < before:
            self.verticalScrollBar().setValue(scrolled)
            self._follow(self.document.selection)
            if row >= 0:
                near = self.cells.index(min(row, self.cells.rowCount() - 1), section)
                self.selectionModel().setCurrentIndex(near, _Flag.NoUpdate)

    def _widen_names(self) -> None:
        """Give the names in sight their room, up to a limit; no column gets narrower."""
        wanted = min(self.sizeHintForColumn(0), _WIDEST_NAMES)
        self.setColumnWidth(0, max(self.columnWidth(0), wanted))

    def _tell_selection(self) -> None:
        rows = self.chosen_rows()
        if not self._quiet and rows:
            self.document.select(self.kind.choice(rows))

    def _follow(self, selection: Selection) -> None:
        """Select the rows of what is selected elsewhere."""
        wanted = self.kind.chosen(selection)
        if wanted == self.kind.chosen(self.kind.choice(self.chosen_rows())):
            return
        rows = sorted(row for at in wanted if (row := self.cells.place(at)) is not None)
        found, last = QItemSelection(), self.cells.columnCount() - 1
        start = 0
        for at, row in enumerate(rows):
            if at + 1 == len(rows) or rows[at + 1] != row + 1:
                found.select(self.cells.index(rows[start], 0), self.cells.index(row, last))
                start = at + 1
        self._quiet = True
        self.selectionModel().select(found, _Flag.ClearAndSelect)
        if rows and self.currentIndex().row() not in rows:
            section = max(0, self.currentIndex().column())
            self.selectionModel().setCurrentIndex(
                self.cells.index(rows[0], section), _Flag.NoUpdate
            )
        self._quiet = False
        if rows:
            self.scrollTo(self.cells.index(rows[0], 0))


class _Cells(QStyledItemDelegate):
    """Wrong texts stand out where they are selected, too; what is being typed stays."""

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        """Show the cell's text, unless something was typed since."""
        if not isinstance(editor, QLineEdit) or not editor.isModified():
            super().setEditorData(editor, index)

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """What a cell looks like."""
        super().initStyleOption(option, index)
        if index.data(Qt.ItemDataRole.BackgroundRole) is not None:
            ink = QColor(theme().colours.worse)
            option.palette.setColor(QPalette.ColorRole.Highlight, ink)


def _fills(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_D and event.modifiers() == _CTRL


def _is_typed(event: QKeyEvent) -> bool:
    """Whether a key writes something, alone or with Shift."""
    plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    return plain and bool(event.text()) and event.text().isprintable()
