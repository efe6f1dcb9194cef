"""A campaign carried out: what is missing is computed, and written as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import overload

from advisor.basics.shards import Shards
from advisor.basics.stop_rule import ShouldStop
from advisor.campaigns.answer_case import Answer, Ask, Asking, answer, lost
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.row_columns import Row
from advisor.campaigns.writing import Writing, writing
from advisor.computing.here import Here
from advisor.computing.window import PiecesLost
from machines.stopping import Stopped, stoppable

_AHEAD = 65_536  # cases that may be answered while an earlier one is not: some 100 MB of rows,
_AHEAD_WITH_PLANS = 4096  # and enough to keep a thousand workers busy
_REPORT_S = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a campaign is.

    `done`, `total`, `failed`: cases that have rows, all of them, and those rows that have no
        answer.
    `rows`, `took_s`: the rows that were written since the last report, and measured seconds of
        each.
    """

    done: int
    total: int
    failed: int
    began_with: int  # rows that were there before
    rate_hz: float = 0.0  # cases a second of this process; 0: not known yet
    left_s: float | None = None  # seconds that the others take at that rate
    rows: tuple[Row, ...] = ()
    took_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """How a campaign ended.

    `done`, `total`, `failed`, `began_with`: as of `Progress`.
    """

    done: int
    total: int
    failed: int
    began_with: int
    notes: tuple[str, ...] = ()  # what to know about the rows

    @property
    def complete(self) -> bool:
        """Whether every case has a row."""
        return self.done == self.total


OnProgress = Callable[[Progress], None]


def run_campaign(
    cases: Cases,
    out: str | Path,
    shards: Shards | None = None,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    text: str = "",
) -> Outcome:
    """Compute the cases that a folder lacks; what is there stays.

    The rows are the same whoever computes them and however often that is interrupted.

    `out`: the folder of results; made if it is missing.
    `shards`: who computes; default: this process, case by case.
    `on_progress`: called at the beginning, at the end, and ten times a second at most between them.
    `should_stop`: asked while cases are computed; rows that are written stay.
    `text`: of the campaign's file, for whoever reads the results; default: one that says the same.
    """
    with writing(Path(out), cases, text) as rows:
        report = _Report(rows, len(cases), on_progress)
        report.tell()
        try:
            with stoppable(should_stop):
                for answers in _in_order(cases, rows.done, shards or Here()):
                    rows.append(answers)
                    report.add(answers)
        except Stopped:
            pass
        finally:
            report.tell()
        if rows.done == len(cases):
            rows.end()
        return Outcome(rows.done, len(cases), rows.failed, report.began_with, rows.notes)


class _Report:
    """Tells how far it is, not too often."""

    def __init__(self, rows: Writing, total: int, on_progress: OnProgress | None) -> None:
        self.began_with = rows.done
        self._rows, self._total, self._on_progress = rows, total, on_progress
        self._began = self._told = monotonic()
        self._since: list[Answer] = []

    def add(self, answers: Sequence[Answer]) -> None:
        """These rows were written."""
        if self._on_progress is None:
            return
        self._since += answers
        if monotonic() - self._told >= _REPORT_S:
            self.tell()

    def tell(self) -> None:
        """Now."""
        if self._on_progress is None:
            return
        self._told = monotonic()
        done, since = self._rows.done, self._since
        fresh, passed_s = done - self.began_with, self._told - self._began
        rate_hz = fresh / passed_s if fresh and passed_s else 0.0
        left_s = (self._total - done) / rate_hz if rate_hz else None
        self._since = []
        self._on_progress(
            Progress(
                done,
                self._total,
                self._rows.failed,
                self.began_with,
                rate_hz,
                left_s,
                tuple(one.row for one in since),
                tuple(one.took_s for one in since),
            )
        )


class _Asks(Sequence[Ask]):
    """What is asked from a case on, made as it is needed.

    `first`: the case. `reach`: places before this one may be handed out.
    """

    def __init__(self, cases: Cases, first: int) -> None:
        self._asking, self._many = Asking(cases), len(cases) - first
        self.first = first
        self._ahead = _AHEAD_WITH_PLANS if cases.campaign.plans else _AHEAD
        self.reach = self._ahead

    def answered_before(self, case: int) -> None:
        """All cases before this one are: others may be handed out."""
        self.reach = case - self.first + self._ahead

    def __len__(self) -> int:
        return self._many

    @overload
    def __getitem__(self, place: int) -> Ask: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Ask]: ...
    def __getitem__(self, place: int | slice) -> Ask | Sequence[Ask]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if not 0 <= place < self._many:
            raise IndexError(place)
        return self._asking(self.first + place)


def _in_order(cases: Cases, first: int, shards: Shards) -> Iterator[list[Answer]]:
    """The answers from a case on: those that come early wait."""
    early: dict[int, Answer] = {}
    while first < len(cases):
        asks = _Asks(cases, first)
        try:
            for place, found in shards.each(answer, asks):
                early[asks.first + place] = found
                ready = list(_taken(early, first))
                if ready:
                    first += len(ready)
                    asks.answered_before(first)
                    yield ready
        except PiecesLost as error:  # all others that were handed out are answered
            early |= {asks.first + place: lost(asks[place]) for place in error.places}
            ready = list(_taken(early, first))
            first += len(ready)
            yield ready


def _taken(early: dict[int, Answer], first: int) -> Iterator[Answer]:
    """Those whose turn it is."""
    while first in early:
        yield early.pop(first)
        first += 1
