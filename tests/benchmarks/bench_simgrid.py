"""How much faster a plan is predicted than SimGrid simulates it, and how far the two are apart.

``python -m tests.benchmarks.bench_simgrid [FOLDER] [TASKS]`` prints, for the simulated cases and
for the workflows of a folder (WfFormat, up to so many tasks; default 2,000), SimGrid's own run
(without starting Python and reading the platform) against one evaluation of the executed timeline,
and the largest difference of a task's end, relative to the makespan. Both times are the shortest of
several; SimGrid's processor time leaves out how long its actors, threads of Python, wait for one
another. The workflows run on 8 machines of 4 cores at a switch, at 1 Gb/s and 100 Mb/s, their
outside files on a store.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from advisor import kernels
from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.export.simgrid.check import compared
from advisor.export.simgrid.script import script
from advisor.export.simgrid.simgrid_document import simulated
from advisor.export.simgrid.simgrid_python import Found, find_simgrid, run_script
from advisor.project.workload_file import read_workload
from machines import Direction, InputError, Link, Machine, Platform, Store, Switch
from tests.benchmarks.table import least_seconds
from tests.network_cases import cases

WANTED = 500.0  # times as fast as SimGrid, median
MACHINES, CORES = 8, 4
RATES = (("1 Gb/s", 125e6), ("100 Mb/s", 12.5e6))
MOST_TASKS = 2_000
RUNS = 3


class Measured(NamedTuple):
    """One plan: seconds of both, and the largest relative difference."""

    name: str
    tasks: int
    evaluation_s: float
    simgrid_s: float
    processor_s: float
    apart: float


def star(bandwidth: float) -> Platform:
    """Machines and a file server at one switch."""
    names = [f"n{k}" for k in range(1, MACHINES + 1)]
    way = Direction(20e-6, bandwidth)
    return Platform(
        "star",
        tuple(Machine(name, CORES) for name in names),
        tuple(Link(name, "switch", way, way) for name in (*names, "files")),
        switches=(Switch("switch"),),
        stores=(Store("files"),),
    )


def anywhere(workload: Workload, platform: Platform, seed: int = 1) -> Plan:
    """A plan that moves much: every task on a machine drawn at random that can run it."""
    rng = np.random.default_rng(seed)
    runs = np.isfinite(Problem.of(platform, workload).costs.task_s)
    return Plan(tuple(int(rng.choice(np.flatnonzero(row))) for row in runs))


def measured(found: Found, name: str, problem: Problem, plan: Plan) -> Measured:
    """Evaluate and simulate one plan."""
    allocation, order = placement(problem, plan)
    instance = problem.executed
    evaluation_s = least_seconds(lambda: executed_makespan(instance, allocation, order), 0.2)
    text = script(simulated(problem, plan))
    results = [run_script(found, text) for _ in range(RUNS)]
    result = results[0]
    assert result is not None
    simgrid_s, processor_s = (
        min(one[key] for one in results if one) for key in ("spent_s", "processor_s")
    )
    beside = compared(problem, predict(problem, plan), result)
    apart = float(np.abs(beside.difference_s).max()) / max(beside.makespan_s, 1e-300)
    return Measured(name, len(plan.allocation), evaluation_s, simgrid_s, processor_s, apart)


def of_cases(found: Found) -> Iterator[Measured]:
    """The simulated cases."""
    for case in cases():
        problem = Problem.of(case.platform, case.workload)
        yield measured(found, case.name, problem, case.plan)


def of_workflows(found: Found, folder: Path, most: int) -> Iterator[Measured]:
    """The workflows of a folder."""
    for path in sorted(folder.glob("*.json")):
        try:
            workload = read_workload(path).workload
        except InputError:
            continue
        if len(workload.tasks) > most:
            continue
        for rate, bandwidth in RATES:
            platform = star(bandwidth)
            plan = anywhere(workload, platform)
            name = f"{path.stem}, {rate}"
            yield measured(found, name, Problem.of(platform, workload), plan)


def show(title: str, rows: Iterator[Measured], *, each: bool) -> None:
    """Print the rows, and the medians of what SimGrid takes to one evaluation."""
    columns = f"{'tasks':>7}{'evaluation':>13}{'SimGrid':>12}{'processor':>12}{'apart':>10}"
    print(f"\n{title}\n{'':52}{columns}")
    kept = []
    for row in rows:
        kept.append(row)
        if each:
            print(_line(row), flush=True)
    if not kept:
        return
    print(f"{len(kept)} plans, no end further apart than {max(row.apart for row in kept):.1e}")
    run = median(row.simgrid_s / row.evaluation_s for row in kept)
    processor = median(row.processor_s / row.evaluation_s for row in kept)
    mark = "" if run >= WANTED else "  missed"
    print(f"median ratio {run:,.0f} (processor time {processor:,.0f}), wanted {WANTED:,.0f}{mark}")


def _line(row: Measured) -> str:
    return (
        f"{row.name[:51]:52}{row.tasks:7,}{row.evaluation_s * 1e3:10.3f} ms"
        f"{row.simgrid_s * 1e3:9.1f} ms{row.processor_s * 1e3:9.1f} ms{row.apart:10.1e}"
    )


def main() -> None:
    """Measure and print; without SimGrid say so."""
    try:
        found = find_simgrid()
    except InputError as error:
        print(error)
        return
    kernels.load()
    print(f"SimGrid {found.version} by its Python interface, {found.python}")
    show("Simulated cases", of_cases(found), each=False)
    arguments = sys.argv[1:] if __name__ == "__main__" else []
    if arguments:
        most = int(arguments[1]) if len(arguments) > 1 else MOST_TASKS
        show("Workflows", of_workflows(found, Path(arguments[0]), most), each=True)


if __name__ == "__main__":
    main()
