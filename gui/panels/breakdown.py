"""The prediction panel: makespan, total, gap to the bound, and where the time goes, by cause.

Now against recommended: the causes along the critical path (they sum to the makespan), over all
tasks and transfers (they sum to the total), and how busy every machine is.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QLabel, QWidget

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.sharing import SHARING_WORDS
from advisor.basics.causes import CAUSES, IDLE
from advisor.basics.quantities import duration, exact, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from gui.basics.jobs import LatestWins
from gui.basics.theme import CAUSE_COLOURS, theme
from gui.document.document import Document, Outcome
from gui.plots.bar_panel import BarPanel
from gui.plots.bars import Bar, BarChart, Group, Segment

NOW, RECOMMENDED = "now", "recommended"
MOST_MACHINES = 64


class BreakdownPanel(BarPanel):
    """Where the time of the current plan goes, beside that of the recommended one."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        chart = BarChart(
            "breakdown_chart",
            "Breakdown of the predicted time by cause",
            "The breakdown appears with the first prediction.",
        )
        super().__init__(chart, "breakdown", "Breakdown", parent=parent)
        self._document = document
        self._recommended: tuple[Outcome, Prediction] | None = None
        self._recommendation: Recommendation | None = None
        self.timeline = self._figure("timeline", "Timeline: who shares what")
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
            self.refresh_table()
            return
        now = outcome.prediction
        objective = self._document.project.objective
        self._show_makespan(now)
        self.total.setText(f"total {duration(now.total_s)}")
        self.total.setToolTip(f"Sum of all task and transfer times: {exact(now.total_s, 's')}")
        self.gap.setText(f"gap to bound {percent(now.gap(objective))}")
        bound = now.lower_bounds_s[objective]
        self.gap.setToolTip(f"No plan has a {objective} below {exact(bound, 's')}")
        shown = [(NOW, now)]
        if self._recommended is not None and self._recommended[0].project is outcome.project:
            shown.append((RECOMMENDED, self._recommended[1]))
        groups = [_makespans(shown), _totals(shown)]
        if objective != MAKESPAN:
            groups.reverse()
        names = [machine.name for machine in outcome.project.platform.machines]
        self.bars.set_groups((*groups, _utilisations(names, shown)))
        self.refresh_table()

    def _show_makespan(self, now: Prediction) -> None:
        """On which timeline it rests, and what an endless network would give beside it."""
        self.timeline.setText(SHARING_WORDS[now.sharing])
        text, hint = f"makespan {duration(now.makespan_s)}", exact(now.makespan_s, "s")
        if now.endless_s is not None and now.endless_s < now.makespan_s * (1.0 - ALIKE):
            unit = Unit.of_times(np.array([now.makespan_s, now.endless_s]))
            text = f"makespan {unit.text(now.makespan_s)}, endless network "
            text += unit.text(now.endless_s)
            hint += f"\nWith the network endless, each transfer alone: {exact(now.endless_s, 's')}"
        self.makespan.setText(text)
        self.makespan.setToolTip(f"Makespan: {hint}")

    def _figure(self, name: str, hint: str) -> QLabel:
        label = QLabel()
        label.setObjectName(f"breakdown_{name}")
        label.setAccessibleName(hint)
        label.setToolTip(hint)
        self.header.insertWidget(self.header.count() - 3, label)
        return label


def cause_segments(breakdown_s: dict[str, float]) -> tuple[Segment, ...]:
    """A breakdown as segments of a bar, in the fixed order and colours of the causes."""
    unit = Unit.of_times(*breakdown_s.values())
    return tuple(
        Segment(cause, breakdown_s[cause], CAUSE_COLOURS[cause], unit.text(breakdown_s[cause]))
        for cause in (*CAUSES, IDLE)
        if breakdown_s.get(cause, 0.0) > 0
    )


def _makespans(shown: list[tuple[str, Prediction]]) -> Group:
    unit = Unit.of_times(*(one.makespan_s for _, one in shown))
    return Group(
        "makespan, along the critical path",
        "s",
        tuple(
            Bar(
                name,
                cause_segments(prediction.critical_breakdown_s),
                unit.text(prediction.makespan_s),
                prediction.lower_bounds_s[MAKESPAN],
                "proved lower bound",
            )
            for name, prediction in shown
        ),
    )


def _totals(shown: list[tuple[str, Prediction]]) -> Group:
    unit = Unit.of_times(*(one.total_s for _, one in shown))
    return Group(
        "total time of all tasks and transfers",
        "s",
        tuple(
            Bar(name, cause_segments(prediction.breakdown_s), unit.text(prediction.total_s))
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
    title = "utilisation: busy share of the machine's cores until the makespan"
    return Group(title, "%", tuple(bars), limit=100.0)
