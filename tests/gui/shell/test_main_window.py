"""The main window: every part is there, follows the document, and closes cleanly."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from advisor.allocation.objectives import TOTAL
from advisor.project.project_file import write_project
from gui.basics.figures import Table
from gui.basics.settings import Settings
from gui.basics.tables_out import TablesOut
from gui.shell.dock_shares import in_front
from gui.shell.main_window import MainWindow
from gui.shell.panels import CENTRE
from machines.errors import InputError
from tests.conftest import cluster, two_machines


def predicted(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    qtbot.waitUntil(
        lambda: document.outcome is not None and document.outcome.project is document.project,
        timeout=10_000,
    )


def dragged(path: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    return mime


def drop(window: MainWindow, mime: QMimeData) -> bool:
    """Drag over the window and drop; False when it refuses."""
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    plain = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, mime, left, plain)
    QApplication.sendEvent(window, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, mime, left, plain))
    return True


def test_the_status_bar_tells_makespan_size_and_reading_and_leaves_certainty_to_the_answer(
    qtbot: QtBot, window: MainWindow
) -> None:
    text = window.line.figures.text()
    assert "makespan 48.0 s" in text
    assert "best" not in text  # of the present plan the prediction knows a looser bound
    assert "Proved lower bound" in window.line.figures.toolTip()
    assert "exact sharing" in text
    assert "2 tasks on 2 machines" in text


def test_the_title_names_the_project_and_marks_changes(qtbot: QtBot, window: MainWindow) -> None:
    assert window.windowTitle() == "A then B[*] — Placewise"
    assert not window.isWindowModified()
    window.document.move_tasks(frozenset({0}), 1)
    assert window.isWindowModified()
    window.document.set_path(Path("/x/mine.placewise"))
    assert "mine.placewise" in window.windowTitle()


def test_alt_and_a_digit_open_the_first_ten_pages(qtbot: QtBot, window: MainWindow) -> None:
    names = [panel.id for panel in window.all_panels.values() if panel.area == CENTRE]
    assert (names[0], names[9:]) == ("allocation", ["campaign", "measure", "evidence"])
    for key, name in reversed(list(zip("1234567890", names, strict=False))):
        assert window.commands[f"page_{name}"].toolTip().endswith(f"(Alt+{key})")
        qtbot.keyClick(window, Qt.Key(ord(key)), Qt.KeyboardModifier.AltModifier)
        assert window.pages.currentWidget() is window.lazy[name]
        qtbot.waitUntil(lambda name=name: window.built(name) is not None)
    assert window.commands["page_allocation"].isChecked()


def test_a_digit_that_no_field_takes_stays_on_the_page(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClicks(window, "235")
    assert window.pages.currentWidget() is window.lazy["allocation"]


def test_the_rail_opens_a_question_with_the_mouse(qtbot: QtBot, window: MainWindow) -> None:
    button = window.rail.findChild(QToolButton, "rail_page_compare")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.pages.currentWidget() is window.lazy["compare"]


def test_every_panel_can_be_built_and_shown(qtbot: QtBot, window: MainWindow) -> None:
    for name, panel in window.all_panels.items():
        if panel.area == "centre":
            window.show_page(name)
        elif panel.area == "top":
            window.show_page("allocation")
        else:
            window.show_dock(name)
        qtbot.waitUntil(lambda name=name: window.built(name) is not None)
        qtbot.waitUntil(window.panel(name).isVisible)


def test_the_toolbar_names_the_step_that_undo_takes_back(qtbot: QtBot, window: MainWindow) -> None:
    undo = window.commands["undo"]
    assert not undo.isEnabled()
    window.document.move_tasks(frozenset({0}), 1)
    assert undo.text() == "Undo “Move A to M2”"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.project.plan.allocation == (0, 0)
    assert window.commands["redo"].text() == "Redo “Move A to M2”"
    qtbot.keyClick(
        window,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert window.document.project.plan.allocation == (1, 0)


def test_the_objective_is_chosen_in_the_toolbar_as_an_undo_step(
    qtbot: QtBot, window: MainWindow
) -> None:
    box = window.toolbar.objective
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert window.document.project.objective == TOTAL
    assert window.commands["objective_total"].isChecked()
    predicted(qtbot, window)
    assert "total time" in window.line.figures.text()
    window.document.undo_stack.undo()
    assert box.currentText() == "Makespan"


def test_the_reading_is_chosen_in_the_menu_and_shown_in_the_toolbar(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.commands["reading_published"].trigger()
    assert window.document.project.reading == "published"
    assert window.toolbar.reading.currentText() == "Load: published formula"
    predicted(qtbot, window)
    assert "published formula" in window.line.figures.text()
    assert window.document.undo_stack.count() == 1


def test_a_dock_is_closed_by_its_tab_and_opened_by_its_action(
    qtbot: QtBot, window: MainWindow
) -> None:
    def bar() -> QTabBar:
        return next(b for b in window.findChildren(QTabBar) if b.parent() is window and b.count())

    qtbot.waitUntil(lambda: bar().tabsClosable())
    index = [bar().tabText(place) for place in range(bar().count())].index("Breakdown")
    bar().tabCloseRequested.emit(index)
    assert window.docks["breakdown"].isHidden()
    assert not window.commands["panel_breakdown"].isChecked()
    window.commands["panel_breakdown"].trigger()
    assert not window.docks["breakdown"].isHidden()
    qtbot.waitUntil(lambda: window.built("breakdown") is not None)
    assert window.commands["panel_breakdown"].isChecked()


@pytest.mark.parametrize("name", ["what_if", "inspector", "history"])
def test_a_dock_that_is_seen_is_closed_by_its_action_and_one_that_is_not_comes_to_the_front(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_dock(name)
    qtbot.settle()
    action, dock = (
        window.commands[window.all_panels[name].action if name != "history" else name],
        (window.docks[name]),
    )
    action.trigger()
    assert not dock.isVisible()
    assert not action.isChecked()
    action.trigger()
    qtbot.waitUntil(dock.isVisible)
    other = "breakdown"
    window.show_dock(other)
    behind = name in ("what_if", "history")
    qtbot.waitUntil(lambda: in_front(window, window.docks[other]))
    assert in_front(window, dock) != behind
    action.trigger()
    qtbot.waitUntil(lambda: in_front(window, dock) == behind)


def test_reset_layout_brings_closed_docks_back(qtbot: QtBot, window: MainWindow) -> None:
    window.docks["inspector"].close()
    window.docks["inspector"].setFloating(True)
    window.commands["reset_layout"].trigger()
    assert not window.docks["inspector"].isHidden()
    assert not window.docks["inspector"].isFloating()


def test_the_layout_is_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.docks["inspector"].close()
    window.close()
    again = MainWindow(Settings())
    try:
        assert again.docks["inspector"].isHidden()
        assert not again.docks["what_if"].isHidden()
    finally:
        again.close()
        again.deleteLater()


def test_a_layout_that_can_not_be_read_is_replaced(qtbot: QtBot, window: MainWindow) -> None:
    from PySide6.QtCore import QByteArray

    window.settings.set_layout("state", QByteArray(b"damaged"))
    window.settings.set_layout("geometry", QByteArray(b"damaged"))
    again = MainWindow(window.settings)
    try:
        assert not again.docks["inspector"].isHidden()
    finally:
        again.end_jobs()
        again.deleteLater()


def test_the_start_page_covers_docks_and_opening_uncovers_them(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.docks["breakdown"].close()
    window.commands["start_page"].trigger()
    assert window.welcome.isVisible()
    assert not window.docks["inspector"].isVisible()
    window.document.load(cluster())
    assert not window.welcome.isVisible()
    qtbot.waitUntil(window.docks["inspector"].isVisible)
    assert window.docks["breakdown"].isHidden()


def test_a_dock_that_is_opened_on_the_start_page_stays_when_the_others_come_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.docks["breakdown"].close()
    window.commands["start_page"].trigger()
    window.show_dock("history")
    qtbot.settle()
    assert window.docks["history"].isVisible()
    assert window.docks["inspector"].isVisible()
    assert window.docks["breakdown"].isHidden()


def test_closing_asks_about_unsaved_changes_and_cancel_stays(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    assert not window.close()
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    assert window.isVisible()
    assert window.document.modified


def test_closing_with_discard_closes(qtbot: QtBot, window: MainWindow) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    window.close()
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())


def test_closing_with_save_saves_first(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.set_path(tmp_path / "kept.placewise")
    window.document.move_tasks(frozenset({0}), 1)
    window.close()
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Save), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert (tmp_path / "kept.placewise").exists()


def test_closing_in_the_middle_of_a_search_leaves_nothing_running(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.document.load(cluster(machines=6, width=30, stages=5))
    predicted(qtbot, window)
    window.commands["advise"].trigger()
    assert window.advisor.is_busy
    window.close()
    assert not window.advisor.is_busy


def test_a_file_that_is_dropped_is_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "dropped.placewise"
    write_project(cluster(), path)
    assert drop(window, dragged(path))
    qtbot.waitUntil(lambda: window.document.project.name == "staged workflow")
    assert window.document.path == path


@pytest.mark.parametrize(
    "urls", [[], ["https://example.org/x.json"], ["file:///a", "https://example.org/b"]]
)
def test_what_is_no_file_of_this_computer_can_not_be_dropped(
    qtbot: QtBot, window: MainWindow, urls: list[str]
) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl(url) for url in urls])
    assert not drop(window, mime)


def test_pinning_keeps_the_plan_as_one_undo_step(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["pin"].trigger()
    assert [pin.plan for pin in window.document.project.pins] == [window.document.project.plan]
    window.document.undo_stack.undo()
    assert window.document.project.pins == ()


def test_machines_and_tasks_are_added_and_removed_from_the_menu(
    qtbot: QtBot, window: MainWindow
) -> None:
    document = window.document
    window.commands["add_task"].trigger()
    assert len(document.project.workload.tasks) == 3
    assert document.selection.tasks == {2}
    window.commands["remove"].trigger()
    assert len(document.project.workload.tasks) == 2
    window.commands["add_machine"].trigger()
    assert len(document.project.platform.machines) == 3
    assert document.selection.machine == 2
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project.platform == two_machines(2).platform


def test_removing_the_last_machine_is_refused_with_a_message(
    qtbot: QtBot, window: MainWindow
) -> None:
    from gui.basics.error_messages import ErrorDialog
    from gui.document.document import Selection

    document = window.document
    document.select(Selection(machine=0))
    window.commands["remove"].trigger()
    before = document.project
    assert len(before.platform.machines) == 1
    document.select(Selection(machine=0))
    window.commands["remove"].trigger()
    assert document.project is before
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None
    dialog.reject()


def test_selecting_all_and_nothing(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["select_all"].trigger()
    assert window.document.selection.tasks == {0, 1}
    window.commands["select_none"].trigger()
    assert not window.document.selection.tasks


def test_history_lists_the_steps_and_goes_back(qtbot: QtBot, window: MainWindow) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    window.document.move_tasks(frozenset({1}), 1)
    window.commands["history"].trigger()
    qtbot.waitUntil(lambda: window.built("history") is not None)
    view = window.panel("history")
    model = view.model()  # type: ignore[attr-defined]
    texts = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert texts == ["As opened", "Move A to M2", "Move B to M2"]
    view.setCurrentIndex(model.index(0, 0))  # type: ignore[attr-defined]
    assert window.document.project.plan.allocation == (0, 0)
    window.document.undo_stack.setIndex(2)


def test_an_error_in_the_prediction_is_told_in_the_status_bar(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.document.outcome_failed.emit(InputError("no way", remedy="Another one"))
    assert window.line.figures.text() == "No prediction: no way. Another one"


def test_the_search_is_shown_with_its_progress_and_can_be_cancelled(
    qtbot: QtBot, window: MainWindow
) -> None:
    from advisor.allocation.recommendation import Progress

    line, cancelled = window.line, []
    qtbot.waitUntil(lambda: not window.advisor.is_busy and not line.job.isVisible())
    window.advisor.blockSignals(True)  # what the map meets may be explained, which ends that job
    line.start_job("search", "Search: starting …", lambda: cancelled.append(1))
    assert not line.job.isVisible()  # what is done in a moment is not shown
    progress = Progress(window.document.project.plan, 48.0, 24.0, "exact", 12, 0.5, 5.2)
    line.show_progress("search", progress)
    qtbot.waitUntil(line.bar.isVisible)
    assert line.job.text() == "Search: best 48.0 s, 12 plans tried, 6 s left"
    assert line.bar.value() == 500
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert cancelled == [1]
    line.start_job("file", "Saving x …", None)
    assert line.job.text() == "Saving x …"
    assert not line.cancel_button.isVisible()
    line.end_job("file")
    assert line.job.text().startswith("Search")
    line.end_job("search")
    assert not line.job.isVisible()


def test_a_table_on_its_way_out_is_in_the_status_line_and_can_be_cancelled_there(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    line, (going, go) = window.line, (threading.Event(), threading.Event())
    qtbot.waitUntil(lambda: not window.advisor.is_busy and not line.job.isVisible())

    class Slow(tuple[tuple[object, ...], ...]):
        def __getitem__(self, place: object) -> Any:
            going.set()
            assert go.wait(60)
            return super().__getitem__(place)  # type: ignore[index] # any

    out = TablesOut(window.centralWidget())
    out.write(Table(("n",), Slow(((1,),) * 5000)), tmp_path / "rows.csv")
    qtbot.waitUntil(lambda: line.cancel_button.isVisible() and line.bar.isVisible())
    assert going.is_set()
    assert line.job.text() == "Writing rows.csv …"
    qtbot.mouseClick(line.cancel_button, Qt.MouseButton.LeftButton)
    assert not line.job.isVisible()
    go.set()
    qtbot.waitUntil(lambda: not list(tmp_path.glob("*rows*")))


def test_advice_is_found_applied_and_taken_back(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["advise"].trigger()
    qtbot.waitUntil(window.commands["apply"].isEnabled, timeout=20_000)
    window.commands["apply"].trigger()
    assert window.document.project.plan.allocation == (1, 0)
    predicted(qtbot, window)
    assert "makespan 38.0 s" in window.line.figures.text()
    assert window.document.undo_stack.count() == 1
    window.document.undo_stack.undo()
    assert window.document.project.plan.allocation == (0, 0)


def test_the_picture_of_the_board_is_exported_and_copied(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for suffix in (".svg", ".png", ".pdf"):
        window.handlers.export_board(tmp_path / f"board{suffix}")
        qtbot.waitUntil((tmp_path / f"board{suffix}").is_file)
        assert (tmp_path / f"board{suffix}").stat().st_size > 500
    window.commands["copy_board"].trigger()
    qtbot.waitUntil(lambda: "on the clipboard" in window.line.currentMessage())
    assert not QApplication.clipboard().image().isNull()


def test_the_picture_that_can_not_be_written_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from gui.basics.error_messages import ErrorDialog

    window.handlers.export_board(tmp_path / "no" / "folder" / "board.svg")
    qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is not None)
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None
    assert "board.svg" in dialog.text()
    dialog.reject()


def test_views_of_the_board_follow_their_actions(qtbot: QtBot, window: MainWindow) -> None:
    board = window.handlers.board
    window.commands["view_graph"].trigger()
    assert board.view == "graph"
    board.show_view("schedule")
    assert window.commands["view_schedule"].isChecked()
    for name in ("zoom_in", "zoom_out", "fit"):
        window.commands[name].trigger()


def test_a_double_click_on_a_task_leads_to_the_inspector(qtbot: QtBot, window: MainWindow) -> None:
    window.docks["inspector"].close()
    window.handlers.board.inspect_requested.emit(0)
    assert not window.docks["inspector"].isHidden()


@pytest.mark.parametrize("maximised", [False, True])
def test_full_screen_and_back(qtbot: QtBot, window: MainWindow, maximised: bool) -> None:
    if maximised:
        window.showMaximized()
    window.commands["full_screen"].trigger()
    assert window.isFullScreen()
    window.commands["full_screen"].trigger()
    assert not window.isFullScreen()
    assert window.isMaximized() is maximised


def test_animations_are_switched_off_and_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["animations"].trigger()
    assert not window.settings.animations
    assert not window.handlers.board.schedule.animated
    window.commands["animations"].trigger()
    assert window.settings.animations


def test_colours_by_kind_are_a_choice_of_the_view_menu(qtbot: QtBot, window: MainWindow) -> None:
    action, box = window.commands["colour_by_kind"], window.handlers.board.colour_box
    window.document.load(cluster())
    qtbot.waitUntil(box.isChecked)
    assert action.isChecked()
    action.trigger()
    assert not box.isChecked()
    assert not action.isChecked()
    assert not window.settings.kind_colours
    box.click()
    assert action.isChecked()
    assert window.settings.kind_colours


def test_an_edit_after_closing_neither_answers_nor_fails(qtbot: QtBot, window: MainWindow) -> None:
    window.close()
    window.document.move_tasks(frozenset({0}), 1)  # nothing answers any more, nothing fails
    qtbot.settle()
    assert window.document.project.plan.allocation == (1, 0)


def test_docks_make_room_for_a_study_and_come_back_as_they_were(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.docks["breakdown"].hide()
    window.docks["history"].show()
    before = {name for name, dock in window.docks.items() if not dock.isHidden()}
    window.show_page("styles")
    assert all(dock.isHidden() for dock in window.docks.values())
    assert not window.commands["panel_inspector"].isChecked()
    window.show_page("mapping")
    window.show_start_page(True)
    window.show_page("blocks")
    assert window.docks["inspector"].isHidden()
    window.show_page("allocation")
    qtbot.waitUntil(lambda: window.away.state is None)
    assert {name for name, dock in window.docks.items() if not dock.isHidden()} == before
    window.show_page("styles")
    window.reset_layout()
    assert window.docks["inspector"].isHidden()
    window.show_page("compare")
    assert window.docks["inspector"].isHidden()
    window.show_page("allocation")
    qtbot.waitUntil(lambda: window.away.state is None)
    assert not window.docks["breakdown"].isHidden()
    assert window.docks["history"].isHidden()


def test_the_trade_off_leads_to_the_sheet_of_a_machine_without_a_price(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_page("compare")
    panel = window.panel("compare")
    panel.trade_off.machine_asked.emit("gone")  # type: ignore[attr-defined]
    assert window.pages.currentWidget() is window.lazy["compare"]
    panel.trade_off.machine_asked.emit("M2")  # type: ignore[attr-defined]
    assert window.pages.currentWidget() is window.lazy["allocation"]
    assert window.document.selection.machine == 1
    assert not window.docks["inspector"].isHidden()
