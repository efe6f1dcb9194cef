"""The panel *Actual*: a run beside its prediction in one sentence, by cause, task by task.

The board above it has both bars of every task. Here are the causes of the difference, actual
against predicted seconds, all tasks, what did not match, and what the runs teach.
"""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from advisor.project.run_edits import remove_run
from gui.basics.background_jobs import LatestWins
from gui.basics.event_loop_slices import at_once
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.basics.widget_labels import button, said
from gui.document.actuals import ALL, Actuals, Review
from gui.document.document import Document, Selection
from gui.document.learner import Learner
from gui.document.run_progress_words import all_of
from gui.document.runner import Runner
from gui.panels.actual_pictures import Pictures, pictures
from gui.panels.learn_view import LearnView
from gui.panels.live_run import LiveRun
from gui.plots.bar_chart import BarChart
from gui.plots.bar_panel import BarPanel
from gui.plots.curve_panel import CurvePanel
from gui.plots.curve_plot import CurvePlot
from gui.plots.plot_panel import Exports
from gui.tables.data_table import DataTable

_EMPTY = (
    "Import the log of a run of this workload: each task's actual bar appears on the board below "
    "its predicted one, with what made the difference, and the calibrations it supports."
)
_SCATTER = "Actual against predicted seconds"
_WAITING = "Comparing the run with the prediction …"
_MATCHED = "Every task of the log matches a task of the workload, and none is missing."
_GROUPS = ("by machine", "by kind of task")


