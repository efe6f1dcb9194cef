"""The dialog that asks for a file settles its name and its format together."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.save_dialog import ask_file

FORMATS = (("Table", ".csv"), ("Plan", ".json"))


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def asked(parent: QWidget, taken: list[tuple[Path, int]]) -> QFileDialog:
    return ask_file(parent, "Save", FORMATS, "plan", lambda path, at: taken.append((path, at)))


@pytest.mark.parametrize(
    ("name", "chosen", "file", "format_"),
    [
        ("plan", "Table (*.csv)", "plan.csv", 0),
        ("plan", "Plan (*.json)", "plan.json", 1),
        ("plan.json", "Table (*.csv)", "plan.json", 1),
        ("plan.gif", "Table (*.csv)", "plan.gif.csv", 0),
    ],
)
def test_the_ending_typed_goes_before_the_filter(
    parent: QWidget, tmp_path: Path, name: str, chosen: str, file: str, format_: int
) -> None:
    taken: list[tuple[Path, int]] = []
    dialog = asked(parent, taken)
    dialog.selectNameFilter(chosen)
    dialog.fileSelected.emit(str(tmp_path / name))
    assert taken == [(tmp_path / file, format_)]
    dialog.close()


@pytest.mark.parametrize(
    ("button", "written"),
    [(QMessageBox.StandardButton.Yes, True), (QMessageBox.StandardButton.No, False)],
)
def test_a_file_that_only_the_appended_ending_hits_is_asked_about(
    qtbot: QtBot,
    parent: QWidget,
    tmp_path: Path,
    button: QMessageBox.StandardButton,
    written: bool,
) -> None:
    taken: list[tuple[Path, int]] = []
    file = tmp_path / "v1.2.csv"
    file.write_text("old", encoding="utf-8")
    dialog = asked(parent, taken)
    dialog.fileSelected.emit(str(tmp_path / "v1.2"))
    assert taken == []
    box = parent.findChild(QMessageBox, "replace_question")
    assert box is not None
    assert "v1.2.csv" in box.text()
    box.button(button).click()
    assert taken == ([(file, 0)] if written else [])
    dialog.close()


def test_the_filter_changes_what_the_dialog_puts_behind_a_name(parent: QWidget) -> None:
    dialog = asked(parent, [])
    assert dialog.defaultSuffix() == "csv"
    dialog.filterSelected.emit("Plan (*.json)")
    assert dialog.defaultSuffix() == "json"
    dialog.close()
