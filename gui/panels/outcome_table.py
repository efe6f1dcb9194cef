"""A table of the latest prediction: it follows the document's selection and sets it."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QCloseEvent

from advisor.allocation.workload import Workload
from advisor.basics.stop_rule import ShouldStop
from advisor.basics.units import Unit
from gui.basics.background_jobs import LatestWins
from gui.document.document import Document, Outcome, Selection
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column
from machines.arrays import Flags, Floats


class OutcomeTable(DataTable):
    """A table of the latest prediction that follows the document.

    Its columns are made off the window's thread, what depends on the workload alone once.
    """

    def __init__(self, document: Document, name: str, title: str) -> None:
        super().__init__(name, title)
        self.document = document
        self._shown: Outcome | None = None
        self._workload: Workload | None = None
        self._fixed: list[Column] = []
        self._jobs = LatestWins(self, name)
        self._jobs.done.connect(self._show)
        document.changed.connect(self._dim_if_old)
        document.replaced.connect(self._start_over)
        document.outcome_changed.connect(self._take)
        document.selection_changed.connect(self._follow)
        self.rows_selected.connect(self._choose)
        if document.outcome is not None:
            self._take(document.outcome)

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """The columns that do not change with the plan."""
        raise NotImplementedError

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """All columns of a prediction, `fixed` among them; called on a thread of their own."""
        raise NotImplementedError

    def chosen_in(self, outcome: Outcome, selection: Selection) -> frozenset[int]:
        """Which rows of an outcome a selection means."""
        raise NotImplementedError

    def choice(self, outcome: Outcome, rows: tuple[int, ...]) -> Selection:
        """What is selected with these rows of an outcome; without any, nothing."""
        raise NotImplementedError

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the background work."""
        self._jobs.close()
        super().closeEvent(event)

    def _take(self, outcome: Outcome) -> None:
        workload = outcome.project.workload
        known = self._fixed if workload is self._workload else None

        def job(_stop: ShouldStop) -> object:
            fixed = self.fixed_columns(workload) if known is None else known
            return outcome, fixed, self.columns_for(outcome, fixed)

        self._jobs.request(job)

    def _show(self, found: tuple[Outcome, list[Column], list[Column]]) -> None:
        outcome, self._fixed, columns = found
        self._workload = outcome.project.workload
        if self.document.outcome is outcome:
            self._shown = outcome
            self.set_columns(columns)
            self._dim_if_old()
            self._follow(self.document.selection)

    def _start_over(self, _project: object) -> None:
        """Other tasks or machines: no row is left."""
        self._shown = None
        self.set_columns(())

    def _dim_if_old(self, _project: object = None) -> None:
        old = self._shown is not None and self._shown.project is not self.document.project
        self.columns_model.set_dimmed(old)

    @property
    def _followed(self) -> Outcome | None:
        """What is in sight, while its positions are the document's."""
        shown = self._shown
        return (
            None if shown is None or not shown.project.same_places(self.document.project) else shown
        )

    def _follow(self, selection: Selection) -> None:
        outcome = self._followed
        wanted = frozenset[int]() if outcome is None else self.chosen_in(outcome, selection)
        if wanted != self._wanted:
            self.select_rows(wanted)

    def _choose(self, rows: tuple[int, ...]) -> None:
        if (outcome := self._followed) is not None:
            self.document.select(self.choice(outcome, rows) if rows else Selection())


def seconds(heading: str, hint: str, values: Floats, *beside: Floats) -> Column:
    """A column of times, in one unit with those in the columns `beside` that it is read against."""
    return Column(heading, f"{hint} (s)", values, Unit.of_times(values, *beside).text, "s")


def amounts(heading: str, hint: str, values: Floats, unit: str) -> Column:
    """A column of amounts, in one unit."""
    return Column(heading, hint, values, Unit.of(unit, values).text, unit)


def ratio(time_s: Floats, alone_s: Floats) -> Floats:
    """Time over time alone; 1 where both are 0."""
    return np.divide(time_s, alone_s, out=np.ones_like(time_s), where=alone_s > 0)


def critical(hint: str, flags: Flags) -> Column:
    """A column that marks what is on the critical path."""
    return Column("critical", hint, flags, lambda flag: "● critical" if flag else "")
