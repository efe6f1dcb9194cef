"""The answer: the recommendation in one sentence, its reasons, and the best single moves."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.allocation.moves import Move
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Progress
from advisor.basics.quantities import count, duration
from advisor.basics.rounding import ALIKE
from gui.basics.jobs import LatestWins
from gui.basics.theme import GRID, theme
from gui.document.advise import Advice, Advisor
from gui.document.document import Document
from gui.panels.breakdown import cause_segments
from gui.plots.bars import Bar, BarChart, Group
from machines.errors import PlacewiseError

_EMPTY = "Press Advise to search for the best allocation."
_WAITING = "Searching for the best allocation …"


class AnswerPanel(QScrollArea):
    """Headline, proof, Apply, Why?, the search's progress and the best single moves."""

    def __init__(self, document: Document, advisor: Advisor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answer")
        self.setAccessibleName("Answer")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._document, self._advisor = document, advisor
        self._predictions = LatestWins(self, "answer bars")
        self.headline = _label("headline", "answer.headline")
        self.proof = _label("muted", "answer.proof")
        self.apply = QPushButton("Apply")
        self.apply_best = QPushButton("Apply the best")
        self.advise = QPushButton("Advise")
        self.why = QToolButton()
        self.progress = QProgressBar()
        self.best = _label("muted", "answer.best")
        self.cancel = QPushButton("Cancel")
        self.reasons = QWidget()
        self.bars = BarChart("answer_bars", "Time by cause, now and recommended", "")
        self.sentences = _label("", "answer.sentences")
        self.moves = QVBoxLayout()
        self._lay_out()
        self._connect()
        self._show_advice()

    def close_jobs(self) -> None:
        """End the background work."""
        self._predictions.close()

    def _lay_out(self) -> None:
        for widget, name, text in (
            (self.apply, "answer.apply", "Adopt the recommended plan; one undo step"),
            (
                self.apply_best,
                "answer.apply_best",
                "Adopt the best plan known, though another is alike to it; one undo step",
            ),
            (self.advise, "answer.advise", "Search for the best allocation"),
            (self.why, "answer.why", "Savings by cause, ties, and what would flip the answer"),
            (self.cancel, "answer.cancel", "Stop the search and keep the best so far"),
            (self.progress, "answer.progress", "Share of the search's step budget used"),
        ):
            widget.setObjectName(name)
            widget.setToolTip(text)
            widget.setAccessibleDescription(text)
        self.apply.setProperty("primary", True)
        self.why.setText("Why?")
        self.why.setCheckable(True)
        self.why.setAutoRaise(True)
        self.progress.setTextVisible(True)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, GRID, 12, GRID)
        column.setSpacing(6)
        column.addWidget(self.headline)
        column.addWidget(self.proof)
        column.addLayout(_row(self.apply, self.advise, self.why))
        column.addLayout(_row(self.apply_best))
        column.addLayout(_row(self.progress, self.cancel, stretch=False))
        column.addWidget(self.best)
        inside = QVBoxLayout(self.reasons)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.bars)
        inside.addWidget(self.sentences)
        column.addWidget(self.reasons)
        column.addLayout(self.moves)
        column.addStretch(1)
        self.setWidget(page)
        self.reasons.hide()
        self._show_busy(False)

    def _connect(self) -> None:
        self.apply.clicked.connect(self._advisor.apply)
        self.apply_best.clicked.connect(self._advisor.apply_best)
        self.advise.clicked.connect(lambda _=False: self._advisor.start())
        self.cancel.clicked.connect(self._advisor.cancel)
        self.why.toggled.connect(self._show_reasons)
        self._advisor.advised.connect(self._show_advice)
        self._advisor.moves_changed.connect(self._show_moves)
        self._advisor.busy.connect(self._show_busy)
        self._advisor.progress.connect(self._show_progress)
        self._advisor.failed.connect(self._show_failure)
        self._document.changed.connect(self._dim)
        self._document.outcome_failed.connect(self._show_failure)
        self._document.loaded.connect(self._show_advice)
        self._predictions.done.connect(self._show_bars)
        theme().changed.connect(self._show_advice)

    def _show_advice(self, _advice: object = None) -> None:
        advice = self._advisor.advice
        if advice is None:
            self.headline.setText(_WAITING if self._advisor.is_busy else _EMPTY)
            self.proof.clear()
            self.sentences.clear()
            self.bars.set_groups(())
            self._show_moves(())
        else:
            self.headline.setText(advice.explanation.headline)
            self.proof.setText(advice.explanation.proof)
            self.sentences.setText(_reasons(advice))
            self._predictions.request(lambda _stop: _predicted(advice))
        self._dim()

    def _dim(self, _project: object = None) -> None:
        """Only the answer to the present question can be applied; an older one is muted."""
        advice = self._advisor.advice
        project = self._document.project
        fresh = advice is not None and advice.answers(project)
        self.headline.setEnabled(advice is None or fresh)
        self.proof.setEnabled(fresh)
        other = advice is not None and not advice.plan.alike(project.plan)
        self.apply.setEnabled(fresh and (other or _quicker(advice, project.plan)))
        self.apply_best.setVisible(_has_alike(advice))
        self.apply_best.setEnabled(fresh)
        self.why.setEnabled(advice is not None)

    def _show_reasons(self, wanted: bool) -> None:
        self.reasons.setVisible(wanted)

    def _show_busy(self, busy: bool) -> None:
        for widget in (self.progress, self.cancel, self.best):
            widget.setVisible(busy)
        self.advise.setEnabled(not busy)
        if busy:
            self.progress.setRange(0, 0)
            self.best.setText("Starting the search …")
        if self._advisor.advice is None:
            waiting = busy or self._advisor.is_explaining
            self.headline.setText(_WAITING if waiting else _EMPTY)

    def _show_progress(self, progress: Progress) -> None:
        self.progress.setRange(0, 100)
        self.progress.setValue(round(100 * min(progress.fraction, 1.0)))
        tried = count(progress.tried, "plan")
        self.best.setText(
            f"Best so far {duration(progress.value_s)} ({progress.strategy}), {tried} tried"
        )

    def _show_failure(self, error: PlacewiseError) -> None:
        self.headline.setEnabled(True)
        self.headline.setText(str(error))
        self.proof.clear()
        self.apply.setEnabled(False)

    def _show_moves(self, moves: tuple[Move, ...]) -> None:
        while (item := self.moves.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if moves:
            title = _label("headline", "answer.moves")
            title.setText("Best single moves")
            self.moves.addWidget(title)
        for number, move in enumerate(moves):
            self.moves.addWidget(self._move_row(number, move))

    def _move_row(self, number: int, move: Move) -> QWidget:
        row = QFrame()
        sentence = _label("", f"answer.move{number}")
        sentence.setText(f"▼ {move.sentence}")
        button = QPushButton("Apply")
        button.setObjectName(f"answer.apply_move{number}")
        button.setAccessibleName(f"Apply: {move.sentence}")
        button.setToolTip("Make this move; one undo step")
        button.clicked.connect(lambda _=False: self._advisor.apply_move(move))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(sentence, 1)
        line.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _show_bars(self, predictions: object) -> None:
        if not isinstance(predictions, tuple):
            return
        objective = self._document.project.objective
        bars = tuple(_bar(name, prediction, objective) for name, prediction in predictions)
        along = "along the critical path" if objective == MAKESPAN else "of all tasks and transfers"
        self.bars.set_groups((Group(f"{objective}, {along}", "s", bars),))


def _predicted(advice: Advice) -> tuple[tuple[str, Prediction], ...]:
    """Predictions of the present, the recommended and the second best plan."""
    shown = [
        ("now", advice.outcome.prediction),
        ("best", predict(advice.outcome.problem, advice.recommendation.plan)),
    ]
    if _has_alike(advice) and not advice.plan.alike(advice.outcome.project.plan):
        shown.insert(1, ("advised", predict(advice.outcome.problem, advice.plan)))
    second = advice.explanation.against_runner_up
    if second is not None:
        shown.append(("runner-up", predict(advice.outcome.problem, second.plan)))
    return tuple(shown)


def _has_alike(advice: Advice | None) -> bool:
    """Whether the advised plan is one alike to the best, not the best itself."""
    return advice is not None and not advice.plan.alike(advice.recommendation.plan)


def _quicker(advice: Advice | None, present: Plan) -> bool:
    """Whether the advised plan is quicker than the present one, were it by its order alone."""
    if advice is None or advice.outcome.project.plan != present:
        return False
    now_s = advice.outcome.prediction.value_s(advice.recommendation.objective)
    return advice.explanation.advised_s < now_s * (1.0 - ALIKE)


def _bar(name: str, prediction: Prediction, objective: str) -> Bar:
    makespan = objective == MAKESPAN
    causes = prediction.critical_breakdown_s if makespan else prediction.breakdown_s
    return Bar(name, cause_segments(causes), duration(prediction.value_s(objective)))


def _reasons(advice: Advice) -> str:
    """The reasons as a list, amber dots before validity notes and green ones without any."""
    colours = theme().colours
    lines = [f"<li>{escape(reason)}</li>" for reason in advice.explanation.reasons]
    warnings = dict.fromkeys((*advice.recommendation.warnings, *advice.outcome.prediction.warnings))
    notes = [
        f'<p><span style="color:{colours.warning}">●</span> {escape(text)}</p>' for text in warnings
    ] or [f'<p><span style="color:{colours.better}">●</span> Inside the models\' domain.</p>']
    return f"<ul style='margin-left:-20px'>{''.join(lines)}</ul>{''.join(notes)}"


def _label(role: str, name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setProperty("role", role)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _row(*widgets: QWidget, stretch: bool = True) -> QHBoxLayout:
    row = QHBoxLayout()
    for widget in widgets:
        row.addWidget(widget)
    if stretch:
        row.addStretch(1)
    return row
