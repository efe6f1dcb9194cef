"""The decision map panel: which allocation is best where, over two loads that the user picks.

The map is computed off the window's thread and shown from coarse to fine. It depends on the
open problem except for the two loads, so that setting them only moves the present point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from advisor.advice.assumptions import Assumption, find_assumption, map_assumptions
from advisor.allocation.loads import all_parameters
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.basics.quantities import count, duration
from advisor.basics.stop_rule import ShouldStop
from advisor.project.project import Project
from advisor.studies.decision_map.map_axes import DecisionMapParameters, Varied
from advisor.studies.decision_map.run import run
from advisor.studies.study import StudyProgress
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.error_messages import sentence
from gui.basics.event_loop_slices import EventLoopSlices
from gui.basics.progress_bar import ProgressBar
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID, theme
from gui.document.document import Document
from gui.panels.load_axis import AxisChoice, Lowest, default_axes
from gui.panels.map_answer import BestNow, MapAnswer, answered, at_point, best_now, now_sentence
from gui.plots.plot_panel import PlotPanel
from gui.plots.region_map import RegionMap
from gui.studies.page.answer_folds import note_html
from machines.errors import PlacewiseError

MOST_TASKS_UNASKED = 300
POINTS = 41  # of the map on each axis
_EMPTY = "Which allocation is best under which loads: the map of it appears here."


class DecisionMapPanel(PlotPanel):
    """Choices of both loads, the map, what is under the pointer, and the notes."""

    met = Signal(object)  # tuple of Plan: all that are best somewhere on a finished map

    def __init__(
        self,
        document: Document,
        points: int | None = None,
        parent: QWidget | None = None,
        known: Callable[[], tuple[Plan, ...]] = tuple,
    ) -> None:
        chart = RegionMap("decision_map_chart", "Decision map", _EMPTY)
        super().__init__(chart, "decision_map", "Decision map", parent=parent)
        self.map = chart
        self._document = document
        self._points, self._known = points or POINTS, known
        # allocations and variants that the map was asked with
        self._given: set[tuple[tuple[int, ...], tuple[int, ...] | None]] = set()
        self._by_itself = True  # the axes are those that matter, until others are chosen
        self._asked_key: object = None  # what is computed or was computed last …
        self._shown_key: object = None  # … and what the map in sight answers
        self._extra: tuple[Assumption, ...] = ()  # assumptions of single tasks that were asked for
        self._lowest = Lowest()
        self._shown = MapAnswer()
        self.across = AxisChoice("across", "Across")
        self.up = AxisChoice("up", "Up")
        self._lay_out()
        self._jobs = LatestWins(self, "decision map")
        self._present = LatestWins(self, "present point of the decision map")
        self._showing = EventLoopSlices(self)
        self._best_now: BestNow | None = None
        self._connect()
        self._show_busy(False)
        self._start_over()

    def _lay_out(self) -> None:
        self.compute_button = _button("compute", "Compute", "Compute the map for this workload")
        self.cancel_button = _button("cancel", "Cancel", "Stop, and keep the map so far")
        self.matter_button = _button(
            "matter", "Find axes", "Show the loads whose change makes another plan best"
        )
        self.progress = ProgressBar()
        self.progress.setObjectName("decision_map_progress")
        self.progress.setRange(0, 100)
        self.progress.setMinimumWidth(12 * GRID)
        self.progress.setMaximumWidth(34 * GRID)
        self.readout = SteadyLine("decision_map_readout")
        self.notes = SteadyLine("decision_map_notes")
        for line in (self.readout, self.notes):
            line.setContentsMargins(GRID, 0, GRID, 0)
        choices = QHBoxLayout()
        choices.setContentsMargins(GRID, 0, GRID, 0)
        choices.setSpacing(GRID)
        choices.addWidget(self.across)
        choices.addWidget(self.up)
        choices.addWidget(self.matter_button)
        choices.addStretch(1)
        for widget in (self.compute_button, self.progress, self.cancel_button):
            self.header.insertWidget(self.header.count() - 2, widget)
        self.body.insertLayout(1, choices)
        self.body.addWidget(self.readout)
        self.body.addWidget(self.notes)

    def _connect(self) -> None:
        document = self._document
        self.compute_button.clicked.connect(lambda _checked=False: self.refresh(asked=True))
        self.cancel_button.clicked.connect(self.cancel)
        self.matter_button.clicked.connect(lambda _checked=False: self._find_axes())
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._tell_error)
        self._jobs.progress.connect(self._take_progress)
        self._jobs.busy.connect(self._show_busy)
        self._present.done.connect(self._take_present)
        for choice in (self.across, self.up):
            choice.changed.connect(self._choice_changed)
        self.map.hovered.connect(self._read_out)
        self.map.chosen.connect(self._set_loads)
        document.changed.connect(self._project_changed)
        document.outcome_changed.connect(lambda _outcome: self.refresh())
        document.replaced.connect(self._start_over)
        theme().changed.connect(self._show_notes)

    def refresh(self, asked: bool = False) -> None:
        """Compute the map, if it is in sight and not the one that is shown.

        `asked`: the user asked for it: also for a large workload.
        """
        outcome = self._document.outcome
        x, y = self.across.choice, self.up.choice
        if outcome is None or x is None or y is None or not self.isVisible():
            return
        key = self._key()
        if key == self._asked_key and not asked:
            self._show_present()
            return
        self._stop()
        tasks = len(outcome.project.workload.tasks)
        if not asked and tasks > MOST_TASKS_UNASKED:
            self.compute_button.show()
            self.readout.setText(f"{count(tasks, 'task')}: the map is computed on demand.")
            return
        self._asked_key, known = key, self._known()
        self._given = {(plan.allocation, plan.variants) for plan in known}
        wanted = DecisionMapParameters(
            problem=outcome.problem,
            known=known,
            objective=outcome.project.objective,
            points=self._points,
        )
        if not self._by_itself:
            (x_low, x_high), (y_low, y_high) = self.across.range, self.up.range
            wanted = replace(
                wanted, x=x.key, y=y.key, x_low=x_low, x_high=x_high, y_low=y_low, y_high=y_high
            )
        self._start(wanted)

    def show_loads(self, across: Varied, up: Varied) -> None:
        """Show the map of two loads, or assumptions, over their ranges."""
        self._extra = tuple(one for one in (across, up) if isinstance(one, Assumption))
        self._offer(keep=True)
        for choice, load in ((self.across, across), (self.up, up)):
            if not choice.offers(load.key):
                return
            choice.show_chosen(load.key, load.low, load.high)
        self._by_itself = False
        self.refresh(asked=True)

    def consider(self, *plans: Plan) -> None:
        """Compute the map anew if a plan is recommended, or met, that it has not compared."""
        found = self._shown.found
        if found is None or self._shown_key != self._key() or self._jobs.is_busy:
            return
        met = self._given | {(one.allocation, one.variants) for one in found.plans}
        if not found.exact and not met.issuperset((one.allocation, one.variants) for one in plans):
            self._asked_key = None
            self.refresh()

    def cancel(self) -> None:
        """Stop at once; the map so far stays, and Compute begins anew."""
        self._jobs.cancel()
        self.compute_button.show()
        self._dim_if_old()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        self._present.close()
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was put off while the panel was hidden."""
        super().showEvent(event)
        self.refresh()

    def _start(self, parameters: DecisionMapParameters) -> None:
        self._dim_if_old()
        self._show_progress(0.0, "starting")

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> MapAnswer:
            coarse = MapAnswer()

            def tell(progress: StudyProgress) -> None:
                nonlocal coarse
                if progress.partial is not None:
                    coarse = answered(progress.partial)
                on_progress((progress, coarse))

            return answered(run(parameters, tell, should_stop))

        self._jobs.request_reporting(job)

    def _take(self, answer: object) -> None:
        if isinstance(answer, MapAnswer):
            self._showing.start(self._shown_in_turns(answer, whole=True))

    def _take_progress(self, told: object) -> None:
        if isinstance(told, tuple):
            progress, coarse = told
            self._show_progress(progress.fraction, progress.sentence)
            if coarse.result is not None and coarse is not self._shown:
                self._showing.start(self._shown_in_turns(coarse, whole=False))

    def _shown_in_turns(self, answer: MapAnswer, *, whole: bool) -> Iterator[None]:
        """Show an answer; what the first map is drawn in takes a turn of its own."""
        if self.map.canvas is None:
            self.map.build()
            yield
        self._show(answer)
        if whole and answer.found is not None and self._shown_key == self._key():
            self.met.emit(answer.found.plans)

    def _stop(self) -> None:
        """Nobody wants any more what is computed, or has come but is not shown yet."""
        self._jobs.cancel()
        self._showing.drop()

    def _show_progress(self, share: float, text: str) -> None:
        self.progress.setValue(round(100 * share))
        self.progress.say(text)

    def _show(self, answer: MapAnswer) -> None:
        found, own = answer.found, self._by_itself
        if found is not None and own:
            axes = (self.across, found.x, found.x_values), (self.up, found.y, found.y_values)
            if not all(choice.offers(load.key) for choice, load, _ in axes):
                return  # it is about machines that are not there any more
            for choice, load, values in axes:
                choice.show_chosen(load.key, float(values[0]), float(values[-1]))
            self._asked_key = self._key()
        self._shown, self._shown_key = answer, self._asked_key
        self._best_now = None
        self.map.show_map(answer.picture)
        self._show_timeline()
        if answer.result is not None:
            self.map.setAccessibleDescription(answer.result.headline)
        self._dim_if_old()
        self._show_present()
        self._show_notes()
        self.refresh_table()

    def _show_timeline(self) -> None:
        """Say on which timeline the map in sight rests, or the next one will."""
        found = self._shown.found
        sharing = self._document.project.sharing if found is None else found.sharing
        self.title.setText(f"Decision map: {SHARING_WORDS[sharing].removesuffix(' schedule')}")

    def _show_present(self) -> None:
        """Move the ring to the present loads."""
        found = self._shown.found
        if found is not None and self._shown_key == self._key():
            project = self._document.project
            x, y = (axis.value(project.platform, project.reading) for axis in (found.x, found.y))
            self.map.move_present((x, y))
            self._best_now = None
            self._read_out(None)
            outcome = self._document.outcome
            if outcome is not None and outcome.project is project:
                self._present.request(lambda _stop: best_now(outcome, found))

    def _take_present(self, best: object) -> None:
        known = self._document.outcome, self._shown.found
        if isinstance(best, BestNow) and (best.outcome, best.found) == known:
            self._best_now = best
            self._read_out(None)

    def _show_notes(self) -> None:
        """The first note in one line, and how many there are; all of them in the tooltip."""
        result = self._shown.result
        notes = () if result is None else result.notes
        sign = "●" if all(note.inside_domain for note in notes) else "▲"
        many = f" ({count(len(notes), 'note')})" if len(notes) > 1 else ""
        self.notes.setText(f"{sign}{many} {notes[0].text}" if notes else "")
        self.notes.setToolTip("<br>".join(map(note_html, notes)))
        self.notes.setVisible(bool(notes))

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        if busy:
            self.compute_button.hide()

    def _tell_error(self, error: PlacewiseError) -> None:
        self._asked_key = None
        self.readout.setText(sentence(error))

    def _read_out(self, point: tuple[float, float] | None) -> None:
        """Say what is best at a point, or at the present one."""
        found, picture = self._shown.found, self.map.picture
        if found is None or picture is None:
            return
        if point is None:
            outcome, best = self._document.outcome, self._best_now
            name = "" if best is None else self.map.texts(best.region)[0]
            if outcome is not None:
                self.readout.setText(now_sentence(outcome, found, best, name))
            return
        x, y = point
        loads = f"{found.x.sentence(x)}, {found.y.sentence(y)}"
        place, value_s = picture.at(x, y)
        text = "not computed, or nothing can run"
        if place >= 0:
            name = self.map.texts(place)[0]
            text = f"best there is {name}, {found.objective} ≈ {duration(value_s)}"
        self.readout.setText(f"{loads}; {text}. Double-click to set these loads.")

    def _set_loads(self, point: tuple[float, float]) -> None:
        """Make the chosen point the present one, as one undo step."""
        found = self._shown.found
        if found is None or self._shown_key != self._key():
            return
        self._document.apply(*at_point(self._document.project, found, point))

    def _key(self) -> object:
        """What the map depends on: the project without the two loads and the plan."""
        project = self._document.project
        x, y = self.across.choice, self.up.choice
        if x is None or y is None:
            return None
        chosen = (x.key, y.key, self.across.range, self.up.range)
        question = (project.reading, project.sharing, project.objective)
        return (project.workload, self._lowest.of(project, x, y), *question, *chosen)

    def _find_axes(self) -> None:
        """Look for the loads that matter."""
        self._by_itself, self._asked_key = True, None
        self.refresh(asked=True)

    def _choice_changed(self) -> None:
        self._by_itself = False
        self.refresh()

    def _project_changed(self, _project: object = None) -> None:
        """Offer the loads of the changed platform; the old map stays, dimmed."""
        self._offer(keep=True)
        self._show_timeline()
        self._dim_if_old()

    def _dim_if_old(self) -> None:
        self.set_dimmed(self.map.picture is not None and self._shown_key != self._key())

    def _start_over(self, _project: object = None) -> None:
        """Other tasks or machines: nothing of the old map is left."""
        self._stop()
        self._present.cancel()
        self._by_itself, self._best_now = True, None
        self._shown, self._asked_key, self._shown_key = MapAnswer(), None, None
        self.map.show_map(None)
        self._show_timeline()
        self.readout.clear()
        self._show_notes()
        self.compute_button.hide()
        self._offer(keep=False)
        self.refresh()

    def _offer(self, keep: bool) -> None:
        project = self._document.project
        loads: tuple[Varied, ...] = all_parameters(project.platform)
        across, up = default_axes(loads)
        others = {one.key: one for one in map_assumptions(project.platform, project.workload)}
        others |= {one.key: one for one in self._extra if _holds(one, project)}
        loads += tuple(others.values())
        self.across.offer(loads, across, keep)
        self.up.offer(loads, up, keep)


def _holds(one: Assumption, project: Project) -> bool:
    """Whether the project still has what it is about."""
    return find_assumption(project.platform, project.workload, one.key) is not None


def _button(name: str, text: str, hint: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(f"decision_map_{name}")
    button.setToolTip(hint)
    return button
