"""What the plan decides about the selected task or overlay: every option with what it would cost.

Options come from the records of decisions, whatever their kind, and are priced off the window's
thread; the latest request wins. Choosing one is one undo step.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from advisor.allocation.objectives import MAKESPAN
from advisor.basics.quantities import duration
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import Unit
from advisor.decisions.prices import Priced, PricedDecision, of_overlay, of_task, priced
from advisor.project import decision_edits
from gui.basics.background_jobs import LatestWins, OnProgress
from gui.basics.theme import GRID
from gui.document.document import Document, Outcome, Selection
from gui.form.error_label import error_label
from gui.inspector.price_chips import CHIP, Chip, NameDelegate, PriceDelegate, chip_of, unit_of
from machines.errors import PlacewiseError, capital
from machines.parameters import spoken
from machines.stopping import Stopped, stoppable

OPTION, PRICE, LATENCY = range(3)
_MOST_HIGH = 44 * GRID  # before the list scrolls
_CHOOSE = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
_Place = tuple[int, int]  # decision, option
_PLACE = Qt.ItemDataRole.UserRole + 1


class OptionList(QTreeWidget):
    """The options under the titles of their decisions; a click, Enter or Space chooses."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names may need more lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()
            self.resized.emit()

    @contextmanager
    def filled_at_once(self) -> Iterator[None]:
        """Rows are laid out when all of them are written: each text would lay all out anew."""
        self.model().blockSignals(True)
        try:
            yield
        finally:
            self.model().blockSignals(False)
            self.header().doItemsLayout()
            self.doItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space choose the row in focus, other keys go from row to row."""
        item = self.currentItem()
        if event.key() in _CHOOSE and item is not None:
            self.itemClicked.emit(item, OPTION)
        else:
            super().keyPressEvent(event)


class PlanChoices(QWidget):
    """The section "Plan's choices" of the inspector; hidden where the plan has nothing to choose.

    `shown`: what is on screen.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan-choices")
        self.setAccessibleName("Section of the plan's choices")
        self._document = document
        self.shown: tuple[PricedDecision, ...] = ()
        self._basis: tuple[Selection, Outcome] | None = None
        self._jobs = LatestWins(self, "prices of choices")
        self._jobs.progress.connect(self._take)
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._say)
        self._heading = QLabel("Plan's choices, each alone")
        self._heading.setProperty("role", "headline")
        self._heading.setToolTip(
            "What the plan decides here, and the objective under each option, other decisions "
            "unchanged"
        )
        self.options = self._option_list()
        self.message = error_label("error.plan-choices")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID // 2, 0, GRID // 2)
        column.setSpacing(GRID // 2)
        for widget in (self._heading, self.options, self.message):
            column.addWidget(widget)
        document.outcome_changed.connect(self._ask)
        document.selection_changed.connect(self._ask)
        document.outcome_failed.connect(self._say_about_overlay)
        self._forget()
        self._ask()

    def close_jobs(self) -> None:
        """End the worker thread."""
        self._jobs.close()

    @property
    def is_busy(self) -> bool:
        """Whether options are still being priced."""
        return self._jobs.is_busy

    def _option_list(self) -> OptionList:
        found = OptionList()
        found.setObjectName("plan-choices.options")
        found.setAccessibleName("Plan's choices")
        found.setToolTip("A click or Enter chooses an option; its cost is beside it")
        found.setAccessibleDescription("Options with what they cost; Enter chooses one")
        found.setHeaderLabels(["Option", _against_now(MAKESPAN), "Latency"])
        found.setItemDelegateForColumn(PRICE, PriceDelegate(found))
        found.setRootIsDecorated(False)
        found.setIndentation(GRID)
        found.setItemsExpandable(False)
        found.setWordWrap(True)
        found.setItemDelegateForColumn(OPTION, NameDelegate(found))
        found.setAlternatingRowColors(True)
        found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = found.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionResizeMode(OPTION, QHeaderView.ResizeMode.Stretch)
        for column in (PRICE, LATENCY):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        found.itemClicked.connect(self._choose)
        found.resized.connect(self._fit)
        return found

    # What is asked -----------------------------------------------------------------------

    def _ask(self, _change: object = None) -> None:
        """Price the options of what is selected; nothing while there is no prediction of it."""
        document, outcome = self._document, self._document.outcome
        chosen = document.selection
        if self._basis is not None and self._basis[0] != chosen:
            self._forget()
        if outcome is None or outcome.project is not document.project:
            return
        if not _has_any(outcome, chosen):
            self._forget()
            return
        self._basis = (chosen, outcome)
        problem, plan = outcome.problem, outcome.project.plan
        objective, task = outcome.project.objective, next(iter(chosen.tasks), None)

        def job(should_stop: ShouldStop, on_progress: OnProgress) -> object:
            found: tuple[PricedDecision, ...] = ()
            with stoppable(should_stop):
                kinds = of_overlay() if task is None else of_task(problem, plan, task)
                subject = chosen.overlay if task is None else task
                assert subject is not None
                for found in priced(problem, plan, kinds, subject, objective):
                    on_progress(found)
            return found

        self._jobs.request_reporting(job)

    def _forget(self) -> None:
        self._jobs.cancel()
        self._basis, self.shown = None, ()
        self.options.clear()
        self.message.hide()
        self.hide()

    # What is shown -----------------------------------------------------------------------

    def _take(self, told: object) -> None:
        assert isinstance(told, tuple)
        if self._basis is None:
            return
        found = tuple(one for one in told if len(one.options) > 1)  # one alone is no choice
        alike = [_content(one) for one in found] == [_content(one) for one in self.shown]
        self.shown = found
        self.message.hide()
        if not alike:
            self._build()
        options = [option for decision in found for option in decision.options]
        units = unit_of(options, found[0].now_s if found else 0.0), _latency_unit(options)
        with self.options.filled_at_once():
            for place, decision in enumerate(found):
                self._fill(place, decision, *units)
        self.setVisible(bool(found))
        objective = self._basis[1].project.objective
        self.options.headerItem().setText(PRICE, _against_now(objective))
        self._fit()

    def _build(self) -> None:
        """Rows without their prices; the place of the keyboard is kept."""
        now = self.options.currentItem()
        place = None if now is None else now.data(OPTION, _PLACE)
        self.options.clear()
        for number, decision in enumerate(self.shown):
            group = QTreeWidgetItem(self.options, [decision.kind.title])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.setFirstColumnSpanned(True)
            group.setToolTip(OPTION, decision.kind.help)
            bold = QFont(self.font())
            bold.setBold(True)
            group.setFont(OPTION, bold)
            for row in range(len(decision.options)):
                item = QTreeWidgetItem(group)
                item.setData(OPTION, _PLACE, (number, row))
                if (number, row) == place:
                    self.options.setCurrentItem(item)
        self.options.expandAll()

    def _fit(self) -> None:
        """As high as its rows, up to a limit."""
        self._share_width()
        height = self.options.header().sizeHint().height() + GRID // 2
        item = self.options.topLevelItem(0)
        while item is not None:
            height += self.options.visualItemRect(item).height()
            item = self.options.itemBelow(item)
        self.options.setFixedHeight(min(height, _MOST_HIGH))

    def _share_width(self) -> None:
        """Names whose words lack room get that of the latencies, which the tooltips have, too."""
        options, header = self.options, self.options.header()
        known = any(np.isfinite(one.latency_s) for kind in self.shown for one in kind.options)
        options.setColumnHidden(LATENCY, not known)
        beside = (
            max(options.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in (PRICE, LATENCY)
        )
        if known and options.viewport().width() - sum(beside) < options.sizeHintForColumn(OPTION):
            options.setColumnHidden(LATENCY, True)

    def _fill(
        self, place: int, decision: PricedDecision, differences: Unit, latencies: Unit
    ) -> None:
        """What is known of the options of one decision, in the units of their columns."""
        group = self.options.topLevelItem(place)
        if group is None:
            return
        for row, option in enumerate(decision.options):
            item, chip = group.child(row), chip_of(option, decision.now_s, differences)
            if item is None:
                continue
            font = QFont(self.font())
            font.setBold(option.is_present)
            item.setFont(OPTION, font)
            item.setText(OPTION, _name(option, decision))
            item.setText(PRICE, chip.text)
            item.setData(PRICE, CHIP, chip)
            if np.isfinite(option.latency_s):
                item.setText(LATENCY, latencies.text(option.latency_s))
            tip = _tip(option, decision, chip)
            for column in (OPTION, PRICE, LATENCY):
                item.setToolTip(column, tip)
            item.setData(OPTION, Qt.ItemDataRole.AccessibleTextRole, tip)

    # What is chosen ----------------------------------------------------------------------

    def _choose(self, item: QTreeWidgetItem, _column: int = OPTION) -> None:
        place = item.data(OPTION, _PLACE)
        if place is None or self._basis is None:
            return
        decision = self.shown[place[0]]
        option = decision.options[place[1]]
        if option.is_present:
            self.message.hide()
            return
        if option.reason:
            self._tell(f"{option.words}: {option.reason}")
            return
        self._put(decision, option)

    def _put(self, decision: PricedDecision, option: Priced) -> None:
        project, outcome = self._document.project, self._document.outcome
        value: Hashable = option.value
        if option.is_stated and not decision.is_open:
            value = None  # what the workload says holds again
        try:
            changed = decision_edits.with_decision(
                project, decision.kind.name, decision.subject, value
            )
        except PlacewiseError as error:
            self._say(error)
            return
        assert outcome is not None
        name = decision.kind.subject(outcome.problem, decision.subject)
        self.message.hide()
        self._document.apply(changed, f"{decision.kind.title} of {name}: {option.words}")

    def _say_about_overlay(self, error: object) -> None:
        """The edit of an overlay left nothing that can run."""
        if self._document.selection.overlay is not None:
            self._jobs.cancel()  # prices of what was before would take its place
            self._say(error)

    def _say(self, error: object) -> None:
        if isinstance(error, PlacewiseError) and not isinstance(error, Stopped):
            self._tell(spoken(error, ()).text)

    def _tell(self, text: str) -> None:
        self.message.setText(text)
        self.message.show()
        self.show()


def _latency_unit(options: Sequence[Priced]) -> Unit:
    """One unit for all latencies."""
    known = np.array([one.latency_s for one in options if np.isfinite(one.latency_s)])
    # its ends say the unit; digits for every near pair would take the names' room
    return Unit.of_times(known.min(), known.max()) if known.size else Unit.of_times()


def _has_any(outcome: Outcome, chosen: Selection) -> bool:
    """Whether a plan could decide anything about what is selected."""
    if chosen.overlay is not None:
        return chosen.overlay < len(outcome.project.workload.overlays)
    if len(chosen.tasks) != 1:
        return False
    task = next(iter(chosen.tasks))
    return bool(of_task(outcome.problem, outcome.project.plan, task))


def _against_now(objective: str) -> str:
    """The heading of differences, in two lines: the names should have the room."""
    return f"{objective.capitalize()}\nagainst now"


def _content(decision: PricedDecision) -> tuple[object, ...]:
    """What makes rows: decision, subject and options."""
    return decision.kind.name, decision.subject, tuple(one.value for one in decision.options)


def _name(option: Priced, decision: PricedDecision) -> str:
    stated = "as stated" if option.is_stated and not decision.is_open else ""
    remarks = ", ".join(filter(None, (stated, "best" if option.is_best else "")))
    chosen = "✓ " if option.is_present else ""
    name = f"{chosen}{capital(option.words)}"
    return f"{name} ({remarks})" if remarks else name


def _tip(option: Priced, decision: PricedDecision, chip: Chip) -> str:
    said = [f"{decision.kind.title}: {option.words}"]
    if option.is_present:
        said.append("what the plan has")
    if option.is_stated:
        said.append("by default" if decision.is_open else "what the workload states")
    if option.is_best:
        said.append("best here, other decisions unchanged")
    said.append(option.reason or chip.sentence)
    if np.isfinite(option.latency_s):
        said.append(f"latency {duration(option.latency_s)}")
    return "; ".join(filter(None, said))
