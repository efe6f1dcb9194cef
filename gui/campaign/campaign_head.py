"""The head of the page: what the campaign asks, where it goes, and how far it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.basics.quantities import count
from gui.basics.progress_bar import ProgressBar
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.basics.widget_labels import button
from gui.document.campaign_words import pace, told
from gui.document.campaigns import CampaignState
from gui.studies.page.few_lines import FewLines
from machines.errors import visible

_LARGER_PT = 3
_PRODUCT_LINES = 2
_NOTE_LINES = 3
_RUN = "Compute the cases; the window can be used meanwhile"
_GO_ON = "Compute the missing cases; the others stay"


class PlanView(QWidget):
    """Shows the state of a campaign; tells what is wished."""

    run_asked = Signal()
    cancel_asked = Signal()
    folder_asked = Signal()
    elsewhere_asked = Signal()  # another place to compute

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("campaign_plan")
        self.setAccessibleName("The campaign")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.name = FewLines("campaign_name", "headline", 1)
        font = QFont(self.name.font())
        font.setPointSizeF(font.pointSizeF() + _LARGER_PT)
        self.name.setFont(font)
        self.product = FewLines("campaign_product", "muted", _PRODUCT_LINES)
        self.product.setAccessibleName("The product that gives the number of cases")
        self.folder = SteadyLine("campaign_folder")
        self.folder_button = button(
            "Change…", "campaign_change_folder", "Put the results into another folder"
        )
        self.folder_button.setAccessibleName("Change the folder of results")
        self.folder_button.clicked.connect(lambda _checked=False: self.folder_asked.emit())
        self.where = SteadyLine("campaign_where")
        self.where_button = button(
            "Change…", "campaign_change_where", "Choose where cases are computed"
        )
        self.where_button.setAccessibleName("Change where cases are computed")
        self.where_button.clicked.connect(lambda _checked=False: self.elsewhere_asked.emit())
        self.run_button = QPushButton("Run")
        self.run_button.setObjectName("campaign_run")
        self.run_button.setProperty("primary", "true")
        self.run_button.clicked.connect(lambda _checked=False: self.run_asked.emit())
        self.cancel_button = button(
            "Cancel", "campaign_cancel", "Stop computing; written rows stay"
        )
        self.cancel_button.clicked.connect(lambda _checked=False: self.cancel_asked.emit())
        self.sentence = QLabel()
        self.sentence.setObjectName("campaign_sentence")
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.pace = SteadyLine("campaign_pace")
        self.pace.setProperty("role", "muted")
        self.bar = ProgressBar()
        self.bar.setObjectName("campaign_progress")
        self.bar.setAccessibleName("Progress of the campaign")
        self.bar.setToolTip("Cases that have a row in the results")
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(24 * GRID)
        self.notes = FewLines("campaign_notes", "muted", _NOTE_LINES)
        self._lay_out()

    def show_state(self, state: CampaignState, machine: str) -> None:
        """Show a campaign; `machine` says what this computer would compute with."""
        campaign = state.campaign
        self.name.setText(visible(campaign.campaign.name))
        self.product.setText(f"{count(campaign.total, 'case')} = {campaign.product}")
        self.folder.setText(visible(_short(campaign.out)))
        self.folder.setToolTip(visible(str(campaign.out)))
        self.folder_button.setVisible(campaign.file is not None)
        self.folder_button.setEnabled(not state.going)
        self.where.setText(visible(state.scheduler) if state.scheduler else machine)
        self.where_button.setEnabled(not state.going)
        self.show_progress(state)

    def show_progress(self, state: CampaignState) -> None:
        """Show how far it is."""
        campaign, missing = state.campaign, state.campaign.missing
        able = campaign.cases is not None and campaign.refused is None
        self.sentence.setText(told(state))
        self.pace.setText(pace(state))
        self.bar.setVisible(state.going)
        self.bar.setValue(round(1000 * state.done / max(1, campaign.total)))
        self.cancel_button.setVisible(state.going)
        self.cancel_button.setEnabled(not state.stopping)
        self.run_button.setVisible(not state.going and missing > 0)
        self.run_button.setEnabled(able)
        self.run_button.setText("Resume" if state.done else "Run")
        self.run_button.setToolTip(_GO_ON if state.done else _RUN)
        self._show_notes(state)

    def _show_notes(self, state: CampaignState) -> None:
        campaign = state.campaign
        refused = campaign.refused if not state.going and campaign.missing else None
        mark_wrong(self.notes, refused is not None)
        if refused is not None:
            self.notes.setText(f"{SIGN} {refused}")
        else:
            notes = [f"{note.rstrip('.')}." for note in (*campaign.notes, *state.notes)]
            self.notes.setText(" ".join(dict.fromkeys(notes)))

    def _lay_out(self) -> None:
        going = QHBoxLayout()
        going.setSpacing(GRID)
        for widget in (self.run_button, self.cancel_button, self.bar, self.sentence):
            going.addWidget(widget)
        going.addWidget(self.pace, 1)
        places = QHBoxLayout()
        places.setSpacing(GRID)
        for text, line, change, share in (
            ("Results in", self.folder, self.folder_button, 3),
            ("Computed on", self.where, self.where_button, 2),
        ):
            label = QLabel(text)
            label.setProperty("role", "muted")
            places.addWidget(label)
            places.addWidget(line, share)
            places.addWidget(change)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.name)
        column.addWidget(self.product)
        column.addLayout(places)
        column.addLayout(going)
        column.addWidget(self.notes)


def _short(path: Path) -> str:
    """A path as people write it."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
