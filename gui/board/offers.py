"""What every machine offers for the selected tasks: the objective if they moved there.

Computed off the window's thread once for each selection and plan; painting and menus read the
finished arrays, and nothing is computed again while the mouse moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.allocation import preview
from advisor.allocation.choices import Choices, open_choices
from advisor.allocation.moved_programs import best_elsewhere
from advisor.allocation.preview import Preview
from advisor.basics import quantities
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import Unit
from gui.basics.background_jobs import LatestWins
from gui.basics.verdicts import BETTER, ILLEGAL, PENDING, SAME, SIGNS, WORSE
from gui.document.document import Document, Outcome, Selection
from machines.stopping import stoppable

REST_MS = 150


@dataclass(frozen=True)
class Offer:
    """One machine's offer.

    `value`, `difference`: the objective there and its difference to now, for people; empty when not
        known.
    `exact`: whether the value is the one that `predict` would give; an estimate is marked "≈".
    """

    verdict: str  # "better", "worse", "same", "illegal" or "pending"
    value: str = ""
    difference: str = ""
    reason: str = ""  # why it is illegal
    best: bool = False  # whether no machine offers less
    note: str = ""  # on how many processors, where that changes with the move
    exact: bool = True

    @property
    def about(self) -> str:
        """What stands before an estimate."""
        return "" if self.exact else "≈ "

    @property
    def long(self) -> str:
        """The chip in a lane: "▼ 38.0 s  −10.0 s", with the note."""
        if self.verdict == ILLEGAL:
            return self.reason
        if self.verdict == PENDING:
            return "…"
        note = f"  {self.note}" if self.note else ""
        if self.verdict == SAME:
            return f"= {self.about}{self.value}  as now{note}"
        return f"{SIGNS[self.verdict]} {self.about}{self.value}  {self.difference}{note}"

    @property
    def sentence(self) -> str:
        """What the tooltip says; empty when nothing is known."""
        if not self.value:
            return self.reason
        difference = "as now" if self.verdict == SAME else self.difference
        sure = "" if self.exact else "; an estimate until the pointer rests"
        best = ", the best machine" if self.best else ""
        return f"Moved here: {self.about}{self.value} ({difference}){best}{sure}"

    @property
    def short(self) -> str:
        """The chip on a machine's card: "▼ −10.0 s"; empty when there is nothing to compare."""
        if self.verdict in (ILLEGAL, PENDING):
            return ""
        if self.verdict == SAME:
            return "= as now" if self.exact else "≈ as now"
        return f"{SIGNS[self.verdict]} {self.about}{self.difference}"


