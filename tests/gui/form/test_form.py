"""The form of a study: its fields, what greys them, files, keys and the wheel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from advisor.studies.parameters import parameter
from gui.document.document import Document
from gui.form.form import ParameterForm
from gui.studies.page.study_panel import StudyPanel
from tests.gui.amdahl import Amdahl, line, shown


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> StudyPanel:
    return shown(qtbot, document)


def test_a_form_has_an_editor_for_every_field_with_its_default_and_help(qtbot: QtBot) -> None:
    form = ParameterForm(Amdahl)
    qtbot.addWidget(form)
    assert form.values() == {
        "serial": 0.1,
        "processors": 8,
        "overhead": False,
        "shape": "line",
        "limit": None,
        "width": 1.0,
        "file": "",
    }
    assert isinstance(form.editor("overhead"), QCheckBox)
    assert isinstance(form.editor("shape"), QComboBox)
    assert "Share that runs on one processor." in form.editor("serial").toolTip()
    assert "Allowed: 0 to 1." in form.editor("serial").toolTip()
    assert "1 or more" in form.editor("limit").toolTip()
    assert form.editor("processors").accessibleName() == "processors (processors)"
    with pytest.raises(KeyError):
        form.editor("nothing")


def test_a_field_that_does_not_matter_is_greyed_with_the_reason(qtbot: QtBot) -> None:
    form = ParameterForm(Amdahl)
    qtbot.addWidget(form)
    width, shape = form.editor("width"), form.editor("shape")
    assert isinstance(shape, QComboBox)
    assert not width.isEnabled()
    assert "Only used with shape bars." in width.toolTip()
    shape.setCurrentText("bars")
    assert width.isEnabled()
    assert "Only used" not in width.toolTip()
    form.reset()
    assert not width.isEnabled()


def test_a_path_can_be_browsed_for(qtbot: QtBot, tmp_path: Path) -> None:
    form = ParameterForm(Amdahl)
    qtbot.addWidget(form)
    form.show()
    button = form.findChild(QPushButton, "browse_file")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = form.findChild(QFileDialog, "browse_dialog")
    assert dialog is not None
    with qtbot.waitSignal(form.changed) as told:
        dialog.fileSelected.emit(str(tmp_path / "speedups.csv"))
    assert told.args[0]["file"] == str(tmp_path / "speedups.csv")
    dialog.close()


def test_the_keyboard_reaches_every_field_and_the_wheel_changes_none_in_passing(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    panel.activateWindow()
    line(panel, "serial").setFocus()
    qtbot.waitUntil(lambda: line(panel, "serial").hasFocus())
    reached = []
    for _ in range(7):
        reached.append(QApplication.focusWidget().objectName())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    names = ("serial", "processors", "overhead", "shape", "limit")
    assert reached[:5] == [f"field_{name}" for name in names]
    assert "field_file" in reached[5:]
    shape = panel.form.editor("shape")
    assert isinstance(shape, QComboBox)
    at = QPointF(shape.rect().center())
    event = QWheelEvent(
        at, shape.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(shape, event)
    assert shape.currentText() == "line"


@dataclass(frozen=True)
class _Long:
    """Three sections; the last begins folded."""

    first: float = parameter(1.0, heading="One", help="First.")
    second: str = parameter("a", choices=("a", "b"), help="Second.")
    third: float = parameter(2.0, heading="Two", help="Third.")
    fourth: float = parameter(3.0, heading="Three", low=0.0, help="Fourth.")
    fifth: float = parameter(4.0, help="Fifth.", only={"second": ("b",)})


def test_a_heading_folds_its_section_by_mouse_and_by_keyboard(qtbot: QtBot) -> None:
    form = ParameterForm(_Long)
    qtbot.addWidget(form)
    form.show()
    one, two, three = form.sections
    assert [section.text() for section in form.sections] == ["One", "Two", "Three"]
    assert form.editor("first").isVisible()
    assert form.editor("third").isVisible()
    assert not form.editor("fourth").isVisible()
    qtbot.mouseClick(three, Qt.MouseButton.LeftButton)
    assert form.editor("fourth").isVisible()
    one.setFocus()
    qtbot.keyClick(one, Qt.Key.Key_Space)
    assert not form.editor("first").isVisible()
    assert two.accessibleDescription() == "open"
    assert form.values() == {"first": 1.0, "second": "a", "third": 2.0, "fourth": 3.0, "fifth": 4.0}


def test_a_wrong_entry_keeps_its_section_open(qtbot: QtBot) -> None:
    form = ParameterForm(_Long)
    qtbot.addWidget(form)
    form.show()
    three = form.sections[2]
    qtbot.mouseClick(three, Qt.MouseButton.LeftButton)
    form.set_values({"fourth": -1.0})
    qtbot.mouseClick(three, Qt.MouseButton.LeftButton)
    assert form.editor("fourth").isVisible()
    assert form.message("fourth")
    form.set_values({"fourth": 1.0})
    assert not form.editor("fourth").isVisible()
