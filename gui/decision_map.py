"""The decision map panel: which allocation is best where, over two loads that the user picks.

The map is computed off the window's thread and shown from coarse to fine. It depends on the
open problem except for the two loads, so that setting them only moves the present point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from advisor.loads import CONTENDERS, LINK_SLOWDOWN, LoadParameter, parameters_of
from advisor.quantities import count, duration
from advisor.studies.decision_map import DecisionMap, DecisionMapParameters, run
from advisor.studies.study import StudyProgress, StudyResult
from gui.document import Document
from gui.jobs import LatestWins
from gui.plots.panel import PlotPanel
from gui.plots.region_map import MapAxis, MapPicture, RegionMap
from gui.studies.panel import note_html
from gui.theme import GRID, theme
from machines import Platform
from machines.errors import InputError, PlacewiseError

MOST_TASKS_UNASKED = 300
_EMPTY = "Choose two loads to see which allocation is best where."


class DecisionMapPanel(PlotPanel):
    """Choices of both loads, the map, what is under the pointer, and the notes."""

    failed = Signal(object)  # PlacewiseError: the click could not be applied
    _progressed = Signal(object, object, object)  # run number, StudyProgress, MapPicture | None

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        chart = RegionMap("decision_map_chart", "Decision map", _EMPTY)
        super().__init__(chart, "decision_map", "Decision map", parent=parent)
        self.map = chart
        self._document = document
        self._run = 0
        self._stopping = False
        self._shown_key: Hashable = None
        self._found: DecisionMap | None = None
        self.across = AxisChoice("across", "Across")
        self.up = AxisChoice("up", "Up")
        self.compute_button = QPushButton("Compute")
        self.compute_button.setObjectName("decision_map_compute")
        self.compute_button.setToolTip("Compute the map for this workload")
        self.compute_button.clicked.connect(lambda _checked=False: self.refresh(asked=True))
        self.progress = QProgressBar()
        self.progress.setObjectName("decision_map_progress")
        self.progress.setRange(0, 100)
        self.progress.setMaximumWidth(30 * GRID)
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
        self._progressed.connect(self._take_progress)
        for choice in (self.across, self.up):
            choice.changed.connect(self._choice_changed)
        chart.hovered.connect(self._read_out)
        chart.chosen.connect(self._set_loads)
        document.changed.connect(self._project_changed)
        document.outcome_changed.connect(lambda _outcome: self.refresh())
        document.loaded.connect(self._loaded)
        theme().changed.connect(self._show_notes)
        self._show_busy(False)
        self._loaded()

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
        if key == self._shown_key and not asked:
            self._show_present()
            return
        if not asked and len(outcome.project.workload.tasks) > MOST_TASKS_UNASKED:
            self._stop_run()
            self._show_large()
            return
        try:
            parameters = DecisionMapParameters(
                problem=outcome.problem,
                objective=outcome.project.objective,
                x=x.key,
                y=y.key,
                **self._ranges(),
            )
        except InputError as error:
            self._tell_error(error)
            return
        self._shown_key = key
        self._start(parameters)

    def cancel(self) -> None:
        """Stop; the map so far stays."""
        self._stopping = True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Compute what was put off while the panel was hidden."""
        super().showEvent(event)
        self.refresh()

    def _start(self, parameters: DecisionMapParameters) -> None:
        self._run += 1
        number = self._run
        self._stopping = False
        self.set_dimmed(True)
        self._show_busy(True)

        def job(should_stop: Callable[[], bool]) -> tuple[int, StudyResult, MapPicture | None]:
            def tell(progress: StudyProgress) -> None:
                picture = _picture(progress.partial)
                self._progressed.emit(number, progress, picture)

            def stop() -> bool:
                return self._stopping or should_stop()

            result = run(parameters, tell, stop)
            return number, result, _picture(result)

        self._jobs.request(job)

    def _stop_run(self) -> None:
        """Drop a run whose question is no longer asked."""
        self._run += 1
        self._stopping = True
        self._show_busy(False)

    def _take(self, answer: object) -> None:
        if isinstance(answer, tuple) and answer[0] == self._run:
            self._show_busy(False)
            self._show(answer[1], answer[2])

    def _take_progress(
        self, number: int, progress: StudyProgress, picture: MapPicture | None
    ) -> None:
        if number == self._run:
            self.progress.setValue(round(100 * progress.fraction))
            self.progress.setFormat(f"{progress.sentence}  %p %")
            if progress.partial is not None:
                self._show(progress.partial, picture)

    def _show(self, result: StudyResult, picture: MapPicture | None) -> None:
        self._found = result.picture if isinstance(result.picture, DecisionMap) else None
        self.map.show_map(picture)
        self.map.setAccessibleDescription(result.sentence)
        self._sentence = result.sentence
        self._result_notes = result.notes
        self._show_present()
        self._show_notes()
        self.set_dimmed(False)
        self.refresh_table()

    def _show_present(self) -> None:
        """Move the ring to the present loads."""
        picture, found = self.map.picture, self._found
        if picture is None or found is None:
            return
        project = self._document.project
        try:
            here = tuple(
                axis.value(project.platform, project.reading) for axis in (found.x, found.y)
            )
        except (KeyError, StopIteration):  # the machine or link is gone; a new map is on its way
            return
        self.map.move_present((here[0], here[1]))
        self.set_dimmed(False)
        self._read_out(None)

    def _show_large(self) -> None:
        tasks = len(self._document.project.workload.tasks)
        self.compute_button.show()
        self.set_dimmed(True)
        self.readout.setText(
            f"{count(tasks, 'task')}: computed on demand, among a pool of candidate plans."
        )

    def _show_notes(self) -> None:
        notes = getattr(self, "_result_notes", ())
        self.notes.setText("<br>".join(note_html(note) for note in notes))
        self.notes.setVisible(bool(notes))

    def _tell_error(self, error: PlacewiseError) -> None:
        self._show_busy(False)
        self._shown_key = None
        self.readout.setText(str(error))
