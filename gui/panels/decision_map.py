"""The decision map panel: which allocation is best where, over two loads that the user picks.

The map is computed off the window's thread and shown from coarse to fine. It depends on the
open problem except for the two loads, so that setting them only moves the present point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from advisor.allocation.loads import (
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    parameters_of,
)
from advisor.allocation.plan import Plan
from advisor.allocation.sharing import SHARING_WORDS
from advisor.basics.quantities import count, duration
from advisor.basics.stopping import ShouldStop
from advisor.studies.decision_map.parameters import DecisionMapParameters
from advisor.studies.decision_map.picture import DecisionMap
from advisor.studies.decision_map.run import run
from advisor.studies.study import StudyProgress, StudyResult
from gui.basics.jobs import LatestWins, OnProgress
from gui.basics.theme import GRID, theme
from gui.document.document import Document
from gui.panels.load_axis import AxisChoice, default_axes
from gui.plots.map_picture import MapAxis, MapPicture
from gui.plots.panel import PlotPanel
from gui.plots.region_map import RegionMap
from gui.studies.page.answer_text import note_html
from machines.errors import PlacewiseError

MOST_TASKS_UNASKED = 300
_MOST_NOTES = 2
_EMPTY = "Which allocation is best where: choose two loads and press Compute."


class DecisionMapPanel(PlotPanel):
    """Choices of both loads, the map, what is under the pointer, and the notes."""

    met = Signal(object)  # tuple of Plan: all that are best somewhere on a finished map

    def __init__(
        self,
        document: Document,
        points: int = 41,
        parent: QWidget | None = None,
        known: Callable[[], tuple[Plan, ...]] = tuple,
    ) -> None:
        chart = RegionMap("decision_map_chart", "Decision map", _EMPTY)
        super().__init__(chart, "decision_map", "Decision map", parent=parent)
        self.map = chart
        self._document = document
        self._points, self._known = points, known
        self._given: set[tuple[int, ...]] = set()  # allocations that the map was asked with
        self._asked_key: object = None  # what is computed or was computed last …
        self._shown_key: object = None  # … and what the map in sight answers
        self._shown = _Answer()
        self.across = AxisChoice("across", "Across")
        self.up = AxisChoice("up", "Up")
        self.compute_button = QPushButton("Compute")
        self.compute_button.setObjectName("decision_map_compute")
        self.compute_button.setToolTip("Compute the map for this workload")
        self.compute_button.clicked.connect(lambda _checked=False: self.refresh(asked=True))
        self.progress = QProgressBar()
        self.progress.setObjectName("decision_map_progress")
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(26 * GRID)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("decision_map_cancel")
        self.cancel_button.setToolTip("Stop, and keep the map so far")
        self.cancel_button.clicked.connect(self.cancel)
        self.readout = _label("decision_map_readout")
        self.notes = _label("decision_map_notes")
        self.notes.setTextFormat(Qt.TextFormat.RichText)
        choices = QHBoxLayout()
        choices.setContentsMargins(GRID, 0, GRID, 0)
        choices.setSpacing(GRID)
        choices.addWidget(self.across)
        choices.addWidget(self.up)
        choices.addStretch(1)
        for widget in (self.compute_button, self.progress, self.cancel_button):
            choices.addWidget(widget)
        self.body.insertLayout(1, choices)
        self.body.addWidget(self.readout)
        self.body.addWidget(self.notes)
        self._jobs = LatestWins(self, "decision map")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._tell_error)
        self._jobs.progress.connect(self._take_progress)
        self._jobs.busy.connect(self._show_busy)
        for choice in (self.across, self.up):
            choice.changed.connect(self._choice_changed)
        chart.hovered.connect(self._read_out)
        chart.chosen.connect(self._set_loads)
        document.changed.connect(self._project_changed)
        document.outcome_changed.connect(lambda _outcome: self.refresh())
        document.replaced.connect(self._start_over)
        theme().changed.connect(self._show_notes)
        self._show_busy(False)
        self._start_over()

    def refresh(self, asked: bool = False) -> None:
        """Compute the map, if it is in sight and not the one that is shown.

        Parameters
        ----------
        asked : bool
            The user asked for it: also for a large workload.
        """
        outcome = self._document.outcome
        x, y = self.across.choice, self.up.choice
        if outcome is None or x is None or y is None or not self.isVisible():
            return
        key = self._key()
        if key == self._asked_key and not asked:
            self._show_present()
            return
        self._jobs.cancel()
        tasks = len(outcome.project.workload.tasks)
        if not asked and tasks > MOST_TASKS_UNASKED:
            self.compute_button.show()
            self.readout.setText(f"{count(tasks, 'task')}: the map is computed on demand.")
            return
        self._asked_key, known = key, self._known()
        self._given = {plan.allocation for plan in known}
        (x_low, x_high), (y_low, y_high) = self.across.range, self.up.range
        self._start(
            DecisionMapParameters(
                problem=outcome.problem,
                known=known,
                objective=outcome.project.objective,
                x=x.key,
                y=y.key,
                x_low=x_low,
                x_high=x_high,
                y_low=y_low,
                y_high=y_high,
                points=self._points,
            )
        )

    def consider(self, plan: Plan) -> None:
        """Compute the map anew if a plan is recommended that it has not compared."""
        found = self._shown.found
        if found is None or self._shown_key != self._key() or self._jobs.is_busy:
            return
        met = self._given | {one.allocation for one in found.plans}
        if not found.exact and plan.allocation not in met:
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
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was put off while the panel was hidden."""
        super().showEvent(event)
        self.refresh()

    def _start(self, parameters: DecisionMapParameters) -> None:
        self._dim_if_old()

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> _Answer:
            coarse = _Answer()

            def tell(progress: StudyProgress) -> None:
                nonlocal coarse
                if progress.partial is not None:
                    coarse = _answer(progress.partial)
                on_progress((progress, coarse))

            return _answer(run(parameters, tell, should_stop))

        self._jobs.request_reporting(job)

    def _take(self, answer: object) -> None:
        if isinstance(answer, _Answer):
            self._show(answer)
            if answer.found is not None and self._shown_key == self._key():
                self.met.emit(answer.found.plans)

    def _take_progress(self, told: object) -> None:
        if isinstance(told, tuple):
            progress, coarse = told
            self.progress.setValue(round(100 * progress.fraction))
            self.progress.setFormat(f"{progress.sentence}  %p %")
            if coarse.result is not None and coarse is not self._shown:
                self._show(coarse)

    def _show(self, answer: _Answer) -> None:
        self._shown, self._shown_key = answer, self._asked_key
        self.map.show_map(answer.picture)
        self._show_timeline()
        if answer.result is not None:
            self.map.setAccessibleDescription(answer.result.sentence)
        self._dim_if_old()
        self._show_present()
        self._show_notes()
        self.refresh_table()

    def _show_timeline(self) -> None:
        """Say on which timeline the map in sight rests, or the next one will."""
        found = self._shown.found
        sharing = self._document.project.sharing if found is None else found.sharing
        self.title.setText(f"Decision map: {SHARING_WORDS[sharing]}")

    def _show_present(self) -> None:
        """Move the ring to the present loads."""
        found = self._shown.found
        if found is not None and self._shown_key == self._key():
            project = self._document.project
            x, y = (axis.value(project.platform, project.reading) for axis in (found.x, found.y))
            self.map.move_present((x, y))
            self._read_out(None)

    def _show_notes(self) -> None:
        result = self._shown.result
        notes = () if result is None else result.notes
        lines = [note_html(note) for note in notes]
        self.notes.setToolTip("<br>".join(lines))
        if len(lines) > _MOST_NOTES:
            lines[_MOST_NOTES - 1 :] = [f"… and {len(lines) - _MOST_NOTES + 1} more notes"]
        self.notes.setText("<br>".join(lines))
        self.notes.setVisible(bool(lines))

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        if busy:
            self.compute_button.hide()

    def _tell_error(self, error: PlacewiseError) -> None:
        self._asked_key = None
        self.readout.setText(str(error))

    def _read_out(self, point: tuple[float, float] | None) -> None:
        """Say what is best at a point, or at the present one."""
        found, picture = self._shown.found, self.map.picture
        if found is None or picture is None:
            return
        x, y = point or self.map.present
        place, value_s = picture.at(x, y)
        loads = f"{found.x.sentence(x)}, {found.y.sentence(y)}"
        if place < 0:
            text = f"{loads}: not computed, or nothing can run."
        else:
            text = f"{loads}: {picture.labels[place]}, {found.objective} {duration(value_s)}."
        self.readout.setText(f"{text} Click to set these loads." if point else f"Now {text}")

    def _set_loads(self, point: tuple[float, float]) -> None:
        """Make the chosen point the present one, as one undo step."""
        found = self._shown.found
        if found is None or self._shown_key != self._key():
            return
        project = self._document.project
        x = _rounded(found.x, point[0], float(found.x_values[-1] - found.x_values[0]))
        y = _rounded(found.y, point[1], float(found.y_values[-1] - found.y_values[0]))
        platform = found.x.applied(project.platform, x, project.reading)
        platform = found.y.applied(platform, y, project.reading)
        text = f"Set load: {found.x.sentence(x)}, {found.y.sentence(y)}"
        self._document.apply(replace(project, platform=platform), text)

    def _key(self) -> object:
        """What the map depends on: the project without the two loads and the plan."""
        project = self._document.project
        x, y = self.across.choice, self.up.choice
        if x is None or y is None:
            return None
        try:
            base = x.applied(project.platform, x.low, project.reading)
            base = y.applied(base, y.low, project.reading)
        except PlacewiseError:
            base = project.platform
        chosen = (x.key, y.key, self.across.range, self.up.range)
        question = (project.reading, project.sharing, project.objective)
        return (project.workload, base, *question, *chosen)

    def _choice_changed(self) -> None:
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
        self._jobs.cancel()
        self._shown, self._asked_key, self._shown_key = _Answer(), None, None
        self.map.show_map(None)
        self._show_timeline()
        self.readout.clear()
        self._show_notes()
        self.compute_button.hide()
        self._offer(keep=False)
        self.refresh()

    def _offer(self, keep: bool) -> None:
        loads = parameters_of(self._document.project.platform)
        across, up = default_axes(loads)
        self.across.offer(loads, across, keep)
        self.up.offer(loads, up, keep)


