"""One panel for any study: a form from its record, plots from its series, its tables and advice.

The study runs off the window's thread and the latest parameters win; old results stay, dimmed,
until new ones come. A study needs no code here: its record and its result say everything.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QCloseEvent, QUndoStack
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.allocation.plan import Plan
from advisor.project.study_case import Subject
from advisor.studies.network_source import answered
from advisor.studies.study import Check, Study, StudyResult
from advisor.studies.study_json import facts_line
from gui.basics.event_loop_slices import EventLoopSlices, at_once
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome
from gui.form.form import ParameterForm
from gui.form.split import FormSplit
from gui.form.steps import FormSteps
from gui.plots.plot_panel import Exports
from gui.studies.page.answer_folds import Folds
from gui.studies.page.answer_head import AnswerHead
from gui.studies.page.case_comparison import CaseComparison
from gui.studies.page.case_form import StudyCases
from gui.studies.page.case_tabs import CaseTabs
from gui.studies.page.data_choice import DataChoice
from gui.studies.page.job_bar import Running
from gui.studies.page.memory import StudyMemory
from gui.studies.page.open_platform import OpenPlatform
from gui.studies.page.page_actions import LONGER, study_actions
from gui.studies.page.result_views import ResultViews
from gui.studies.page.use_in_plan import UseInPlan
from gui.studies.picture.edited_view import EditedPictureView
from machines.errors import PlacewiseError
from machines.stopping import Stopped

_IN_STATUS = 3  # figures
_OF_DATA = "scaling"  # the study whose data have columns
_NOTHING_YET = "Stopped before the first figure."
_OF_BEFORE = "an entry is wrong; the answer shown is for the previous entries"
_PROGRESS_WIDTH = 36 * GRID


class StudyPanel(QWidget):
    """The form, the answer and the pictures of one study.

    `memory`: of what was entered last. `filled`: with all that it holds; else `fill` makes that,
    where the panel is in its place.
    """

    finished = Signal(object)  # StudyResult on screen
    checked = Signal(object)  # Check on screen
    told = Signal(object)  # str, what the status line says of the study
    stack_changed = Signal()  # whose steps undo takes

    def __init__(
        self,
        document: Document,
        study: Study,
        memory: StudyMemory | None = None,
        parent: QWidget | None = None,
        *,
        filled: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"study_{study.name}")
        self.setAccessibleName(study.title)
        self._document, self._study, self._memory = document, study, memory
        self._asked_of: Outcome | None = None
        self._plan_of: Outcome | None = None
        self.result: StudyResult | None = None
        self.check: Check | None = None
        self._error = ""
        self._asked: object | None = None
        self._showing = EventLoopSlices(self)
        self.check_action, self.longer_action, self.copy_action = study_actions(self)
        if filled:
            at_once(self.fill())

    def fill(self) -> Generator[None, None, None]:
        """Make form and answer, a part at a time, and ask for the first answer.

        From the outside in: what is put elsewhere with all it holds is looked through again.
        """
        study = self._study
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        self.tabs = CaseTabs(study.title)
        body.addWidget(self.tabs)
        self._stack = QStackedWidget()
        body.addWidget(self._stack, 1)
        self.form = ParameterForm(study.record, filled=False)
        split = FormSplit(self.form)
        self._stack.addWidget(split)
        yield from self.form.fill()
        split.area.fit()
        yield
        if study.name == _OF_DATA:
            self.data_choice = DataChoice(self.form)
        self._open_platform = OpenPlatform(self.form, self._document, study.record)
        self.steps = FormSteps(self.form)
        self.cases = StudyCases(self._document, study, self.form, self.steps, self.tabs)
        self.use = UseInPlan(self._document, study, self.tabs.use_button)
        if self._memory is not None:
            self._remember(self._memory)
        yield
        self._lay_out_answer(split)
        yield
        self._connect()
        self.run()

    @property
    def undo_stack(self) -> QUndoStack:
        """The changes of the parameters, or of the picture that has the focus."""
        widget = QApplication.focusWidget()
        while widget is not None and not isinstance(widget, EditedPictureView):
            widget = widget.parentWidget()
        if widget is None or not self.isAncestorOf(widget):
            return self._document.undo_stack if self.cases.current else self.steps.stack
        return widget.undo_stack

    @property
    def sentence(self) -> QLabel:
        """What to do."""
        return self.head.sentence

    @property
    def reasons(self) -> QLabel:
        """Why the answer is what it is."""
        return self.folds.reasons

    @property
    def notes(self) -> QLabel:
        """What the answer rests on."""
        return self.folds.notes

    @property
    def apply_button(self) -> QPushButton:
        """Makes the recommended plan the current one."""
        return self.head.apply_button

    @property
    def tools(self) -> tuple[QAction, ...]:
        """What the toolbar offers while this page is in sight."""
        return (self.check_action, self.longer_action)

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written: the answer, and the view that is open."""
        place = self.views.current()
        page = None if place < 0 else self.views.page(place)
        own = getattr(page, "exports", None)
        return (self.copy_action, *(own.actions if isinstance(own, Exports) else ()))

    @property
    def status(self) -> str:
        """The answer in figures, and what a simulation said of it; or why there is no answer."""
        is_old = self.form.values() is None
        if self.result is None or (self._error and not is_old):
            return "  ·  ".join(filter(None, (self._study.title, self._error)))
        figures = [f"{fact.name} {fact.text}" for fact in self.result.facts[:_IN_STATUS]]
        figures = figures or [self.result.headline]
        if self.check is not None and self.check.complete:
            figures.append(f"checked: {self.check.sentence}")
        if is_old:
            figures = [_OF_BEFORE]
        case = (f"“{self.cases.current}”",) if self.cases.current else ()
        return "  ·  ".join((self._study.title, *case, *figures))

    def run(self) -> None:
        """Answer the question for the form's parameters; an unfinished run gives way."""
        self._showing.finish()
        self.checking.drop()
        self._dim(True)
        self.use.forget(self.cases.subject)
        self._asked = parameters = self._parameters()
        if parameters is not None:
            self._asked_of = self._document.outcome
            known = self.cases.known(parameters)
            if known is None:
                self.running.start(partial(answered, self._study, parameters))
            else:
                self.running.drop()
                self._take(known)

    def open_on(self, subject: Subject) -> None:
        """A case with the values of a task, an overlay or a machine of the project."""
        self.tabs.compare_button.setChecked(False)
        self.cases.open_on(subject)

    def show_settings(self, record: object) -> None:
        """Settings that stand alone: those of a record."""
        self.tabs.compare_button.setChecked(False)
        self.cases.choose("")
        self.form.set_values({name: getattr(record, name) for name in self.form.names})

    def start_check(self, times: int = 1) -> None:
        """Simulate the chosen case for the form's parameters, or so many times as much of it."""
        self._showing.finish()
        parameters = self._parameters()
        if parameters is not None and self._study.check is not None:
            more = {} if times == 1 else {"times": times}
            self.checking.start(partial(self._study.check, parameters, **more))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._showing.drop()
        self.running.close_jobs()
        self.checking.close_jobs()
        self.use.close_jobs()
        self.cases.close_jobs()
        super().closeEvent(event)

    def _remember(self, memory: StudyMemory) -> None:
        """Begin with what was entered last, else with the project's own; keep what is entered."""
        self.form.blockSignals(True)
        self.form.set_values(memory.values(self._study) or self._open_platform.own_values())
        self.form.blockSignals(False)
        self.steps.begin()

        def keep(values: dict[str, object]) -> None:
            if not self.cases.current:
                memory.keep(self._study, values)

        self.form.changed.connect(keep)

    def _parameters(self) -> object | None:
        """The record; ``None`` while an entry is wrong or the problem is missing."""
        values, outcome = self.form.values(), self._document.outcome
        if values is None:
            return None
        if self._study.needs_problem:
            if outcome is None:
                return None
            values["problem"] = outcome.problem
        try:
            record: object = self._study.record(**values, **self._open_platform.inputs())
        except PlacewiseError as error:
            self._tell_error(error)
            return None
        return record

    def _take(self, result: object) -> None:
        if isinstance(result, StudyResult):
            self._showing.start(self._shown_in_turns(result, self.finished.emit))

    def _show_partial(self, result: object) -> None:
        if isinstance(result, StudyResult):
            self._showing.start(self._shown_in_turns(result))

    def _shown_in_turns(
        self, result: StudyResult, then: Callable[[StudyResult], None] | None = None
    ) -> Iterator[None]:
        """Show an answer, what is said of it before the picture; `then` tell it if it is whole."""
        yield from self.views.prepare(result)
        self._dim(self.form.values() is None)  # an entry that became wrong since it was asked
        self.head.show_answer(result)
        self.folds.show_answer(result)
        yield
        self.views.show_result(result)
        self.result, self.check, self._error = result, None, ""
        if then is not None:
            self._plan_of = self._asked_of
            self.cases.remember(self._asked, result)
            self.use.offer(self.cases.subject, self._asked, result)
        self._show_buttons()
        self.told.emit(self.status)
        if then is not None:
            then(result)

    def _take_check(self, check: object) -> None:
        self._show_check(check)
        self.checked.emit(check)

    def _show_check(self, check: object) -> None:
        if isinstance(check, Check) and self.result is not None:
            self.check = check
            self.head.show_check(check)
            self.folds.show_check(check)
            self.views.show_result(self.result, check)
            self.told.emit(self.status)

    def _dim(self, dimmed: bool) -> None:
        """Show an old answer dimmed until a new one comes."""
        for part in (self.views, self.head, self.folds):
            part.set_dimmed(dimmed)

    def _tell_error(self, error: PlacewiseError) -> None:
        self._showing.drop()
        if isinstance(error, Stopped):  # as the user wished: nothing is wrong
            said = _NOTHING_YET
            self.head.show_notice(said)
        else:
            said = self.form.refuse(error)
            self.head.show_error(said)
        self.folds.clear()
        self._error = said
        self.told.emit(self.status)

    def _copy(self) -> None:
        if self.result is not None:
            lines = (self.result.sentence, facts_line(self.result), *self.result.reasons)
            QApplication.clipboard().setText("\n".join(filter(None, lines)))

    def _follow_entry(self) -> None:
        self._show_buttons()
        if self.form.values() is None:  # what is shown answers something else
            self._dim(True)
            self.told.emit(self.status)

    def _show_buttons(self) -> None:
        self.apply_button.setVisible(self._plan() is not None)
        self.copy_action.setEnabled(self.result is not None)
        self.check_action.setVisible(self._study.check is not None and self.result is not None)
        idle = not self.running.is_busy and not self.checking.is_busy
        self.check_action.setEnabled(idle and self.form.values() is not None)
        narrows = getattr(self._study.check, "repeats", False)
        self.longer_action.setVisible(narrows and self.check_action.isVisible())
        self.longer_action.setEnabled(self.check_action.isEnabled())

    def _plan(self) -> Plan | None:
        """The plan to apply: one for the open workload and platform that is not current yet."""
        if self.result is None or self.result.recommendation is None or self._plan_of is None:
            return None
        plan, project = self.result.recommendation.plan, self._document.project
        fits = (
            self._plan_of.project.workload is project.workload
            and self._plan_of.project.platform is project.platform
        )
        return plan if fits and not plan.alike(project.plan) else None

    def _apply(self) -> None:
        plan = self._plan()
        if plan is not None:
            self._document.adopt(plan, f"Apply {self._study.title.lower()}")

    def _connect(self) -> None:
        self.form.changed.connect(lambda _values: self.run())
        self.cases.switched.connect(self.stack_changed)
        self.cases.switched.connect(lambda: self.tabs.compare_button.setChecked(False))
        self.cases.failed.connect(self._tell_error)
        self.tabs.compare_button.toggled.connect(self._compare)
        self._open_platform.changed.connect(self.run)
        self.form.edited.connect(self._follow_entry)
        self.views.edited.connect(self.steps.write)
        self.views.adopted.connect(self.form.set_values)
        self.apply_button.clicked.connect(self._apply)
        self.check_action.triggered.connect(lambda _on=False: self.start_check())
        self.longer_action.triggered.connect(lambda _on=False: self.start_check(LONGER))
        self.copy_action.triggered.connect(self._copy)
        self.running.done.connect(self._take)
        self.running.partial.connect(self._show_partial)
        self.running.failed.connect(self._tell_error)
        self.checking.done.connect(self._take_check)
        self.checking.partial.connect(self._show_check)
        self.checking.failed.connect(self.head.show_check_error)
        for running in (self.running, self.checking):
            running.busy.connect(lambda _busy: self._show_buttons())
        if self._study.needs_problem:
            self._document.outcome_changed.connect(lambda _outcome: self.run())

    def _compare(self, wished: bool) -> None:
        """Show all cases side by side, or the one in sight again."""
        if wished and self._stack.count() == 1:
            self._stack.addWidget(CaseComparison(self._document, self._study))
        self._stack.setCurrentIndex(int(wished))

    def _lay_out_answer(self, split: FormSplit) -> None:
        answer = QWidget()
        split.put_beside(answer)
        column = QVBoxLayout(answer)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        self.head, self.views, self.folds = AnswerHead(self._study.question), ResultViews(), Folds()
        column.addWidget(self.head)
        column.addWidget(self.views, 1)
        column.addWidget(self.folds)
        self.folds.leave_room(self.views.stage)
        name = self._study.name
        self.running = Running("study_running", f"study {name}")
        self.checking = Running("check_running", f"check of {name}")
        for running in (self.running, self.checking):
            running.setMaximumWidth(_PROGRESS_WIDTH)
            self.folds.row.addWidget(running, 10)  # all the room that is left
