"""The prediction panel: makespan, total, gap to the bound, and where the time goes, by cause.

Now against recommended: the causes along the critical path (they sum to the makespan), over all
tasks and transfers (they sum to the total), and how busy every machine is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from advisor.allocation.objectives import MAKESPAN, NO_BOUND, certainty
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.basics.causes import CAUSES, IDLE
from advisor.basics.quantities import duration, exact, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from gui.basics.background_jobs import LatestWins
from gui.basics.theme import CAUSE_COLOURS, GRID, theme
from gui.document.advise import Advice
from gui.document.document import Document, Outcome
from gui.document.same_question import same_question
from gui.plots.bar_chart import Bar, BarChart, Group, Segment
from gui.plots.bar_panel import BarPanel

NOW, RECOMMENDED = "now", "recommended"
MOST_MACHINES = 64
_TOLD = 0.05  # of the longest bar: smaller parts have no room for figures, and ask for no digits


class _Figures(QWidget):
    """Labels one after the other, in as many lines as the width asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[QLabel] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def add(self, label: QLabel) -> None:
        """Put a label behind the others; a long one wraps by itself where it must."""
        label.setParent(self)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.labels.append(label)

    def arrange(self) -> None:
        """Lay them out anew, after other texts."""
        places = self._places(self.width())
        # its own height, not one for a width: a dock would give the panel all that it prefers, and
        # scroll it, beside the bars that scroll by themselves
        self.setFixedHeight(max((place.bottom() + 1 for place in places), default=0))
        self.updateGeometry()
        for label, place in zip(self.labels, places, strict=True):
            label.setGeometry(place)

    def sizeHint(self) -> QSize:
        """Room for one line."""
        widths = [_width(label) + GRID for label in self.labels]
        return QSize(sum(widths), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Narrow: what has no room goes on in the next line."""
        return QSize(16 * GRID, self.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self.arrange()

    def _places(self, width: int) -> list[QRect]:
        places: list[QRect] = []
        left = top = below = 0
        for label in self.labels:
            needed = min(_width(label), width)
            if left and left + needed > width:
                left, top = 0, below
            height = max(label.heightForWidth(needed), label.fontMetrics().height())
            places.append(QRect(left, top, needed, height))
            left, below = left + needed + (GRID if needed else 0), max(below, top + height)
        return places


def _width(label: QLabel) -> int:
    """Of its text in one line; a pixel more, so that rounding does not wrap it."""
    return label.fontMetrics().horizontalAdvance(label.text()) + 1 if label.text() else 0


class BreakdownPanel(BarPanel):
    """Where the time of the current plan goes, beside that of the recommended one.

    `best`: the best known for the present question, also while a search runs: its proof holds.
    """

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        *,
        best: Callable[[], Recommendation | None] = lambda: None,
    ) -> None:
        chart = BarChart(
            "breakdown_chart",
            "Breakdown of the predicted time by cause",
            "The breakdown appears with the first prediction.",
        )
        super().__init__(chart, "breakdown", "Breakdown", parent=parent)
        self._document, self._best = document, best
        self._recommended: tuple[Outcome, Prediction] | None = None
        self._recommendation: Recommendation | None = None
        self.figures = _Figures()
        self.header.insertWidget(1, self.figures, 1, Qt.AlignmentFlag.AlignVCenter)
        self.header.setStretch(2, 0)  # the figures take the room
        self.timeline = self._figure("timeline", "Timeline: contention-aware or contention-free")
        self.timeline.setProperty("role", "muted")
        self.makespan = self._figure("makespan", "Makespan: end of the last task")
        self.total = self._figure("total", "Total time: sum of all task and transfer times")
        self.gap = self._figure("gap", "Gap: value over the proved lower bound, minus 1")
        self._jobs = LatestWins(self, "recommended prediction")
        self._jobs.done.connect(self._take_recommended)
        document.changed.connect(self._dim_if_old)
        document.outcome_changed.connect(self._show_outcome)
        document.replaced.connect(lambda _project: self.set_recommendation(None))
        theme().changed.connect(self._redraw)
        self._redraw()

    def set_recommendation(self, recommendation: Recommendation | None) -> None:
        """Show the plan of `recommendation` beside the current one; ``None``: nothing beside."""
        self._recommendation = recommendation
        self._recommended = None
        self._request()
        self._redraw()

    def show_advice(self, advice: Advice) -> None:
        """Show what is advised beside the current plan, and its proof."""
        self.set_recommendation(advice.recommendation)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    def _request(self) -> None:
        outcome, recommendation = self._document.outcome, self._recommendation
        if outcome is None or recommendation is None:
            return
        plan = recommendation.plan
        if len(plan.allocation) == len(outcome.project.workload.tasks):
            self._jobs.request(lambda _stop: (outcome, predict(outcome.problem, plan)))

    def _take_recommended(self, result: object) -> None:
        if isinstance(result, tuple) and result[0] is self._document.outcome:
            self._recommended = result
            self._redraw()

    def _show_outcome(self, outcome: Outcome) -> None:
        del outcome
        self._request()
        self._redraw()
        self._dim_if_old()

    def _dim_if_old(self, _project: object = None) -> None:
        outcome = self._document.outcome
        self.set_dimmed(outcome is not None and outcome.project is not self._document.project)

    def _redraw(self) -> None:
        outcome = self._document.outcome
        if outcome is None:
            self.bars.set_groups(())
            for figure in (self.timeline, self.makespan, self.total, self.gap):
                figure.clear()
            self.figures.arrange()
            self.refresh_table()
            return
        now = outcome.prediction
        objective = self._document.project.objective
        self._show_makespan(now)
        self.total.setText(f"total {duration(now.total_s)}")
        self.total.setToolTip(f"Sum of all task and transfer times: {exact(now.total_s, 's')}")
        bound = self._show_certainty(now, objective)
        self.figures.arrange()
        shown = [(NOW, now)]
        if self._recommended is not None and self._recommended[0].project is outcome.project:
            shown.append((RECOMMENDED, self._recommended[1]))
        proved_s = bound if objective == MAKESPAN else 0.0
        groups = [_makespans(shown, proved_s), _totals(shown)]
        if objective != MAKESPAN:
            groups.reverse()
        names = [machine.name for machine in outcome.project.platform.machines]
        self.bars.set_groups((*groups, _utilisations(names, shown)))
        self.refresh_table()

    def show_progress(self, _told: object = None) -> None:
        """How sure the value is by now: a search that runs may have proved more."""
        outcome = self._document.outcome
        if outcome is not None:
            self._show_certainty(outcome.prediction, self._document.project.objective)
            self.figures.arrange()

    def _show_certainty(self, now: Prediction, objective: str) -> float:
        """How sure the value is; returns the bound that says so."""
        outcome, project = self._document.outcome, self._document.project
        known, bound_s = None, now.lower_bounds_s[objective]
        if outcome is not None and same_question(outcome.project, project):
            known = self._best()
        if known is not None:
            sure, bound_s = known.certainty(now.value_s(objective)), max(bound_s, known.bound_s)
        else:
            sure = certainty(now.gap(objective))
        self.gap.setText("" if sure == NO_BOUND else sure)  # the plan may be poor, not the bound
        self.gap.setToolTip(f"No plan has a {objective} below {exact(bound_s, 's')}")
        return bound_s

    def _show_makespan(self, now: Prediction) -> None:
        """On which timeline it rests, and the contention-free value beside it."""
        self.timeline.setText(SHARING_WORDS[now.sharing])
        text, hint = f"makespan {duration(now.makespan_s)}", exact(now.makespan_s, "s")
        if now.endless_s is not None and now.endless_s < now.makespan_s * (1.0 - ALIKE):
            unit = Unit.of_times(np.array([now.makespan_s, now.endless_s]))
            text = f"makespan {unit.text(now.makespan_s)}, contention-free "
            text += unit.text(now.endless_s)
            hint += f"\nWithout network contention: {exact(now.endless_s, 's')}"
        self.makespan.setText(text)
        self.makespan.setToolTip(f"Makespan: {hint}")

    def _figure(self, name: str, hint: str) -> QLabel:
        label = QLabel()
        label.setObjectName(f"breakdown_{name}")
        label.setAccessibleName(hint)
        label.setToolTip(hint)
        self.figures.add(label)
        return label


def cause_segments(breakdown_s: Mapping[str, float], unit: Unit) -> tuple[Segment, ...]:
    """A breakdown as segments of a bar, in the fixed order and colours of the causes.

    `unit`: that of all bars on the axis.
    """
    return tuple(
        Segment(cause, breakdown_s[cause], CAUSE_COLOURS[cause], unit.text(breakdown_s[cause]))
        for cause in (*CAUSES, IDLE)
        if breakdown_s.get(cause, 0.0) > 0
    )


def causes_of(prediction: Prediction, objective: str) -> dict[str, float]:
    """What an objective is made of: seconds by cause."""
    makespan = objective == MAKESPAN
    return prediction.critical_breakdown_s if makespan else prediction.breakdown_s


def bars_unit(breakdowns_s: Iterable[Mapping[str, float]], totals_s: Iterable[float]) -> Unit:
    """The one unit of an axis: for the figures inside its bars and for those at their ends."""
    totals = list(totals_s)
    alone = Unit.of_times(*totals)
    if alone.step_s:  # long ones: a part is no other total that would read alike
        return alone
    least = _TOLD * max(totals, default=0.0)
    parts = [part for one in breakdowns_s for part in one.values() if part >= least]
    # totals once more alone: among many parts their differences would not count
    units = Unit.of_times(*totals, *parts), alone
    return min(units, key=lambda unit: -unit.decimals)


def _makespans(shown: list[tuple[str, Prediction]], proved_s: float) -> Group:
    unit = bars_unit(
        (one.critical_breakdown_s for _, one in shown), (one.makespan_s for _, one in shown)
    )
    return Group(
        "makespan, along the critical path",
        "s",
        tuple(
            Bar(
                name,
                cause_segments(prediction.critical_breakdown_s, unit),
                unit.text(prediction.makespan_s),
                max(prediction.lower_bounds_s[MAKESPAN], proved_s),
                "proved lower bound",
            )
            for name, prediction in shown
        ),
    )


def _totals(shown: list[tuple[str, Prediction]]) -> Group:
    unit = bars_unit((one.breakdown_s for _, one in shown), (one.total_s for _, one in shown))
    return Group(
        "total time of all tasks and transfers",
        "s",
        tuple(
            Bar(name, cause_segments(prediction.breakdown_s, unit), unit.text(prediction.total_s))
            for name, prediction in shown
        ),
    )


def _utilisations(machines: list[str], shown: list[tuple[str, Prediction]]) -> Group:
    """Busy share of every machine now; the recommended one is a mark on the same bar."""
    now = shown[0][1].utilisation
    later = shown[1][1].utilisation if len(shown) > 1 else None
    grey = theme().colours.muted
    bars = []
    for place, name in enumerate(machines[:MOST_MACHINES]):
        text = percent(float(now[place]))
        mark = None
        if later is not None:
            mark = 100.0 * float(later[place])
            text += f" → {percent(float(later[place]))}"
        busy = Segment("busy", 100.0 * float(now[place]), grey)
        bars.append(Bar(name, (busy,), text, mark, RECOMMENDED))
    title = "utilisation of the machine's cores until the makespan"
    return Group(title, "%", tuple(bars), limit=100.0)
