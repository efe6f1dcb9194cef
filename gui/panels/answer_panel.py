"""The answer: the recommendation in one sentence, its reasons, and the best single moves."""

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
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.recommendation import Progress
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.basics.quantities import duration, number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.progress_bar import ProgressBar
from gui.basics.theme import GRID, theme
from gui.document.advise import Advice, Advisor, Phase, left, so_far
from gui.document.document import Document
from gui.panels.breakdown import bars_unit, cause_segments, causes_of
from gui.panels.gains_panel import ByDecision
from gui.plots.bar_chart import Bar, BarChart, Group
from gui.plots.plot_panel import Exports
from machines.errors import capital

_EMPTY = "Press Advise to search for the best allocation."
_MOST_EVIDENCE = 6
_WAITING = "Searching for the best allocation …"
_BEGINS = {Phase.WAITING: "predicting", Phase.EXPLAINING: "reasons"}


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
        self.timeline = _label("muted", "answer.timeline")
        self.note = _label("", "answer.note")
        self.apply = QPushButton("Apply")
        self.apply_best = QPushButton("Apply the best")
        self.advise = QPushButton("Advise")
        self.why = QToolButton()
        self.progress = ProgressBar()
        self.cancel = QPushButton("Cancel")
        self.by_decision = ByDecision(document, advisor)
        self.reasons = QWidget()
        self.bars = BarChart("answer_bars", "Time by cause, now and recommended", "")
        self.limit = _label("", "answer.limit")
        self.sentences = _label("", "answer.sentences")
        self.export = QToolButton()
        self.exports = Exports(self, "answer", self.bars, self.bars.table)
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
                "Adopt the best plan known, although another ties with it (one undo step)",
            ),
            (self.advise, "answer.advise", "Continue the search from the best plan known"),
            (self.why, "answer.why", "Savings by cause, ties, and break-even loads"),
            (self.cancel, "answer.cancel", "Stop the search and keep the best so far"),
            (self.progress, "answer.progress", "Share of the search budget used"),
            (self.export, "answer.export", "Copy the answer, or export its bars and numbers"),
        ):
            widget.setObjectName(name)
            widget.setToolTip(text)
            widget.setAccessibleDescription(text)
        self.apply.setProperty("primary", True)
        self.why.setText("Why?")
        self.why.setCheckable(True)
        self.why.setAutoRaise(True)
        self._offer_exports()
        self.progress.setTextVisible(True)
        for widget in (self.progress, self.cancel):  # what lies below does not move
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, GRID, 12, GRID)
        column.setSpacing(6)
        column.addLayout(_row(self.apply, self.advise, self.why))  # above what has any length
        column.addWidget(self.headline)
        column.addWidget(self.by_decision)
        column.addWidget(self.proof)
        column.addWidget(self.timeline)
        column.addWidget(self.note)
        column.addLayout(_row(self.apply_best))
        column.addLayout(_row(self.progress, self.cancel, stretch=False))
        inside = QVBoxLayout(self.reasons)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.limit)
        inside.addWidget(self.bars)
        inside.addWidget(self.export, 0, Qt.AlignmentFlag.AlignRight)
        inside.addWidget(self.sentences)
        column.addWidget(self.reasons)
        column.addLayout(self.moves)
        column.addStretch(1)
        self.setWidget(page)
        self.reasons.hide()
        self._show_phase(self._advisor.phase)

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
        self.apply.clicked.connect(self._advisor.apply)
        self.apply_best.clicked.connect(self._advisor.apply_best)
        self.advise.clicked.connect(lambda _=False: self._advisor.start())
        self.cancel.clicked.connect(self._advisor.cancel)
        self.why.toggled.connect(self._show_reasons)
        self._advisor.advised.connect(self._show_advice)
        self._advisor.moves_changed.connect(self._show_moves)
        self._advisor.phase_changed.connect(self._show_phase)
        self._advisor.progress.connect(self._show_progress)
        self._advisor.explained.connect(self._show_explained)
        self._advisor.failed.connect(self._say)
        self._document.changed.connect(self._say)
        self._document.outcome_failed.connect(self._say)
        self._document.replaced.connect(self._show_advice)
        self._predictions.done.connect(self._show_bars)
        theme().changed.connect(self._show_advice)

    def _show_advice(self, _advice: object = None) -> None:
        advice = self._advisor.advice
        if advice is None:
            for label in (self.proof, self.timeline, self.limit, self.sentences):
                label.clear()
            self.bars.set_groups(())
            self._show_moves(())
        else:
            self.proof.setText(f"{advice.explanation.places}\n{advice.explanation.proof}")
            self.timeline.setText(timeline(advice))
            limit = advice.explanation.limit
            self.limit.setText("" if limit is None else limit.sentence)
            self.limit.setVisible(limit is not None)
            self.limit.setToolTip("")
            self.sentences.setText(_reasons(advice))
            self._predictions.request(lambda _stop: _predicted(advice))
        self.by_decision.show_advice()
        self._say()

    def _say(self, _what: object = None) -> None:
        """The answer, or how far it is, and what went wrong; an older answer is muted.

        Only the answer to the present question can be applied.
        """
        advice, error = self._advisor.advice, self._advisor.error
        self.headline.setText(_headline(self._advisor))
        dot = f'<span style="color:{theme().colours.warning}">●</span>'
        self.note.setText(f"{dot} {escape(self._advisor.note)}")
        self.note.setVisible(bool(self._advisor.note))
        project = self._document.project
        fresh = advice is not None and advice.answers(project)
        self.headline.setEnabled(advice is None or fresh or error is not None)
        for label in (self.proof, self.timeline, self.limit):
            label.setEnabled(fresh)
        for label in (self.proof, self.timeline):
            label.setVisible(error is None and bool(label.text()))
        other = advice is not None and not advice.plan.alike(project.plan)
        fresh = fresh and error is None
        self.apply.setEnabled(fresh and (other or _quicker(advice, project.plan)))
        self.apply_best.setVisible(_has_alike(advice))
        self.apply_best.setEnabled(fresh)
        self.by_decision.set_fresh(fresh)
        self.why.setEnabled(advice is not None)

    def _show_reasons(self, wanted: bool) -> None:
        self.reasons.setVisible(wanted)

    def _show_phase(self, phase: Phase) -> None:
        """The progress is in sight while there is any."""
        for widget in (self.progress, self.cancel):
            widget.setVisible(phase is not Phase.IDLE)
        if phase is not Phase.IDLE:
            self._show_share(0.0, _BEGINS.get(phase, "starting"))
        self._say()

    def _show_progress(self, progress: Progress) -> None:
        words = filter(None, (f"best {duration(progress.value_s)}", left(progress)))
        self._show_share(progress.fraction, *words)
        self.progress.setToolTip(f"Search: {so_far(progress)}")

    def _show_explained(self, share: object) -> None:
        if isinstance(share, float):
            self._show_share(share, "reasons")

    def _show_share(self, share: float, *words: str) -> None:
        self.progress.setValue(round(100 * min(share, 1.0)))
        self.progress.say(*words)

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
        self.limit.setToolTip(evidence(shown.advised))


def _headline(advisor: Advisor) -> str:
    """The answer; without one what is under way, what went wrong, or what to do."""
    if advisor.error is not None:
        return sentence(advisor.error)
    if advisor.advice is not None:
        return advisor.advice.explanation.headline
    if advisor.phase is Phase.EXPLAINING and advisor.found is not None:
        found = advisor.found
        value = f"{found.objective} {duration(found.value_s)}"
        return f"Found a plan of {value}; explaining its changes …"
    return _EMPTY if advisor.phase is Phase.IDLE else _WAITING


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


def _quicker(advice: Advice | None, present: Plan) -> bool:
    """Whether the advised plan is quicker than the present one, were it by its order alone."""
    if advice is None or advice.outcome.project.plan != present:
        return False
    now_s = advice.outcome.prediction.value_s(advice.recommendation.objective)
    return advice.explanation.advised_s < now_s * (1.0 - ALIKE)


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
    if limit.endless_s >= limit.makespan_s * (1.0 - ALIKE):
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
    above = (found.places, "" if found.limit is None else found.limit.sentence)
    lines = [f"<li>{escape(reason)}</li>" for reason in found.reasons if reason not in above]
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
