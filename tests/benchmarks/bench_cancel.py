"""How soon a cancelled job is over: a small share of what the whole of it would have taken.

``python -m tests.benchmarks.bench_cancel`` runs each of the window's long jobs to its end, then
cancels it after a quarter, a half and three quarters of that time, and prints the longest time
until it was over as a share of the whole: the same on any machine. What is wished is a tenth of a
second.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, sleep

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import load
from advisor.search import advise
from advisor.studies import STUDIES, parse_settings
from gui.basics.background_jobs import LatestWins, SearchProcess
from machines.stopping import Stopped
from tests.benchmarks.bench_board import large, wait_for

_MOMENTS = (0.25, 0.5, 0.75)  # of the whole run
_MOST = 0.05  # of the whole run, from the order to stop until nothing runs any more
_SEARCH_S = 2.0

Job = Callable[[ShouldStop | None], object]


@dataclass(frozen=True)
class Lateness:
    """Seconds of a whole run, and the longest from an order to stop until it was over."""

    name: str
    whole_s: float
    late_s: float

    @property
    def share(self) -> float:
        """Of the whole run."""
        return self.late_s / self.whole_s


def on_a_thread(name: str, job: Job) -> Lateness:
    """A job of a panel: `LatestWins` runs it on a thread of its own."""
    ends: list[float] = []

    def noted(should_stop: ShouldStop | None) -> None:
        with suppress(Stopped):
            job(should_stop)
        ends.append(perf_counter())

    began = perf_counter()
    noted(None)
    whole_s, late = ends[-1] - began, []
    jobs = LatestWins(None, name)
    for moment in _MOMENTS:
        ends.clear()
        jobs.request(noted)
        sleep(moment * whole_s)
        ordered = perf_counter()
        jobs.cancel()
        wait_for(lambda: bool(ends))
        late.append(ends[-1] - ordered)
    jobs.close()
    return Lateness(name, whole_s, max(late))


def in_the_process(name: str, problem: Problem) -> Lateness:
    """The search for advice: it runs in a process, and its best so far must come back."""
    search = SearchProcess()
    answered: list[float] = []
    search.done.connect(lambda _found: answered.append(perf_counter()))

    def start() -> None:
        answered.clear()
        search.start(advise, problem=problem, strategy="refine", seconds=_SEARCH_S)

    start()  # the process starts and loads what is compiled
    wait_for(lambda: bool(answered))
    began = perf_counter()
    start()
    wait_for(lambda: bool(answered))
    whole_s, late = answered[-1] - began, []
    for moment in _MOMENTS:
        start()
        for _ in range(max(1, int(moment * whole_s / 0.005))):
            QCoreApplication.sendPostedEvents()
            QApplication.processEvents()  # the window hears that the search has begun
            sleep(0.005)
        ordered = perf_counter()
        search.cancel()
        wait_for(lambda: bool(answered))
        late.append(answered[-1] - ordered)
    search.close()
    return Lateness(name, whole_s, max(late))


def study(name: str, problem: Problem, simulated: bool = False, **settings: str) -> Job:
    """A study with its defaults but for the settings, or the simulation of its case."""
    asked = STUDIES[name]
    inputs: dict[str, object] = {"problem": problem} if asked.needs_problem else {}
    parameters: object = parse_settings(
        asked.record, [f"{key}={value}" for key, value in settings.items()], **inputs
    )
    call = asked.check if simulated else asked.run
    assert call is not None
    return lambda should_stop: call(parameters, None, should_stop)


def main() -> None:
    """Measure and print."""
    application = QApplication.instance() or QApplication([])
    load()
    project = large(2_000, 8)
    problem = Problem.of(project.platform, project.workload)
    jobs = {
        "study of allocations": study("allocation", problem),
        "decision map": study("decision-map", problem),
        "study of trees": study("trees", problem),
        "trees of 10⁶ back-ends": study("trees", problem, back_ends="1000000"),
        "styles on 4,096 nodes": study("styles", problem, dims="16x16x16 torus"),
        "styles, simulated": study("styles", problem, simulated=True),
        "blocks, simulated": study("blocks", problem, simulated=True),
    }
    print(f"\nCancelling\n{'':28}{'whole':>10}{'until over':>14}{'share':>9}{'most':>7}")
    found = [in_the_process("search in its process", problem)]
    found += [on_a_thread(name, job) for name, job in jobs.items()]
    for one in found:
        mark = "" if one.share <= _MOST else "  missed"
        print(f"{one.name:28}{one.whole_s:8.2f} s{1e3 * one.late_s:11.1f} ms{one.share:9.1%}"
              f"{_MOST:7.0%}{mark}")  # fmt: skip
    application.processEvents()


if __name__ == "__main__":
    main()