@dataclass(frozen=True, eq=False)
class _Answer:
    """A result with the picture of its map, both made by the worker thread."""

    result: StudyResult | None = None
    picture: MapPicture | None = None

    @property
    def found(self) -> DecisionMap | None:
        """The map itself."""
        return None if self.result is None else self.result.picture(DecisionMap)


def _answer(result: StudyResult) -> _Answer:
    # pyqtgraph, here on the worker thread: the window's need not wait for it with the first map
    import gui.plots.region_items  # noqa: F401, PLC0415

    found = result.picture(DecisionMap)
    if found is None:
        return _Answer(result)
    picture = MapPicture(
        MapAxis(found.x.title, found.x.unit, found.x_values),
        MapAxis(found.y.title, found.y.unit, found.y_values),
        found.region,
        found.values_s,
        found.labels,
        found.present,
        found.objective,
    )
    return _Answer(result, picture)


def _rounded(load: LoadParameter, value: float, span: float) -> float:
    """`value` to about a hundredth of the axis, never below the load's range."""
    digits = max(0, 2 - math.floor(math.log10(span)))
    least = 1.0 if load.kind in {LINK_SLOWDOWN, MACHINE_SLOWDOWN} else 0.0
    return max(round(value, digits), least)


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setContentsMargins(GRID, 0, GRID, GRID // 2)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
