"""The only owner of the open project, and the only way to change it.

Every edit is one undo step: a command that holds the project before and after (frozen values
share what did not change). Views listen to `changed` (the project, at once), to
`outcome_changed` (its prediction, computed off the window's thread by
`gui.basics.background_jobs`), to `selection_changed`, and to `replaced`, after which nothing that
was said before holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from advisor.allocation.choices import Choices
from advisor.allocation.comparison import counts_in_words
from advisor.allocation.core_groups import held_cores
from advisor.allocation.costs import Costs
from advisor.allocation.moved_programs import moved_plan
from advisor.allocation.peaks import Peak, peaks
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.slack import slack_s
from advisor.decisions.tree import trees_of
from advisor.overlays.overlay_measures import OverlayMeasures, overlay_measures
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.project import decision_edits
from advisor.project.project import Project
from machines.arrays import Floats, Ints

if TYPE_CHECKING:
    from advisor.project.assumed import Origins


@dataclass(frozen=True)
class Selection:
    """What is selected on the board or in a table, by position; empty by default."""

    tasks: frozenset[int] = frozenset()
    machine: int | None = None
    link: int | None = None
    flow: int | None = None
    switch: int | None = None
    store: int | None = None
    overlay: int | None = None


# what can be selected: the part of the project that has it, and by what it is known there
_SELECTED: dict[str, tuple[str, Callable[[Any], Sequence[object]]]] = {
    "tasks": ("workload", lambda workload: [one.name for one in workload.tasks]),
    "machine": ("platform", lambda platform: [one.name for one in platform.machines]),
    "link": ("platform", lambda platform: [one.ends for one in platform.links]),
    "flow": ("workload", lambda workload: [(one.source, one.target) for one in workload.edges]),
    "switch": ("platform", lambda platform: [one.name for one in platform.switches]),
    "store": ("platform", lambda platform: [one.name for one in platform.stores]),
    "overlay": ("workload", lambda workload: [one.name for one in workload.overlays]),
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """A project with the arrays and the prediction that belong to it."""

    project: Project
    problem: Problem
    prediction: Prediction

    @cached_property
    def costs(self) -> Costs:
        """Seconds by task, machine and flow with the plan's numbers of processors."""
        return self.problem.settled(self.prediction.plan).costs

    @cached_property
    def overlays(self) -> tuple[tuple[OverlayPlan, OverlayMeasures], ...]:
        """Tree and costs of every overlay; found when the prediction is made."""
        platform, trees = self.project.platform, trees_of(self.problem, self.prediction.plan)
        return tuple(
            (tree, overlay_measures(platform, overlay, tree))
            for overlay, tree in zip(self.project.workload.overlays, trees, strict=True)
        )

    @cached_property
    def slowdowns(self) -> Floats:
        """How much other users slow the slowest task of every machine down, shape (machines,)."""
        costs = self.costs
        known = np.isfinite(costs.task_s) & (costs.task_dedicated_s > 0)
        ratio = np.where(known, costs.task_s, 0.0) / np.where(known, costs.task_dedicated_s, 1.0)
        slowest: Floats = ratio.max(axis=0, initial=1.0)
        return slowest

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """The most that is held of everything at a time."""
        return peaks(self.problem, self.prediction)

    @cached_property
    def held_cores(self) -> Ints:
        """Cores of each group that every task holds (`advisor.allocation.core_groups`)."""
        return held_cores(self.problem, self.prediction)

    @cached_property
    def slack_s(self) -> Floats:
        """How much later every task could end; not for the window's thread, it takes a while."""
        return slack_s(self.problem, self.prediction)


@dataclass(frozen=True, eq=False)
class Aside:
    """An open project that was put aside, with its history.

    `steps`: each (before, after, text); the undo steps, oldest first. `index`, `clean`: how many of
    them are done, and were when it was saved; -1: it never was.
    """

    project: Project
    path: Path | None
    digest: str | None
    steps: tuple[tuple[Project, Project, str], ...]
    index: int
    clean: int


