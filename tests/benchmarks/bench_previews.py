"""How often the estimates of moves are right: ``python -m tests.benchmarks.bench_previews``.

Moves of single tasks of large plans, half of them on the critical path, to all machines: what the
queues estimate, against the simulated plans. Layered random workloads whose transfers take 0.1, 1
or 10 times as long as their tasks, blocks at a switch, and workflows of a folder of WfFormat files
(``$PLACEWISE_WORKFLOWS``, as in `bench_network_search`; what is missing is left out). Random plans
of equal tasks on a full network move chaotically: a transfer that overtakes another changes what
follows, so that signs there are hard for any estimate.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor import kernels
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import estimate
from advisor.project.wfformat.wfformat_reader import workload_from
from advisor.search.list_scheduling import heft
from machines.arrays import Floats, Indices
from tests.benchmarks.bench_kernels import FRAME_S, at_a_switch
from tests.benchmarks.bench_network_search import corpus
from tests.benchmarks.network_search_cases import FAST, GIGABIT, platform
from tests.benchmarks.table import Row, least_seconds, show

_STAKE = 0.005  # of the makespan; smaller differences have no sign
_WIDE = 50
_WORKFLOWS = (
    "1000genome-chameleon-22ch-250k-001",
    "seismology-chameleon-1100p-001",
    "montage-chameleon-2mass-05d-001",
)


def layered(ratio: float, kind: str, seed: int, count: int = 1_500, machines: int = 8) -> Problem:
    """Layers of tasks; each reads from one to three before it, `ratio` times as long as it runs."""
    rng = random.Random(seed)
    tasks = tuple(Task(f"t{i}", work=rng.uniform(2.0, 20.0)) for i in range(count))
    edges = {
        (rng.randrange(i - i % _WIDE - _WIDE, i - i % _WIDE), i)
        for i in range(_WIDE, count)
        for _ in range(rng.randint(1, 3))
    }
    size = 11.0 * ratio * GIGABIT
    flows = tuple(
        Flow(f"t{a}", f"t{b}", ((1, rng.uniform(0.2, 1.8) * size),)) for a, b in sorted(edges)
    )
    return Problem.of(platform(kind, GIGABIT, machines, 1), Workload("layers", tasks, flows))


def cases() -> Iterator[tuple[str, Problem]]:
    """(group, problem)."""
    for ratio in (0.1, 1.0, 10.0):
        for seed, kind in enumerate(("bus", "star", "backbone")):
            yield f"layers, transfers {ratio:g} × tasks", layered(ratio, kind, seed)
    yield "blocks at a switch", at_a_switch(2_000)
    for stem in _WORKFLOWS:
        file = corpus() / f"{stem}.json"
        if file.is_file():
            workload = workload_from(json.loads(file.read_text(encoding="utf-8"))).workload
            most = max(task.cores for task in workload.tasks)
            for kind, bandwidth in (("bus", GIGABIT), ("star", FAST)):
                made = platform(kind, bandwidth, 8, max(4, most))
                yield "workflows", Problem.of(made, workload)


def by_queues(problem: Problem, plan: Plan, moved: Indices, now: Prediction) -> Floats:
    """The queues' makespans on all machines, corrected at home."""
    found = np.empty((3, problem.executed.machine_cores.size))
    estimate.lanes(problem.executed, *placement(problem, plan), moved, *found)
    makespans_s: Floats = found[0] * (now.makespan_s / found[0, plan.allocation[moved[0]]])
    return makespans_s


def moves_of(problem: Problem, plan: Plan, now: Prediction, count: int = 10) -> Floats:
    """Rows (moves): the makespan now, simulated, by queues."""
    rng, critical = np.random.default_rng(1), np.flatnonzero(now.critical)
    some = [rng.choice(now.end_s.size, count), rng.choice(critical, min(count, critical.size))]
    rows = []
    for task in np.unique(np.concatenate(some)):
        moved = np.array([task], np.int32)
        exact = preview(problem, plan, moved.tolist(), exact=True).values_s
        queues = by_queues(problem, plan, moved, now)
        there = np.isfinite(exact)
        there[plan.allocation[task]] = False
        all_now = np.full(exact.size, now.makespan_s)
        rows.append(np.stack((all_now, exact, queues), axis=1)[there])
    return np.concatenate(rows)


def line(rows: Floats) -> str:
    """Relative error, and the share of right signs where something is at stake."""
    now, exact, guess = rows.T
    error = np.abs(guess / exact - 1.0)
    stake = np.abs(exact - now) > _STAKE * now
    right = np.sign(guess - now)[stake] == np.sign(exact - now)[stake]
    misled = ~right & (np.abs(guess - now) > _STAKE * now)[stake]
    shares = f"{right.mean():6.1%}  {misled.mean():6.1%}" if right.size else f"{'–':>6}  {'–':>6}"
    return f"{np.median(error):8.3%}  {np.quantile(error, 0.9):7.2%}  {shares}"


def frame_rows(tasks: int = 10_000) -> list[Row]:
    """How long the estimates of all machines take, beside a frame and four."""
    rows = []
    for machines, frames in ((8, 1), (32, 4)):
        for kind in ("bus", "star"):
            problem = layered(10.0, kind, 1, tasks, machines)
            plan = heft(problem)
            asked = partial(preview, problem, plan, (tasks // 2,), now=predict(problem, plan))
            name = f"{tasks:,} tasks on {machines} machines at a {kind}"
            rows.append(Row(name, least_seconds(asked), frames * FRAME_S))
    return rows


def main() -> None:
    """Print the time of estimates, and a row a group."""
    kernels.load()
    show("Estimates of all machines", frame_rows())
    found: dict[str, list[Floats]] = {}
    for group, problem in cases():
        plan = heft(problem)
        now = predict(problem, plan)
        found.setdefault(group, []).append(moves_of(problem, plan, now))
    head = f"{'median':>8}  {'90 %':>7}  {'signs':>6}  {'misled':>6}"
    print(f"\nEstimates of moves: error, right signs and wrong claims above {_STAKE:.1%}")
    print(f"{'':32}  {'moves':>5}  {'at stake':>8}   {head}")
    for name, rows in ((name, np.concatenate(found[name])) for name in sorted(found)):
        stake = int((np.abs(rows[:, 1] - rows[:, 0]) > _STAKE * rows[:, 0]).sum())
        print(f"{name:32}  {len(rows):5}  {stake:8}   {line(rows)}")


if __name__ == "__main__":
    main()
