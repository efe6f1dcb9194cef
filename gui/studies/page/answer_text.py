"""The words below a study's answer: reasons, validity notes, and what a simulation says.

They take the height that they need up to a part of the page; beyond that they scroll, so that the
pictures keep their room.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from advisor.studies.study import Check, Note
from gui.basics.theme import GRID, theme
from machines.errors import PlacewiseError

_MOST = 0.25  # of the page's height
_LEAST = 9 * GRID


class AnswerText(QScrollArea):
    """Reasons, notes and the simulation's sentence, one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("study_text")
        self.setAccessibleName("Reasons and validity")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.reasons = wrapped("study_reasons", "")
        self.notes = wrapped("study_notes", "")
        self.notes.setTextFormat(Qt.TextFormat.RichText)
        self.simulated = wrapped("study_simulated", "headline")
        self.simulation_notes = wrapped("study_simulation_notes", "")
        self.simulation_notes.setTextFormat(Qt.TextFormat.RichText)
        self._body = QWidget()
        self._body.setBackgroundRole(QPalette.ColorRole.Base)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, GRID, 0)
        column.setSpacing(GRID)
        self._labels = (self.simulated, self.simulation_notes, self.reasons, self.notes)
        for label in self._labels:
            column.addWidget(label)
        column.addStretch(1)
        self.setWidget(self._body)
        self._answer_notes: tuple[Note, ...] = ()
        self._check_notes: tuple[Note, ...] = ()
        theme().changed.connect(self._write_notes)
        self.clear()

    def show_answer(self, reasons: Sequence[str], notes: Sequence[Note]) -> None:
        """Show why, and where it holds; what was simulated before is gone."""
        self.reasons.setText("\n".join(reasons))
        self._answer_notes, self._check_notes = tuple(notes), ()
        self.simulated.clear()
        self._write_notes()

    def show_check(self, check: Check) -> None:
        """Show what the simulation says."""
        self.set_check_dimmed(False)
        self.simulated.setText(check.sentence)
        self._check_notes = check.notes
        self._write_notes()
        self.verticalScrollBar().setValue(0)

    def show_check_error(self, error: PlacewiseError) -> None:
        """Say why there is no simulation."""
        self.set_check_dimmed(False)
        self.simulated.setText(str(error))
        self._check_notes = ()
        self._write_notes()

    def set_check_dimmed(self, dimmed: bool) -> None:
        """What was simulated belongs to other parameters than those in the form."""
        self.simulated.setEnabled(not dimmed)
        self.simulation_notes.setEnabled(not dimmed)

    def clear(self) -> None:
        """Say nothing."""
        self.show_answer((), ())

    def sizeHint(self) -> QSize:
        """As high as the text, up to a part of the page."""
        page = self.parentWidget()
        most = max(round(_MOST * page.height()) if page is not None else 0, _LEAST)
        needed = self._body.heightForWidth(max(self.viewport().width(), 1))
        return QSize(super().sizeHint().width(), min(needed, most))

    def minimumSizeHint(self) -> QSize:
        """As high as it wants to be."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _write_notes(self) -> None:
        self.notes.setText("<br>".join(note_html(note) for note in self._answer_notes))
        self.simulation_notes.setText("<br>".join(note_html(one) for one in self._check_notes))
        for label in self._labels:
            label.setVisible(bool(label.text()))
        self.setVisible(any(label.text() for label in self._labels))
        self.updateGeometry()


def note_html(note: Note) -> str:
    """A validity note: a dot, green inside the model's domain and amber outside, and its words."""
    colours = theme().colours
    colour = colours.better if note.inside_domain else colours.warning
    dot = "●" if note.inside_domain else "▲"
    source = f" <i>{_escaped(note.source)}</i>" if note.source else ""
    return f'<span style="color:{colour}">{dot}</span> {_escaped(note.text)}{source}'


def wrapped(name: str, role: str) -> QLabel:
    """A label that wraps and can be copied from."""
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    if role:
        label.setProperty("role", role)
    return label


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
