"""Toolbar and status line are of the page in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gui.basics.literal_menu import plain
from gui.panels.evidence_panel import EvidencePage
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from tests.gui.amdahl import typed


def study(qtbot: QtBot, window: MainWindow, name: str) -> StudyPanel:
    window.resize(1280, 800)
    window.show_page(name)
    page = window.panel(name)
    assert isinstance(page, StudyPanel)
    qtbot.waitUntil(lambda: page.result is not None and not page.running.is_busy)
    return page


def texts(window: MainWindow) -> set[str]:
    """Of the buttons in sight."""
    kinds = (*window.toolbar.findChildren(QToolButton), *window.toolbar.findChildren(QPushButton))
    return {one.text() for one in kinds if one.isVisible()}


def test_on_a_study_the_toolbar_has_its_check_and_export_and_nothing_of_the_plan(
    qtbot: QtBot, window: MainWindow
) -> None:
    of_plan = {"Advise", "Pin"}
    assert of_plan <= texts(window)
    high = window.toolbar.height()
    study(qtbot, window, "sharing")
    assert not of_plan & texts(window)
    assert not window.toolbar.objective.isVisible()
    assert "Check by simulation" not in texts(window)  # it has nothing to simulate
    study(qtbot, window, "styles")
    qtbot.waitUntil(lambda: {"Check by simulation", "Export", "Open"} <= texts(window))
    assert window.toolbar.height() == high
    window.show_page("allocation")
    qtbot.waitUntil(lambda: of_plan <= texts(window))
    assert "Check by simulation" not in texts(window)


def test_the_status_line_gives_the_figures_of_the_study_and_of_the_plan_again(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = study(qtbot, window, "sharing")
    line = window.line.figures
    assert line.text().startswith("Sharing  ·  slowdown 2.20")
    assert "makespan" not in line.text()
    editor = page.form.editor("contenders")
    typed(qtbot, editor, "4x0.9")  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: "slowdown 4.89" in line.text())
    window.document.move_tasks(frozenset({0}), 1)
    assert line.text().startswith("Sharing")
    window.show_page("allocation")
    assert "makespan" in line.text()


def test_the_export_menu_of_a_study_has_its_answer_and_the_view_in_sight(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = study(qtbot, window, "sharing")
    button = window.toolbar.findChild(QToolButton, "toolbar_page_export")
    assert button is not None
    menu = button.menu()
    menu.aboutToShow.emit()
    names = [plain(action.text()) for action in menu.actions()]
    assert names[0] == "Copy answer"
    assert "Export picture…" in names
    menu.actions()[0].trigger()
    assert page.result is not None
    copied = QApplication.clipboard().text()
    assert copied.startswith(page.result.sentence)
    assert page.result.reasons[-1] in copied
    page.views.open(page.views.titles().index("How many are present"))
    menu.aboutToShow.emit()
    assert "Export picture…" not in [plain(action.text()) for action in menu.actions()]


def test_undo_on_a_study_is_that_of_its_fields(qtbot: QtBot, window: MainWindow) -> None:
    page = study(qtbot, window, "sharing")
    typed(qtbot, page.form.editor("contenders"), "0.2")  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: "Undo “changing contenders”" in window.commands["undo"].text())


def test_a_setting_that_can_not_be_answered_is_told_in_place_of_old_figures(
    qtbot: QtBot, window: MainWindow
) -> None:
    page = study(qtbot, window, "blocks")
    line = window.line.figures
    assert "makespan" in line.text()
    typed(qtbot, page.form.editor("blocks"), "1000000")  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: "can't have so many blocks" in line.text())
    assert "makespan" not in line.text()
    typed(qtbot, page.form.editor("blocks"), "8")  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: "makespan" in line.text())


def test_on_evidence_both_bars_speak_of_the_published_numbers_and_not_of_the_plan(
    qtbot: QtBot, window: MainWindow
) -> None:
    line = window.line.figures
    window.show_page("evidence")
    page = window.panel("evidence")
    assert isinstance(page, EvidencePage)
    qtbot.waitUntil(lambda: bool(page.figures))
    assert line.text().startswith("Evidence  ·  All papers  ·  ")
    assert "come out as printed" in line.text()
    assert "makespan" not in line.text()
    assert not {"Advise", "Pin"} & texts(window)
    window.document.move_tasks(frozenset({0}), 1)
    assert line.text().startswith("Evidence")
    paper = page.papers.itemText(1)
    qtbot.keyClick(page.papers, Qt.Key.Key_Down)
    assert line.text().startswith(f"Evidence  ·  {paper}  ·  ")
    button = window.toolbar.findChild(QToolButton, "toolbar_page_export")
    assert button is not None
    assert button.isVisible()
    button.menu().aboutToShow.emit()
    names = [plain(action.text()) for action in button.menu().actions()]
    assert names == ["Copy numbers", "Export numbers…"]
    window.show_page("allocation")
    assert "Evidence" not in line.text()
    qtbot.waitUntil(lambda: {"Advise", "Pin"} <= texts(window))