class ActualPanel(QWidget):
    """What happened, beside what was predicted.

    `filled`: make what it holds at once; else whoever made it calls `fill`.
    """

    import_asked = Signal()
    advise_asked = Signal()

    def __init__(
        self,
        document: Document,
        actuals: Actuals,
        runner: Runner,
        parent: QWidget | None = None,
        *,
        filled: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("actual")
        self.setAccessibleName("Runs compared with the prediction")
        self._document, self._actuals, self._runner = document, actuals, runner
        self._shown: Pictures | None = None
        self._jobs = LatestWins(self, "actual panel")
        self._jobs.done.connect(self._take)
        self.learner = Learner(document, actuals, self)
        self._filled = False
        if filled:
            at_once(self.fill())

    def fill(self) -> Generator[None, None, None]:
        """Make all that it holds, a part at a time."""
        document, actuals, runner = self._document, self._actuals, self._runner
        self.live = LiveRun(document, runner, self)
        self._make_head()
        yield
        curves = CurvePlot("actual_scatter_plot", _SCATTER)
        yield
        self.scatter = CurvePanel("actual_scatter", _SCATTER, curves=curves)
        yield
        self._make_tables()
        yield
        self._make_tabs()
        self._lay_out()
        yield
        runner.busy.connect(lambda _busy: self._refresh())
        actuals.reviewed.connect(lambda _review: self._follow())
        actuals.busy.connect(lambda _busy: self._refresh())
        document.changed.connect(lambda _project: self._refresh())
        document.selection_changed.connect(self._follow_selection)
        self._filled = True
        self._follow()

    def showEvent(self, event: QShowEvent) -> None:
        """Make what was put off while the panel was hidden."""
        super().showEvent(event)
        if self._filled:
            self._follow()

    # making

    def _make_head(self) -> None:
        self.chooser = ChoiceBox()
        self.chooser.setObjectName("actual_run")
        self.chooser.setAccessibleName("Run")
        self.chooser.setToolTip(
            "The run shown; for all runs, the one with the median makespan is drawn, tasks have "
            "their median, and calibrations use all of them"
        )
        self.chooser.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.chooser.setMinimumContentsLength(18)
        self.chooser.activated.connect(self._choose)
        self.import_button = button("Import run…", "actual_import", "Read the log of a run")
        self.import_button.clicked.connect(lambda _checked=False: self.import_asked.emit())
        self.remove_button = button(
            "Remove", "actual_remove", "Remove the selected run from the project (one undo step)"
        )
        self.remove_button.clicked.connect(lambda _checked=False: self._remove())
        self.sentence = said("actual_sentence", "headline")
        self.notes = SteadyLine("actual_notes")
        self.notes.setProperty("role", "muted")
        self.first = button("Import run…", "actual_first", "Read the log of a run (Ctrl+L)")
        self.first.clicked.connect(lambda _checked=False: self.import_asked.emit())

    def _make_tables(self) -> None:
        self.split = BarChart("actual_split", "Causes of the difference", _WAITING)
        self.groups = ChoiceBox()
        self.groups.setObjectName("actual_groups")
        self.groups.setAccessibleName("Colours of the points")
        self.groups.setToolTip("Colour points by machine or by kind of task")
        self.groups.addItems(_GROUPS)
        self.groups.activated.connect(lambda _index: self._show_points())
        self.scatter.header.insertWidget(1, self.groups)
        self.tasks = DataTable("actual_tasks", "Predicted and actual times of all tasks")
        self.tasks.rows_selected.connect(self._select)
        self.factors = DataTable("actual_factors", "Actual over predicted time by machine and kind")
        self.matching = DataTable("actual_matching", "What did not match by name")
        self.matched = said("actual_matched", "muted")
        self.matched.setText(_MATCHED)
        self.learn = LearnView(self.learner)
        self.learn.advise_asked.connect(self.advise_asked)

    def _make_tabs(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setObjectName("actual_tabs")
        self.tabs.setDocumentMode(True)
        for title, hint, widget in (
            ("Causes", "Causes of the difference, in seconds that add up",
             BarPanel(self.split, "actual_causes", "Causes of the difference")),
            ("Tasks", "Predicted and actual times of every task",
             self._with_export(self.tasks, "tasks of the run")),
            ("Scatter", "Actual against predicted seconds of every task", self.scatter),
            ("Factors", "Actual over predicted time, by machine and kind of task",
             self._with_export(self.factors, "factors")),
            ("Learn", "Calibrations of tasks, machines, links and engine from the "
                      "runs", self.learn),
            ("Matching", "Unmatched names in the log, and tasks missing from it",
             self._with_export(self.matching, "matching", self.matched)),
        ):  # fmt: skip
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), hint)
        self.tabs.currentChanged.connect(lambda _place: self._show_points())

    def _with_export(self, table: DataTable, name: str, instead: QWidget | None = None) -> QWidget:
        """A table beside its copies and exports; what is said instead of an empty one."""
        exports = Exports(self, name, None, table.chosen_table)
        table.addActions(exports.actions)
        button = QToolButton()
        button.setObjectName(f"{table.objectName()}_export")
        button.setText("Export")
        button.setAccessibleName(f"Export {name}")
        button.setToolTip("Copy or export the selected rows, or all, with full precision")
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(exports.menu(button))
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, GRID // 2, 0, 0)
        row.addWidget(table, 1)
        if instead is not None:
            row.addWidget(instead, 1, Qt.AlignmentFlag.AlignTop)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _lay_out(self) -> None:
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, GRID // 4)
        row.setSpacing(GRID)
        for widget in (self.chooser, self.import_button, self.remove_button):
            row.addWidget(widget)
        self.tabs.setCornerWidget(corner)
        body = QVBoxLayout(self)
        body.setContentsMargins(GRID, GRID, GRID, 0)
        body.setSpacing(GRID // 2)
        body.addWidget(self.live)
        body.addWidget(self.sentence)
        body.addWidget(self.notes)
        body.addWidget(self.first, 0, Qt.AlignmentFlag.AlignLeft)
        body.addWidget(self.tabs, 1)
        body.addStretch(0)

    # following

    def _follow(self) -> None:
        """There is another review: build what is shown of it, once somebody looks."""
        review = self._actuals.review
        self._list_runs()
        if review is None:
            self._jobs.cancel()
            self._show(None)
        elif self.isVisible() and (self._shown is None or self._shown.review is not review):
            whole = self._actuals.chosen == ALL
            self._jobs.request(lambda _stop: pictures(review, whole))
        self._refresh()

    def _take(self, made: object) -> None:
        if isinstance(made, Pictures) and made.review is self._actuals.review:
            self._show(made)
            self._refresh()

    def _show(self, made: Pictures | None) -> None:
        self._shown = made
        self.split.set_groups(() if made is None else made.split)
        self.tasks.set_columns(() if made is None else made.tasks)
        self.factors.set_columns(() if made is None else made.factors)
        self.matching.set_columns(() if made is None else made.matching)
        self._show_points()
        self._follow_selection(self._document.selection)
        rows = self.matching.columns_model.rowCount()
        self.matching.setVisible(rows > 0)
        self.matched.setVisible(made is not None and not rows)
        self.tabs.setTabText(self.tabs.count() - 1, f"Matching ({rows:,})" if rows else "Matching")

    def _show_points(self) -> None:
        """Points are made while they are in sight: of many tasks that takes a moment."""
        made = self._shown
        if made is not None and self.tabs.currentWidget() is not self.scatter:
            return
        series = () if made is None else (made.by_machine, made.by_kind)[self.groups.currentIndex()]
        if series is not self.scatter.curves.series:
            self.scatter.curves.set_series(series)
            self.scatter.refresh_table()

    def _refresh(self) -> None:
        """Say what there is, and what can be done."""
        review, runs = self._actuals.review, self._document.project.runs
        there = bool(runs)
        text, notes = _told(self._actuals, there)
        self.sentence.setText(text)
        old = review is not None and not self._actuals.answers()
        self.sentence.setEnabled(not old)
        self.notes.setText(" ".join(notes))
        self.notes.setToolTip("\n".join(notes))
        self.notes.setVisible(bool(notes))
        self.first.setVisible(not there and not self._runner.is_busy)
        self.sentence.setVisible(there or not self._runner.is_busy)
        self.tabs.setVisible(there)
        self.remove_button.setEnabled(len(runs) == 1 or self._actuals.chosen != ALL)
        self.split.set_dimmed(old)
        self.scatter.set_dimmed(old)
        for table in (self.tasks, self.factors, self.matching):
            table.columns_model.set_dimmed(old)
        self.learn.refresh()

    def _list_runs(self) -> None:
        runs = self._document.project.runs
        names = [run.name for run in runs]
        self.chooser.clear()
        if len(names) > 1:
            self.chooser.addItem(_all(len(names)), ALL)
        for name in names:
            self.chooser.addItem(name, name)
        self.chooser.setCurrentIndex(max(0, self.chooser.findData(self._actuals.chosen)))

    # what the user does

    def _choose(self, index: int) -> None:
        self._actuals.choose(str(self.chooser.itemData(index)))

    def _remove(self) -> None:
        project, chosen = self._document.project, self._actuals.chosen
        name = project.runs[0].name if len(project.runs) == 1 else chosen
        self._actuals.choose(ALL)
        self._document.apply(remove_run(project, name), f"Remove run {name}")

    def _current(self) -> bool:
        """Whether the rows are the tasks of the document."""
        made, workload = self._shown, self._document.project.workload
        return made is not None and made.review.outcome.project.workload is workload

    def _select(self, rows: tuple[int, ...]) -> None:
        if self._current():
            self._document.select(Selection(tasks=frozenset(rows)))

    def _follow_selection(self, selection: Selection) -> None:
        wanted = selection.tasks if self._current() else frozenset()
        if wanted != frozenset(self.tasks.selected()):
            self.tasks.select_rows(wanted)


def _told(actuals: Actuals, there: bool) -> tuple[str, list[str]]:
    """The sentence, and what is to be known beside it."""
    review = actuals.review
    if not there:
        return _EMPTY, []
    if actuals.error is not None:
        return f"{actuals.error}", []
    if review is None:
        return _WAITING, []
    actual = review.actual
    if actual is None:
        return "No run is of this workload.", [f"{error}." for _, error in review.refused]
    if review.difference is not None:
        text, notes = review.difference.sentence, list(review.difference.notes)
    else:
        why = "" if review.unsplit is None else f": {review.unsplit}"
        text, notes = (
            (f"The difference from the prediction can't be determined{why}."),
            list(actual.notes),
        )
    notes = [f"{note.rstrip('.')}." for note in dict.fromkeys(notes)]
    if actuals.chosen == ALL and len(review.actuals) > 1:
        notes.insert(0, _middle(review))
    return text, notes


def _all(runs: int) -> str:
    """What all runs together are called in the list; two have none in the middle."""
    whole = all_of(runs).capitalize()
    return whole if runs == 2 else f"{whole}: the middle one"


def _middle(review: Review) -> str:
    """Which of several runs is drawn."""
    actuals, shown = review.actuals, review.actuals[review.shown]
    if len(actuals) > 2:
        place = "in the middle"
    else:
        shortest = min(one.makespan_s for one in actuals)
        place = "that is shorter" if shown.makespan_s == shortest else "that is complete"
    return f"Of {count(len(actuals), 'run')} the one {place} is drawn: {shown.run.name}."
