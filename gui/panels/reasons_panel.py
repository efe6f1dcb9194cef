"""Why the plan is recommended: savings by cause and decision, ties, break-even loads, moves."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from advisor.allocation.moves import Move
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.basics.quantities import number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID, theme
from gui.document.advise import Advice, Advisor
from gui.document.document import Document
from gui.panels.breakdown import bars_unit, cause_segments, causes_of
from gui.panels.gains_panel import ByDecision
from gui.plots.bar_chart import Bar, BarChart, Group
from gui.plots.plot_panel import Exports
from machines.errors import capital

_EMPTY = "Press Advise to search for the best plan; its reasons appear here."
_WAITING = "Searching; the reasons follow …"
_MOST_EVIDENCE = 6


class ReasonsPanel(QScrollArea):
    """Left the sentences and the best single moves, right the bars by cause."""

    def __init__(self, document: Document, advisor: Advisor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reasons")
        self.setAccessibleName("Reasons")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._document, self._advisor = document, advisor
        self._predictions = LatestWins(self, "answer bars")
        self.headline = _label("headline", "answer.headline")
        self.timeline = _label("muted", "answer.timeline")
        self.note = _label("", "answer.note")
        self.by_decision = ByDecision(document, advisor)
        self.bars = BarChart("answer_bars", "Time by cause, now and recommended", "")
        self.sentences = _label("", "answer.sentences")
        self.export = QToolButton()
        self.exports = Exports(self, "answer", self.bars, self.bars.table)
        self.moves = QVBoxLayout()
        self._lay_out()
        self._connect()
        self._show_advice()
        self._show_moves(advisor.moves)

    def close_jobs(self) -> None:
        """End the background work."""
        self._predictions.close()

    def _lay_out(self) -> None:
        self.export.setObjectName("answer.export")
        self.export.setToolTip("Copy the answer, or export its bars and numbers")
        self._offer_exports()
        page = QWidget()
        left, right = QVBoxLayout(), QVBoxLayout()
        for widget in (self.headline, self.note, self.by_decision, self.sentences):
            left.addWidget(widget)
        left.addLayout(self.moves)
        right.addWidget(self.bars)
        right.addWidget(self.timeline)
        right.addWidget(self.export, 0, Qt.AlignmentFlag.AlignRight)
        columns = QHBoxLayout(page)
        columns.setContentsMargins(12, GRID, 12, GRID)
        columns.setSpacing(2 * GRID)
        for column, share in ((left, 3), (right, 2)):
            column.setSpacing(6)
            column.addStretch(1)
            columns.addLayout(column, share)
        self.setWidget(page)

    def _offer_exports(self) -> None:
        """Copying the sentences beside what a chart offers."""
        copy = QAction("Copy answer", self)
        copy.setToolTip("All its sentences, as text")
        copy.triggered.connect(lambda _checked=False: self._copy())
        self.exports.actions.insert(0, copy)
        self.export.setText("Export")
        self.export.setAutoRaise(True)
        self.export.setMenu(self.exports.menu(self))
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.bars.addActions(self.exports.actions)
        self.bars.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _copy(self) -> None:
        """Put headline and reasons on the clipboard, a sentence a line."""
        advice = self._advisor.advice
        if advice is not None:
            lines = (advice.explanation.headline, *advice.explanation.reasons)
            QGuiApplication.clipboard().setText("\n".join(lines))

    def _connect(self) -> None:
        self._advisor.advised.connect(self._show_advice)
        self._advisor.moves_changed.connect(self._show_moves)
        for told in (
            self._advisor.phase_changed,
            self._advisor.failed,
            self._document.changed,
            self._document.outcome_failed,
        ):
            told.connect(self._say)
        self._document.replaced.connect(self._show_advice)
        self._predictions.done.connect(self._show_bars)
        theme().changed.connect(self._show_advice)

    def _show_advice(self, _advice: object = None) -> None:
        advice = self._advisor.advice
        self.export.setVisible(advice is not None)
        if advice is None:
            for label in (self.timeline, self.sentences):
                label.clear()
            self.bars.set_groups(())
            self._show_moves(())
        else:
            self.timeline.setText(timeline(advice))
            self.sentences.setText(_reasons(advice))
            self._predictions.request(lambda _stop: _predicted(advice))
        self.by_decision.show_advice()
        self._say()

    def _say(self, _what: object = None) -> None:
        """The answer, or why there is none; an older answer is muted and can't be applied."""
        advice, error = self._advisor.advice, self._advisor.error
        fresh = advice is not None and advice.answers(self._document.project) and error is None
        self.headline.setText(_headline(self._advisor))
        dot = f'<span style="color:{theme().colours.warning}">●</span>'
        self.note.setText(f"{dot} {escape(self._advisor.note)}")
        self.note.setVisible(bool(self._advisor.note))
        self.headline.setEnabled(advice is None or fresh or error is not None)
        for label in (self.timeline, self.sentences):
            label.setEnabled(fresh)
        self.by_decision.set_fresh(fresh)

    def _show_moves(self, moves: tuple[Move, ...]) -> None:
        while (item := self.moves.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()  # until it is deleted it would lie over the new ones
                widget.deleteLater()
        if moves:
            title = _label("headline", "answer.moves")
            title.setText("Best single moves")
            self.moves.addWidget(title)
        for place, move in enumerate(moves):
            self.moves.addWidget(self._move_row(place, move))

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

    def _show_bars(self, shown: object) -> None:
        if not isinstance(shown, _Shown):
            return
        objective = self._document.project.objective
        unit = bars_unit(
            (causes_of(one, objective) for _, one in shown.named),
            (one.value_s(objective) for _, one in shown.named),
        )
        bars = tuple(_bar(name, prediction, objective, unit) for name, prediction in shown.named)
        along = "along the critical path" if objective == MAKESPAN else "of all tasks and transfers"
        self.bars.set_groups((Group(f"{objective}, {along}", "s", bars),))
        self.sentences.setToolTip(evidence(shown.advised))


def _headline(advisor: Advisor) -> str:
    """The answer; without one what went wrong, or what to do."""
    if advisor.error is not None:
        return sentence(advisor.error)
    if advisor.advice is not None:
        return _shortened(advisor.advice.explanation.headline)
    return _WAITING if advisor.is_busy else _EMPTY


def _shortened(headline: str) -> str:
    """The headline without who runs where, which the chips of the strip say."""
    start, _, rest = headline.rpartition(": ")
    if start.startswith("Keep "):
        return f"Keep the present plan: {rest}"
    return capital(rest) if start.startswith("Run ") else headline


@dataclass(frozen=True, eq=False)
class _Shown:
    """Predictions of the present, the recommended and the second best plan; of the advised one."""

    named: tuple[tuple[str, Prediction], ...]
    advised: Prediction


def _predicted(advice: Advice) -> _Shown:
    """What the bars show, made by the worker thread."""
    now, best = (
        advice.outcome.prediction,
        predict(advice.outcome.problem, advice.recommendation.plan),
    )
    shown, advised = [("now", now), ("best", best)], best
    if _has_alike(advice):
        advised = now
        if not advice.plan.alike(advice.outcome.project.plan):
            advised = predict(advice.outcome.problem, advice.plan)
            shown.insert(1, ("advised", advised))
    second = advice.explanation.against_runner_up
    if second is not None:
        shown.append(("runner-up", predict(advice.outcome.problem, second.plan)))
    return _Shown(tuple(shown), advised)


def _has_alike(advice: Advice | None) -> bool:
    """Whether the advised plan is one alike to the best, not the best itself."""
    return advice is not None and not advice.plan.alike(advice.recommendation.plan)


def _bar(name: str, prediction: Prediction, objective: str, unit: Unit) -> Bar:
    """The causes; of a makespan, its contention-free end."""
    mark = prediction.endless_s if objective == MAKESPAN else None
    segments = cause_segments(causes_of(prediction, objective), unit)
    text = unit.text(prediction.value_s(objective))
    return Bar(name, segments, text, mark, "without network contention")


def timeline(advice: Advice) -> str:
    """On which timeline the answer rests; beside it, the contention-free value."""
    limit = advice.explanation.limit
    words = SHARING_WORDS[advice.outcome.project.sharing]
    words = capital(words)
    if limit is None:
        return f"{words}."
    unit = Unit.of_times(np.array([limit.makespan_s, limit.endless_s]))
    taken, endless = unit.text(limit.makespan_s), unit.text(limit.endless_s)
    if taken == endless or limit.endless_s >= limit.makespan_s * (1.0 - ALIKE):
        return f"{words}: {taken}, the same without network contention."
    return f"{words}: {taken}; {endless} without network contention."


def evidence(prediction: Prediction) -> str:
    """The fullest links and switches, what moved through them and what they can carry."""
    used = sorted(prediction.resources, key=lambda one: -one.busy_share)[:_MOST_EVIDENCE]
    lines = [
        f"{one.name}: {percent(one.busy_share)} utilised, {size(one.size_bytes)} at "
        f"{number(one.capacity, 'B/s')} at most"
        for one in used
        if one.size_bytes > 0
    ]
    return "\n".join(lines)


def _reasons(advice: Advice) -> str:
    """The reasons as a list, amber dots before validity notes and green ones without any."""
    colours, found = theme().colours, advice.explanation
    lines = [f"<li>{escape(reason)}</li>" for reason in found.reasons]
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
