"""The switch above the board that shows a run beside the plan, in sight while there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from gui.board.board_folds import Folds
from gui.board.run_bars import Happened
from gui.board.run_view import RunView
from gui.document.actuals import Actuals, Review

_TIP = (
    "Show the run below the prediction: outlines are the plan, filled bars the run; × is actual "
    "over predicted seconds"
)


class RunSwitch(QCheckBox):
    """Hands the run that is looked at to the schedule, or none.

    A run that goes on is shown by `follow` until it is over.
    """

    def __init__(
        self, folds: Folds, view: RunView, actuals: Actuals | None, parent: QWidget
    ) -> None:
        super().__init__("Actual run", parent)
        self.setObjectName("board-run")
        self.setToolTip(_TIP)
        self._folds, self._view = folds, view
        self._reviewed: Happened | None = None
        self._live: Happened | None = None
        self._on_schedule = True
        self.clicked.connect(folds.set_run)
        folds.changed.connect(self._show)
        if actuals is not None:
            actuals.reviewed.connect(self._take)
            self._take(actuals.review)
        self._show()

    def follow(self, happened: Happened | None) -> None:
        """Show a run while it goes on; None: it is over."""
        self._live = happened
        self._show()

    def set_view(self, name: str) -> None:
        """Another view of the board is in front; the schedule alone has lanes over time."""
        self._on_schedule = name == "schedule"
        self._show()

    def _take(self, review: Review | None) -> None:
        actual = None if review is None else review.actual
        known = self._reviewed
        if actual is None:
            self._reviewed = None
        elif known is None or known.actual is not actual:
            self._reviewed = Happened(actual)
        self._show()

    def _show(self) -> None:
        happened = self._live or self._reviewed
        self.setVisible(happened is not None and self._on_schedule)
        self.setChecked(self._folds.run)
        self._view.show_happened(happened if self._folds.run else None)