class Offers(QObject):
    """The machines' offers for the selected tasks; `changed` when they arrive or go.

    An estimate comes at once; when the pointer has rested for `REST_MS`, exact values are computed.
    """

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("offers")
        self._document = document
        self.tasks: tuple[int, ...] = ()
        self.preview: Preview | None = None
        self._unit = self._apart = Unit.of_times()  # of values, and of their differences to now
        self.basis: Outcome | None = None  # what they are offers for
        self._jobs = LatestWins(self, "offers")
        self._jobs.done.connect(self._arrive)
        self._jobs.failed.connect(self._clear)
        self._late = LatestWins(self, "moved programs")
        self._late.done.connect(self._complete)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._ask_exactly)
        document.selection_changed.connect(self._follow)
        document.outcome_changed.connect(self._renew)
        document.changed.connect(self._clear)

    def ask(self, tasks: tuple[int, ...]) -> None:
        """Ask for `tasks`; the first of them is the one whose ghost is shown."""
        outcome = self._document.outcome
        if tasks == self.tasks and self.basis is outcome and outcome is not None:
            return
        self.tasks, self.preview, self.basis = tasks, None, None
        self._rest.stop()
        if tasks and outcome is not None and outcome.project is self._document.project:
            self.basis = outcome
            self._request(outcome)
        self.changed.emit()

    def stir(self) -> None:
        """The pointer moves: exact values wait until it rests."""
        if self.preview is not None and not self.preview.exact:
            self._rest.start()

    def _ask_exactly(self) -> None:
        outcome = self._document.outcome
        if self.preview is not None and outcome is not None and self.basis is outcome:
            self._request(outcome, exact=True)

    def _request(self, outcome: Outcome, exact: bool = False) -> None:
        problem, project, tasks = outcome.problem, outcome.project, self.tasks
        now = outcome.prediction

        def job(should_stop: ShouldStop) -> object:
            with stoppable(should_stop):
                found = preview.preview(
                    problem, project.plan, tasks, project.objective, exact, should_stop, now
                )
            return tasks, found

        self._jobs.request(job)

    def offer(self, machine: int) -> Offer:
        """The offer of one machine of `basis`."""
        outcome = self.basis
        if self.preview is None or outcome is None:
            return Offer(PENDING)
        if reason := self.preview.reasons[machine]:
            return Offer(ILLEGAL, reason=reason)
        value = float(self.preview.values_s[machine])
        now = outcome.prediction.value_s(outcome.project.objective)
        verdict = SAME
        if abs(value - now) > ALIKE * max(value, now):
            verdict = BETTER if value < now else WORSE
        return Offer(
            verdict,
            value=self._unit.text(value),
            difference="as now" if verdict == SAME else self._difference(value - now),
            best=machine == self.preview.best,
            note=self._note(outcome, machine),
            exact=self.preview.exact,
        )

    def choices(self, tasks: frozenset[int], machine: int) -> Choices | None:
        """What is best there of what the programs of `tasks` leave open; None: not known yet."""
        declared = self._document.project.workload.tasks
        if not any(open_choices(declared[task]) for task in tasks):
            return ()
        if self.preview is None or frozenset(self.tasks) != tasks:
            return None
        return self.preview.choices[machine]

    def move(self, tasks: frozenset[int], machine: int) -> None:
        """Move tasks there, one undo step, with the choices that the offer was made with.

        Before these are known the tasks move with what their programs do by themselves; the
        step is completed when they are found in the background, unless something else was
        done by then.
        """
        document, outcome = self._document, self._document.outcome
        before, known = document.project, self.choices(tasks, machine)
        if known is not None or outcome is None:
            document.move_tasks(tasks, machine, known or ())
            return
        step, problem = f"move {sorted(tasks)} to {machine}", outcome.problem
        document.move_tasks(tasks, machine, (), step)
        moved = document.project

        def job(should_stop: ShouldStop) -> object:
            with stoppable(should_stop):
                best = best_elsewhere(problem, before.plan, tuple(sorted(tasks)))[machine]
            return moved, (before, tasks, machine, best, step)

        self._late.request(job)

    def close(self) -> None:
        """End the worker threads."""
        self._rest.stop()
        self._jobs.close()
        self._late.close()

    def _complete(self, result: object) -> None:
        assert isinstance(result, tuple)
        moved, step = result
        if self._document.project is moved:
            self._document.complete_move(*step)

    def _difference(self, seconds: float) -> str:
        """More or less than now, in the unit of all machines' differences."""
        text = self._apart.text(seconds)
        return f"+{text}" if seconds > 0.0 else text

    def _note(self, outcome: Outcome, machine: int) -> str:
        """On how many processors the first task would be, if that is another number than now."""
        assert self.preview is not None
        taken = self.preview.processors[machine]
        now = int(outcome.costs.task_cores[self.tasks[0]])
        return "" if taken == now else f"on {quantities.count(taken, 'processor')}"

    def _follow(self, selection: object) -> None:
        assert isinstance(selection, Selection)
        if selection.tasks != frozenset(self.tasks):
            self.ask(tuple(sorted(selection.tasks)))

    def _renew(self, _outcome: object) -> None:
        tasks = self.tasks
        self.tasks = ()
        self.ask(tasks)

    def _arrive(self, result: object) -> None:
        assert isinstance(result, tuple)
        tasks, preview = result
        outcome = self._document.outcome
        if outcome is not None and tasks == self.tasks and self.basis is outcome:
            self.preview = preview
            self._unit = Unit.of_times(preview.values_s)
            now = outcome.prediction.value_s(outcome.project.objective)
            self._apart = Unit.of_times(preview.values_s - now)
            if not preview.exact:
                self._rest.start()
            self.changed.emit()

    def _clear(self, _cause: object) -> None:
        self._rest.stop()
        if self.preview is not None:
            self.preview = None
            self.changed.emit()
