"""One panel for any study: a form from its record, plots from its series, its tables and advice.

The study runs off the window's thread and the latest parameters win; old results stay, dimmed,
until new ones come. A study needs no code here: its record and its result say everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.plan import Plan
from advisor.studies.study import Note, Series, Study, StudyProgress, StudyResult
from advisor.studies.study import Table as StudyTable
from gui.data_table import DataTable
from gui.document import Document, Outcome
from gui.figures import Table
from gui.jobs import LatestWins, OnProgress, ShouldStop
from gui.plots.panel import PlotPanel, columns_of
from gui.studies.form import ParameterForm
from gui.theme import GRID, theme
from machines.errors import PlacewiseError


class StudyPanel(QWidget):
    """The form, the answer and the pictures of one study."""

    finished = Signal(object)  # StudyResult on screen

    def __init__(self, document: Document, study: Study, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"study_{study.name}")
        self.setAccessibleName(study.title)
        self._document, self._study = document, study
        self._plan_of: Outcome | None = None
        self.result: StudyResult | None = None
        self.form = ParameterForm(study.record)
        self.form.changed.connect(lambda _values: self.run())
        self.sentence = _wrapped("study_sentence", "headline")
        self.sentence.setText(study.question)
        self.reasons = _wrapped("study_reasons", "")
        self.notes = _wrapped("study_notes", "")
        self.notes.setTextFormat(Qt.TextFormat.RichText)
        self.apply_button = QPushButton("Apply")
        self.apply_button.setObjectName("study_apply")
        self.apply_button.setProperty("primary", "true")
        self.apply_button.setToolTip("Make the recommended plan the current one (one undo step)")
        self.apply_button.clicked.connect(self._apply)
        self.progress = QProgressBar()
        self.progress.setObjectName("study_progress")
        self.progress.setRange(0, 100)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("study_cancel")
        self.cancel_button.setToolTip("Stop, and keep what there is so far")
        self.cancel_button.clicked.connect(self.cancel)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("study_tabs")
        self.tabs.setDocumentMode(True)
        self._lay_out()
        self._stopping = False
        self._jobs = LatestWins(self, f"study {study.name}")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._tell_error)
        self._jobs.progress.connect(self._show_progress)
        self._jobs.busy.connect(self._show_busy)
        if study.needs_problem:
            document.outcome_changed.connect(lambda _outcome: self.run())
        theme().changed.connect(self._show_notes)
        self._show_busy(False)
        self.run()

    def run(self) -> None:
        """Answer the question for the form's parameters; an unfinished run gives way."""
        values = self.form.values()
        outcome = self._document.outcome
        if values is None or (self._study.needs_problem and outcome is None):
            return
        if self._study.needs_problem and outcome is not None:
            values["problem"] = outcome.problem
        parameters = self._study.record(**values)
        self._stopping = False
        self._dim(True)

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> _Answer:
            partial: StudyResult | None = None

            def tell(progress: StudyProgress) -> None:
                # the newest report replaces those not seen yet: it carries the last partial result
                nonlocal partial
                partial = progress.partial or partial
                on_progress(replace(progress, partial=partial))

            result = self._study.run(
                parameters,
                on_progress=tell,
                should_stop=lambda: self._stopping or should_stop(),
            )
            return _Answer(outcome, result)

        self._jobs.request_reporting(job)

    def cancel(self) -> None:
        """Stop the run; the study hands over what it has."""
        self._stopping = True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    def _take(self, answer: object) -> None:
        if isinstance(answer, _Answer):
            self._plan_of = answer.outcome
            self._dim(False)
            self._show_result(answer.result)
            self.finished.emit(answer.result)

    def _show_progress(self, progress: object) -> None:
        if isinstance(progress, StudyProgress):
            self.progress.setValue(round(100 * progress.fraction))
            self.progress.setFormat(f"{progress.sentence}  %p %")
            if progress.partial is not None and progress.partial is not self.result:
                self._show_result(progress.partial)

    def _tell_error(self, error: PlacewiseError) -> None:
        self.sentence.setText(str(error))
        self.apply_button.hide()

    def _show_result(self, result: StudyResult) -> None:
        self.sentence.setText(result.sentence)
        self.reasons.setText("\n".join(result.reasons))
        self.reasons.setVisible(bool(result.reasons))
        self.result = result
        self._show_notes()
        self.apply_button.setVisible(self._plan() is not None)
        self._show_tabs(result)

    def _show_notes(self) -> None:
        notes = () if self.result is None else self.result.notes
        self.notes.setText("<br>".join(note_html(note) for note in notes))
        self.notes.setVisible(bool(notes))

    def _show_tabs(self, result: StudyResult) -> None:
        """Plots and tables keep their tabs while their titles stay, so that nothing jumps."""
        from gui.plots.curves import CurvePlot  # noqa: PLC0415 - pyqtgraph is slow to import

        plots = _by_axes(result.series)
        titles = [*(title for title, _ in plots), *(table.title for table in result.tables)]
        if titles != [self.tabs.tabText(place) for place in range(self.tabs.count())]:
            self._clear_tabs()
            for place, (title, _) in enumerate(plots):
                panel = PlotPanel(
                    CurvePlot(f"study_plot_{place}", title), f"study_plot_panel_{place}", title
                )
                self.tabs.addTab(panel, title)
            for place, table in enumerate(result.tables):
                self.tabs.addTab(DataTable(f"study_table_{place}", table.title), table.title)
        for place, (_, series) in enumerate(plots):
            page = self.tabs.widget(place)
            if isinstance(page, PlotPanel) and isinstance(page.chart, CurvePlot):
                page.chart.set_series(series)
                page.refresh_table()
        for place, table in enumerate(result.tables):
            view = self.tabs.widget(len(plots) + place)
            if isinstance(view, DataTable):
                view.set_columns(columns_of(_plain(table)))
        self.tabs.setVisible(bool(titles))

    def _clear_tabs(self) -> None:
        pages = [self.tabs.widget(place) for place in range(self.tabs.count())]
        self.tabs.clear()
        for page in pages:
            if page is not None:
                page.deleteLater()

    def _plan(self) -> Plan | None:
        """The plan to apply: one for the open workload and platform that is not current yet."""
        if self.result is None or self.result.recommendation is None or self._plan_of is None:
            return None
        plan, project = self.result.recommendation.plan, self._document.project
        fits = (
            self._plan_of.project.workload is project.workload
            and self._plan_of.project.platform is project.platform
        )
        return plan if fits and plan.allocation != project.plan.allocation else None

    def _apply(self) -> None:
        plan = self._plan()
        if plan is not None:
            self._document.adopt(plan, f"Apply {self._study.title.lower()}")

    def _dim(self, dimmed: bool) -> None:
        for place in range(self.tabs.count()):
            page = self.tabs.widget(place)
            if isinstance(page, PlotPanel):
                page.set_dimmed(dimmed)
            elif isinstance(page, DataTable):
                page.columns_model.set_dimmed(dimmed)

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setObjectName("study_form_scroll")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        area.setMinimumWidth(28 * GRID)
        answer = QWidget()
        column = QVBoxLayout(answer)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        head = QHBoxLayout()
        head.addWidget(self.sentence, 1)
        head.addWidget(self.apply_button, 0, Qt.AlignmentFlag.AlignTop)
        self.apply_button.hide()
        waiting = QHBoxLayout()
        waiting.addWidget(self.progress, 1)
        waiting.addWidget(self.cancel_button)
        column.addLayout(head)
        column.addWidget(self.reasons)
        column.addWidget(self.notes)
        column.addLayout(waiting)
        column.addWidget(self.tabs, 1)
        self.tabs.hide()
        self.reasons.hide()
        self.notes.hide()
        column.addStretch(0)
        splitter = QSplitter()
        splitter.setObjectName("study_splitter")
        splitter.addWidget(area)
        splitter.addWidget(answer)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(splitter)


