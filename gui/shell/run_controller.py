"""Plan › Run…: carries the plan out, follows it on the board, and keeps what happened.

While it goes on, the project may be edited; board and panel go on to show the plan that runs, as
long as its tasks and machines are those of the project. At the end the run joins the project's
runs, one undo step; where another project is open by then, its record tells of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from advisor.basics.quantities import count
from advisor.project.project import Project
from advisor.project.run_edits import add_runs
from advisor.runs.actual import Actual
from advisor.runs.run_record import Run
from gui.basics.settings import Settings, runs_folder
from gui.document.actuals import Actuals
from gui.document.document import Document
from gui.document.run_progress_words import left, told
from gui.document.runner import Runner, RunState
from gui.shell.actions import ActionSpec
from gui.shell.file_questions import ask_to_stop
from gui.shell.places import Places
from gui.shell.project_files import Files, file_name
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from advisor.running import RunSettings
    from gui.board.board_view import BoardView
    from gui.board.run_bars import Happened
    from gui.shell.run_dialog import RunDialog

_FAILED = "The plan can't be run"
_BROKE_OFF = "The run broke off"


class Running(QObject):
    """The actions *Run…*, *Replan the rest* and *Stop run*, and where a run is shown."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    noted = Signal(object)  # tuple of str: what is to be known
    going = Signal(object, object)  # text and share of the run that goes on; "" at the end

    def __init__(
        self, runner: Runner, actuals: Actuals, files: Files, settings: Settings, window: Places
    ) -> None:
        super().__init__(window)
        self.setObjectName("running")
        self.runner, self._actuals, self._files = runner, actuals, files
        self._settings, self._window = settings, window
        self._document: Document = window.document
        self.dialog: RunDialog | None = None
        self._then: Callable[[], object] | None = None
        window.commands.handle(
            {"run_plan": self.ask, "replan_run": runner.replan, "stop_run": runner.cancel}
        )
        for signal in (self._document.changed, self._document.outcome_changed, runner.busy):
            signal.connect(lambda _value: self._check())
        self._document.outcome_failed.connect(lambda _error: self._check())
        self._document.changed.connect(self._let_go_if_none)
        self._document.changed.connect(lambda _project: self._follow())
        runner.changed.connect(self._show)
        runner.news.connect(self.told)
        runner.ended.connect(self._keep)
        runner.failed.connect(self._fail)
        # after the board has heard of it, which would show no run else
        actuals.reviewed.connect(self._let_go, Qt.ConnectionType.QueuedConnection)
        self._check()

    def ask(self) -> None:
        """Open the dialog, for the plan as it is now."""
        from gui.shell.run_dialog import RunDialog  # noqa: PLC0415 - not at the start

        outcome = self._document.outcome
        if outcome is None or self._files.planned is None or self.runner.is_busy:
            return
        if self.dialog is None:
            self.dialog = RunDialog(self._settings, self._window)
            self.dialog.run_asked.connect(self._start)
        path = self._document.path
        name = Path(file_name(self._document.project.name)).stem if path is None else path.stem
        folder = (runs_folder() / name if path is None else path.parent).absolute()
        self.dialog.offer(outcome, path, folder, folder / f"{name}-runs.csv")
        self.dialog.open()

    def ask_to_stop(self, then: Callable[[], object]) -> None:
        """Ask whether the run should end, as the window is to be closed; `then` once it has."""
        ask_to_stop(
            self._window, "stop_run", "The plan is running.",
            "Stop it? Finished tasks are kept in the project and in its record.",
            lambda: self._stop(then), self.runner.busy,
        )  # fmt: skip

    # inside

    def _start(self, settings: RunSettings) -> None:
        outcome = self._document.outcome
        if outcome is None or self._files.planned is None:
            return
        self._window.show_page("allocation")
        self._window.show_dock("actual")
        self._board.folds.set_run(True)
        self.runner.start(outcome, settings)

    def _stop(self, then: Callable[[], object]) -> None:
        """End the run, and go on once it has; it may be over already."""
        self._then = then
        if self.runner.is_busy:
            self.runner.cancel()
        else:
            self._go_on()

    def _go_on(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()

    def _show(self, state: RunState) -> None:
        """More of the run on the board, unless it still draws what it had, and in the status."""
        self._window.commands["replan_run"].setEnabled(state.may_replan)
        if state.over:
            self.going.emit("", 0.0)
            return
        progress = state.progress
        if progress is None or state.stopping:
            self.going.emit("Run: ending …" if state.stopping else "Run: starting …", 0.0)
            return
        text = f"Run: {progress.ended:,} of {count(progress.tasks, 'task')}, {left(progress)}"
        self.going.emit(text, progress.share)
        self._follow()

    def _follow(self) -> None:
        """Draw the run that goes on beside the board's plan, where both are of the same things."""
        state, board = self.runner.state, self._window.built("allocation")
        if not self.runner.is_busy or state is None or board is None:
            return
        view: BoardView = board  # type: ignore[assignment]
        if not _same_things(state.outcome.project, self._document.project):
            view.run_switch.follow(None)
        elif state.progress is not None and view.schedule.caught_up:
            view.run_switch.follow(_so_far(state, state.progress.now_s))

    def _keep(self, state: RunState, run: Run) -> None:
        """The run is over: what ended joins the project, if it is still the same."""
        before = self._document.project
        if not run.tasks:
            self._board.run_switch.follow(None)
            self.told.emit("No task ended; nothing was kept")
        elif not _same_things(state.outcome.project, before):
            self._board.run_switch.follow(None)
            self.noted.emit((_elsewhere(state),))
        else:
            self._board.run_switch.follow(_happened(state.actual))  # until it is set beside
            project = add_runs(before, (run,))
            self._actuals.choose(project.runs[-1].name)
            self._document.apply(project, "Run the plan")
            self.told.emit(told(state))
        self._go_on()

    def _let_go(self, _now: object) -> None:
        """The run is set beside the prediction like any other."""
        board = self._window.built("allocation")
        if board is not None and not self.runner.is_busy:
            board.run_switch.follow(None)  # type: ignore[attr-defined]

    def _let_go_if_none(self, project: Project) -> None:
        """The run was undone, perhaps before it was set beside the prediction."""
        if not project.runs:
            self._let_go(project)

    def _fail(self, error: PlacewiseError) -> None:
        state = self.runner.state
        begun = state is not None and state.progress is not None
        self.failed.emit(_BROKE_OFF if begun else _FAILED, error)

    @property
    def _board(self) -> BoardView:
        return self._window.panel("allocation")  # type: ignore[return-value]

    def _check(self) -> None:
        commands, busy = self._window.commands, self.runner.is_busy
        commands["run_plan"].setEnabled(self._files.planned is not None and not busy)
        commands["stop_run"].setEnabled(busy)
        state = self.runner.state
        commands["replan_run"].setEnabled(busy and state is not None and state.may_replan)


def running_specs() -> tuple[ActionSpec, ...]:
    """The actions of carrying plans out."""
    return (
        ActionSpec(
            "run_plan",
            "Run…",
            "Plan",
            "Run the plan's commands, on Dask or as processes of this computer",
            ("F5",),
            group=2,
        ),
        ActionSpec(
            "replan_run",
            "Replan the rest",
            "Plan",
            "Plan anew what has not begun, from what the run has taught; what runs stays",
            ("Ctrl+F5",),
            group=2,
            words="late tasks, lost workers, steer the run",
        ),
        ActionSpec(
            "stop_run",
            "Stop run",
            "Plan",
            "Stop the running commands; finished tasks are kept",
            ("Shift+F5",),
            group=2,
        ),
    )


def _same_things(one: Project, other: Project) -> bool:
    """Whether both have the same tasks and machines, place by place."""
    return [task.name for task in one.workload.tasks] == [
        task.name for task in other.workload.tasks
    ] and [machine.name for machine in one.platform.machines] == [
        machine.name for machine in other.platform.machines
    ]


def _happened(actual: Actual) -> Happened:
    from gui.board.run_bars import Happened  # noqa: PLC0415 - with the board

    return Happened(actual)


def _so_far(state: RunState, now_s: float) -> Happened:
    from gui.board.run_bars import Happened  # noqa: PLC0415 - with the board

    names = [machine.name for machine in state.outcome.project.platform.machines]
    gone = tuple((names.index(name), at_s) for name, at_s in state.gone)
    return Happened(state.actual, now_s, state.coming, gone)


def _elsewhere(state: RunState) -> str:
    return (
        f"The run of “{state.outcome.project.name}” has ended, but the open project has other "
        f"tasks or machines. Its record is {state.settings.record}: open that project, "
        "then File › Import run…"
    )
