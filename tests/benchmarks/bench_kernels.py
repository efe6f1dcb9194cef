"""How fast the compiled kernels are, and HEFT against a plain one: on one core.

``python -m tests.benchmarks.bench_kernels`` prints a table; random layered graphs of 2 to 3 flows a
task on 32 machines of one core, unless a row says otherwise.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from advisor import kernels
from advisor.allocation.bounds import bounds_of
from advisor.allocation.costs import EXACT, Costs, FlowCosts
from advisor.allocation.execution import executed_makespan
from advisor.allocation.host_costs import host_costs
from advisor.allocation.needs import Needs
from advisor.allocation.placement import placement
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, prepare, previews, rank_order
from advisor.allocation.timeline import schedule as timeline
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import cores_kernel as cores
from advisor.kernels import lists_kernel as lists
from advisor.kernels import schedule_kernel as schedule
from advisor.kernels.instance import Instance
from advisor.search.list_scheduling import heft
from machines import Direction, Link, Machine, Platform, Switch
from machines.arrays import Ints
from tests.benchmarks.plain_heft import graph_of, heft_makespan
from tests.benchmarks.table import Row, least_seconds, show

MACHINES = 32
FRAME_S = 16e-3


def random_costs(tasks: int, *, zero: float = 0.0, machine_cores: int = 1, seed: int = 1) -> Costs:
    """Costs of a random graph whose flows reach back over a twentieth of the tasks."""
    rng = np.random.default_rng(seed)
    targets = rng.integers(1, tasks, int(2.5 * tasks))
    reach = np.minimum(targets, max(10, tasks // 20))
    sources = targets - 1 - (rng.random(targets.size) * reach).astype(int)
    pairs = np.unique(np.stack((sources, targets), 1), axis=0).astype(np.int32)
    task_s = rng.uniform(1, 100, (tasks, MACHINES))
    task_s[rng.random(tasks) < zero] = 0.0
    flows = FlowCosts(
        messages=np.ones((len(pairs), 1)),
        size_bytes=rng.uniform(1, 100, (len(pairs), 1)),
        startup_s=np.ones((1, MACHINES, MACHINES)),
        per_byte_s=rng.uniform(0.5, 1.5, (1, MACHINES, MACHINES)),
        table=np.full(len(pairs), -1, np.int32),
        tables=np.zeros((0, MACHINES, MACHINES)),
    )
    return Costs(
        task_s=task_s,
        task_dedicated_s=task_s,
        sources=pairs[:, 0],
        targets=pairs[:, 1],
        flows=flows,
        flows_dedicated=flows,
        between=host_costs(_machines(), EXACT, NONE),
        task_cores=np.ones(tasks, np.int32),
        machine_cores=np.full(MACHINES, machine_cores, np.int32),
        task_memory=np.zeros(tasks),
        machine_memory=np.full(MACHINES, np.inf),
        needs=Needs((), np.zeros((tasks, 0)), np.zeros((0, MACHINES), np.int32), np.zeros(0)),
        topological_order=np.arange(tasks, dtype=np.int32),
    )


def _machines() -> Platform:
    return Platform("p", tuple(Machine(f"M{q}") for q in range(MACHINES)))


def place_by_heft(instance: Instance) -> tuple[Ints, Ints]:
    """Allocation and order of HEFT, ranks included."""
    order = rank_order(instance)
    anywhere = np.full(order.size, -1, np.int32)
    allocation, _ = lists.by_order(instance, order, anywhere, np.zeros((1, MACHINES)))
    return allocation, order


def heft_rows() -> list[Row]:
    """HEFT, a fiftieth of the plain one in the same run, with which it must agree."""
    costs = random_costs(1_000)
    instance = prepare(costs)
    graph, flows = graph_of(costs), costs.flows
    before = perf_counter()
    reference = heft_makespan(graph, flows.startup_s[0].tolist(), flows.per_byte_s[0].tolist())
    plain_s = perf_counter() - before
    ours = makespan(instance, *place_by_heft(instance))
    assert abs(ours - reference) <= 1e-9 * reference, (ours, reference)
    rows = [
        Row(
            f"HEFT, 1,000 tasks (plain: {plain_s:.2f} s, same makespan)",
            least_seconds(lambda: place_by_heft(instance)),
            plain_s / 50,
        )
    ]
    for tasks, limit_s in ((10_000, 0.1), (100_000, 2.0)):
        larger = prepare(random_costs(tasks))
        seconds = least_seconds(lambda made=larger: place_by_heft(made))
        rows.append(Row(f"HEFT, {tasks:,} tasks", seconds, limit_s))
    return rows


def evaluation_rows(tasks: int, full_s: float, move_s: float, previews_s: float) -> list[Row]:
    """Evaluations of a HEFT plan: full, replayed in the order of starts, after a move, previews."""
    instance = prepare(random_costs(tasks))
    allocation, order = place_by_heft(instance)
    start, end = timeline(instance, allocation, order)
    by_start = np.lexsort((np.argsort(order), end, start)).astype(np.int32)
    rng = np.random.default_rng(0)
    moves = rng.integers(0, tasks, 16).astype(np.int32)
    preview_s = [
        least_seconds(lambda task=task: previews(instance, allocation, order, task), 0.1)
        for task in moves[:, None]
    ]
    return [
        Row(
            f"evaluation, {tasks:,} tasks, in the order of starts",
            least_seconds(lambda: schedule.makespan(instance, allocation, by_start)),
            full_s,
        ),
        Row(
            f"evaluation, {tasks:,} tasks, in HEFT's order with insertion",
            least_seconds(lambda: schedule.makespan(instance, allocation, order)),
            2 * move_s,
        ),
        Row(
            f"evaluation after a move, {tasks:,} tasks, mean",
            after_a_move_s(instance, allocation, order, moves),
            move_s,
        ),
        Row(
            f"previews on {MACHINES} machines, {tasks:,} tasks, mean",
            np.mean(preview_s),
            previews_s,
        ),
        Row(f"previews on {MACHINES} machines, {tasks:,} tasks, worst", max(preview_s), previews_s),
    ]


def after_a_move_s(instance: Instance, allocation: Ints, order: Ints, moves: Ints) -> float:
    """Mean seconds to evaluate a move when the state before the moved task is at hand."""
    place = np.argsort(order)
    seconds = []
    for task in moves:
        first = int(place[task])
        start, end = np.empty((2, order.size))
        held = cores.empty(instance)
        schedule.place(instance, allocation, order, 0, first, held, start, end)
        earlier = cores.copied(held)
        moved = allocation.copy()
        moved[task] = (moved[task] + 1) % MACHINES

        def evaluate(
            moved: Ints = moved,
            first: int = first,
            held: cores.Held = held,
            earlier: cores.Held = earlier,
            times: tuple[np.ndarray, np.ndarray] = (start, end),
        ) -> None:
            cores.restore(held, earlier)
            schedule.place(instance, moved, order, first, order.size, held, *times)

        seconds.append(least_seconds(evaluate, 0.05))
    return float(np.mean(seconds))


def at_a_switch(tasks: int, block: int = 100) -> Problem:
    """Blocks of a task, many that read from it, and one that gathers; a switch of 1 Gb/s."""
    rng = np.random.default_rng(1)
    made = tuple(Task(f"t{i}", work=1.0 + 20.0 * rng.random()) for i in range(tasks))
    flows = tuple(
        Flow(f"t{source}", f"t{target}", ((1, 1e6 * (1.0 + 9.0 * rng.random())),))
        for first in range(0, tasks, block)
        for i in range(first + 1, first + block - 1)
        for source, target in ((first, i), (i, first + block - 1))
    )
    way = Direction(1e-4, 1.25e8)
    machines = tuple(Machine(f"M{q}", speed=1.0 + 0.5 * (q % 4)) for q in range(MACHINES))
    links = tuple(Link(one.name, "switch", way, way) for one in machines)
    platform = Platform("p", machines, links, switches=(Switch("switch", 1.25e8),))
    return Problem.of(platform, Workload("blocks", made, flows))


def shared_rows(tasks: int) -> list[Row]:
    """Previews where transfers share, and one of the plans simulated."""
    problem = at_a_switch(tasks)
    plan = heft(problem)
    now = predict(problem, plan)
    allocation, order = placement(problem, plan)
    once_s = least_seconds(lambda: executed_makespan(problem.executed, allocation, order), 1.0)
    name = f"estimates on {MACHINES} machines, {tasks:,} tasks"
    rows = []
    for where, task in (("early", 0), ("middle", tasks // 2), ("late", tasks - 1)):
        seconds = least_seconds(lambda task=task: preview(problem, plan, (task,), now=now), 1.0)
        rows.append(Row(f"{name}, a task {where} in the file", seconds, FRAME_S))
    exact_s = once_s * MACHINES
    rows.append(Row(f"{name}; wanted: half of the exact ones", rows[1].seconds, exact_s / 2))
    return rows


def other_rows() -> list[Row]:
    """What has no stated limit but must stay in the same range."""
    zero = prepare(random_costs(10_000, zero=0.5))
    shared = prepare(random_costs(10_000, machine_cores=8))
    plain = prepare(random_costs(10_000))
    return [
        Row(
            "HEFT, 10,000 tasks, half of no time",
            least_seconds(lambda: place_by_heft(zero)),
            0.1,
        ),
        Row("HEFT, 10,000 tasks, 8 cores each", least_seconds(lambda: place_by_heft(shared)), 0.1),
        Row("Min-Min, 10,000 tasks", least_seconds(lambda: lists.by_finish(plain, False)), 0.1),
        Row("bounds, 10,000 tasks", least_seconds(lambda: bounds_of(plain)), 0.1),
    ]


def main() -> None:
    """Measure and print."""
    before = perf_counter()
    kernels.load()
    print(f"kernels loaded in {perf_counter() - before:.2f} s")
    show("List scheduling", heft_rows())
    show("Evaluation", evaluation_rows(1_000, 20e-6, 0.1e-3, 16e-3))
    show("Evaluation", evaluation_rows(10_000, 0.25e-3, 0.5e-3, 16e-3))
    show("Evaluation where transfers share", shared_rows(10_000))
    show("Other", other_rows())


if __name__ == "__main__":
    main()