@dataclass(frozen=True, eq=False)
class _Answer:
    outcome: Outcome | None
    result: StudyResult


def note_html(note: Note) -> str:
    """A validity note: a dot, green inside the model's domain and amber outside, and its words."""
    colours = theme().colours
    colour = colours.better if note.inside_domain else colours.warning
    dot = "●" if note.inside_domain else "▲"
    source = f" <i>{_escaped(note.source)}</i>" if note.source else ""
    return f'<span style="color:{colour}">{dot}</span> {_escaped(note.text)}{source}'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _by_axes(series: Sequence[Series]) -> list[tuple[str, tuple[Series, ...]]]:
    """(title, series) of every pair of axes, in the order of first appearance."""

    def axes(one: Series) -> tuple[str, ...]:
        return one.y_label, one.y_unit, one.x_label, one.x_unit, str(bool(_named(one)))

    order = list(dict.fromkeys(axes(one) for one in series))
    ranked = sorted(series, key=lambda one: order.index(axes(one)))
    groups = [tuple(group) for _, group in groupby(ranked, key=axes)]
    return [(f"{group[0].y_label} by {group[0].x_label}", group) for group in groups]


def _named(series: Series) -> bool:
    return bool(series.x) and isinstance(series.x[0], str)


def _plain(table: StudyTable) -> Table:
    headings = tuple(f"{name} ({unit})" if unit else name for name, unit in table.columns)
    return Table(headings, table.rows)


def _wrapped(name: str, role: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if role:
        label.setProperty("role", role)
    return label
