"""What every kind of decision contributes to the answer, each to be applied alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from advisor.advice.gains_by_decision import DecisionGain, signed_share
from advisor.decisions.registry import known
from gui.basics.theme import GRID
from gui.document.advise import Advisor
from gui.document.document import Document
from gui.panels.compare_columns import marked

_HINT = (
    "What each kind of decision saves of the present time, applied one after the other, largest "
    "saving first; alone: without the others"
)


class ByDecision(QWidget):
    """A folded line, and below it a row a decision; hidden where but one kind differs.

    `fold`: unfolds the rows. `buttons`: "Apply only this", one a row.
    """

    def __init__(self, document: Document, advisor: Advisor) -> None:
        super().__init__()
        self.setObjectName("answer.by_decision")
        self.setAccessibleName("Gain by decision")
        self._document, self._advisor = document, advisor
        self.fold = QToolButton()
        self.fold.setObjectName("answer.by_decision_fold")
        self.fold.setToolTip(_HINT)
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.rows = QWidget()
        self.rows.setObjectName("answer.by_decision_rows")
        self._grid = QGridLayout(self.rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(GRID // 2)
        self._grid.setColumnStretch(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.rows)
        self.buttons: tuple[QPushButton, ...] = ()
        self.fold.toggled.connect(self._unfold)
        self._unfold(False)
        self.hide()

    def show_advice(self) -> None:
        """Show the gains of the present answer, as shares of what the plan takes now."""
        advice = self._advisor.advice
        gains = () if advice is None else advice.explanation.by_decision
        now_s = (
            0.0
            if advice is None
            else advice.outcome.prediction.value_s(advice.recommendation.objective)
        )
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()  # until it is deleted it would lie over the new ones
                widget.deleteLater()
        several = len(gains) > 1 and now_s > 0.0
        self.buttons = ()
        if several:
            most = max(gains, key=lambda one: one.gain_s)
            said = f"{' and '.join(most.names)} {signed_share(most.gain_s / now_s)}"
            self.fold.setText(f"By decision: {said}, {len(gains) - 1} more")
            self.buttons = tuple(self._row(at, one, now_s) for at, one in enumerate(gains))
        self.setVisible(several)

    def set_fresh(self, fresh: bool) -> None:
        """Whether the answer is to the present question: only then it can be applied."""
        for button in self.buttons:
            button.setEnabled(fresh and button.property("able") is True)

    def _unfold(self, unfolded: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow
        self.fold.setArrowType(arrow)
        self.rows.setVisible(unfolded)

    def _apply(self, gain: DecisionGain) -> None:
        """Take over this decision alone, one undo step."""
        advice, project = self._advisor.advice, self._document.project
        if advice is not None and advice.answers(project):
            plan = project.plan
            for name in gain.names:
                plan = known()[name].taken(plan, advice.plan)
            titles = " and ".join(known()[name].title.lower() for name in gain.names)
            self._document.adopt(plan, f"Apply {titles} of the recommendation")

    def _row(self, at: int, gain: DecisionGain, now_s: float) -> QPushButton:
        share = marked(signed_share(gain.gain_s / now_s))
        words = _label(f"answer.decision{at}", gain.words)
        words.setWordWrap(True)
        words.setContentsMargins(0, GRID // 2, 0, 0)
        value = _label(f"answer.decision_gain{at}", f"{share}  ·  {_alone(gain, now_s)}")
        value.setToolTip(_HINT)
        button = QPushButton("Apply only this")
        button.setObjectName(f"answer.apply_decision{at}")
        # several that come first were tried together from the present plan; later ones were not
        button.setProperty("able", gain.alone_s is not None or (at == 0 and len(gain.names) > 1))
        names = " and ".join(gain.names)
        button.setToolTip(f"Apply {names}; other decisions stay (one undo step)")
        button.setAccessibleName(f"Apply only {names}")
        button.clicked.connect(lambda _on=False: self._apply(gain))
        self._grid.addWidget(words, 2 * at, 0, 1, 2)
        self._grid.addWidget(value, 2 * at + 1, 0)
        self._grid.addWidget(button, 2 * at + 1, 1)
        return button


def _alone(gain: DecisionGain, now_s: float) -> str:
    """What it saves without the others."""
    if len(gain.names) > 1:
        return "only together"
    return (
        "can't run alone" if gain.alone_s is None else f"alone {signed_share(gain.alone_s / now_s)}"
    )


def _label(name: str, text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