class Document(QObject):
    """The open project with its undo stack, selection, file and latest prediction.

    `outcome` may be of an older project, but only of one whose things have the same positions:
    what is selected can always be looked up in it.
    """

    changed = Signal(object)  # Project, after every edit, undo, redo or load
    loaded = Signal(object)  # Project, when another one was opened
    replaced = Signal(object)  # Project, whose tasks or machines are others: opened or imported
    outcome_changed = Signal(object)  # Outcome
    outcome_failed = Signal(object)  # PlacewiseError: this project has no prediction
    selection_changed = Signal(object)  # Selection
    path_changed = Signal(object)  # Path | None
    look_asked = Signal(object, object)  # name of a study, Subject: a close look is wished

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("document")
        self.project = project
        self.outcome: Outcome | None = None
        self.selection = Selection()
        self.path: Path | None = None
        self.digest: str | None = None  # of the file as last read or written; None: not known
        self._silent = False  # steps are put back
        self.origins: Origins | None = None
        self.undo_stack = stack = QUndoStack(self)
        # a stack that is destroyed with its document still tells that it is empty
        self.destroyed.connect(lambda: shiboken6.isValid(stack) and stack.blockSignals(True))

    def apply(
        self, project: Project, text: str, merge: str = "", *, replaces: bool = False
    ) -> None:
        """Make `project` current as one undo step called `text`.

        Consecutive steps with the same non-empty `merge` become one (a slider while it moves), and
        none where they lead back.
        With `replaces` its tasks or its machines take the place of all others. Nothing happens
        when nothing changed.
        """
        if project != self.project:
            self.undo_stack.push(_Edit(self, self.project, project, text, merge, replaces))

    def seal(self) -> None:
        """End merging: the next step is a new one (the slider was released)."""
        command = self.undo_stack.command(self.undo_stack.index() - 1)
        if isinstance(command, _Edit):
            command.merge_key = ""

    def note(self, project: Project) -> None:
        """Keep what was computed about the project: no edit, so no step and nothing to save."""
        if project == self.project:
            return
        command = self.undo_stack.command(self.undo_stack.index() - 1)
        if isinstance(command, _Edit) and command.after is self.project:
            command.after = project
        self._become(project)

    def amend(self, change: Callable[[Project], Project]) -> None:
        """Change the project and all that undo and redo bring back: no step, and none is lost."""
        stack = self.undo_stack
        steps = [one for at in range(stack.count()) if isinstance(one := stack.command(at), _Edit)]
        held = [self.project, *(project for one in steps for project in (one.before, one.after))]
        made = {id(project): change(project) for project in held}
        for one in steps:
            one.before, one.after = made[id(one.before)], made[id(one.after)]
        if made[id(self.project)] is not self.project:
            self._become(made[id(self.project)])

    def adopt(self, plan: Plan, text: str) -> None:
        """Make `plan` the current plan, one undo step."""
        self.apply(replace(self.project, plan=plan), text)

    def move_tasks(
        self, tasks: frozenset[int], machine: int, best: Choices | None = None, merge: str = ""
    ) -> None:
        """Move `tasks` to the machine at that position, one undo step.

        A scalable task that takes more processors than the machine has takes all of these.

        `best`: what is best there of what the programs of these tasks leave open
            (`advisor.allocation.moved_programs`); ``None``: what was chosen of that stays.
        `merge`: as of `apply`; for a step that `complete_move` is going to complete.
        """
        project = self.project
        moving = sorted(t for t in tasks if project.plan.allocation[t] != machine)
        if moving:
            plan = moved_plan(
                project.plan, project.workload, project.platform, moving, machine, best
            )
            text = self._said_of_move(project, moving, machine, plan)
            self.apply(replace(project, plan=plan), text, merge)

    def complete_move(
        self, before: Project, tasks: frozenset[int], machine: int, best: Choices, merge: str
    ) -> None:
        """Put into the step that has just moved `tasks` what was not known yet when it was made.

        `before` is the project that they were moved in. The undo step stays one.
        """
        moving = sorted(t for t in tasks if before.plan.allocation[t] != machine)
        plan = moved_plan(before.plan, before.workload, before.platform, moving, machine, best)
        text = self._said_of_move(before, moving, machine, plan)
        self.apply(replace(before, plan=plan), text, merge)
        self.seal()

    def _said_of_move(self, before: Project, moving: list[int], machine: int, plan: Plan) -> str:
        """What a move does, as an undo step is called."""
        workload = before.workload
        named = workload.tasks[moving[0]].name
        what = named if len(moving) == 1 else f"{len(moving)} tasks"
        target = before.platform.machines[machine].name
        were = before.plan.counts(workload)
        fewer = {name: n for name, n in plan.counts(workload).items() if n != were[name]}
        said = (
            counts_in_words(fewer) if fewer else "",
            decision_edits.choices_in_words(workload, before.plan.choices, plan.choices),
        )
        return ", ".join((f"Move {what} to {target}", *filter(None, said)))

    def select(self, selection: Selection) -> None:
        """Change the selection; not an undo step."""
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    @property
    def modified(self) -> bool:
        """Whether there is something to save."""
        return not self.undo_stack.isClean()

    def load(
        self,
        project: Project,
        path: Path | None = None,
        saved: bool = True,
        digest: str | None = None,
        origins: Origins | None = None,
    ) -> None:
        """Replace everything: another project was opened. Clears the history.

        With `saved` false it counts as modified: it was recovered, say. `origins`: where its
        figures come from, if it was made of others' files.
        """
        self.origins = origins
        self.undo_stack.clear()
        if saved:
            self.undo_stack.setClean()  # an empty stack is cleared of nothing
        else:
            self.undo_stack.resetClean()
        self.selection = Selection()
        self.set_path(path, digest)
        self._become(project, replaced=True)
        self.selection_changed.emit(self.selection)
        self.loaded.emit(project)

    def aside(self) -> Aside:
        """What is open, to be brought back after another project was."""
        stack = self.undo_stack
        commands = [stack.command(place) for place in range(stack.count())]
        steps = tuple(
            (one.before, one.after, one.text()) for one in commands if isinstance(one, _Edit)
        )
        place = self.path, self.digest
        return Aside(self.project, *place, steps, stack.index(), stack.cleanIndex())

    def bring_back(self, aside: Aside) -> None:
        """Open what was put aside, with its history."""
        self.load(aside.project, aside.path, digest=aside.digest)
        stack, self._silent = self.undo_stack, True
        for before, after, text in aside.steps:
            stack.push(_Edit(self, before, after, text, "", False))
        if aside.clean < 0:
            stack.resetClean()
        else:
            stack.setIndex(aside.clean)
            stack.setClean()
        stack.setIndex(aside.index)
        self._silent = False

    def set_path(self, path: Path | None, digest: str | None = None) -> None:
        """Remember where the project is saved, and what the file there holds."""
        self.path, self.digest = path, digest
        self.path_changed.emit(path)

    def receive(self, outcome: Outcome) -> None:
        """Take a finished prediction; one of an older project is dropped."""
        if outcome.project is self.project:
            self.outcome = outcome
            self.outcome_changed.emit(outcome)

    def fail(self, project: Project, error: Exception) -> None:
        """The prediction of `project` failed; an older project's failure is dropped."""
        if project is self.project:
            self.outcome_failed.emit(error)

    def _become(self, project: Project, replaced: bool = False) -> None:
        if self._silent:
            return
        structure_changed = (
            project.workload is not self.project.workload
            or project.platform is not self.project.platform
        )
        before, self.project = self.project, project
        if replaced:
            self.outcome = None
            self.select(Selection())
        elif structure_changed:
            if self.outcome is not None and not self.outcome.project.same_places(project):
                self.outcome = None  # its positions are those of other things
            self._follow_selected(before)
        self.changed.emit(project)
        if replaced:
            self.replaced.emit(project)

    def _follow_selected(self, before: Project) -> None:
        """Keep what is selected where it is now; drop what is not there any more."""
        chosen = self.selection

        def found(kind: str, positions: Iterable[int]) -> frozenset[int]:
            part, names = _SELECTED[kind]
            were, are = getattr(before, part), getattr(self.project, part)
            if were is are:
                return frozenset(positions)
            old, new = names(were), names(are)
            if len(old) == len(new):  # perhaps under another name
                return frozenset(positions)
            places = dict(zip(reversed(new), reversed(range(len(new))), strict=True))
            return frozenset(places[old[at]] for at in positions if old[at] in places)

        def one(kind: str) -> int | None:
            at: int | None = getattr(chosen, kind)
            return None if at is None else next(iter(found(kind, (at,))), None)

        ones = {kind: one(kind) for kind in _SELECTED if kind != "tasks"}
        self.select(Selection(found("tasks", chosen.tasks), **ones))


class _Edit(QUndoCommand):
    def __init__(
        self,
        document: Document,
        before: Project,
        after: Project,
        text: str,
        merge_key: str,
        replaces: bool,
    ) -> None:
        super().__init__(text)
        self._document, self.before, self.after = document, before, after
        self.merge_key, self._replaces = merge_key, replaces

    def redo(self) -> None:
        self._document._become(self.after, self._replaces)

    def undo(self) -> None:
        self._document._become(self.before, self._replaces)

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or not self.merge_key or other.merge_key != self.merge_key:
            return False
        self.after = other.after
        self.setText(other.text())
        self.setObsolete(self.after == self.before)
        return True
