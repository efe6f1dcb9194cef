"""The campaign that is open: read, carried out and followed, off the window's thread.

Cases are computed in a process of its own, which ends with the campaign; what starts workers is
imported there alone. Rows are kept here as columns while they are told, and read from the folder
of results once the process is over: that is what is there, however it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gui.basics.background_jobs import LatestWins, ProcessEnded, SearchProcess
from gui.basics.collector import collector_held
from gui.basics.run_call import run_campaign
from machines.errors import PlacewiseError

if TYPE_CHECKING:
    from advisor.campaigns.open_campaign import OpenCampaign
    from advisor.campaigns.results import Results
    from advisor.campaigns.row_columns import Row
    from advisor.campaigns.run_campaign import Progress

_JOIN_MS = 300
_NOT_OPENED = "{} can't be opened"
_NOT_RUN = "The campaign can't run"
_BROKE_OFF = "The campaign broke off"


@dataclass(frozen=True, eq=False)
class CampaignState:
    """A campaign, and how far it is.

    `campaign`: with the results that were there when it was opened, or when its process ended.
    `progress`: of the process that computes; None: it has not told anything yet, or there is none.
    `going`, `stopping`: whether it computes, and was cancelled.
    """

    campaign: OpenCampaign
    scheduler: str = ""  # where its cases are computed; empty: this machine
    progress: Progress | None = None
    notes: tuple[str, ...] = ()  # what it said
    going: bool = False
    stopping: bool = False
    cancelled: bool = False  # whether it ended because it was

    @property
    def done(self) -> int:
        """Cases that have a row."""
        return len(self.campaign.results) if self.progress is None else self.progress.done


class Campaigns(QObject):
    """One campaign at a time.

    `scheduler`: where to compute, asked when it begins; empty: this machine. `state`: None: no
    campaign is open. `results`: the rows so far.
    """

    opened = Signal(object)  # CampaignState: another campaign, or another folder for it
    changed = Signal(object)  # CampaignState, as it goes on
    grown = Signal(object)  # Results
    failed = Signal(object, object)  # title, PlacewiseError
    busy = Signal(object)  # bool: whether cases are computed
    reading = Signal(object)  # str: what is being read; "" at the end

    def __init__(
        self, parent: QObject | None = None, scheduler: Callable[[], str] = lambda: ""
    ) -> None:
        super().__init__(parent)
        self.setObjectName("campaigns")
        self.state: CampaignState | None = None
        self.results: Results | None = None
        self._scheduler = scheduler
        self._process: SearchProcess | None = None
        self._rows: list[Row] = []  # told, and not joined to the results yet
        self._took_s: list[float] = []
        self._then: Callable[[], object] | None = None
        self._opening, self._quiet = "", False
        self._reader = LatestWins(self, "opening campaign")
        self._reader.done.connect(self._take)
        self._reader.failed.connect(self._refuse)
        self._joiner = LatestWins(self, "joining rows")
        self._joiner.done.connect(self._grow)
        self._tick = QTimer(self, interval=_JOIN_MS)
        self._tick.setObjectName("campaign tick")
        self._tick.timeout.connect(self._join)

    @property
    def is_busy(self) -> bool:
        """Whether cases are computed."""
        return self._process is not None

    @property
    def is_reading(self) -> bool:
        """Whether a campaign is being opened, or its results are read again."""
        return self._reader.is_busy

    @property
    def process_id(self) -> int | None:
        """The process that computes, once it runs."""
        return None if self._process is None else self._process.process_id

    def open(
        self,
        path: Path,
        out: Path | None = None,
        then: Callable[[], object] | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        """Open a campaign's file or its results.

        While another one computes, nothing happens but that this is said.

        `out`: folder of the results of a campaign's file. `then`: called once it is open. `quiet`:
        whether nothing is said where that is not possible.
        """
        if self.state is not None and self.state.going:
            title = _NOT_OPENED.format(path.name)
            error = PlacewiseError("another campaign is computed", remedy="Cancel it first")
            self.failed.emit(title, error)
            return
        self._opening, self._then, self._quiet = path.name, then, quiet
        self.reading.emit(f"Reading {path.name}")

        def read(_should_stop: object) -> object:
            from advisor.campaigns.open_campaign import open_campaign  # noqa: PLC0415 - once it is asked

            with collector_held():
                return open_campaign(path, out)

        self._reader.request(read)

    def put_into(self, out: Path) -> None:
        """Another folder for the results of the open campaign."""
        campaign = None if self.state is None else self.state.campaign
        if campaign is not None and campaign.file is not None:
            self.open(campaign.file, out)

    def start(self) -> None:
        """Compute the cases that have no row yet."""
        state = self.state
        if state is None or state.going or self.is_reading:
            return
        campaign = state.campaign
        if not campaign.missing:
            return
        if campaign.cases is None or campaign.refused is not None:
            self.failed.emit(_NOT_RUN, campaign.refused)
            return
        scheduler = self._scheduler()
        self.state = CampaignState(campaign, scheduler, going=True)
        self._process = process = SearchProcess(self, "campaign process", None, parental=True)
        process.progress.connect(self._hear)
        process.failed.connect(self._fail)
        process.start(
            run_campaign, cases=campaign.cases, out=campaign.out, text=campaign.text,
            scheduler=scheduler,
        )  # fmt: skip
        self._tick.start()
        self.busy.emit(True)
        self.changed.emit(self.state)

    def look_where(self) -> None:
        """Where to compute may have changed."""
        if self.state is not None and not self.state.going:
            self.state = replace(self.state, scheduler=self._scheduler())
            self.changed.emit(self.state)

    def cancel(self) -> None:
        """End what computes; rows that are written stay."""
        if self._process is not None and self.state is not None and not self.state.stopping:
            self.state = replace(self.state, stopping=True)
            self.changed.emit(self.state)
            self._process.cancel()

    def close_jobs(self) -> None:
        """Stop everything, for good."""
        self._tick.stop()
        if self._process is not None:
            self._process.close()
        self._reader.close()
        self._joiner.close()

    # reading

    def _take(self, found: object) -> None:
        self.reading.emit("")
        campaign: OpenCampaign = found  # type: ignore[assignment] # what the reader makes
        if self.state is not None and self.state.going:  # what was read again
            self.results = campaign.results
            self._settle()
            return
        self.state = CampaignState(campaign, self._scheduler())
        self.results = campaign.results
        self.opened.emit(self.state)
        self.grown.emit(self.results)
        then, self._then = self._then, None
        if then is not None:
            then()

    def _refuse(self, error: PlacewiseError) -> None:
        self.reading.emit("")
        self._then = None
        if self.state is not None and self.state.going:
            self._settle()
        if not self._quiet:
            self.failed.emit(_NOT_OPENED.format(self._opening), error)

    # what the process tells

    def _hear(self, event: object) -> None:
        from advisor.campaigns.run_campaign import Outcome  # noqa: PLC0415 - with the first rows

        assert self.state is not None
        if isinstance(event, Outcome):
            self._close()
            return
        if isinstance(event, str):
            self.state = replace(self.state, notes=(*self.state.notes, event))
        else:
            progress: Progress = event  # type: ignore[assignment]
            self._rows += progress.rows
            self._took_s += progress.took_s
            self.state = replace(self.state, progress=replace(progress, rows=(), took_s=()))
        self.changed.emit(self.state)

    def _join(self) -> None:
        """Put the rows that came to the others; not before those that came earlier are there."""
        if not self._rows or self._joiner.is_busy or self.results is None:
            return
        results, rows, took_s = self.results, self._rows, self._took_s
        self._rows, self._took_s = [], []
        self._joiner.request(lambda _stop: results.extended(rows, took_s))

    def _grow(self, results: object) -> None:
        self.results = results  # type: ignore[assignment] # what the joiner makes
        if self.is_busy:
            self.grown.emit(results)
        else:
            self._end()

    def _fail(self, error: PlacewiseError) -> None:
        assert self.state is not None
        begun, slow = self.state.progress is not None, self.state.stopping
        if not isinstance(error, ProcessEnded):
            self._close()
            self.failed.emit(_BROKE_OFF if begun else _NOT_RUN, error)
            return
        self._rows, self._took_s = [], []
        self._joiner.cancel()
        self._close(read_again=True)
        if slow:  # it was cancelled, and ended from outside
            return
        lost = PlacewiseError(
            "the process that computed the cases ended unexpectedly",
            where=str(self.state.campaign.out),
            remedy="The written rows are kept: resume",
        )
        self.failed.emit(_BROKE_OFF if begun else _NOT_RUN, lost)

    def _close(self, read_again: bool = False) -> None:
        """The process is over: what it told is put together, or what it wrote is read."""
        process, self._process = self._process, None
        assert process is not None and self.state is not None
        process.close(0.0)
        process.deleteLater()
        self._tick.stop()
        campaign, progress = self.state.campaign, self.state.progress
        others = progress is not None and progress.began_with != len(campaign.results)
        if read_again or others:

            def read(_should_stop: object) -> object:
                from advisor.campaigns.open_campaign import read_again  # noqa: PLC0415 - rarely

                with collector_held():
                    return read_again(campaign)

            self._opening, self._quiet = campaign.out.name, False
            self._reader.request(read)
        else:
            self._end()
        self.busy.emit(False)

    def _end(self) -> None:
        """Join the last rows; then that is what there is."""
        self._join()
        if not self._joiner.is_busy:
            self._settle()

    def _settle(self) -> None:
        state = self.state
        assert state is not None and self.results is not None
        campaign = replace(state.campaign, results=self.results)
        over = {"going": False, "stopping": False, "cancelled": state.stopping, "progress": None}
        self.state = replace(state, campaign=campaign, **over)  # type: ignore[arg-type]
        self.changed.emit(self.state)
        self.grown.emit(self.results)
