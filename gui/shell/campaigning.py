"""Campaigns in the window: opened from anywhere, followed in the status, rows opened as projects.

A row is worked out again in a process of its own and then opened as any file is: after asking about
unsaved changes. A row of a study opens that study's page with its settings.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

import resources
from gui.basics.background_jobs import ProcessEnded, SearchProcess
from gui.basics.settings import Settings, campaigns_folder
from gui.document.campaign_words import in_short
from gui.document.campaigns import Campaigns, CampaignState
from gui.shell.file_questions import ask_to_stop
from gui.shell.places import Places
from gui.shell.project_files import Files
from machines.errors import InputError, PlacewiseError

if TYPE_CHECKING:
    from advisor.campaigns.reopened import Reopened
    from advisor.campaigns.row_columns import Row
    from gui.campaign.page import CampaignPage
    from gui.studies.page.study_panel import StudyPanel

PAGE = "campaign"
EXAMPLE = "lists"
_NO_CASE = "The case can't be opened"


class Campaigning(QObject):
    """What the page *Campaign* asks of the window, and what the window asks of it."""

    failed = Signal(object, object)  # title, PlacewiseError
    told = Signal(str)  # a passing message
    noted = Signal(object)  # tuple of str: what is to be known
    going = Signal(object, object)  # text and share of the campaign; "" at the end
    reading = Signal(object)  # which case is worked out; "" at the end

    def __init__(
        self, campaigns: Campaigns, files: Files, settings: Settings, window: Places
    ) -> None:
        super().__init__(window)
        self.setObjectName("campaigning")
        self._campaigns, self._files = campaigns, files
        self._settings, self._window = settings, window
        self._process: SearchProcess | None = None
        self._then: Callable[[], object] | None = None
        window.lazy[PAGE].built.connect(self._wire)
        files.campaign_found.connect(self.open)
        campaigns.failed.connect(self.failed)
        campaigns.opened.connect(self._remember)
        campaigns.changed.connect(self._tell)
        campaigns.busy.connect(self._go_on)

    def open(self, path: Path) -> None:
        """Open a campaign's file or its results on the page."""
        self._window.show_page(PAGE)
        self._campaigns.open(path)

    def show_example(self, *, run: bool) -> None:
        """Open the campaign that ships, and carry it out if it was not yet."""
        self._window.show_page(PAGE)
        from advisor.campaigns.campaign_file import campaign_path  # noqa: PLC0415 - not at the start

        file = campaign_path(EXAMPLE)
        then = self._campaigns.start if run else None
        self._campaigns.open(file, campaigns_folder() / EXAMPLE, then)

    def open_case(self, row: Row) -> None:
        """Open a row: on the board with its plan, a study's on its page."""
        state = self._campaigns.state
        cases = None if state is None else state.campaign.cases
        if row.error:
            title = f"Case {row.case:,} has no answer"
            self.failed.emit(title, PlacewiseError(row.error, where=row.workload))
        elif cases is None:
            refused = None if state is None else state.campaign.refused
            self.failed.emit(_NO_CASE, refused)
        elif row.strategy:
            process = self._made_process()
            from advisor.campaigns.reopened import reopened  # noqa: PLC0415 - with the first row

            process.start(reopened, cases=cases, row=row)
            self.reading.emit(f"Case {row.case:,}: searching its plan again")
        else:
            self._open_study(row)

    def ask_to_stop(self, then: Callable[[], object]) -> None:
        """Ask whether the campaign should end, as the window will be closed; `then` once it has."""
        ask_to_stop(
            self._window, "stop_campaign", "A campaign is being computed.",
            "Stop it? The written rows are kept; Resume computes the rest.",
            lambda: self._stop(then), self._campaigns.busy,
        )  # fmt: skip

    def stop_opening(self) -> None:
        """Give up the case that is worked out."""
        if self._process is not None:
            self._process.drop()
        self.reading.emit("")

    # inside

    def _wire(self, widget: object) -> None:
        page: CampaignPage = widget  # type: ignore[assignment] # the page of that name
        page.case_asked.connect(self.open_case)
        page.elsewhere_asked.connect(self._window.commands["compute_on"].trigger)
        page.example_asked.connect(lambda: self.show_example(run=True))
        last = self._settings.campaign
        if last is not None and self._campaigns.state is None and not self._campaigns.is_reading:
            self._campaigns.open(*last, quiet=True)

    def _remember(self, state: CampaignState) -> None:
        campaign = state.campaign
        self._settings.campaign = campaign.file or campaign.out, campaign.out
        if campaign.file is not None and resources.folder("campaigns") not in campaign.file.parents:
            self._settings.add_recent(campaign.file)

    def _tell(self, state: CampaignState) -> None:
        if not state.going:
            self.going.emit("", 0.0)
            return
        self.going.emit(f"Campaign: {in_short(state)}", state.done / max(1, state.campaign.total))

    def _stop(self, then: Callable[[], object]) -> None:
        self._then = then
        if self._campaigns.is_busy:
            self._campaigns.cancel()
        else:
            self._go_on(False)

    def _go_on(self, busy: bool) -> None:
        if not busy:
            then, self._then = self._then, None
            if then is not None:
                then()

    # cases

    def _made_process(self) -> SearchProcess:
        if self._process is None:
            self._process = process = SearchProcess(self, "case process")
            process.done.connect(self._take)
            process.failed.connect(self._refuse)
            process.cancelled.connect(lambda: self.reading.emit(""))
        return self._process

    def _take(self, found: object) -> None:
        self.reading.emit("")
        made: Reopened = found  # type: ignore[assignment] # what was started

        def load() -> None:
            self._window.document.load(made.project)
            self.told.emit(made.text)
            self.noted.emit(made.notes)

        self._files.when_saved(load)

    def _refuse(self, error: PlacewiseError) -> None:
        self.reading.emit("")
        if isinstance(error, ProcessEnded):
            error = PlacewiseError(
                "the process that searched its plan ended unexpectedly",
                remedy="Open the row again; another process searches then",
            )
        self.failed.emit(_NO_CASE, error)

    def _open_study(self, row: Row) -> None:
        """Its page with the settings of a row, once it is there."""
        from advisor.campaigns.names import settled  # noqa: PLC0415 - with the first row
        from advisor.studies import STUDIES  # noqa: PLC0415 - with the first row

        state = self._campaigns.state
        assert state is not None and state.campaign.cases is not None
        try:
            source = state.campaign.cases[row.case].source
            record: object = settled(STUDIES[source.study].record, source.settings, source.seed)
        except (PlacewiseError, IndexError) as error:
            told_ = error if isinstance(error, PlacewiseError) else InputError(_GONE)
            self.failed.emit(_NO_CASE, told_)
            return
        self._window.show_page(source.study)
        page = self._window.built(source.study)
        if page is not None:
            page.show_settings(record)  # type: ignore[attr-defined] # the page of a study
            return
        once = Qt.ConnectionType.SingleShotConnection

        def show(made: StudyPanel) -> None:
            made.show_settings(record)

        self._window.lazy[source.study].built.connect(show, once)


_GONE = "there is no such case any more"
