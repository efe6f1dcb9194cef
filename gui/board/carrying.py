"""Tasks in hand: picked up by mouse, click or key, aimed at a machine, dropped or put back.

A first click picks a task lightly: nothing shows it but the selection until the pointer is over
another lane, where a click would move it. Every way of assigning goes through here, so that each
ends in exactly one `Offers.move` and none can drop where a task may not run.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from advisor.allocation import feasibility
from advisor.basics import quantities
from gui.basics.verdicts import ILLEGAL
from gui.board.offers import Offers
from gui.document.document import Document, Selection


class Carrying(QObject):
    """The tasks being moved, if any, and the machine they are aimed at.

    `tasks`: empty when nothing is carried.
    `lead`: the task that was grabbed; its ghost is shown in every lane.
    `target`: machine position aimed at.
    `light`: whether a click has picked them: they are put down as soon as something else is
        selected, and keys go on moving the focus.
    """

    changed = Signal()
    said = Signal(object)  # str: what happened, for the status line and screen readers

    def __init__(self, document: Document, offers: Offers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("carrying")
        self._document = document
        self._offers = offers
        self.tasks: frozenset[int] = frozenset()
        self.lead: int | None = None
        self.target: int | None = None
        self.light = self._over = False
        document.selection_changed.connect(self._follow_selection)
        document.changed.connect(self._let_go)
        offers.changed.connect(self._report_target)

    @property
    def active(self) -> bool:
        """Whether tasks are in hand, so that every click and key is about them."""
        return bool(self.tasks) and not self.light

    @property
    def offering(self) -> bool:
        """Whether lanes show what they would make of the tasks."""
        return bool(self.tasks) and (self._over or not self.light)

    @property
    def title(self) -> str:
        """What is carried: "B" or "3 tasks"."""
        tasks = self._document.project.workload.tasks
        if len(self.tasks) == 1 and self.lead is not None:
            return tasks[self.lead].name
        return quantities.count(len(self.tasks), "task")

    def pick_up(self, tasks: frozenset[int], lead: int) -> None:
        """Take `tasks` in hand; they become the selection."""
        self._document.select(Selection(tasks=tasks))
        self.tasks, self.lead, self.target = tasks, lead, None
        self.light = False
        self._offers.ask((lead, *sorted(tasks - {lead})))
        self.changed.emit()
        self.said.emit(f"Moving {self.title}. Choose a machine; Esc cancels.")

    def pick(self, tasks: frozenset[int], lead: int) -> None:
        """Let the next click on a lane move `tasks`, which a click has just selected."""
        self.tasks, self.lead, self.target = tasks, lead, None
        self.light, self._over = True, False
        self.changed.emit()
        self.said.emit(
            f"{self.title} selected. Click a lane to move it there, or drag it; Esc drops the "
            "selection."
        )

    def hover(self, over: bool, machine: int | None) -> None:
        """The pointer is over another lane with what was picked; a click would move it there."""
        if self.light and over != self._over:
            self._over = over
            self.changed.emit()
        if self.light and machine != self.target:
            self.target = machine
            self.changed.emit()
            self._report_target()

    def aim(self, machine: int | None) -> None:
        """Point at a machine, or at none."""
        if self.active and machine != self.target:
            self.target = machine
            self.changed.emit()
            self._report_target()

    def drop(self, machine: int | None = None) -> bool:
        """Move the tasks to `machine`, or where they are aimed; False when it may not be."""
        machine = self.target if machine is None else machine
        if not self.tasks or machine is None:
            self.cancel()
            return False
        tasks = self.tasks
        reason = self._refusal(machine)
        self._let_go()
        if reason:
            self.said.emit(f"Not moved: {reason}.")
            return False
        if any(self._document.project.plan.allocation[task] != machine for task in tasks):
            self._offers.move(tasks, machine)
        return True

    def assign(self, tasks: frozenset[int], machine: int) -> bool:
        """Move tasks without carrying them first: a menu or a click on an offer."""
        self.tasks, self.lead = tasks, min(tasks, default=None)
        return self.drop(machine)

    def cancel(self) -> None:
        """Put everything back; nothing changes."""
        told = self.active
        self._let_go()
        if told:
            self.said.emit("Cancelled; nothing moved.")

    def _refusal(self, machine: int) -> str:
        """Why the carried tasks can't run there; empty when they can."""
        if self._offers.preview is not None and frozenset(self._offers.tasks) == self.tasks:
            return self._offers.preview.reasons[machine]
        outcome = self._document.outcome
        if outcome is None:
            return ""
        allocation = self._document.project.plan.allocation
        moving = [task for task in sorted(self.tasks) if allocation[task] != machine]
        reasons = (feasibility.why_not(outcome.problem, task, machine) for task in moving)
        return next((reason for reason in reasons if reason), "")

    def _follow_selection(self, selection: object) -> None:
        assert isinstance(selection, Selection)
        if self.light and selection.tasks != self.tasks:
            self._let_go()

    def _let_go(self, _project: object = None) -> None:
        if self.tasks:
            self.tasks, self.lead, self.target = frozenset(), None, None
            self.light = self._over = False
            self.changed.emit()

    def _report_target(self) -> None:
        if not self.tasks or self.target is None:
            return
        name = self._document.project.platform.machines[self.target].name
        offer = self._offers.offer(self.target)
        if offer.verdict == ILLEGAL:
            self.said.emit(f"{name}: not possible, {offer.reason}.")
        elif offer.value:
            best = ", the best machine" if offer.best else ""
            note = f" {offer.note}" if offer.note else ""
            compared = f" ({offer.difference})" if offer.difference else ""
            self.said.emit(f"{name}{note}: {offer.about}{offer.value}{compared}{best}.")
