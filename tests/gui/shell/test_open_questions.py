"""Files that leave something open: the board shows the proposals, other answers open them again."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from advisor.runs.run_record import render
from gui.shell.main_window import MainWindow
from gui.shell.open_questions import OpenQuestions
from tests.advisor.project.sources.site_files import SLURM_CONF
from tests.advisor.project.sources.small_files import DAX
from tests.advisor.project.test_gathering import RUN


def test_a_workflow_and_a_site_are_opened_asked_and_opened_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "w.dax").write_text(DAX)
    (tmp_path / "slurm.conf").write_text(SLURM_CONF)
    with qtbot.waitSignal(window.document.loaded):
        window.combining.open([tmp_path / "w.dax", tmp_path / "slurm.conf"])
    assert len(window.document.project.platform.machines) == 3
    assert window.notice.label.text() == "Which network joins the machines? Taken: gigabit"
    offer = window.notice.findChild(QPushButton, "notice_offer_0")
    qtbot.mouseClick(offer, Qt.MouseButton.LeftButton)
    dialog = window.findChild(OpenQuestions)
    field = dialog.findChild(QComboBox, "question_network")
    assert field.currentText() == "gigabit"
    assert "no file tells speeds" in dialog.findChild(QPlainTextEdit).toPlainText()
    field.setCurrentText("infiniband")
    with qtbot.waitSignal(window.document.loaded):
        qtbot.mouseClick(dialog.use_button, Qt.MouseButton.LeftButton)
    assert window.document.project.platform.links[0].to_second.bandwidth > 1e10


def test_a_log_opens_as_a_project_with_its_run(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "log.csv").write_text(render([RUN]))
    with qtbot.waitSignal(window.document.loaded):
        window.files.open_now(tmp_path / "log.csv")
    assert [run.name for run in window.document.project.runs] == ["monday"]
    assert len(window.document.project.workload.tasks) == 6


def test_file_open_takes_several_files_together(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "w.dax").write_text(DAX)
    (tmp_path / "slurm.conf").write_text(SLURM_CONF)
    window.commands["open"].trigger()
    dialog = window.findChild(QFileDialog, "file_dialog")
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFiles
    with qtbot.waitSignal(window.document.loaded):
        dialog.filesSelected.emit([str(tmp_path / "w.dax"), str(tmp_path / "slurm.conf")])
    dialog.close()
    assert len(window.document.project.platform.machines) == 3
