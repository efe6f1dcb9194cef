"""Two plans as two schedules on one time axis, with what tells them apart in one sentence.

Whatever the plans are of, it takes two predictions for one problem. It is drawn with the board's
own lanes, bars and loads. In both, moved tasks are outlined, and those about which something else
is decided otherwise have a folded corner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from advisor.advice.plan_difference import NOW, PlanDifference, plan_difference
from advisor.allocation.prediction import Prediction
from advisor.basics.units import durations
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.figures import Table
from gui.basics.ink import Ink
from gui.basics.steady import BETWEEN
from gui.basics.theme import GRID
from gui.board.board_folds import Folds
from gui.board.plan_view import PlanView
from gui.document.document import Document, Outcome
from gui.panels.plans_figure import PlansFigure
from gui.plots.painted_chart import Plot
from machines.arrays import Ints
from machines.errors import PlacewiseError

EMPTY = "Pin the current plan or add a strategy to see two plans on one time axis."


@dataclass(frozen=True, eq=False)
class Pair:
    """Two named predictions for one problem; `outcome` has the project of the first."""

    outcome: Outcome
    first: tuple[str, Prediction]
    second: tuple[str, Prediction]

    def side(self, prediction: Prediction) -> Outcome:
        """What a schedule is drawn from."""
        project = replace(self.outcome.project, plan=prediction.plan)
        return Outcome(project, self.outcome.problem, prediction)


class TwoPlans(Plot):
    """Both schedules one above the other, the sentence above them, the load of links folded.

    `difference`: what was said of the pair; None until it is known.
    """

    told = Signal(object)  # PlanDifference: the sentence is there

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("two_plans", "Two plans on one time axis", parent)
        self.pair: Pair | None = None
        self.difference: PlanDifference | None = None
        self.folds = Folds(self)
        self.views = (
            PlanView(document, self.folds, "two_plans_first", self),
            PlanView(document, self.folds, "two_plans_second", self),
        )
        self.views[0].link(self.views[1])
        self.views[0].arrived.connect(self._show_second)
        self.views[1].arrived.connect(self._tell)
        self.headline, self.detail = _line("headline", "two_plans_headline"), _line("muted", "")
        self.detail.setObjectName("two_plans_detail")
        self.detail.setWordWrap(True)
        self.legend = _line("muted", "two_plans_legend")
        self.legend.setAccessibleName("What the marks on bars mean")
        self.legend.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.empty = QLabel(EMPTY)
        self.empty.setObjectName("two_plans_empty")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self._jobs = LatestWins(self, "plan difference")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._fail)
        self._lay_out()
        self.show_pair(None)

    def show_pair(self, pair: Pair | None) -> None:
        """Show two plans; what they are beside each other follows when it is computed."""
        if pair is not None and self.pair is not None and _same(pair, self.pair):
            return
        self.pair, self.difference = pair, None
        self.empty.setVisible(pair is None)
        self.splitter.setVisible(pair is not None)
        for line in (self.headline, self.detail, self.legend):
            line.setVisible(pair is not None)
            line.clear()
        if pair is None:
            self._jobs.cancel()
            return
        values = durations(pair.first[1].makespan_s, pair.second[1].makespan_s)
        moved = _moved(pair)
        names = (pair.first[0], pair.second[0])
        for view, name, value in zip(self.views, names, values, strict=True):
            view.describe_plan(name, value, moved)
            view.describe_changes({})
        self.views[0].show_outcome(pair.side(pair.first[1]))

    def _show_second(self, _shown: object) -> None:
        """One after the other: threads that begin at once hold the window's up."""
        pair = self.pair
        if pair is not None and self.difference is None:
            self.views[1].show_outcome(pair.side(pair.second[1]))

    def _tell(self, _shown: object) -> None:
        """Both are there: say what they are beside each other."""
        pair = self.pair
        if pair is not None and self.difference is None:
            both = (pair.first, pair.second)
            self._jobs.request(lambda _stop: (pair, plan_difference(pair.outcome.problem, *both)))

    def set_dimmed(self, dimmed: bool) -> None:
        """Show old plans dimmed until new ones come."""
        for view in self.views:
            view.set_dimmed(dimmed)

    def follow(self, folds: Folds) -> None:
        """Show slack and utilisation where the board does."""

        def take() -> None:
            if (folds.slack, folds.utilisation) != (self.folds.slack, self.folds.utilisation):
                self.folds.set_extras(folds.slack, folds.utilisation)

        folds.changed.connect(take)
        take()

    def close_jobs(self) -> None:
        """End the worker threads."""
        self._jobs.close()
        for view in self.views:
            view.close_jobs()

    def table(self) -> Table:
        """One row a task: its machine, start and end in both plans."""
        pair = self.pair
        if pair is None:
            return Table((), ())
        (first, one), (second, other) = pair.first, pair.second
        project = pair.outcome.project
        machines = [machine.name for machine in project.platform.machines]
        changes = {} if self.difference is None else _told(second, self.difference, 1)
        headings = ["task", "moves"]
        for name in (first, second):
            headings += [f"machine, {name}", f"start, {name} (s)", f"end, {name} (s)"]
        if changes:
            headings.append("decided otherwise")
        rows = tuple(
            (
                task.name,
                "moves" if place != one.plan.allocation[place_in] else "",
                *_cells(machines, one, place_in),
                *_cells(machines, other, place_in),
                *([changes.get(place_in, "").replace("\n", "; ")] if changes else []),
            )
            for place_in, (task, place) in enumerate(
                zip(project.workload.tasks, other.plan.allocation, strict=True)
            )
        )
        return Table(tuple(headings), rows)

    def figure_size(self) -> QSize:
        """A size of its own: a picture in a file is not as small as a panel may be."""
        return QSize() if self.pair is None else self._figure(self.views).figure_size()

    def render_to(self, painter: QPainter, rect: QRectF) -> None:
        """The sentence and both schedules, all lanes and all time."""
        if self.pair is not None:
            self._figure(self.views).render_to(painter, rect)

    def still(self) -> PlansFigure:
        """What draws both of this moment, on any thread."""
        return self._figure((self.views[0].still(), self.views[1].still()))

    def _figure(self, views: tuple[PlanView, PlanView]) -> PlansFigure:
        told = BETWEEN.join(filter(None, (self.detail.text(), self.legend.text())))
        return PlansFigure(Ink(self.font()), self.headline.text(), told, views)

    def _lay_out(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("two_plans_splitter")
        self.splitter.setChildrenCollapsible(False)
        for view in self.views:
            self.splitter.addWidget(view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.addWidget(self.headline, 1)
        head.addWidget(self.legend)
        column.addLayout(head)
        column.addWidget(self.detail)
        column.addWidget(self.empty, 1)
        column.addWidget(self.splitter, 1)

    def _take(self, found: object) -> None:
        assert isinstance(found, tuple)
        pair, difference = found
        if self.pair is not None and pair is self.pair:
            self.difference = difference
            self.headline.setText(difference.headline)
            self.detail.setText(difference.detail)
            self._mark_changes(self.pair, difference)
            for line in (self.headline, self.detail):
                line.setToolTip(difference.sentence)
            self.told.emit(difference)

    def _mark_changes(self, pair: Pair, difference: PlanDifference) -> None:
        """Say in both schedules what the other decides about tasks, and what marks mean."""
        both = (_told(pair.second[0], difference, 1), _told(pair.first[0], difference, 0))
        for view, changes in zip(self.views, both, strict=True):
            view.describe_changes(changes)
        marks = ["outlined: on another machine in the other"] if difference.moved else []
        marks += ["◥ decided otherwise in the other"] if both[0] else []
        self.legend.setText(BETWEEN.join(marks))

    def _fail(self, error: PlacewiseError) -> None:
        self.headline.setText(sentence(error))


def _moved(pair: Pair) -> Ints:
    """Tasks that lie on different machines, ascending."""
    first, second = (np.array(one.plan.allocation) for _, one in (pair.first, pair.second))
    return np.flatnonzero(first != second)


def _told(other: str, difference: PlanDifference, side: int) -> dict[int, str]:
    """{task: what the other plan decides about it}, for the tooltips of one schedule."""
    name = other if other == NOW else f"“{other}”"
    found: dict[int, str] = {}
    for one in difference.changes:
        if one.task is not None:
            words = f"{one.title}, {name}: {(one.before, one.after)[side]}"
            found[one.task] = f"{found[one.task]}\n{words}" if one.task in found else words
    return found


def _same(one: Pair, other: Pair) -> bool:
    """Whether the same is shown already: the very predictions, under the same names."""
    return all(
        a[0] == b[0] and a[1] is b[1]
        for a, b in ((one.first, other.first), (one.second, other.second))
    )


def _cells(machines: list[str], prediction: Prediction, task: int) -> tuple[str, float, float]:
    place = prediction.plan.allocation[task]
    return machines[place], float(prediction.start_s[task]), float(prediction.end_s[task])


def _line(role: str, name: str) -> QLabel:
    """A line that takes the room that there is, whatever it says."""
    label = QLabel()
    label.setObjectName(name)
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setContentsMargins(GRID, 2, GRID, 2)
    policy = label.sizePolicy()
    policy.setHorizontalPolicy(policy.Policy.Ignored)
    label.setSizePolicy(policy)
    return label
