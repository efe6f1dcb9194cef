"""The memory of studies: what was entered comes back, after a crash and from a damaged file too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from advisor.project.questions import Question
from advisor.studies.study import Study, StudyResult
from gui.document.document import Document
from gui.shell.main_window import MainWindow
from gui.studies.page.memory import StudyMemory
from gui.studies.page.study_panel import StudyPanel
from tests.gui.amdahl import Amdahl

STUDY = Study(
    Question("amdahl", "Amdahl", "How far?"), Amdahl, lambda *_, **_options: StudyResult("So far.")
)
DEFAULTS = {"serial": 0.1, "processors": 8, "overhead": False, "shape": "line", "limit": None,
            "width": 1.0, "file": ""}  # fmt: skip


def panel(qtbot: QtBot, document: Document, kept: StudyMemory) -> StudyPanel:
    found = StudyPanel(document, STUDY, kept)
    qtbot.addWidget(found)
    found.show()
    return found


def test_what_was_entered_is_there_again_without_a_proper_end(
    qtbot: QtBot, document: Document, tmp_path: Path
) -> None:
    first = StudyMemory(tmp_path / "new", delay_ms=1)
    before = panel(qtbot, document, first)
    editor = before.form.editor("serial")
    assert isinstance(editor, QLineEdit)
    editor.clear()
    qtbot.keyClicks(editor, "0.25")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    before.form.set_values({"overhead": True, "limit": 3.5, "shape": "bars"})
    qtbot.waitUntil(lambda: not first.is_busy)
    kept = json.loads((tmp_path / "new" / "amdahl.json").read_text(encoding="utf-8"))
    assert kept == {"serial": "0.25", "overhead": "yes", "limit": "3.5", "shape": "bars"}
    after = panel(qtbot, document, StudyMemory(tmp_path / "new"))
    assert after.form.values() == before.form.values()
    for one in (before, after):
        one.close()
    first.close()


def test_the_end_writes_what_is_waiting(tmp_path: Path) -> None:
    kept = StudyMemory(tmp_path, delay_ms=60_000)
    kept.keep(STUDY, {**DEFAULTS, "processors": 64})
    kept.close()
    assert StudyMemory(tmp_path).values(STUDY) == {"processors": 64}


def test_defaults_are_forgotten(tmp_path: Path) -> None:
    kept = StudyMemory(tmp_path, delay_ms=60_000)
    kept.keep(STUDY, {**DEFAULTS, "processors": 64})
    kept.keep(STUDY, DEFAULTS)
    kept.close()
    assert StudyMemory(tmp_path).values(STUDY) == {}


@pytest.mark.parametrize("text", ["", "no JSON", "[1]", '{"serial": 7}', "\xff", "[" * 100_000])
def test_a_damaged_file_counts_as_absent(tmp_path: Path, text: str) -> None:
    (tmp_path / "amdahl.json").write_text(text, encoding="latin-1")
    assert StudyMemory(tmp_path).values(STUDY) == {}


def test_a_setting_that_is_not_right_any_more_is_left_out(tmp_path: Path) -> None:
    settings = {"serial": "7", "processors": "9", "gone": "1", "shape": "round"}
    (tmp_path / "amdahl.json").write_text(json.dumps(settings), encoding="utf-8")
    assert StudyMemory(tmp_path).values(STUDY) == {"processors": 9}


def test_where_nothing_can_be_kept_it_is_told_once(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    kept = StudyMemory(tmp_path / "taken", delay_ms=1)
    told: list[object] = []
    kept.warning.connect(told.append)
    for processors in (2, 3):
        kept.keep(STUDY, {**DEFAULTS, "processors": processors})
        qtbot.waitUntil(lambda: bool(told) and not kept.is_busy)
    assert len(told) == 1
    assert "can't be kept" in str(told[0])
    kept.close()


def test_the_window_keeps_a_tree_of_ones_own(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["page_trees"].trigger()
    page = window.panel("trees")
    assert isinstance(page, StudyPanel)
    page.form.set_values({"back_ends": 4, "own": "g:2:2,2"})
    qtbot.waitUntil(lambda: not window.study_memory.is_busy)
    other = MainWindow(window.settings)
    again = other.panel("trees")
    assert isinstance(again, StudyPanel)
    values = again.form.values()
    assert values is not None
    assert (values["back_ends"], values["own"]) == (4, "g:2:2,2")
    other.end_jobs()
    other.deleteLater()
