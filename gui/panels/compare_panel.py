"""Strategies side by side: the current plan, pinned plans and what any strategy finds.

Pins live in the project, so that every change of them is an undo step. Strategies search in a
process of their own; the rows are predicted off the window's thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import duration
from advisor.basics.stop_rule import ShouldStop
from advisor.search.titles import title_of
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.event_loop_slices import at_once
from gui.basics.line_dialog import ask_line
from gui.basics.progress_bar import ProgressBar
from gui.basics.theme import GRID, theme
from gui.board.board_folds import Folds
from gui.document.advise import Advice
from gui.document.document import Document, Outcome
from gui.panels.adopt_menu import AdoptedGains, AdoptMenu
from gui.panels.compare_columns import (
    CURRENT,
    Comparison,
    best_sentence,
    columns_of,
    compared,
    groups_of,
)
from gui.panels.compare_pictures import EMPTY, ComparePictures, Pictures
from gui.panels.folded_line import FoldedLine
from gui.panels.pins import Pins
from gui.panels.strategy_menu import strategy_menu
from gui.panels.strategy_runs import StrategyRuns
from gui.tables.data_table import DataTable
from machines.errors import PlacewiseError


class ComparePanel(QWidget):
    """The table and the bars of all pins, and the commands on them.

    `pictures`: made before; left out, they are made now.
    """

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        *,
        pictures: Pictures | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("compare")
        self.setAccessibleName("Strategies side by side")
        self._document = document
        self.pins = Pins(document)
        self.comparison: Comparison | None = None
        self._advice: Advice | None = None
        self.runs = StrategyRuns(document, self)
        self.table = DataTable("compare_table", "Plans side by side")
        self._made = pictures or at_once(Pictures.in_parts(document))
        self.bars_panel, self.two, self.trade_off = self._made
        self.bars = self.bars_panel.bars
        self.takings = AdoptedGains(self)
        self.adopt_menu = AdoptMenu(self.takings, self.selected_name, self)
        self.adopt_menu.adopt_asked.connect(lambda asked: self.pins.adopt(*asked))
        self.line = FoldedLine("compare_line")
        self.status = self.line.message
        self.progress = ProgressBar()
        self.progress.setObjectName("compare_progress")
        self.progress.setRange(0, 100)
        self.progress.setMinimumWidth(40 * GRID)
        self._jobs = LatestWins(self, "comparison")
        self._jobs.done.connect(self._take)
        self._jobs.failed.connect(self._tell)
        self._lay_out()
        self.table.row_activated.connect(self._adopt_row)
        self.table.rows_selected.connect(self._choose)
        self.two.adopt_asked.connect(self.pins.adopt)
        self.trade_off.measure_changed.connect(self._show_columns)
        self.trade_off.plot.chosen.connect(self._select)
        self.runs.found.connect(lambda found: self.pins.add(*found))
        self.runs.refused.connect(self._show_refusals)
        self.runs.busy.connect(self._show_busy)
        self.runs.told.connect(self._show_progress)
        document.changed.connect(self._project_changed)
        document.outcome_changed.connect(self._compare)
        document.replaced.connect(self._start_over)
        theme().changed.connect(self._draw)
        self._show_busy(False)
        self._draw()

    def show_advice(self, advice: Advice) -> None:
        """Measure the gaps by what the search proved."""
        self._advice = advice
        if self._document.outcome is not None:
            self._compare(self._document.outcome)

    def pin_current(self) -> None:
        """Pin the current plan, named by its origin and what it takes; one undo step."""
        project, outcome = self._document.project, self._document.outcome
        strategy = project.plan.strategy
        name = "by hand" if strategy == "manual" else title_of(strategy)
        if outcome is not None and outcome.project is project:
            name += f", {duration(outcome.prediction.value_s(project.objective))}"
        self.pins.add(name, project.plan)

    def add_strategies(self, names: Sequence[str]) -> None:
        """Search with these strategies, one after the other, and pin what each finds."""
        self.runs.add(names)

    def cancel(self) -> None:
        """Stop the search and keep its best so far; those that wait are dropped."""
        self.runs.cancel()

    def follow(self, folds: Folds) -> None:
        """Show slack and utilisation where the board does."""
        self.two.plans.follow(folds)

    def selected_name(self) -> str | None:
        """The pin of the selected row; ``None`` for the current plan or no row."""
        rows = self.table.selected()
        return self._name_at(rows[0]) if rows else None

    def showEvent(self, event: QShowEvent) -> None:
        """Compare what was put off while the panel was hidden."""
        super().showEvent(event)
        outcome = self._document.outcome
        if outcome is not None and (
            self.comparison is None or self.comparison.outcome is not outcome
        ):
            self._compare(outcome)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the background work."""
        self.close_jobs()
        super().closeEvent(event)

    def close_jobs(self) -> None:
        """End the search process and the threads."""
        self._jobs.close()
        self.takings.close()
        self.two.plans.close_jobs()
        self.runs.close()

    def _compare(self, outcome: Outcome) -> None:
        if not self.isVisible():
            return  # made up for when the panel is shown

        advice = self._advice
        bound_s = 0.0
        if advice is not None and advice.answers(outcome.project):
            bound_s = advice.recommendation.bound_s
        before = self.pins.before_change

        def job(should_stop: ShouldStop) -> Comparison:
            return compared(outcome, should_stop, bound_s, before)

        self._jobs.request(job)

    def _take(self, comparison: object) -> None:
        if isinstance(comparison, Comparison):
            self.comparison = comparison
            self._draw()
            self._set_dimmed(comparison.outcome.project is not self._document.project)

    def _project_changed(self, _project: object = None) -> None:
        if self.comparison is not None:
            self._set_dimmed(self.comparison.outcome.project is not self._document.project)

    def _start_over(self, _project: object = None) -> None:
        self.comparison = self._advice = None
        self.runs.forget()
        self.status.clear()
        self._draw()

    def _draw(self) -> None:
        comparison = self.comparison
        if comparison is None:
            self.table.set_columns(())
            self.bars.set_groups(())
        else:
            self._show_columns()
            self.bars.set_groups(groups_of(comparison))
            self._show_sentence()
        self._show_refusals()
        self.two.take(comparison, keep=self.runs.is_busy)
        self.trade_off.take(comparison)
        self.takings.show_comparison(comparison)
        self._mark(self.table.selected())
        self.bars_panel.refresh_table()
        self._enable()

    def _show_columns(self) -> None:
        if self.comparison is not None:
            self.table.set_columns(columns_of(self.comparison, self.trade_off.measure))

    def _show_sentence(self) -> None:
        """What to do next, or which plan is best."""
        if self.comparison is not None:
            alone = len(self.comparison.rows) == 1
            adopt = f"{best_sentence(self.comparison)} Double-click a plan to adopt it."
            self.status.setText(EMPTY if alone else adopt)

    def _set_dimmed(self, dimmed: bool) -> None:
        self.table.columns_model.set_dimmed(dimmed)
        self.bars_panel.set_dimmed(dimmed)
        self.two.set_dimmed(dimmed)
        self.trade_off.set_dimmed(dimmed)

    def _tell(self, error: PlacewiseError) -> None:
        self.status.setText(sentence(error))

    def _show_busy(self, busy: bool) -> None:
        """While strategies search, rows and the two plans shown keep their places."""
        self.progress.setVisible(busy)
        self.cancel_button.setVisible(busy)
        self.table.columns_model.hold(busy)
        if not busy:
            self.two.take(self.comparison)

    def _show_progress(self, told: tuple[int, tuple[str, ...]]) -> None:
        share, words = told
        self.progress.setValue(share)
        self.progress.say(*words)

    def _show_refusals(self) -> None:
        misfits = () if self.comparison is None else self.comparison.misfits
        if misfits:
            reasons = [(name, f"no longer fits: {why}") for name, why in misfits]
            self.line.refuse([*self.runs.refusals, *reasons], ("plan", "plans"))
        else:
            self.line.refuse(self.runs.refusals)

    def _adopt_row(self, row: int) -> None:
        name = self._name_at(row)
        if name is not None:
            self.pins.adopt(name)

    def _name_at(self, row: int) -> str | None:
        rows = self.comparison.rows if self.comparison is not None else ()
        return rows[row][0] if 1 <= row < len(rows) else None

    def _on_selected(self, command: str) -> None:
        name = self.selected_name()
        if name is None:
            return
        if command == "unpin":
            self.pins.remove(name)
        else:
            ask_line(
                self, "rename_dialog", "Rename", "Name of this plan",
                lambda new: self.pins.rename(name, new), value=name,
            )  # fmt: skip

    def _select(self, names: tuple[str, ...]) -> None:
        """Select the rows of plans, as if in the table."""
        shown = self.comparison.rows if self.comparison is not None else ()
        rows = tuple(row for row, (name, _) in enumerate(shown) if name in names)
        self.table.select_rows(frozenset(rows))
        self._choose(rows)

    def _choose(self, rows: tuple[int, ...]) -> None:
        """One row is set against the current plan, two against each other."""
        names = self._mark(rows)
        if len(names) == 1 and names[0] != CURRENT:
            names = [CURRENT, *names]
        if len(names) == 2:
            self.two.choose(names[0], names[1])
        self._enable()

    def _mark(self, rows: tuple[int, ...]) -> list[str]:
        """The names of rows, whose points get a ring."""
        shown = self.comparison.rows if self.comparison is not None else ()
        names = [shown[row][0] for row in rows]
        self.trade_off.plot.select(frozenset(names))
        return names

    def _enable(self, _rows: object = None) -> None:
        chosen = self.selected_name() is not None
        for command in self.commands.values():
            command.setEnabled(chosen)

    def _lay_out(self) -> None:
        self.pin_button = QPushButton("Pin current plan")
        self.pin_button.setObjectName("compare_pin")
        self.pin_button.setToolTip("Keep the current plan for comparison (one undo step)")
        self.pin_button.clicked.connect(self.pin_current)
        self.strategy_button = QToolButton()
        self.strategy_button.setObjectName("compare_strategies")
        self.strategy_button.setText("Add strategy")
        self.strategy_button.setAccessibleName("Add the result of a strategy")
        self.strategy_button.setToolTip("Search with a strategy and pin its plan")
        self.strategy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = strategy_menu(lambda names: self.add_strategies(names), self)  # noqa: PLW0108 - later
        self.strategy_button.setMenu(menu)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("compare_cancel")
        self.cancel_button.setToolTip("Stop the search and keep its best so far")
        self.cancel_button.clicked.connect(self.cancel)
        adopt = self.adopt_menu.menuAction()
        adopt.setObjectName("compare_adopt")
        adopt.setToolTip("Make this the current plan, all of it or one decision (one undo step)")
        self.commands = {"adopt": adopt} | {
            name: self._command(name, text, hint)
            for name, text, hint in (
                ("rename", "Rename…", "Give this plan another name"),
                ("unpin", "Unpin", "Remove this plan (one undo step)"),
            )
        }
        head = QHBoxLayout()
        head.setContentsMargins(GRID, GRID, GRID, 0)
        head.setSpacing(GRID)
        head.addWidget(self.pin_button)
        head.addWidget(self.strategy_button)
        for action in self.commands.values():
            button = QToolButton()
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)  # what has a menu
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.progress)
        head.addWidget(self.cancel_button)
        for widget in (self.progress, self.cancel_button):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # the row is as high with them as without
            widget.setSizePolicy(policy)
        self.table.addActions(list(self.commands.values()))
        self.splitter = splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("compare_splitter")
        # from the outside inwards: whatever is put somewhere takes over the look of all around it
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(head)
        body.addWidget(self.line)
        body.addWidget(splitter, 1)
        splitter.addWidget(self.table)
        self.pictures = ComparePictures(self._made, splitter)
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 3)
        splitter.setChildrenCollapsible(False)

    def _command(self, name: str, text: str, hint: str) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"compare_{name}")
        action.setToolTip(hint)
        action.setEnabled(False)
        action.triggered.connect(lambda _on=False: self._on_selected(name))
        return action
