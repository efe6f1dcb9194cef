"""Campaigns in the window: opened from anywhere, followed, closed in the middle, cases opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.campaigns.answer_case import Asking, answer
from advisor.campaigns.open_campaign import open_campaign
from gui.basics.error_messages import ErrorDialog
from gui.basics.literal_menu import plain
from gui.campaign.page import CampaignPage
from gui.shell.main_window import MainWindow
from gui.studies.page.study_panel import StudyPanel
from tests.gui import campaign_doubles
from tests.gui.campaigns import CASES, campaign_file, write_rows
from tests.gui.shell.test_main_window import dragged, drop

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return campaign_file(tmp_path)


@pytest.fixture
def page(window: MainWindow) -> Iterator[CampaignPage]:
    window.show_page("campaign")
    made = window.panel("campaign")
    assert isinstance(made, CampaignPage)
    yield made
    for box in window.findChildren(QMessageBox):
        box.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def opened(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.campaigns.state is not None and not window.campaigns.is_reading)


def settled(qtbot: QtBot, window: MainWindow, page: CampaignPage) -> None:
    opened(qtbot, window)
    parts = (page.findings, page.cases, page.failures)
    qtbot.waitUntil(lambda: not any(one.is_busy for one in parts if one.isVisible()))


def error_of(qtbot: QtBot, window: MainWindow) -> str:
    """What the error dialog says, closed then."""
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(ErrorDialog)))
    dialog = next(one for one in window.findChildren(ErrorDialog) if one.isVisible())
    text = dialog.text()
    dialog.close()
    return text


def test_an_empty_page_says_what_a_campaign_is_and_runs_the_example(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.document.campaigns.run_campaign", campaign_doubles.patient)
    assert page.first.isVisible()
    assert page.status == "Campaign"
    assert page.exports == ()
    qtbot.mouseClick(page.first, LEFT)
    qtbot.waitUntil(lambda: window.campaigns.is_busy)
    state = window.campaigns.state
    assert state is not None
    assert state.campaign.file is not None
    assert state.campaign.file.name == "lists.toml"
    assert state.campaign.out.parent.name == "campaigns"  # of the user, not beside the program
    assert window.settings.recent == ()
    window.campaigns.cancel()
    qtbot.waitUntil(lambda: not window.campaigns.is_busy)


def test_it_is_opened_by_the_dialog_and_shows_its_plan(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    page.open_action.trigger()
    dialog = window.findChild(QFileDialog, "campaign_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(file))
    dialog.close()
    opened(qtbot, window)
    assert page.plan.name.text() == "tiny"
    assert page.plan.product.text().startswith(f"{CASES} cases = (4 of layered + ")
    assert page.plan.folder.text().endswith("tiny-results")
    assert page.plan.run_button.text() == "Run"
    assert page.plan.run_button.isEnabled()
    assert page.plan.where.text().startswith("This machine")
    assert window.settings.campaign == (file, file.parent / "tiny-results")
    assert window.settings.recent == (file,)


def test_file_open_and_a_drop_bring_a_campaign_to_the_page_and_leave_the_project(
    qtbot: QtBot, window: MainWindow, file: Path
) -> None:
    window.document.move_tasks(frozenset({0}), 1)  # unsaved
    before = window.document.project
    window.files.open(file)
    opened(qtbot, window)
    assert window.pages.currentWidget() is window.lazy["campaign"]
    assert not window.findChildren(QMessageBox)
    assert window.document.project is before
    write_rows(file, 2)
    assert drop(window, dragged(file.parent / "tiny-results"))
    qtbot.waitUntil(
        lambda: window.campaigns.results is not None and len(window.campaigns.results) == 2
    )
    window.document.undo_stack.setClean()
    window.files.open(file)  # nothing to ask about
    qtbot.waitUntil(lambda: window.campaigns.state.campaign.file == file)  # type: ignore[union-attr]


def test_what_is_wrong_in_a_campaign_is_told(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    file.write_text(file.read_text().replace("heft", "hefty"))
    window.files.open(file)
    text = error_of(qtbot, window)
    assert "tiny.toml can't be opened" in text
    assert "no hefty" in text
    assert page.first.isVisible()


def test_it_is_run_by_the_mouse_followed_and_cancelled(
    qtbot: QtBot,
    window: MainWindow,
    page: CampaignPage,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gui.document.campaigns.run_campaign", campaign_doubles.patient)
    window.campaigns.open(file)
    opened(qtbot, window)
    qtbot.mouseClick(page.plan.run_button, LEFT)
    qtbot.waitUntil(lambda: page.plan.sentence.text() == f"3 of {CASES} cases")
    assert page.plan.bar.isVisible()
    assert page.plan.pace.text().startswith("12 cases a second")
    assert "computed by this machine" in page.plan.notes.text()
    assert not page.plan.run_button.isVisible()
    qtbot.waitUntil(lambda: page.tabs.tabText(1) == "Cases (3)")
    assert window.line._jobs["campaign"].text == f"Campaign: 3 of {CASES}, 1 min 5 s left"
    window.document.move_tasks(frozenset({0}), 1)  # the window is usable
    qtbot.mouseClick(page.plan.cancel_button, LEFT)
    qtbot.waitUntil(page.plan.run_button.isVisible)
    assert page.plan.run_button.text() == "Resume"
    assert "campaign" not in window.line._jobs
    settled(qtbot, window, page)
    assert page.findings.result is not None


def test_closing_in_the_middle_asks_and_ends_it(
    qtbot: QtBot,
    window: MainWindow,
    page: CampaignPage,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gui.document.campaigns.run_campaign", campaign_doubles.patient)
    window.campaigns.open(file)
    opened(qtbot, window)
    window.campaigns.start()
    qtbot.waitUntil(lambda: window.campaigns.state.done == 3)  # type: ignore[union-attr]
    for answer_, closed in (("stop_campaign_keep", False), ("stop_campaign_stop", True)):
        window.close()
        assert window.isVisible()
        box = window.findChild(QMessageBox, "stop_campaign_question")
        assert box is not None
        chosen = box.findChild(QPushButton, answer_)
        assert chosen is not None
        qtbot.mouseClick(chosen, LEFT)
        QCoreApplication.sendPostedEvents(box, QEvent.Type.DeferredDelete)
        if closed:
            qtbot.waitUntil(lambda: not window.isVisible())
        assert window.campaigns.is_busy is not closed
    assert len(open_campaign(file).results) == 3


def test_a_case_opens_on_the_board_with_its_plan_after_asking(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    window.campaigns.open(file)
    opened(qtbot, window)
    cases = window.campaigns.state.campaign.cases  # type: ignore[union-attr]
    assert cases is not None
    row = answer(Asking(cases)(1)).row
    window.document.move_tasks(frozenset({0}), 1)  # unsaved
    page.case_asked.emit(row)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "unsaved_question") is not None)
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Discard), LEFT)
    document = window.document
    qtbot.waitUntil(
        lambda: document.outcome is not None and document.outcome.project is document.project
    )
    assert document.outcome is not None
    assert document.outcome.prediction.makespan_s == row.value
    assert window.pages.currentWidget() is window.lazy["allocation"]
    assert not document.modified


def test_a_case_of_a_study_opens_its_page_with_its_settings(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    rows = write_rows(file)
    window.campaigns.open(file)
    opened(qtbot, window)
    page.case_asked.emit(rows[-1])
    assert window.pages.currentWidget() is window.lazy["mapping"]
    qtbot.waitUntil(lambda: window.built("mapping") is not None)
    made = window.panel("mapping")
    assert isinstance(made, StudyPanel)
    values = made.form.values()
    assert values is not None
    assert (str(values["pattern"]), str(values["dims"])) == ("random", "2x2 mesh")


def test_a_case_that_failed_or_can_not_be_computed_any_more_says_why(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    rows = write_rows(file)
    window.campaigns.open(file.parent / "tiny-results")
    opened(qtbot, window)
    page.case_asked.emit(rows[8])
    text = error_of(qtbot, window)
    assert "Case 8 has no answer" in text
    assert "No JSON" in text
    (file.parent / "bad" / "broken.json").unlink()
    window.campaigns.open(file.parent / "tiny-results")
    qtbot.waitUntil(lambda: window.campaigns.state.campaign.cases is None)  # type: ignore[union-attr]
    page.case_asked.emit(rows[0])
    assert "matches no file" in error_of(qtbot, window)


def test_the_campaign_of_last_time_is_there_again_unless_it_is_gone(
    qtbot: QtBot, window: MainWindow, file: Path
) -> None:
    write_rows(file, 2)
    window.settings.campaign = file, file.parent / "tiny-results"
    window.show_page("campaign")
    opened(qtbot, window)
    assert window.campaigns.results is not None
    assert len(window.campaigns.results) == 2


def test_a_campaign_of_last_time_that_is_gone_is_not_missed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.settings.campaign = tmp_path / "gone.toml", tmp_path / "out"
    window.show_page("campaign")
    page = window.panel("campaign")
    assert isinstance(page, CampaignPage)
    qtbot.waitUntil(lambda: not window.campaigns.is_reading)
    assert page.first.isVisible()
    assert not window.findChildren(ErrorDialog)


def test_another_folder_and_another_place_to_compute_are_asked_for(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    window.campaigns.open(file)
    opened(qtbot, window)
    qtbot.mouseClick(page.plan.folder_button, LEFT)
    dialog = window.findChild(QFileDialog, "campaign_folder_dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(file.parent / "bad"))
    dialog.close()
    qtbot.waitUntil(lambda: "holds other things" in page.plan.notes.text())
    assert not page.plan.run_button.isEnabled()
    window.settings.scheduler = "tcp://10.0.0.1:8786"
    window.campaigns.look_where()
    assert page.plan.where.text() == "tcp://10.0.0.1:8786"
    qtbot.mouseClick(page.plan.where_button, LEFT)
    compute = window.compute_on.dialog
    assert compute is not None
    assert compute.isVisible()
    compute.close()


def test_each_tab_offers_its_copies_and_exports(
    qtbot: QtBot, window: MainWindow, page: CampaignPage, file: Path
) -> None:
    write_rows(file)
    window.campaigns.open(file)
    settled(qtbot, window, page)
    offered = []
    for place in range(page.tabs.count()):
        page.tabs.setCurrentIndex(place)
        settled(qtbot, window, page)
        offered.append([plain(action.text()) for action in page.exports])
    assert "Copy answer" in offered[0]
    assert offered[1] == offered[2] == ["Copy numbers", "Export numbers…"]
    assert page.tabs.tabText(2) == "Failed (2)"
    assert page.status.endswith("✕ 2 failed")
    page.tabs.setCurrentIndex(1)
    page.cases.table.setFocus()
    page.cases.table.selectRow(0)
    qtbot.keyClick(page.cases.table, Qt.Key.Key_Tab)  # leaves the table
    assert QApplication.focusWidget() is not page.cases.table
