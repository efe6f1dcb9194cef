"""The page *Campaign*: open one, run it, see what its cases show while they come, open any of them.

The campaign itself, and the process that computes it, are kept by `gui.document.campaigns`; what
is opened beside the page is asked for by signals.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from advisor.campaigns.results import Results
from gui.basics.background_jobs import LatestWins
from gui.basics.theme import GRID
from gui.basics.widget_labels import button, said
from gui.campaign.campaign_head import PlanView
from gui.campaign.findings_view import FindingsView
from gui.campaign.rows_table_columns import case_columns, failed_columns
from gui.campaign.rows_view import RowsView
from gui.document.campaign_words import told
from gui.document.campaigns import Campaigns, CampaignState

_WHAT = (
    "A campaign answers many cases at once: each combination of the workloads, platforms, loads "
    "and strategies that its file names. It shows which strategy is best how often, how far from "
    "a proved bound each stays and how sure that is, and any case opens on the board."
)
_FILES = "Campaigns (*.toml campaign.json);;All files (*)"
_NO_CASE = "Rows appear here as cases are computed."
_NO_FAILURE = "No case failed."
_MACHINE = "This machine"


class Views(NamedTuple):
    """What the page of a campaign holds; each takes half a frame to be made."""

    plan: PlanView
    findings: FindingsView
    cases: RowsView
    failures: RowsView


def in_parts(campaigns: Campaigns) -> Generator[None, None, CampaignPage]:
    """The page, made in turns of the event loop."""
    plan = PlanView()
    yield
    findings = FindingsView()
    yield
    cases = _cases()
    yield
    failures = _failures()
    yield
    return CampaignPage(campaigns, views=Views(plan, findings, cases, failures))


def _cases() -> RowsView:
    return RowsView("campaign_cases", "Cases", case_columns, empty=_NO_CASE)


def _failures() -> RowsView:
    return RowsView(
        "campaign_failures", "Cases that failed", failed_columns, failed=True, empty=_NO_FAILURE
    )


class CampaignPage(QWidget):
    """What a campaign is, until one is open; then its plan, and tabs with what came out.

    `views`: made before; left out, they are made now.
    """

    case_asked = Signal(object)  # Row: open it on the board
    example_asked = Signal()
    elsewhere_asked = Signal()  # where cases are computed should change
    told = Signal(object)  # str: what the status line says

    def __init__(
        self,
        campaigns: Campaigns,
        parent: QWidget | None = None,
        views: Views | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("campaign")
        self.setAccessibleName("Campaign")
        self._campaigns = campaigns
        self._machine = _MACHINE
        self.open_action = QAction("Open campaign…", self)
        self.open_action.setObjectName("campaign_open")
        self.open_action.setToolTip("A campaign's file, or campaign.json in a folder of results")
        self.open_action.triggered.connect(lambda _checked=False: self.ask_open())
        if views is None:
            views = Views(PlanView(), FindingsView(), _cases(), _failures())
        self.plan, self.findings, self.cases, self.failures = views
        # from the outside inwards: whatever is put somewhere takes over the look of all around it
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        self._stack = QStackedWidget()
        body.addWidget(self._stack)
        self._stack.addWidget(self._make_empty())
        self._make_open()
        self._connect()
        self._ask_width()

    @property
    def tools(self) -> tuple[QAction, ...]:
        """What the toolbar offers while this page is in sight."""
        return (self.open_action,)

    @property
    def exports(self) -> tuple[QAction, ...]:
        """What can be copied and written: of the tab in sight."""
        shown = self.tabs.currentWidget()
        if self._campaigns.state is None:
            return ()
        if isinstance(shown, RowsView):
            return tuple(shown.exports.actions)
        return self.findings.exports

    @property
    def status(self) -> str:
        """How far the campaign is."""
        state = self._campaigns.state
        return "Campaign" if state is None else f"Campaign  ·  {told(state).rstrip('.')}"

    def ask_open(self) -> None:
        """Ask for a campaign's file, or what tells of its results."""
        dialog = QFileDialog(self, "Open campaign", self._near(), _FILES)
        dialog.setObjectName("campaign_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(lambda name: self._campaigns.open(Path(name)))
        dialog.open()

    def ask_folder(self) -> None:
        """Ask for another folder for the results."""
        dialog = QFileDialog(self, "Put the results into", self._near())
        dialog.setObjectName("campaign_folder_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(lambda name: self._campaigns.put_into(Path(name)))
        dialog.open()

    # making

    def _make_empty(self) -> QWidget:
        page = QWidget()
        page.setObjectName("campaign_empty")
        title = QLabel("Many cases at once")
        title.setProperty("role", "headline")
        what = said("campaign_what")
        what.setText(_WHAT)
        what.setFixedWidth(72 * GRID)
        self.first = button(
            "Run the example", "campaign_example",
            "Lists and one machine over the ratio of communication to computation; half a minute",
        )  # fmt: skip
        self.first.setProperty("primary", "true")
        self.first.clicked.connect(lambda _checked=False: self.example_asked.emit())
        open_button = button("Open campaign…", "campaign_open_first", self.open_action.toolTip())
        open_button.clicked.connect(self.open_action.trigger)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.first)
        row.addWidget(open_button)
        row.addStretch(1)
        inner = QVBoxLayout()
        inner.setSpacing(2 * GRID)
        inner.addStretch(2)
        inner.addWidget(title)
        inner.addWidget(what)
        inner.addLayout(row)
        inner.addStretch(3)
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        outer.addLayout(inner)
        outer.addStretch(1)
        return page

    def _make_open(self) -> None:
        page = QWidget()
        self._stack.addWidget(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self.plan)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("campaign_tabs")
        self.tabs.setDocumentMode(True)
        column.addWidget(self.tabs, 1)
        for title, hint, widget in (
            ("What it shows", "Which strategy is best, its gap to a bound, and the confidence",
             self.findings),
            ("Cases", "All cases with question and result", self.cases),
            ("Failed", "Cases without an answer, with the reason", self.failures),
        ):  # fmt: skip
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), hint)

    def _connect(self) -> None:
        campaigns = self._campaigns
        self.plan.run_asked.connect(campaigns.start)
        self.plan.cancel_asked.connect(campaigns.cancel)
        self.plan.folder_asked.connect(self.ask_folder)
        self.plan.elsewhere_asked.connect(self.elsewhere_asked)
        self.cases.open_asked.connect(self.case_asked)
        self.failures.open_asked.connect(self.case_asked)
        self.findings.told.connect(self._tell)
        self.tabs.currentChanged.connect(lambda _place: self._tell())
        campaigns.opened.connect(self._show_campaign)
        campaigns.changed.connect(self._show_state)
        campaigns.grown.connect(self._show_results)
        if campaigns.state is not None and campaigns.results is not None:
            self._show_campaign(campaigns.state)
            self._show_results(campaigns.results)

    def _ask_width(self) -> None:
        """How many cases this machine would compute at once, as Dask says, slow to import."""

        def width(_should_stop: object) -> int:
            from advisor.computing import processors  # noqa: PLC0415 - see above

            return processors()

        self._jobs = LatestWins(self, "width of this machine")
        self._jobs.done.connect(self._take_width)
        self._jobs.request(width)

    # following

    def _take_width(self, many: object) -> None:
        self._machine = _MACHINE if many == 1 else f"{_MACHINE}, {many} cases at a time"
        if self._campaigns.state is not None:
            self.plan.show_state(self._campaigns.state, self._machine)

    def _show_campaign(self, state: CampaignState) -> None:
        """Another one is open."""
        self.findings.begin_anew()
        self.plan.show_state(state, self._machine)
        self._stack.setCurrentIndex(1)
        self._tell()

    def _show_state(self, state: CampaignState) -> None:
        self.plan.show_state(state, self._machine)
        self._tell()

    def _show_results(self, results: object) -> None:
        if not isinstance(results, Results):
            return
        many, failed = len(results), int((~results.answered).sum())
        self.tabs.setTabText(1, f"Cases ({many:,})" if many else "Cases")
        self.tabs.setTabText(2, f"Failed ({failed:,})" if failed else "Failed")
        state = self._campaigns.state
        self.findings.show_results(results, 0 if state is None else state.campaign.total)
        self.cases.show_results(results)
        self.failures.show_results(results)

    def _tell(self) -> None:
        self.told.emit(self.status)

    def _near(self) -> str:
        """Where dialogs begin."""
        state = self._campaigns.state
        return "" if state is None else str((state.campaign.file or state.campaign.out).parent)
