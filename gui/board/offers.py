"""What every machine offers for the selected tasks: the objective if they moved there.

Computed off the window's thread once for each selection and plan; painting and menus read the
finished arrays, and nothing is computed again while the mouse moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from advisor.allocation import preview
from advisor.allocation.preview import Preview
from advisor.basics import quantities
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from gui.basics.jobs import LatestWins
from gui.document.document import Document, Outcome, Selection

BETTER, WORSE, SAME, ILLEGAL, PENDING = "better", "worse", "same", "illegal", "pending"
SIGNS = {BETTER: "▼", WORSE: "▲", SAME: "=", ILLEGAL: "", PENDING: ""}


@dataclass(frozen=True)
class Offer:
    """One machine's offer.

    Attributes
    ----------
    verdict : str
        "better", "worse", "same", "illegal" or "pending".
    value, difference : str
        The objective there and its difference to now, for people; empty when not known.
    reason : str
        Why it is illegal.
    best : bool
        Whether no machine offers less.
    note : str
        On how many processors, where that changes with the move.
    """

    verdict: str
    value: str = ""
    difference: str = ""
    reason: str = ""
    best: bool = False
    note: str = ""

    @property
    def long(self) -> str:
        """The chip in a lane: "▼ 38.0 s  −10.0 s", with the note."""
        if self.verdict == ILLEGAL:
            return self.reason
        if self.verdict == PENDING:
            return "…"
        note = f"  {self.note}" if self.note else ""
        if self.verdict == SAME:
            return f"= {self.value}  as now{note}"
        return f"{SIGNS[self.verdict]} {self.value}  {self.difference}{note}"

    @property
    def short(self) -> str:
        """The chip on a machine's card: "▼ −10.0 s"; empty when there is nothing to compare."""
        if self.verdict in (ILLEGAL, PENDING):
            return ""
        if self.verdict == SAME:
            return "= as now"
        return f"{SIGNS[self.verdict]} {self.difference}"


class Offers(QObject):
    """The machines' offers for the selected tasks; `changed` when they arrive or go."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("offers")
        self._document = document
        self.tasks: tuple[int, ...] = ()
        self.preview: Preview | None = None
        self._basis: object = None
        self._jobs = LatestWins(self, "offers")
        self._jobs.done.connect(self._arrive)
        self._jobs.failed.connect(self._clear)
        document.selection_changed.connect(self._follow)
        document.outcome_changed.connect(self._renew)
        document.changed.connect(self._clear)

    def ask(self, tasks: tuple[int, ...]) -> None:
        """Ask for `tasks`; the first of them is the one whose ghost is shown."""
        outcome = self._document.outcome
        if tasks == self.tasks and self._basis is outcome and outcome is not None:
            return
        self.tasks, self.preview, self._basis = tasks, None, None
        if tasks and outcome is not None and outcome.project is self._document.project:
            self._basis = outcome
            problem, project = outcome.problem, outcome.project

            def job(_should_stop: ShouldStop) -> object:
                return tasks, preview.preview(problem, project.plan, tasks, project.objective)

            self._jobs.request(job)
        self.changed.emit()

    def offer(self, machine: int) -> Offer:
        """The offer of one machine."""
        outcome = self._document.outcome
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
            value=quantities.duration(value),
            difference=quantities.signed_duration(value - now, now),
            best=machine == self.preview.best,
            note=self._note(outcome, machine),
        )

    def close(self) -> None:
        """End the worker thread."""
        self._jobs.close()

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
        if tasks == self.tasks and self._basis is self._document.outcome:
            self.preview = preview
            self.changed.emit()

    def _clear(self, _cause: object) -> None:
        if self.preview is not None:
            self.preview = None
            self.changed.emit()
