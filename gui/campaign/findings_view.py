"""What the rows of a campaign show: drawn as the answer of any study, anew while rows come.

Findings are worked out on a thread, one after the other with a pause between them: the newest rows
are waited for by nobody, and the last ones are always shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from advisor.basics.stop_rule import ShouldStop
from advisor.campaigns.results import Results
from advisor.studies.study import StudyResult
from advisor.studies.study_json import facts_line
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.event_loop_slices import EventLoopSlices
from gui.basics.theme import GRID
from gui.plots.plot_panel import Exports
from gui.studies.page.answer_folds import Folds
from gui.studies.page.answer_head import AnswerHead
from gui.studies.page.result_views import ResultViews
from gui.tables.data_table import DataTable
from machines.errors import PlacewiseError
from machines.stopping import stoppable

_PAUSE_MS = 1000
_WAITING = "Findings appear here as soon as cases are computed."


class FindingsView(QWidget):
    """Headline, figures, pictures and tables of the rows so far."""

    told = Signal()  # something else is shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("campaign_findings")
        self.setAccessibleName("What the campaign shows")
        self.result: StudyResult | None = None
        self._wanted: tuple[Results, int] | None = None  # not worked out yet
        self.copy_action = QAction("Copy answer", self)
        self.copy_action.setObjectName("campaign_copy")
        self.copy_action.setToolTip("The findings with figures and reasons, as text")
        self.copy_action.setEnabled(False)
        self.copy_action.triggered.connect(lambda _checked=False: self._copy())
        self.head, self.views, self.folds = AnswerHead(""), ResultViews(), Folds()
        self.waiting = QLabel(_WAITING)
        self.waiting.setObjectName("campaign_waiting")
        self.waiting.setProperty("role", "muted")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.waiting.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.head)
        column.addWidget(self.views, 1)
        column.addWidget(self.folds)
        column.addWidget(self.waiting, 1)
        self._showing = EventLoopSlices(self)
        self._jobs = LatestWins(self, "campaign findings")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._refuse)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._next)
        self._show_parts()

    @property
    def is_busy(self) -> bool:
        """Whether what is shown is not of the newest rows."""
        waits = self._wanted is not None and self.isVisible()
        return waits or self._jobs.is_busy or self._showing.is_busy

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written: the answer, and the view that is open."""
        place = self.views.current()
        page = None if place < 0 else self.views.page(place)
        own = getattr(page, "exports", None)
        if isinstance(page, DataTable):
            name = self.views.titles()[place].lower()
            own = page.findChild(Exports) or Exports(page, name, None, page.chosen_table)
        return (self.copy_action, *(own.actions if isinstance(own, Exports) else ()))

    def begin_anew(self) -> None:
        """Rows of another campaign come: nothing that was shown is of them."""
        self._jobs.cancel()
        self._pause.stop()
        self._showing.drop()
        self._wanted = None
        self._show_none()

    def show_results(self, results: Results, planned: int) -> None:
        """Show what these rows of so many show, once what is being worked out is shown."""
        self._wanted = (results, planned) if len(results) else None
        self._next()

    def showEvent(self, event: QShowEvent) -> None:
        """Work out what was put off while it was hidden."""
        super().showEvent(event)
        self._next()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._showing.drop()
        self._pause.stop()
        self._jobs.close()
        super().closeEvent(event)

    # inside

    def _next(self) -> None:
        wanted = self._wanted
        if wanted is None or not self.isVisible():
            return
        if self._jobs.is_busy or self._pause.isActive():
            return
        self._wanted = None
        results, planned = wanted

        def job(should_stop: ShouldStop) -> StudyResult:
            from advisor.campaigns.findings import findings  # noqa: PLC0415 - scipy is slow

            with stoppable(should_stop):
                return findings(results, planned=planned, titles=True)

        self._jobs.request(job)

    def _take(self, result: object) -> None:
        if isinstance(result, StudyResult):
            self._showing.start(self._shown_in_turns(result))
        self._pause.start()

    def _refuse(self, error: PlacewiseError) -> None:
        self._showing.drop()
        self._show_none()
        self.waiting.setText(sentence(error))
        self._pause.start()
        self.told.emit()

    def _shown_in_turns(self, result: StudyResult) -> Iterator[None]:
        yield from self.views.prepare(result)
        self.head.show_answer(result)
        self.folds.show_answer(result)
        self.result = result
        self._show_parts()
        yield
        self.views.show_result(result)
        self.copy_action.setEnabled(True)
        self.told.emit()

    def _show_none(self) -> None:
        self.result = None
        self.waiting.setText(_WAITING)
        self.copy_action.setEnabled(False)
        self._show_parts()

    def _show_parts(self) -> None:
        there = self.result is not None
        for part in (self.head, self.views, self.folds):
            part.setVisible(there)
        self.waiting.setVisible(not there)

    def _copy(self) -> None:
        if self.result is not None:
            lines = (self.result.sentence, facts_line(self.result), *self.result.reasons)
            QApplication.clipboard().setText("\n".join(filter(None, lines)))
