"""What a user's hands and eyes do in the inspector: write into a field, choose, press, read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gui.document.document import Document, Selection
from gui.form.editors import ChoiceList
from gui.inspector import Inspector
from tests.gui.pointer import move


def open_inspector(
    qtbot: QtBot, document: Document, width: int = 340, height: int = 900
) -> Inspector:
    """The inspector of a document, on the screen."""
    inspector = Inspector(document)
    qtbot.addWidget(inspector)
    inspector.resize(width, height)
    with qtbot.waitExposed(inspector):
        inspector.show()
    return inspector


def select(document: Document, task: int) -> None:
    """Show the sheet of one task."""
    document.select(Selection(tasks=frozenset({task})))


def labels(inspector: Inspector) -> str:
    """All that is written on the sheet: titles, units, errors, notes."""
    return "\n".join(label.text() for label in inspector.findChildren(QLabel))


def type_into(qtbot: QtBot, inspector: Inspector, key: str, text: str) -> QLineEdit:
    """Write into a field and press Enter."""
    line = inspector.findChild(QLineEdit, f"field.{key}")
    assert isinstance(line, QLineEdit), key
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    return line


def type_refused(qtbot: QtBot, inspector: Inspector, key: str, text: str, reason: str) -> QLineEdit:
    """Write what can't be taken: it stays, with the reason beneath."""
    line = type_into(qtbot, inspector, key, text)
    assert line.text() == text
    assert reason.casefold() in error_under(inspector, key).casefold()
    return line


def choice(inspector: Inspector, key: str) -> ChoiceList:
    """The list of a field."""
    found = inspector.findChild(ChoiceList, f"field.{key}")
    assert isinstance(found, ChoiceList), key
    return found


def choose_by_keys(qtbot: QtBot, inspector: Inspector, key: str, text: str) -> ChoiceList:
    """Go to a choice with the arrow keys; every step on the way is an edit."""
    combo = choice(inspector, key)
    combo.setFocus()
    place = combo.findData(text)
    assert place >= 0, text
    while combo.currentIndex() != place:
        down = combo.currentIndex() < place
        qtbot.keyClick(combo, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
    return combo


def choose_by_mouse(qtbot: QtBot, inspector: Inspector, key: str, text: str) -> ChoiceList:
    """Open the list and click on a choice."""
    combo = choice(inspector, key)
    inspector.ensureWidgetVisible(combo)
    qtbot.settle()  # a list closes when its sheet is laid out beneath it
    interval = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(1)  # so long a list that was opened by mouse takes no click
    try:
        qtbot.mouseClick(combo, Qt.MouseButton.LeftButton)
        rows = combo.view()
        qtbot.waitUntil(rows.isVisible)
        qtbot.settle()
        index = combo.model().index(combo.findData(text), 0)
        rows.scrollTo(index)
        at = rows.visualRect(index).center()
        move(rows.viewport(), at)
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=at)
        qtbot.waitUntil(lambda: not rows.isVisible())
    finally:
        QApplication.setDoubleClickInterval(interval)
    return combo


def press(inspector: Inspector, key: str) -> None:
    """Press the button of an action."""
    button = inspector.findChild(QPushButton, f"action.{key}")
    assert isinstance(button, QPushButton), key
    button.click()


def error_under(inspector: Inspector, key: str) -> str:
    """What is said to be wrong with a field; empty when nothing is."""
    label = inspector.findChild(QLabel, f"error.{key}")
    assert isinstance(label, QLabel), key
    return label.text() if label.isVisible() else ""


def keys(inspector: Inspector) -> list[str]:
    """The fields that are shown, from top to bottom."""
    rows = (row for row in inspector.widget().findChildren(object) if hasattr(row, "show_field"))
    shown = [row for row in rows if row.isVisible()]
    return [row.objectName().removeprefix("row.") for row in sorted(shown, key=lambda r: r.y())]
