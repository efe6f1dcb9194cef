"""What the schedule view lays out in the background: bars, transfers, loads, the network's picture.

A frozen value, made by the worker thread from an outcome and shown by the window's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.task_causes import task_causes
from advisor.allocation.workload import Workload
from advisor.basics.stop_rule import ShouldStop
from gui.board.alike_lanes import stands_for
from gui.board.arcs import Arcs, arcs_of, merged
from gui.board.lanes import Kinds, Lanes, lay_out
from gui.board.network_layout import NetworkLayout, network_layout
from gui.board.run_bars import Happened, RunBars, run_bars
from gui.board.strips import Loads, loads_of
from gui.document.document import Outcome
from machines import Platform
from machines.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Shown:
    """A schedule, laid out."""

    outcome: Outcome
    kinds: Kinds
    lanes: Lanes
    arcs: Arcs
    loads: Loads
    network: NetworkLayout
    slack_s: Floats | None  # shape (tasks,); where it was asked for
    stand_for: Ints  # shape (machines,); how many machines each lane stands for
    run: RunBars | None = None  # what happened, where there is a run


@dataclass(frozen=True, eq=False)
class Known:
    """What was laid out before: parts of it still hold for the same workload or platform."""

    outcome: Outcome | None = None
    kinds: Kinds | None = None
    network: NetworkLayout | None = None


def laid_out(
    outcome: Outcome,
    known: Known,
    grouped: bool,
    slack: bool,
    happened: Happened | None,
    should_stop: ShouldStop,
) -> Shown:
    """Lay a schedule out; with `slack` its tasks' slack, too, and beside it what happened."""
    _ = outcome.slowdowns, outcome.peaks  # the cards need them, on the window's thread
    kinds = _kinds(outcome.project.workload, known)
    machines, prediction = len(outcome.project.platform.machines), outcome.prediction
    causes = task_causes(outcome.costs, prediction)
    lanes = lay_out(prediction, causes, machines, kinds, grouped, should_stop, _held(outcome))
    fits = happened is not None and happened.actual.ran.size == len(outcome.project.workload.tasks)
    return Shown(
        outcome,
        kinds,
        lanes,
        merged(arcs_of(outcome.problem, prediction)),
        loads_of(outcome),
        _network(outcome.project.platform, known.network),
        outcome.slack_s if slack else None,
        stands_for(outcome),
        run_bars(happened, lanes, outcome, kinds, should_stop) if fits and happened else None,
    )


def _held(outcome: Outcome) -> Ints:
    """By task, the rows that it is in: of a resource, of performance or efficiency cores, others.

    Those of the first resource that it holds, else of the fastest of unequal cores that it holds.
    """
    settled = outcome.problem.settled(outcome.prediction.plan)
    kinds = sorted({kind for task in settled.workload.tasks for kind, _ in task.resources})
    place = {kind: at for at, kind in enumerate(kinds)}
    cores = outcome.held_cores
    group = (cores > 0).argmax(axis=1) if cores.shape[1] else np.zeros(len(cores), np.int64)
    return np.array(
        [
            min((place[kind] for kind, _ in task.resources), default=len(kinds) + int(fastest))
            for task, fastest in zip(settled.workload.tasks, group, strict=True)
        ],
        dtype=np.int64,
    )


def _network(platform: Platform, drawn: NetworkLayout | None) -> NetworkLayout:
    """The layout of a platform's network; the one that is drawn when it is still the same."""
    if drawn is not None and drawn.platform is platform:
        return drawn
    return network_layout(platform)


def _kinds(workload: Workload, known: Known) -> Kinds:
    """The workload's kinds; those already known when it is still the same."""
    shown, kinds = known.outcome, known.kinds
    if shown is not None and kinds is not None and shown.project.workload is workload:
        return kinds
    return Kinds.of([task.group for task in workload.tasks])
