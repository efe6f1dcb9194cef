"""Carries the current plan out, off the window's thread, and follows what happens.

The engine runs in a process of its own, which ends with the run: when it is over, when it is
cancelled and when the window closes. What ended is kept here as it is told, so that nothing of it
is lost, however the process ends. Edits of the project meanwhile change nothing of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.runs.actual import Actual
from advisor.runs.growing import Coming, Growing, Progress
from advisor.runs.run_record import FAILED, Run, TaskRun
from gui.basics.background_jobs import ProcessEnded, SearchProcess
from gui.basics.run_call import run_plan
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from advisor.running import RunSettings
    from gui.document.document import Outcome

_TICK_MS = 150


@dataclass(frozen=True, eq=False)
class RunState:
    """A run so far, or how it ended."""

    outcome: Outcome  # whose plan runs, with what is predicted of it
    settings: RunSettings
    actual: Actual  # what is known of its tasks
    progress: Progress | None  # None: no task has begun yet, the engine starts
    failed: tuple[TaskRun, ...] = ()  # tasks that failed, with their output
    notes: tuple[str, ...] = ()  # what the engine said
    coming: Coming | None = None  # the rest, once it was replanned
    gone: tuple[tuple[str, float], ...] = ()  # machines that were lost, and when, s
    news: str = ""  # of both what came last, in a sentence
    replanning: bool = False  # whether it was asked for and has not come yet
    stopping: bool = False  # whether it was cancelled
    over: bool = False

    @property
    def may_replan(self) -> bool:
        """Whether there are tasks that could move: some have begun, and others not."""
        progress = self.progress
        if progress is None or self.stopping or self.over or self.replanning:
            return False
        return progress.waiting > 0


class Runner(QObject):
    """One run at a time.

    `state`: of the run that goes on, or of the last one.
    """

    changed = Signal(object)  # RunState, as it goes on and once more when it is over
    news = Signal(str)  # a machine was lost, or the rest replanned, in a sentence
    ended = Signal(object, object)  # RunState, Run: what ended, all of it or not
    failed = Signal(object)  # PlacewiseError: it broke off; `ended` came before
    busy = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runner")
        self.state: RunState | None = None
        self._process: SearchProcess | None = None
        self._growing: Growing | None = None
        self._began: float | None = None  # of this process's clock
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.setObjectName("run tick")
        self._tick.timeout.connect(self._tell)

    @property
    def is_busy(self) -> bool:
        """Whether a run goes on."""
        return self._process is not None

    @property
    def process_id(self) -> int | None:
        """The process that carries the plan out, once it runs."""
        return None if self._process is None else self._process.process_id

    def start(self, outcome: Outcome, settings: RunSettings) -> None:
        """Carry the plan of this outcome out; one run at a time."""
        if self.is_busy:
            return
        plan = outcome.project.plan
        self._growing = Growing(outcome.problem, outcome.prediction, settings.engine)
        self._began = None
        self.state = RunState(outcome, settings, self._growing.actual(), None)
        self._process = process = SearchProcess(self, "run process", None, parental=True)
        process.progress.connect(self._hear)
        process.done.connect(self._finish)
        process.failed.connect(self._fail)
        process.start(run_plan, problem=outcome.problem, plan=plan, settings=settings)
        self._tick.start()
        self.busy.emit(True)
        self.changed.emit(self.state)

    def cancel(self) -> None:
        """Stop the run; finished tasks are kept."""
        if self._process is not None and self.state is not None and not self.state.stopping:
            self.state = replace(self.state, stopping=True)
            self.changed.emit(self.state)
            self._process.cancel()

    def replan(self) -> None:
        """Have the tasks that have not begun planned anew; the others stay."""
        from advisor.running.asking import ask  # noqa: PLC0415 - once something runs

        process, state = self.process_id, self.state
        if process is not None and state is not None and state.may_replan:
            self.state = replace(state, replanning=True)
            self.changed.emit(self.state)
            ask(process)

    # what the process tells

    def _hear(self, event: object) -> None:
        from advisor.running import Ended, Lost, Note, Replanned, Started  # noqa: PLC0415 - slow

        assert self._growing is not None and self.state is not None
        if isinstance(event, Started):
            self._growing.begin(event.task, event.machine, event.at_s)
            self._set_clock(event.at_s)
        elif isinstance(event, Ended):
            self._growing.end(event.run)
            self._set_clock(event.run.end_s)
            if event.run.status == FAILED:
                self.state = replace(self.state, failed=(*self.state.failed, event.run))
        elif isinstance(event, Note):
            self.state = replace(self.state, notes=(*self.state.notes, event.text))
        elif isinstance(event, Lost):
            self._growing.lose(event.again)
            self._say(event.text, gone=(*self.state.gone, (event.machine, event.at_s)))
        elif isinstance(event, Replanned):
            self._growing.replan(
                (one.task, one.machine, one.start_s, one.end_s) for one in event.rest
            )
            self._say(event.text, coming=self._growing.coming, replanning=False)

    def _say(self, news: str, **changed: object) -> None:
        assert self.state is not None
        notes = (*self.state.notes, news)
        self.state = replace(self.state, notes=notes, news=news, **changed)  # type: ignore[arg-type]
        self.news.emit(news)

    def _set_clock(self, at_s: float) -> None:
        """The run is at least there: its machines' clocks may be ahead."""
        began = monotonic() - at_s
        self._began = began if self._began is None else min(began, self._began)

    def _tell(self) -> None:
        assert self._growing is not None and self.state is not None
        if self._began is not None:
            progress = self._growing.progress(monotonic() - self._began)
            self.state = replace(self.state, actual=self._growing.actual(), progress=progress)
        self.changed.emit(self.state)

    def _finish(self, run: object) -> None:
        self._close(run if isinstance(run, Run) else None)

    def _fail(self, error: PlacewiseError) -> None:
        stopping = self.state is not None and self.state.stopping
        if isinstance(error, ProcessEnded):
            error = PlacewiseError(
                "the process that ran the plan ended unexpectedly",
                where=self.state.settings.engine if self.state is not None else "",
                remedy="Finished tasks are kept; run the plan again",
            )
            self._close(None, self._growing.stopped if stopping and self._growing else "")
            if stopping:  # it was slow to end, and was ended
                return
        else:
            self._close(None, f"It broke off: {error.what}")
        self.failed.emit(error)

    def _close(self, run: Run | None, note: str = "") -> None:
        """The run is over: its process ends, and what ended is told."""
        process, self._process = self._process, None
        assert process is not None and self._growing is not None and self.state is not None
        process.close(0.0)
        process.deleteLater()
        self._tick.stop()
        notes = (*self.state.notes, note) if note else self.state.notes
        self.state = replace(self.state, notes=notes, over=True)
        self._tell()
        self.busy.emit(False)
        self.ended.emit(self.state, run or self._growing.run("run", notes))
