"""What runs teach, a row a calibration: a sentence, figures on demand, a button to take it over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.basics.theme import GRID
from gui.basics.widget_labels import button, said
from gui.document.learner import Calibrations, Learner, Offer, Short
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, Texts

_WAITING = "Calibrating from the runs …"
_NEEDS = "Import a run to calibrate from it."
_HINT = "Each button is one undo step; then Advise again."
_KNOWN = "✓ in the project"
_ROWS = 12  # of a table without its own scroll bar


class LearnView(QWidget):
    """Calibrations of the runs that are looked at."""

    advise_asked = Signal()

    def __init__(self, learner: Learner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("learn")
        self.setAccessibleName("Calibrations from runs")
        self._learner = learner
        self.hint = said("learn_hint", "muted")
        self.all_button = button("Apply all", "learn_all", "Apply all calibrations (one undo step)")
        self.advise_button = button(
            "Advise again", "learn_advise", "Search for the best plan with the calibrated values"
        )
        self.rows: dict[str, CalibrationRow] = {}
        self.short = ShortRow()
        self.short.group_button.clicked.connect(lambda _checked=False: self._group())
        self._column = QVBoxLayout()
        self._lay_out()
        self.all_button.clicked.connect(lambda _checked=False: self._apply_all())
        self.advise_button.clicked.connect(lambda _checked=False: self.advise_asked.emit())
        learner.learnt.connect(lambda _lessons: self.refresh())
        learner.busy.connect(lambda _busy: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Show the newest calibrations; old ones can't be applied."""
        learner = self._learner
        calibrations, current = learner.calibrations, learner.current
        if calibrations is not None:
            text = f"Calibrated from {calibrations.source}. {_HINT}" if current else _WAITING
        elif learner.error is not None:
            text = str(learner.error)
        else:
            text = _WAITING if learner.is_busy else _NEEDS
        self.hint.setText(text)
        offers = () if calibrations is None else calibrations.offers
        names = [one.calibration.name for one in offers]
        if names != list(self.rows):
            self._make_rows(names)
        for offer, row in zip(offers, self.rows.values(), strict=True):
            row.show_offer(offer, current)
        self.short.show_short(None if calibrations is None else calibrations.short, current)
        several = calibrations is not None and calibrations.together is not None
        self.all_button.setVisible(several)
        self.all_button.setEnabled(current)
        self.advise_button.setVisible(calibrations is not None)

    def showEvent(self, event: QShowEvent) -> None:
        """From now on calibrations are worked out."""
        super().showEvent(event)
        self._learner.want(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks at calibrations."""
        super().hideEvent(event)
        self._learner.want(False)

    def _make_rows(self, names: list[str]) -> None:
        for row in self.rows.values():
            self._column.removeWidget(row)
            row.hide()  # until it is deleted it would lie over the new ones
            row.deleteLater()
        self.rows = {name: CalibrationRow(name, self._apply) for name in names}
        for place, row in enumerate(self.rows.values()):
            self._column.insertWidget(place, row)

    def _apply(self, offer: Offer) -> None:
        self._learner.apply(offer.project, f"Calibrate {offer.calibration.title.lower()}")

    def _apply_all(self) -> None:
        calibrations: Calibrations | None = self._learner.calibrations
        if calibrations is not None:
            self._learner.apply(calibrations.together, "Calibrate from runs")

    def _group(self) -> None:
        calibrations: Calibrations | None = self._learner.calibrations
        if calibrations is not None and calibrations.short is not None:
            self._learner.apply(calibrations.short.project, "Group short tasks", replaces=True)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.hint, 1)
        for one in (self.all_button, self.advise_button):
            head.addWidget(one, 0, Qt.AlignmentFlag.AlignTop)
        inside = QWidget()
        inside.setObjectName("learn_rows")
        self._column.setSpacing(GRID)
        self._column.setContentsMargins(0, 0, GRID, 0)
        self._column.addWidget(self.short)
        self._column.addStretch(1)
        inside.setLayout(self._column)
        area = QScrollArea()
        area.setObjectName("learn_scroll")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        body = QVBoxLayout(self)
        body.setContentsMargins(GRID, GRID, GRID, GRID)
        body.setSpacing(GRID)
        body.addLayout(head)
        body.addWidget(area, 1)


class CalibrationRow(QWidget):
    """One calibration."""

    def __init__(self, name: str, apply: Callable[[Offer], None]) -> None:
        super().__init__()
        self.setObjectName(f"lesson_{name}")
        self._offer: Offer | None = None
        self.title, self.sentence = said(f"{name}_title", "headline"), said(f"{name}_said", "")
        self.notes = said(f"{name}_notes", "muted")
        self.state = said(f"{name}_state", "muted")
        self.state.setWordWrap(False)
        self.apply_button = button("Apply", f"{name}_apply", "")
        self.figures = QToolButton()
        self.figures.setObjectName(f"{name}_figures")
        self.figures.setText("Figures")
        self.figures.setCheckable(True)
        self.figures.setAutoRaise(True)
        self.figures.setToolTip("Show or hide the figures behind the sentence")
        self.table = DataTable(f"{name}_table", "Figures of the calibration")
        self.table.hide()
        self.figures.toggled.connect(self._unfold)
        self.apply_button.clicked.connect(
            lambda _checked=False: apply(self._offer) if self._offer is not None else None
        )
        self._lay_out()

    def show_offer(self, offer: Offer, current: bool) -> None:
        """Show a calibration; only a `current` one can be applied."""
        calibration = offer.calibration
        if self._offer is None or self._offer.calibration is not calibration:
            self.setAccessibleName(f"{calibration.title}: {calibration.sentence}")
            self.title.setText(calibration.title)
            self.sentence.setText(f"{calibration.sentence.rstrip('.')}.")
            self.table.set_columns(_columns(offer))
            self.figures.setVisible(bool(calibration.rows))
            self.figures.setAccessibleName(f"Figures of {calibration.title.lower()}")
        self._offer = offer
        told = list(calibration.notes)
        if offer.refused is not None:
            told.insert(0, f"▲ It can't be applied: {offer.refused}")
        self.notes.setText("\n".join(f"{note.rstrip('.')}." for note in told))
        self.notes.setVisible(bool(told))
        self.state.setText(_KNOWN if offer.known else "")
        self.state.setVisible(offer.known)
        self.apply_button.setVisible(offer.project is not None)
        self.apply_button.setEnabled(current)
        self.apply_button.setAccessibleName(f"Apply {calibration.title.lower()}")
        self.apply_button.setToolTip(f"Apply: {calibration.sentence} (one undo step)")
        self.table.columns_model.set_dimmed(not current)

    def _unfold(self, unfolded: bool) -> None:
        self.table.setVisible(unfolded)
        rows = min(self.table.columns_model.rowCount(), _ROWS) + 2
        self.table.setFixedHeight(rows * self.table.verticalHeader().defaultSectionSize())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.title, 1)
        for widget in (self.figures, self.state, self.apply_button):
            head.addWidget(widget)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(head)
        body.addWidget(self.sentence)
        body.addWidget(self.notes)
        body.addWidget(self.table)


class ShortRow(QWidget):
    """Tasks too short to bother, and the grouping that pays."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("short_tasks")
        self.setAccessibleName("Tasks too short to bother")
        self.title, self.sentence = said("short_title", "headline"), said("short_said", "")
        self.title.setText("Tasks too short to bother")
        self.group_button = button(
            "Group them", "short_group", "Make each group one task, with the plan (one undo step)"
        )
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.group_button)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(GRID // 2)
        body.addLayout(head)
        body.addWidget(self.sentence)

    def show_short(self, short: Short | None, current: bool) -> None:
        """Show them; None: no task is too short."""
        self.setVisible(short is not None)
        if short is not None:
            self.sentence.setText(short.sentence)
            self.group_button.setVisible(short.project is not None)
            self.group_button.setEnabled(current)


def _columns(offer: Offer) -> list[Column]:
    calibration = offer.calibration
    return [
        Column(heading, heading, Texts([row[place] for row in calibration.rows]))
        for place, heading in enumerate(calibration.header)
        if calibration.rows
    ]
