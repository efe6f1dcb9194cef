"""The panel *What if*: how much each assumption changes the makespan, and what tips the plan over.

Bars of all assumptions, computed off the window's thread for the plan that is advised; two of them
open the map of both. A double click sets an assumption to where another plan becomes best. *Doubt*
shows how much each uncertain number adds to the doubt of the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from advisor import kernels
from advisor.allocation.plan import Plan
from advisor.basics.quantities import count
from advisor.basics.stop_rule import ShouldStop
from advisor.studies.study import StudyProgress, StudyResult
from advisor.studies.what_if.run import Tornado, WhatIfParameters, run
from advisor.studies.what_if.sides import Bar
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.error_messages import sentence
from gui.basics.progress_bar import ProgressBar
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.document.document import Document
from gui.panels import decision_map
from gui.panels.decision_map import DecisionMapPanel
from gui.panels.doubt_panel import DoubtPanel
from gui.plots.plot_panel import PlotPanel
from gui.plots.tornado_chart import TornadoChart

if TYPE_CHECKING:
    from gui.document.advise import Advice, Phase

_EMPTY = "After Advise, a bar per assumption shows here what the plan takes when it changes."
_ON_DEMAND = "{}: the bars are computed on demand. Press Compute, above."
_WAITS = {
    "WAITING": "The present plan is predicted first …",
    "SEARCHING": "The best plan is searched first; then a bar per assumption shows here …",
    "EXPLAINING": "The reasons are worked out first; then a bar per assumption shows here …",
}
_RANGES = (("± 10 %", 1.1), ("half to double", 2.0), ("a tenth to tenfold", 10.0))
_USUAL = 1
_PREPARING = (
    "The fast search is being prepared, once on this machine; until then this takes longer."
)
_SECONDS = 1.0
_TWO = 2  # bars have a map
_HINT = "Click two bars for their map; double-click one with a tick to set it there."


class WhatIfPanel(QWidget):
    """The bars, and the map of two of them in their place.

    `known`: plans that compete. `points`: of the map on each axis.
    """

    map_shown = Signal(bool)  # it needs more height than the bars

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        *,
        known: Callable[[], tuple[Plan, ...]] = tuple,
        points: int | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("what_if")
        self.setAccessibleName("What if")
        self._document, self._known = document, known
        self._advice: Advice | None = None
        self._asked: object = None
        self._computing: Advice | None = None  # whose bars are computed or were computed last …
        self._shown: Advice | None = None  # … and whose are in sight
        self.result: StudyResult | None = None
        self.chart = TornadoChart("what_if_chart", "What if", _EMPTY)
        self.bars = PlotPanel(self.chart, "what_if_bars", "What if", scrolled=True)
        self.map_panel = DecisionMapPanel(document, points, known=lambda: (*known(), *self._met()))
        self.doubt = DoubtPanel()
        self._jobs = LatestWins(self, "what if")
        self._lay_out()
        self.setFocusProxy(self.chart)
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(lambda error: self.sentence.setText(sentence(error)))
        self._jobs.progress.connect(self._tell)
        self._jobs.busy.connect(self.progress.setVisible)
        self.range.activated.connect(lambda _place: self.refresh(asked=True))
        self.compute_button.clicked.connect(lambda _checked=False: self.refresh(asked=True))
        self.map_button.clicked.connect(lambda _checked=False: self.show_map())
        self.back_button.clicked.connect(lambda _checked=False: self.show_bars())
        self.doubt_button.clicked.connect(lambda _checked=False: self.show_doubt())
        self.doubt_back.clicked.connect(lambda _checked=False: self.show_bars())
        self.chart.selection_changed.connect(self._selected)
        self.chart.activated.connect(self._set)
        self.map_panel.met.connect(lambda _plans: self.map_panel.consider(*self._met()))
        document.changed.connect(self._dim_if_old)
        document.replaced.connect(lambda _project: self.show_advice(None))

    def _lay_out(self) -> None:
        self.range = ChoiceBox()
        self.range.setObjectName("what_if_range")
        self.range.setAccessibleName("How far assumptions go")
        self.range.setToolTip("How far each assumption goes from its value; contenders from none")
        self.range.addItems([name for name, _ in _RANGES])
        self.range.setCurrentIndex(_USUAL)
        self.compute_button = _button("compute", "Compute", "Compute the bars for this workload")
        self.map_button = _button("map", "Map", "Show which plan is best over two assumptions")
        self.back_button = _button("back", "Back to the bars", "Show all assumptions again")
        self.doubt_button = _button("doubt", "Doubt", "How much each uncertain number adds to it")
        self.doubt_back = _button("doubt_back", "Back to the bars", "Show all assumptions again")
        self.progress = ProgressBar()
        self.progress.setObjectName("what_if_progress")
        self.progress.setRange(0, 100)
        self.progress.setMinimumWidth(12 * GRID)
        self.progress.setMaximumWidth(34 * GRID)
        self.progress.hide()
        self.compute_button.hide()
        header = self.bars.header
        buttons = (self.compute_button, self.range, self.map_button, self.doubt_button)
        for widget in (self.progress, *buttons):
            header.insertWidget(header.count() - 2, widget)
        self.map_panel.header.insertWidget(0, self.back_button)
        self.doubt.header.insertWidget(0, self.doubt_back)
        self.sentence = QLabel()
        self.sentence.setObjectName("what_if_sentence")
        self.sentence.setWordWrap(True)
        self.sentence.setContentsMargins(GRID, 0, GRID, 0)
        self.hint = SteadyLine("what_if_hint")
        self.hint.setContentsMargins(GRID, 0, GRID, 0)
        self.bars.body.insertWidget(1, self.sentence)
        self.bars.body.addWidget(self.hint)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.bars)
        self.stack.addWidget(self.map_panel)
        self.stack.addWidget(self.doubt)
        self._bring_to_front(self.bars)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(self.stack)
        self.sentence.hide()
        self.hint.hide()

    def show_advice(self, advice: Advice | None) -> None:
        """Vary the assumptions of a new plan; ``None``: nothing of the old one is left."""
        self._advice = advice
        if advice is None:
            self._jobs.cancel()
            self._asked = self.result = self._computing = self._shown = None
            self.chart.show_tornado(None)
            self.sentence.hide()
            self.hint.hide()
            if not self.compute_button.isHidden():
                self.compute_button.hide()
                self.chart.set_empty(_EMPTY)
            self.bars.refresh_table()
            self.doubt.show_odds(None)
            self.show_bars()
            self._dim_if_old()
            return
        self.doubt.show_odds(advice.explanation.odds)
        self.map_panel.consider(advice.recommendation.plan)
        self.refresh()
        self._dim_if_old()

    def show_phase(self, phase: Phase) -> None:
        """Without bars, say what they wait for."""
        waits = _WAITS.get(phase.name)
        if waits is not None and not kernels.loaded():
            waits = f"{waits}\n{_PREPARING}"
        self.chart.set_empty(waits or self._idle_text())

    def _idle_text(self) -> str:
        """What bars wait for while nothing is under way."""
        if self._advice is None or self.compute_button.isHidden():
            return _EMPTY
        tasks = len(self._advice.outcome.problem.workload.tasks)
        return _ON_DEMAND.format(count(tasks, "task"))

    def refresh(self, asked: bool = False) -> None:
        """Compute the bars, if they are in sight and not those that are shown.

        `asked`: the user asked for it: also for a large workload.
        """
        advice = self._advice
        if advice is None or not self.bars.isVisible():
            return
        factor = _RANGES[self.range.currentIndex()][1]
        key = (advice.outcome.problem, advice.plan, factor)
        if self._asked is not None and _same(key, self._asked):
            return
        tasks = len(advice.outcome.problem.workload.tasks)
        if not asked and tasks > decision_map.MOST_TASKS_UNASKED:
            self.compute_button.show()
            self.chart.set_empty(self._idle_text())
            return
        self._asked, self._computing = key, advice
        self.compute_button.hide()
        wanted = WhatIfParameters(
            advice.outcome.problem,
            advice.outcome.project.objective,
            factor,
            _SECONDS,
            (advice.plan, *self._known()),
        )

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> StudyResult:
            return run(wanted, on_progress, should_stop)

        self._jobs.request_reporting(job)

    def show_map(self) -> None:
        """Show the map: of the selected bars, or of the loads that matter."""
        chosen = [self.chart.bars[place].assumption for place in self.chart.selected]
        self._bring_to_front(self.map_panel)
        self.map_shown.emit(True)
        if len(chosen) == _TWO:
            self.map_panel.show_loads(*(one.load or one for one in chosen))
        self.map_panel.refresh()

    def show_doubt(self) -> None:
        """Show where the doubt of the answer comes from."""
        self._bring_to_front(self.doubt)

    def show_bars(self) -> None:
        """Show the bars again, with none selected."""
        self.chart.clear_selection()
        if self.stack.currentWidget() is self.map_panel:
            self.map_shown.emit(False)
        self._bring_to_front(self.bars)
        self.refresh()

    def _bring_to_front(self, panel: QWidget) -> None:
        """The panel behind asks for no room: it may need more than the one in sight."""
        for one in (self.bars, self.map_panel, self.doubt):
            shown = one is panel
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored
            one.setSizePolicy(policy, policy)
        self.stack.setCurrentWidget(panel)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was put off while the panel was hidden."""
        super().showEvent(event)
        if self.stack.currentWidget() is self.map_panel:
            self.map_shown.emit(True)
        self.refresh()

    def give_room_back(self, in_front: bool) -> None:
        """Its dock came before those that share its place, or went behind them."""
        if self.stack.currentWidget() is self.map_panel:
            self.map_shown.emit(in_front)

    def hideEvent(self, event: QHideEvent) -> None:
        """Other docks have their usual height."""
        super().hideEvent(event)
        if self.stack.currentWidget() is self.map_panel:
            self.map_shown.emit(False)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        self.map_panel.close()
        super().closeEvent(event)

    def _tell(self, told: object) -> None:
        if isinstance(told, StudyProgress):
            self.progress.setValue(round(100 * told.fraction))
            self.progress.say(told.sentence)
            if told.partial is not None:
                self._take(told.partial)
                self.hint.setText("" if kernels.loaded() else _PREPARING)

    def _take(self, result: object) -> None:
        if not isinstance(result, StudyResult):
            return
        self.result, self._shown = result, self._computing
        self.chart.show_tornado(result.picture(Tornado))
        still = len(result.picture(Tornado).bars) - len(self.chart.bars)  # type: ignore[union-attr]
        more = f" {count(still, 'more assumption')} changes nothing." if still == 1 else ""
        if still > 1:
            more = f" {count(still, 'more assumption')} change nothing."
        self.sentence.setText(result.headline + more)
        self.sentence.setToolTip("\n".join(note.text for note in result.notes))
        self.sentence.show()
        self.hint.setText(_HINT)
        self.hint.show()
        self.bars.refresh_table()
        self._dim_if_old()
        if result.complete:
            self.map_panel.consider(*self._met())

    def _selected(self) -> None:
        """Two bars open their map."""
        if len(self.chart.selected) == _TWO:
            self.show_map()

    def _set(self, bar: Bar) -> None:
        """Set an assumption to its nearest border, as one undo step."""
        project, advice = self._document.project, self._advice
        flips = [side.flip for side in (bar.low, bar.high) if side.flip is not None]
        if not flips or advice is None or not advice.answers(project):
            return
        one = bar.assumption
        value = min(flips, key=lambda flip: abs(flip - one.present))
        platform, workload = one.changed(project.platform, project.workload, value, project.reading)
        self._document.apply(
            replace(project, platform=platform, workload=workload),
            f"Set {one.title} to {one.words(value)}",
        )

    def _dim_if_old(self, _project: object = None) -> None:
        """What answers the question before the present one is dimmed; undone, it is not."""
        project = self._document.project
        for panel, told in ((self.bars, self._shown), (self.doubt, self._advice)):
            panel.set_dimmed(told is not None and not told.answers(project))

    def _met(self) -> tuple[Plan, ...]:
        """The plans that are best somewhere on the bars, or beyond a load that tips the answer."""
        advice, project = self._advice, self._document.project
        if advice is None or not advice.answers(project):
            return ()
        found = None if self.result is None else self.result.picture(Tornado)
        plans = [flip.plan for flip in advice.explanation.flips]
        if found is not None and self._shown is not None and self._shown.answers(project):
            plans += found.plans
        return tuple(replace(one.deciding_as(advice.plan), variants=one.variants) for one in plans)


def _same(one: tuple[object, ...], other: object) -> bool:
    """Whether two questions are about the same problem, plan and range."""
    return isinstance(other, tuple) and one[0] is other[0] and one[1:] == other[1:]


def _button(name: str, text: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(f"what_if_{name}")
    button.setToolTip(hint)
    return button
