"""The dock *Model*: tasks, flows, machines and links as tables that are edited in place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.project.task_table import is_table, propose
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID
from gui.document.document import Document, Selection
from gui.model.model_table import ModelTable
from gui.model.paste_dialog import PasteDialog
from gui.model.pasted_rows import has_titles
from gui.model.row_kinds import KINDS
from gui.model.workload_rows import TASKS
from machines.errors import PlacewiseError


class ModelPanel(QWidget):
    """The tables behind their tabs; the line below them states what is wrong."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_tables")
        self.setAccessibleName("Model tables")
        self._document = document
        self.dialog: PasteDialog | None = None
        self.stack = QStackedWidget()
        self.tables = tuple(ModelTable(document, kind) for kind in KINDS)
        self.message = QLabel()
        self.message.setObjectName("model_message")
        self.message.setProperty("role", "error")
        self.message.setWordWrap(True)
        self.message.setContentsMargins(GRID, 0, GRID, GRID // 2)
        self.shown = QLabel()
        self.shown.setObjectName("model_count")
        self.shown.setProperty("role", "muted")
        self._choice = QButtonGroup(self)
        self._lay_out()
        for table in self.tables:
            self.stack.addWidget(table)
            table.messaged.connect(self._tell)
            table.pasted.connect(self.paste)
        self.setFocusProxy(self.current)
        self._choice.idClicked.connect(self._choose)
        document.changed.connect(lambda _project: self._count())
        document.selection_changed.connect(self._follow)
        self._count()

    @property
    def current(self) -> ModelTable:
        """The table in sight."""
        return self.tables[self.stack.currentIndex()]

    def show_kind(self, place: int) -> None:
        """Show the table at `place`."""
        self.stack.setCurrentIndex(place)
        self.setFocusProxy(self.current)
        self._choice.button(place).setChecked(True)
        self._tell("")
        self._count()

    def paste(self, text: str) -> None:
        """Put cells into the table in sight, or ask about a table of tasks."""
        kind = self.current.kind
        if is_table(text) and (kind is TASKS or not has_titles(kind, text)):
            self.ask(text)
        else:
            self.current.paste_cells(text)

    def paste_table(self, text: str) -> None:
        """Take rows below titles into the table in sight, or ask about a table of tasks."""
        kind = self.current.kind
        if kind is not TASKS and has_titles(kind, text):
            self.current.paste_cells(text)
        else:
            self.ask(text)

    def ask(self, text: str, where: str = "clipboard") -> None:
        """Show what the columns of a table of tasks are taken for."""
        try:
            proposal = propose(text, where)
        except PlacewiseError as error:
            self._tell(sentence(error))
            return
        self._tell("")
        self.dialog = PasteDialog(self._document, proposal, self.window())
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def _forget(self, _result: int) -> None:
        self.dialog = None
        self.current.setFocus()

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(GRID, GRID // 2, GRID, 0)
        header.setSpacing(GRID)
        for place, kind in enumerate(KINDS):
            tab = _button(f"model_tab_{kind.name}s", kind.title, f"Edit the {kind.name}s")
            tab.setCheckable(True)
            tab.setChecked(place == 0)
            self._choice.addButton(tab, place)
            header.addWidget(tab)
        header.addWidget(self.shown)
        header.addStretch(1)
        add = _button("model_add", "+", "Add a row (Insert)")
        add.clicked.connect(self._add)
        fill = _button(
            "model_fill", "Fill down", "Copy the first selected cell into those below it (Ctrl+D)"
        )
        fill.clicked.connect(self._fill)
        paste = _button(
            "model_paste",
            "Paste table…",
            "Add the rows of a spreadsheet: copy them with their titles first (Ctrl+V)",
        )
        paste.clicked.connect(lambda: self.paste_table(QApplication.clipboard().text()))
        for button in (add, fill, paste):
            header.addWidget(button)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(header)
        body.addWidget(self.stack, 1)
        body.addWidget(self.message)
        self.message.hide()

    def _follow(self, selection: Selection) -> None:
        """Show the table of what is selected elsewhere; not while a table has the keyboard."""
        if self.isAncestorOf(QApplication.focusWidget() or self.window()):
            return
        for place, kind in enumerate(KINDS):
            if kind.chosen(selection) and self.stack.currentIndex() != place:
                self.show_kind(place)

    def _choose(self, place: int) -> None:
        """Show the table of a tab, and give it the keyboard: rows are added and typed next."""
        self.show_kind(place)
        self.current.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self) -> None:
        self.current.add_row()

    def _fill(self) -> None:
        self.current.fill_down()

    def _tell(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _count(self) -> None:
        kind = self.current.kind
        self.shown.setText(count(kind.length(self._document.project), kind.name))


def _button(name: str, text: str, hint: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setToolTip(hint)
    button.setAccessibleName(hint)
    button.setAutoRaise(True)
    return button
