"""Plans carried out in the window: agreed to once, followed, cancelled, failed, closed, kept."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.allocation.workload import Workload
from advisor.project.project import Project
from advisor.running import RunSettings
from advisor.runs.run_record import FAILED
from gui.basics.error_messages import ErrorDialog
from gui.shell.main_window import MainWindow
from gui.shell.run_dialog import RunDialog
from tests.conftest import cluster, two_machines
from tests.gui.keyboard import take_keys
from tests.gui.runs import board_of, panel_of

_PROCESSES = 2  # the way of carrying out without Dask, in the dialog's list


def runnable(a: str, b: str) -> Project:
    """A, then B, with these commands."""
    project = two_machines()
    workload = project.workload
    tasks = tuple(
        replace(task, command=command) for task, command in zip(workload.tasks, (a, b), strict=True)
    )
    return replace(project, workload=Workload(workload.name, tasks, workload.flows))


def opened(
    qtbot: QtBot, window: MainWindow, project: Project, folder: Path | None = None
) -> RunDialog:
    """Open a project and, by key, the dialog, which then lists its commands."""
    window.document.load(project, None if folder is None else folder / "mine.placewise")
    return asked(qtbot, window)


def asked(qtbot: QtBot, window: MainWindow) -> RunDialog:
    qtbot.waitUntil(window.commands["run_plan"].isEnabled)
    take_keys(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    dialog = window.running.dialog
    assert dialog is not None
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    dialog.way.setCurrentIndex(_PROCESSES)
    return dialog


def test_a_run_that_is_steered_is_asked_for_by_a_box(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    heard: list[RunSettings] = []
    dialog.run_asked.connect(heard.append)
    qtbot.mouseClick(dialog.replan, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    begin(qtbot, dialog)
    over(qtbot, window)
    assert [one.replan for one in heard] == [True]
    assert sorted(ended_tasks(window)) == ["A", "B"]


def begin(qtbot: QtBot, dialog: RunDialog) -> None:
    """Agree if that is asked for, and run, by mouse."""
    if dialog.agree.isVisible():
        qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible(), dialog.message.text()


def begin_gated(qtbot: QtBot, window: MainWindow, folder: Path) -> Path:
    """Begin a run whose last task waits for a file, which is given."""
    gate = folder / "gate"
    waits = f"while [ ! -e {gate} ]; do sleep 0.02; done"
    begin(qtbot, opened(qtbot, window, runnable("true", waits), folder))
    return gate


def long_run(qtbot: QtBot, window: MainWindow, folder: Path) -> Path:
    """Run A, which ends, and B, which does not; where B writes its process."""
    dialog = opened(qtbot, window, runnable("true", "echo $$ > pid; sleep 300"), folder)
    begin(qtbot, dialog)
    return folder / "pid"


def has_begun(pid: Path) -> bool:
    """Whether B runs."""
    return pid.exists() and pid.read_text().endswith("\n")


def over(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.runner.is_busy)


def ended_tasks(window: MainWindow) -> list[str]:
    return [one.task for run in window.document.project.runs for one in run.tasks]


def shown_commands(dialog: RunDialog) -> list[str]:
    model = dialog.table.columns_model
    return [str(model.data(model.index(row, 2))) for row in range(model.rowCount())]


def test_a_plan_runs_by_keys_and_mouse_and_joins_the_project_in_one_step(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    project = runnable("echo a > a", "cat a > b")
    dialog = opened(qtbot, window, project, tmp_path)
    assert "2 tasks on 1 machine, predicted 16.0 s" in dialog.heading.text()
    assert shown_commands(dialog) == ["echo a > a", "cat a > b"]
    assert not dialog.run_button.isEnabled()
    assert not list(tmp_path.iterdir())  # nothing has run
    begin(qtbot, dialog)
    assert window.docks["actual"].isVisible()
    assert not window.commands["run_plan"].isEnabled()
    over(qtbot, window)
    assert (tmp_path / "b").read_text() == "a\n"
    assert (tmp_path / "mine-runs.csv").read_text().count("\n") == 3
    assert ended_tasks(window) == ["A", "B"]
    qtbot.waitUntil(window.actuals.answers)
    board = board_of(window)
    qtbot.waitUntil(lambda: board.schedule.run is not None)
    assert board.schedule.happened is not None
    assert board.schedule.happened.now_s is None  # it is shown as any run of the project
    assert "shorter than the 16" in panel_of(window).sentence.text()
    assert not panel_of(window).live.isVisible()
    assert window.document.undo_stack.undoText() == "Run the plan"
    window.document.undo_stack.undo()
    assert window.document.project == project
    assert board.schedule.run is None


def test_while_it_runs_board_panel_and_status_tell_how_far_it_is(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    gate = begin_gated(qtbot, window, tmp_path)
    board, live = board_of(window), panel_of(window).live

    def drawn() -> bool:
        run = board.schedule.run
        return run is not None and len(run.lanes.members) == 2 and len(run.running) == 1

    qtbot.waitUntil(drawn)
    qtbot.waitUntil(lambda: "1 of 2 tasks" in live.sentence.text())
    assert live.isVisible()
    assert live.bar.value() == 500
    assert "ahead of the prediction" in live.sentence.text()  # A took no time of its 12 s
    assert "by the prediction of 16" in live.notes.text()
    qtbot.waitUntil(window.line.job.isVisible)
    assert window.line.job.text().startswith("Run: 1 of 2 tasks, about ")
    assert "running on M1" in board.schedule.describe(int(board.schedule.lanes.bar_of[1]))
    # an edit meanwhile is another plan: what runs stays what is drawn
    window.document.move_tasks(frozenset({1}), 1)
    qtbot.waitUntil(lambda: "Outlines are the current plan" in live.notes.text())
    qtbot.waitUntil(drawn)
    gate.touch()
    over(qtbot, window)
    (run,) = window.document.project.runs
    assert [one.machine for one in run.tasks] == ["M1", "M1"]
    window.document.undo_stack.undo()
    assert window.document.project.plan.allocation == (0, 1)


def test_commands_are_asked_about_once_and_again_when_they_change(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    assert dialog.agree.isVisible()
    assert not dialog.agree.isChecked()
    begin(qtbot, dialog)
    over(qtbot, window)
    asked(qtbot, window)
    assert not dialog.agree.isVisible()
    assert dialog.run_button.isEnabled()
    assert "agreed to exactly these commands before" in dialog.message.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    over(qtbot, window)
    assert [run.name for run in window.document.project.runs] == ["run 1", "run 2"]
    # the same on another machine is no other command
    window.document.move_tasks(frozenset({1}), 1)
    asked(qtbot, window)
    assert not dialog.agree.isVisible()
    dialog.reject()
    changed = replace(window.document.project, workload=runnable("true", "touch other").workload)
    window.document.apply(changed, "edit")
    asked(qtbot, window)
    assert dialog.agree.isVisible()
    assert not dialog.agree.isChecked()
    assert not dialog.run_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not window.runner.is_busy
    dialog.reject()
    # nor is another file with the same commands one that was agreed to
    other = tmp_path / "other"
    other.mkdir()
    opened(qtbot, window, runnable("true", "true"), other)
    assert dialog.agree.isVisible()
    dialog.reject()


def test_names_and_commands_of_strangers_are_shown_as_plain_text(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    hostile = "echo '<img src=x>' & \u202etouch owned\n$(touch owned)"
    dialog = opened(qtbot, window, runnable(hostile, "true"), tmp_path)
    shown = shown_commands(dialog)[0]
    assert shown == "echo '<img src=x>' & \\u202etouch owned\\u000a$(touch owned)"
    model = dialog.table.columns_model
    tip = str(model.data(model.index(0, 2), Qt.ItemDataRole.ToolTipRole))
    assert "&lt;img src=x&gt;" in tip
    assert not list(tmp_path.iterdir())
    dialog.reject()


def test_a_plan_with_tasks_without_a_command_says_which_and_does_not_run(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", ""), tmp_path)
    assert "B has no command" in dialog.message.text()
    assert "Command in the inspector" in dialog.message.text()
    assert not dialog.agree.isVisible()
    assert not dialog.run_button.isEnabled()
    dialog.reject()


def test_a_task_that_fails_is_told_with_its_output_which_can_be_copied(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = "echo first; echo '<b>no</b> such input' >&2; exit 3"
    begin(qtbot, opened(qtbot, window, runnable(failing, "true"), tmp_path))
    over(qtbot, window)
    live = panel_of(window).live
    qtbot.waitUntil(live.isVisible)
    assert live.sentence.text() == ("0 of 2 tasks ran well; ✕ 1 failed, so that 1 could not run.")
    model = live.failures.columns_model
    assert [model.data(model.index(0, at)) for at in (0, 1, 3)] == [
        "✕ A", "M1", "<b>no</b> such input · exit status 3",
    ]  # fmt: skip
    tip = str(model.data(model.index(0, 3), Qt.ItemDataRole.ToolTipRole))
    assert "first\n<b>no</b> such input" in tip  # after a line break Qt takes it for plain
    qtbot.keyClick(live.failures, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "first\n<b>no</b> such input" in QGuiApplication.clipboard().text().replace("\r", "")
    (run,) = window.document.project.runs
    assert [one.status for one in run.tasks] == [FAILED]
    board = board_of(window)
    qtbot.waitUntil(lambda: board.schedule.run is not None and len(board.schedule.run.failed) == 1)
    shown: list[object] = []
    show = board.schedule.show_happened
    monkeypatch.setattr(
        board.schedule, "show_happened", lambda happened: (shown.append(happened), show(happened))
    )
    qtbot.waitUntil(window.actuals.answers)
    qtbot.waitUntil(lambda: bool(shown) and board.schedule.caught_up)
    assert None not in shown  # it stays in sight when it is set beside the prediction
    said = board.schedule.describe(int(board.schedule.lanes.bar_of[0]))
    assert "failed on M1" in said
    assert "exit status 3" in said
    qtbot.mouseClick(live.close_button, Qt.MouseButton.LeftButton)
    assert not live.isVisible()


def test_cancel_ends_what_runs_and_keeps_what_ended(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: has_begun(pid))
    qtbot.waitUntil(window.line.cancel_button.isVisible)
    qtbot.mouseClick(window.line.cancel_button, Qt.MouseButton.LeftButton)
    assert not panel_of(window).live.cancel_button.isEnabled()
    over(qtbot, window)
    assert ended_tasks(window) == ["A"]
    assert gone(int(pid.read_text()))
    assert "B" not in (tmp_path / "mine-runs.csv").read_text()
    (run,) = window.document.project.runs
    assert run.notes == ("Stopped: 1 of 2 tasks did not end",)


def test_a_cancel_keeps_what_ended_before_the_window_heard_of_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    while not has_begun(pid):
        sleep(0.01)  # the window hears nothing meanwhile
    assert told_ended(window) == 0
    window.runner.cancel()
    over(qtbot, window)
    assert ended_tasks(window) == ["A"]
    assert gone(int(pid.read_text()))


def test_a_cancelled_run_whose_process_can_not_answer_says_the_same(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: has_begun(pid))
    process = window.runner.process_id
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    window.runner.cancel()
    os.kill(process, signal.SIGKILL)
    over(qtbot, window)
    (run,) = window.document.project.runs
    assert run.notes == ("Stopped: 1 of 2 tasks did not end",)
    qtbot.waitUntil(lambda: gone(int(pid.read_text())))


def test_closing_in_the_middle_asks_and_leaves_no_command_behind(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: has_begun(pid))
    qtbot.waitUntil(lambda: told_ended(window) == 1)
    answer(qtbot, window, "stop_run_keep")
    assert window.runner.is_busy
    assert window.isVisible()
    answer(qtbot, window, "stop_run_stop")
    qtbot.waitUntil(lambda: not window.runner.is_busy)
    assert ended_tasks(window) == ["A"]
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "unsaved_question") is not None)
    assert gone(int(pid.read_text()))
    question = window.findChild(QMessageBox, "unsaved_question")
    assert question is not None
    qtbot.mouseClick(question.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    assert not window.isVisible()


def test_a_run_that_ends_takes_the_question_with_it_and_leaves_the_window(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    gate = begin_gated(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: told_ended(window) == 1)
    window.close()
    assert window.findChild(QMessageBox, "stop_run_question") is not None
    gate.touch()
    over(qtbot, window)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "stop_run_question") is None)
    assert window.isVisible()
    assert window.findChild(QMessageBox, "unsaved_question") is None
    assert ended_tasks(window) == ["A", "B"]


def test_a_window_that_ends_takes_the_commands_with_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: has_begun(pid))
    window.end_jobs()
    qtbot.waitUntil(lambda: gone(int(pid.read_text())))
    assert "A" in (tmp_path / "mine-runs.csv").read_text()


def test_a_run_whose_process_is_killed_is_kept_as_far_as_it_came(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    pid = long_run(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: has_begun(pid))
    state = window.runner.state
    assert state is not None
    qtbot.waitUntil(lambda: "1 of 2" in panel_of(window).live.sentence.text())
    process = window.runner.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    over(qtbot, window)
    assert "ended unexpectedly" in refusal(window)
    assert ended_tasks(window) == ["A"]
    qtbot.waitUntil(lambda: gone(int(pid.read_text())))


def test_a_run_of_a_project_that_is_not_open_any_more_is_told_with_its_record(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    gate = begin_gated(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: "1 of 2" in panel_of(window).live.sentence.text())
    other = cluster()
    window.document.load(other)
    gate.touch()
    over(qtbot, window)
    assert window.document.project == other
    assert "mine-runs.csv" in window.notice.label.text()
    assert board_of(window).schedule.run is None


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("folder", "/no/such/folder", "no such folder"),
        ("folder", "", "Name the folder"),
        ("record", "", "Name the file that records the run"),
        ("folder", "~no-such-user/runs", "no such folder"),
        ("record", "/", "the record is a folder"),
        ("record", "/no/such/run.csv", "the record's folder does not exist"),
    ],
)
def test_a_field_that_is_wrong_is_told_in_the_dialog(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, field: str, text: str, message: str
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    box = getattr(dialog, field)
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    qtbot.keyClicks(box, text)
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert message in dialog.message.text()
    assert bool(box.property("wrong")) is bool(text)
    assert dialog.isVisible()
    assert not window.runner.is_busy
    dialog.reject()


def test_a_record_that_is_the_folder_is_the_field_that_is_wrong(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    dialog.record.setText(dialog.folder.text())
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert dialog.record.property("wrong")
    assert not dialog.folder.property("wrong")
    dialog.reject()


def test_a_scheduler_is_asked_for_where_one_is_needed_and_its_address_is_checked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    assert not dialog.scheduler.isVisible()
    dialog.way.setCurrentIndex(1)
    assert dialog.scheduler.isVisible()
    assert dialog.folder.text() == ""  # workers have their own
    qtbot.mouseClick(dialog.agree, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    assert "address of the running cluster's scheduler" in dialog.message.text()
    qtbot.keyClicks(dialog.scheduler, "nowhere")
    qtbot.mouseClick(dialog.run_button, Qt.MouseButton.LeftButton)
    assert "tcp://host:8786" in dialog.message.text()
    dialog.way.setCurrentIndex(_PROCESSES)
    assert dialog.folder.text() == str(tmp_path)
    dialog.reject()


def test_a_record_that_cannot_be_written_is_an_error_that_says_where(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "mine-runs.csv").write_text("not a record\n")
    before = runnable("true", "true")
    begin(qtbot, opened(qtbot, window, before, tmp_path))
    over(qtbot, window)
    said = refusal(window)
    assert "mine-runs.csv" in said
    assert "Name another file" in said
    assert window.document.project == before
    assert (tmp_path / "mine-runs.csv").read_text() == "not a record\n"


@pytest.mark.engines
def test_a_plan_runs_on_a_dask_cluster_of_this_computer(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("echo a > a", "cat a > b"), tmp_path)
    dialog.way.setCurrentIndex(0)
    begin(qtbot, dialog)
    over(qtbot, window)
    assert (tmp_path / "b").read_text() == "a\n"
    (run,) = window.document.project.runs
    assert run.engine == "dask"


@pytest.mark.engines
def test_a_scheduler_that_does_not_answer_is_an_error_with_a_remedy(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, runnable("true", "true"), tmp_path)
    dialog.way.setCurrentIndex(1)
    qtbot.keyClicks(dialog.scheduler, "tcp://127.0.0.1:1")
    begin(qtbot, dialog)
    over(qtbot, window)
    said = refusal(window)
    assert "No Dask scheduler answers" in said
    assert "Check that" in said


def answer(qtbot: QtBot, window: MainWindow, name: str) -> None:
    """Close the window, and answer the question with that button."""
    window.close()
    (button,) = (one for one in window.findChildren(QPushButton, name) if one.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def told_ended(window: MainWindow) -> int:
    """Of how many tasks the window knows that they ended."""
    state = window.runner.state
    return 0 if state is None or state.progress is None else state.progress.ended


def gone(process: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def refusal(window: MainWindow) -> str:
    (dialog,) = window.findChildren(ErrorDialog)
    text = dialog.text()
    dialog.reject()
    return text
