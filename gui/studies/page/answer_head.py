"""The head of a study's page: what to do, what that costs against the alternative, the figures.

A bounded number of lines, whatever the study says, so that the picture keeps its room: the rest of
a long sentence is in its tooltip, and all else is folded below the picture.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from advisor.studies.study import Check, StudyResult
from gui.basics.error_messages import sentence
from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.studies.page.fact_cards import FactCards
from gui.studies.page.few_lines import FewLines
from machines.errors import PlacewiseError

LINES = 2  # of each sentence, at most
_ERROR_LINES = 4
_LARGER_PT = 3


class AnswerHead(QWidget):
    """Headline, alternative, what a simulation says, and cards.

    `apply_button`: beside the headline; the page shows and hides it.
    """

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_head")
        self.setAccessibleName("Answer")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.sentence = FewLines("study_sentence", "headline", LINES)
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() + _LARGER_PT)
        self.sentence.setFont(font)
        self.sentence.setAccessibleName("Answer")
        self.alternative = FewLines("study_alternative", "muted", LINES)
        self.alternative.setAccessibleName("Against the alternative")
        self.simulated = FewLines("study_simulated", "title", LINES)
        self.simulated.setAccessibleName("Checked by simulation")
        self.cards = FactCards()
        self.apply_button = QPushButton("Apply")
        self.apply_button.setObjectName("study_apply")
        self.apply_button.setAccessibleName("Apply")
        self.apply_button.setProperty("primary", "true")
        self.apply_button.setToolTip("Make the recommended plan the current one (one undo step)")
        self.apply_button.hide()
        head = QHBoxLayout()
        head.addWidget(self.sentence, 1)
        head.addWidget(self.apply_button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(head)
        for widget in (self.alternative, self.simulated, self.cards):
            column.addWidget(widget)
        self.sentence.setText(question)  # not sooner: without a parent it would be a window

    @property
    def lines(self) -> int:
        """Of sentences, that precede the figures and the picture."""
        labels = (self.sentence, self.alternative, self.simulated)
        return sum(label.lines for label in labels if not label.isHidden())

    def show_answer(self, result: StudyResult) -> None:
        """Show an answer; what was simulated before is gone."""
        self.sentence.allow(LINES)
        mark_wrong(self.sentence, False)
        self.sentence.setText(result.headline)
        self.alternative.setText(result.alternative)
        self.simulated.clear()
        self.cards.show_facts(result.facts, result.against)

    def show_check(self, check: Check) -> None:
        """Show what the simulation says."""
        self.simulated.setEnabled(True)
        self.simulated.setText(check.sentence)

    def show_check_error(self, error: PlacewiseError) -> None:
        """Say why there is no simulation."""
        self.simulated.setEnabled(True)
        self.simulated.setText(sentence(error))

    def show_error(self, reason: str) -> None:
        """Say what is wrong, so that there is no answer."""
        self._show_none(f"{SIGN} {reason}", wrong=True)

    def show_notice(self, reason: str) -> None:
        """Say why there is no answer where nothing is wrong."""
        self._show_none(reason, wrong=False)

    def _show_none(self, text: str, wrong: bool) -> None:
        self.sentence.allow(_ERROR_LINES)
        self.sentence.setEnabled(True)
        mark_wrong(self.sentence, wrong)
        self.sentence.setText(text)
        self.alternative.clear()
        self.simulated.clear()
        self.cards.clear()
        self.apply_button.hide()

    def set_dimmed(self, dimmed: bool) -> None:
        """The answer, or why there is none, belongs to other parameters than those in the form."""
        if dimmed:
            mark_wrong(self.sentence, False)  # whose red is not dimmed
        for widget in (self.sentence, self.alternative, self.cards):
            widget.setEnabled(not dimmed)
        if dimmed:
            self.simulated.setEnabled(False)
