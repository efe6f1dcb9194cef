"""The dialog of what files leave open: each question with its proposal, and what is assumed.

The board behind shows the project under the proposals; other answers open the files again.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.project.answers import Question
from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox
from gui.studies.picture.export_fields import push_button

_MOST = 5


class OpenQuestions(InReadingOrder, QDialog):
    """Asks what no file tells; taken as it is, nothing changes."""

    answered = Signal(object)  # dict of str: key → answer, of all questions

    def __init__(
        self, questions: Sequence[Question], notes: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("open_questions")
        self.setWindowTitle("What the files leave open")
        self.setMinimumWidth(72 * GRID)
        self._questions = tuple(questions[:_MOST])
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        self.fields = [self._add(question, column) for question in self._questions]
        if notes:
            self._add_notes(notes, column)
        self.keep_button = push_button("questions_keep", "Keep", "Keep what is shown on the board")
        self.use_button = push_button("questions_use", "Use", "Open the files with these answers")
        self.use_button.setProperty("primary", "true")
        self.use_button.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.keep_button)
        buttons.addWidget(self.use_button)
        column.addLayout(buttons)
        self.keep_button.clicked.connect(self.reject)
        self.use_button.clicked.connect(self._use)

    def _add(self, question: Question, column: QVBoxLayout) -> ChoiceBox | QLineEdit:
        """A line for the question, and a field that holds what is taken now."""
        label = QLabel(question.text)
        label.setWordWrap(True)
        field: ChoiceBox | QLineEdit
        if question.options:
            field = ChoiceBox()
            field.addItems(question.options)
            field.setCurrentText(question.value)
        else:
            field = QLineEdit(question.value)
        field.setObjectName(f"question_{question.key}")
        field.setAccessibleName(question.text)
        field.setToolTip(f"placewise open … --answer {question.key}=…")
        label.setBuddy(field)
        column.addWidget(label)
        column.addWidget(field)
        return field

    def _add_notes(self, notes: Sequence[str], column: QVBoxLayout) -> None:
        label = QLabel("Read and assumed:")
        text = QPlainTextEdit("\n".join(notes))
        text.setObjectName("question_notes")
        text.setAccessibleName("What was read and assumed")
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setMinimumHeight(16 * GRID)
        column.addWidget(label)
        column.addWidget(text)

    def _use(self) -> None:
        """Hand the answers on, unless all are the proposals."""
        texts = [
            one.currentText() if isinstance(one, ChoiceBox) else one.text() for one in self.fields
        ]
        pairs = list(zip(self._questions, texts, strict=True))
        self.accept()
        if any(text != question.value for question, text in pairs):
            self.answered.emit({question.key: text for question, text in pairs})
