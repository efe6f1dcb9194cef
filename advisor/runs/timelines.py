"""Predicted and actual timelines of one question, as chains of delays (`advisor.runs.delay_chain`).

A delay is known by what it is: a gap before a task, what it fetched in its slot, what it computed,
and how long after its source's end what it waits for was there. The runtime's overhead of a task
is a gap before it, as it is in logs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from advisor.allocation.executed_path import copies_of
from advisor.allocation.execution import executed_run
from advisor.allocation.problem import Problem
from advisor.basics.ordering import after_needs
from advisor.runs.delay_chain import Chain, Delays, gaps
from advisor.runs.matched_problem import Question
from advisor.runs.run_record import FAILED
from machines.arrays import Flags, Floats, Indices
from machines.errors import InputError

_FETCHED = 1e-3  # of the makespan: a run that fetched less in its slots fetched ahead
_OUTLYING = 3.0 * 1.4826  # median absolute deviations (three of the normal spread)
_FEW = 3  # gaps of which there is no spread


class Parts(NamedTuple):
    """What the delays of a timeline are made of, seconds; arrays (tasks,), the last (arcs,).

    `gap_s`, `tried_s`, `early_s`: before a task: what the engine takes; tries that failed; below 0:
        it began before what it waits for had ended.
    `fetch_s`, `compute_s`: from its begin to its end.
    """

    gap_s: Floats
    tried_s: Floats
    early_s: Floats
    fetch_s: Floats
    compute_s: Floats
    link_s: Floats  # after its source's end until what a task waits for is there

    @property
    def delays(self) -> Delays:
        """The same, summed."""
        before = self.gap_s + self.tried_s + self.early_s
        return Delays(before, self.fetch_s + self.compute_s, self.link_s)


@dataclass(frozen=True, eq=False)
class Predicted:
    """A plan that was carried out on the executed timeline; arrays (tasks,) or (arcs,)."""

    makespan_s: float
    begin_s: Floats  # when each took its cores, and what the runtime takes was over
    fetch_s: Floats
    compute_s: Floats
    end_s: Floats
    link_s: Floats
    moved: Flags  # shape (arcs,); whether something comes from another machine or a store

    def parts(self, chain: Chain) -> Parts:
        """Its delays; the chain is in the order of its begins."""
        nothing = np.zeros(self.begin_s.size)
        gap_s = gaps(chain, self.begin_s, self.end_s, self.link_s)
        return Parts(gap_s, nothing, nothing, self.fetch_s, self.compute_s, self.link_s)


def predicted(
    problem: Problem, machine: Indices, order: Indices, *, strictly: bool = False
) -> Predicted:
    """Carry tasks out on given machines.

    `order`: shape (tasks,); in which machines take their tasks; by the platform's runtime, or
        `strictly`.
    """
    instance = problem.executed
    if strictly:
        instance = instance._replace(eager=False)
    makespan_s, run = executed_run(instance, machine, order)
    if not np.isfinite(makespan_s):
        raise InputError(
            "the tasks ran where their data can't get to", where="platform",
            remedy="Add the links over which they came",
        )  # fmt: skip
    copy = copies_of(instance, machine, run)
    moved = copy >= 0
    link_s = np.zeros(copy.size)
    if not instance.slot:
        writer = instance.writer[instance.item[moved]]
        made_s = np.where(writer >= 0, run.end_s[writer], 0.0)
        link_s[moved] = run.arrived_s[copy[moved]] - made_s
    edges = problem.workload.sources.size
    begin_s = run.taken_s + instance.overhead_s
    return Predicted(
        makespan_s=makespan_s,
        begin_s=begin_s,
        fetch_s=run.start_s - run.taken_s,
        compute_s=run.end_s - run.start_s - instance.overhead_s,
        end_s=run.end_s,
        link_s=np.concatenate([np.zeros(edges), link_s]),
        moved=np.concatenate([np.zeros(edges, np.bool_), moved]),
    )


def arcs(problem: Problem) -> tuple[Indices, Indices]:
    """Source and target of all that tasks wait for: the edges, then every reader of every item."""
    instance = problem.executed
    writer = instance.writer[instance.item]
    sources = np.concatenate([problem.workload.sources, writer])
    return sources, np.concatenate([problem.workload.targets, instance.reader])


def in_order(problem: Problem, *times_s: Floats) -> Indices:
    """The tasks by some times, the first decides, every one after those that it needs."""
    keys = list(zip(*(one.tolist() for one in times_s), strict=True))
    return np.array(after_needs(keys, problem.workload.ends()), np.int32)


def chain(problem: Problem, machine: Indices, order: Indices) -> Chain:
    """The chain of tasks on given machines in a given order."""
    inputs: list[list[tuple[int, int]]] = [[] for _ in problem.workload.tasks]
    for arc, (source, target) in enumerate(np.transpose(arcs(problem)).tolist()):
        inputs[target].append((arc, source))
    return Chain(
        tuple(order.tolist()),
        tuple(machine.tolist()),
        tuple(problem.costs.task_cores.tolist()),
        tuple(problem.costs.machine_cores.tolist()),
        tuple(tuple(one) for one in inputs),
    )


def fetched_in_slot(asked: Question) -> bool:
    """Whether the run fetched data while tasks held their cores."""
    spent = asked.start_s - asked.begin_s
    return bool(spent.sum() > _FETCHED * (asked.end_s.max() - asked.begin_s.min()))


def measured(asked: Question, links: Chain, beside: Predicted) -> Parts:
    """The delays of the run, whose order the chain has.

    Logs do not say when data arrived: what fetched ahead arrived as predicted, unless its reader
    began earlier, or began later than the engine's gaps explain (those before tasks that fetch
    nothing: their median, and three of their spread). Then it arrived that median before.
    """
    problem = asked.problem
    sources, targets = arcs(problem)
    made_s = np.where(sources >= 0, asked.end_s[sources], 0.0)
    link_s = np.zeros(sources.size)
    ahead = not fetched_in_slot(asked)
    if ahead:
        link_s = np.clip(asked.begin_s[targets] - made_s, 0.0, beside.link_s)
    found = gaps(links, asked.begin_s, asked.end_s, link_s)
    gap_s = np.maximum(found, 0.0)
    tries_s = tried_s(asked, gap_s)
    gap_s -= tries_s
    if ahead and beside.moved.any():
        fetches = np.zeros(gap_s.size, np.bool_)
        fetches[targets[beside.moved]] = True
        usual_s, most_s = _usual(gap_s[~fetches], problem.executed.overhead_s)
        most_s = max(most_s, usual_s + asked.run.resolution_s)
        there_s = np.where(beside.moved, made_s + link_s, -1.0)
        for task in np.flatnonzero(fetches & (gap_s > most_s)).tolist():
            own = np.flatnonzero(targets == task)
            last = own[np.argmax(there_s[own])]
            link_s[last] = asked.begin_s[task] - tries_s[task] - usual_s - made_s[last]
            gap_s[task] = usual_s
    compute_s = asked.end_s - asked.start_s
    fetch_s = asked.start_s - asked.begin_s
    return Parts(gap_s, tries_s, np.minimum(found, 0.0), fetch_s, compute_s, link_s)


def _usual(gaps_s: Floats, predicted_s: float) -> tuple[float, float]:
    """The usual gap before tasks, and the most that is one."""
    if gaps_s.size < _FEW:
        return predicted_s, max(predicted_s, float(gaps_s.max(initial=0.0)))
    usual_s = float(np.median(gaps_s))
    return usual_s, usual_s + _OUTLYING * float(np.median(np.abs(gaps_s - usual_s)))


# Tries of tasks that failed: how much of the gaps before tasks went to them.


def tried_s(asked: Question, gap_s: Floats) -> Floats:
    """Seconds of every task's gap in which it failed, or another task failed on its only core.

    `gap_s`: shape (tasks,); until each task's begin.
    """
    found = np.zeros(gap_s.size)
    tries = [one for one in asked.run.tasks if one.status == FAILED]
    platform, workload = asked.problem.platform, asked.problem.workload
    for task in np.flatnonzero(gap_s > 0.0).tolist() if tries else ():
        machine = platform.machines[asked.machine[task]]
        name = asked.names.get(task, workload.tasks[task].name)
        spans = [
            (one.taken_s, one.end_s)
            for one in tries
            if one.task == name or (machine.cores == 1 and one.machine == machine.name)
        ]
        last = float(asked.begin_s[task])
        found[task] = _covered(last - float(gap_s[task]), last, spans)
    return found


def _covered(low: float, high: float, spans: list[tuple[float, float]]) -> float:
    """How much of a stretch of time lies in some of the spans."""
    total, reached = 0.0, low
    for begin, end in sorted(spans):
        total += max(0.0, min(end, high) - max(begin, reached))
        reached = max(reached, min(end, high))
    return total
