"""The cases of a study as tabs in a row, with what is done to all of them beside.

The first tab is no case: its settings stand alone, kept on this computer. A double click or F2
renames, the cross or Delete closes, + makes a case of what the form holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from gui.basics.literal_menu import literal
from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.studies.page.few_lines import FewLines

ALONE = "On its own"


class CaseTabs(QWidget):
    """Tabs, + and the buttons; it tells what is wished and shows what is.

    `bar`: `ALONE`, then the cases. `editor`: over the tab that is renamed; hidden otherwise.
    `message`: what is wrong with the name in the editor.
    """

    chosen = Signal(object)  # str: the name of a case; empty: none
    added = Signal()
    renamed = Signal(object, object)  # str, str: from, to
    closed = Signal(object)  # str

    def __init__(self, study: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_cases")
        self.setAccessibleName("Cases")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._names: tuple[str, ...] = ()
        self.bar = QTabBar()
        self.bar.setObjectName("study_case_tabs")
        self.bar.setAccessibleName(f"Cases of {study}")
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setUsesScrollButtons(True)
        self.bar.setElideMode(Qt.TextElideMode.ElideRight)
        self.bar.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # keys are for the tab that is clicked
        self.bar.addTab(ALONE)
        tip = "Settings outside any project, kept on this computer"
        self.bar.setTabToolTip(0, tip)
        self.bar.setToolTip("Cases in the project: double-click or F2 renames, Delete closes")
        self.bar.currentChanged.connect(self._choose)
        self.bar.tabBarDoubleClicked.connect(self._edit)
        self.bar.installEventFilter(self)
        self.add_button = _tool("study_case_add", "+", "Another case, with the settings of this")
        self.add_button.clicked.connect(self.added)
        self.compare_button = _tool("study_case_compare", "Compare cases", "")
        self.compare_button.setAccessibleName("Compare cases")
        self.compare_button.setProperty("role", "view")
        self.compare_button.setCheckable(True)
        self.use_button = QPushButton("Use in plan")
        self.use_button.setObjectName("study_use")
        self.use_button.setAccessibleName("Use in plan")
        self.use_button.setProperty("primary", "true")
        self.editor = QLineEdit(self)
        self.editor.setObjectName("study_case_name")
        self.editor.setAccessibleName("Name of the case")
        self.editor.setToolTip("Name of the case; Enter takes it, Escape leaves the old one")
        self.editor.editingFinished.connect(self._take)
        self.editor.textEdited.connect(lambda _text: self.refuse_name(""))
        self.editor.installEventFilter(self)
        self.editor.hide()
        self.message = FewLines("study_case_message", "error", 1)
        self._edited = ""
        self._lay_out()

    def show_cases(self, names: Sequence[str], current: str) -> None:
        """Show these cases, without telling; an empty `current` is the tab that is no case."""
        self._leave()
        self.bar.blockSignals(True)
        while self.bar.count() > len(names) + 1:
            self.bar.removeTab(self.bar.count() - 1)
        for at, name in enumerate(names, 1):
            if at == self.bar.count():
                self.bar.addTab("")
                self.bar.setTabButton(at, QTabBar.ButtonPosition.RightSide, self._cross())
            self.bar.setTabText(at, literal(name))
            self.bar.setTabToolTip(at, f"Case “{name}”, in the project")
        self._names = tuple(names)
        self.bar.setCurrentIndex(self._names.index(current) + 1 if current in self._names else 0)
        self.bar.blockSignals(False)
        several = len(names) > 1
        self.compare_button.setEnabled(several or self.compare_button.isChecked())
        wanted = "Figures and settings of all cases side by side"
        self.compare_button.setToolTip(wanted if several else "There must be two cases to compare")

    def refuse_name(self, reason: str) -> None:
        """Leave the name in the editor, and say what is wrong with it; empty: nothing is."""
        mark_wrong(self.editor, bool(reason))
        self.editor.setAccessibleDescription(reason)
        self.message.setText(f"{SIGN} {reason}" if reason else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """F2 and Delete on the tabs, before the window's; Escape while a name is typed."""
        if (
            watched is self.bar
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete)
        ):
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key, at = event.key(), self.bar.currentIndex()
            if watched is self.editor and key == Qt.Key.Key_Escape:
                self._leave()
                return True
            if watched is self.bar and key == Qt.Key.Key_F2:
                self._edit(at)
                return True
            if watched is self.bar and key == Qt.Key.Key_Delete and at > 0:
                self.closed.emit(self._names[at - 1])
                return True
        return bool(super().eventFilter(watched, event))

    def minimumSizeHint(self) -> QSize:
        """Tabs scroll where they have no room."""
        return QSize(40 * GRID, super().minimumSizeHint().height())

    def _choose(self, at: int) -> None:
        self.chosen.emit("" if at <= 0 else self._names[at - 1])

    def _edit(self, at: int) -> None:
        """Type over the tab."""
        if at <= 0:
            return
        self._edited = self._names[at - 1]
        place = self.bar.tabRect(at).translated(self.bar.pos())
        self.editor.setGeometry(place)
        self.editor.setText(self._edited)
        self.editor.selectAll()
        self.editor.show()
        self.editor.raise_()
        self.editor.setFocus()

    def _take(self) -> None:
        """Tell the name; the editor stays while it is refused."""
        old, new = self._edited, " ".join(self.editor.text().split())
        self.refuse_name("")
        if old and new not in ("", old):
            self.renamed.emit(old, new)
        if not self.message.text():
            self._leave()

    def _leave(self) -> None:
        self._edited = ""
        self.refuse_name("")
        if self.editor.hasFocus():  # by a key
            self.bar.setFocus()
        self.editor.hide()

    def _cross(self) -> QToolButton:
        button = _tool("study_case_close", "×", "Close the case; undo brings it back")
        button.clicked.connect(lambda: self._close(button))
        return button

    def _close(self, button: QToolButton) -> None:
        for at in range(1, self.bar.count()):
            if self.bar.tabButton(at, QTabBar.ButtonPosition.RightSide) is button:
                self.closed.emit(self._names[at - 1])
                return

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID, GRID // 2, GRID, 0)
        row.setSpacing(GRID)
        row.addWidget(self.bar)
        row.addWidget(self.add_button)
        row.addWidget(self.message, 100)  # all the room that is left
        row.addStretch(1)
        row.addWidget(self.compare_button)
        row.addWidget(self.use_button)


def _tool(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setAccessibleName(tip)
    button.setToolTip(tip)
    button.setAutoRaise(True)
    return button
