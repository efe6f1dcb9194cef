"""The search on projects of PSPLIB: ``python -m tests.benchmarks.bench_psplib [FOLDER] [seconds]``.

Reads the `.sm`, `.mm` and `.fjs` files of a folder and, where it is there, its `optima.csv` (lines
of file and least makespan known). Without a folder it draws projects with the parameters of J30
and J60, one for each of their 48 settings, whose least makespans CP-SAT finds.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from itertools import product
from pathlib import Path
from time import thread_time
from typing import NamedTuple

import numpy as np
from ortools.sat.python import cp_model

from advisor.allocation.problem import Problem
from advisor.kernels import load
from advisor.project.workload_file import read_workload
from advisor.search.portfolio import advise
from machines.arrays import Ints

_SECONDS = 10.0
_STARS = "*" * 72
_RESOURCES = 4
_OPEN, _ARCS = 3, 3  # jobs with none before them; most arcs to or from a job


def main() -> None:
    """Print every project with its makespan, its bound and its gap to the least known."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else _SECONDS
    load()
    if folder is not None:
        told(folder, seconds)
        return
    for jobs in (30, 60):
        with tempfile.TemporaryDirectory() as made:
            make(Path(made), jobs)
            told(Path(made), seconds)


def told(folder: Path, seconds: float) -> None:
    """Search every project of a folder, and print what was found."""
    known = optima(folder)
    gaps = []
    print(f"{'project':20}{'makespan':>10}{'known':>8}{'bound':>8}{'gap':>8}{'seconds':>9}")
    for path in sorted(one for one in folder.iterdir() if one.suffix in {".sm", ".mm", ".fjs"}):
        found = read_workload(path)
        assert found.platform is not None
        problem = Problem.of(found.platform, found.workload)
        since = thread_time()
        best = advise(problem, seconds=seconds, clocked=False)
        took_s = thread_time() - since
        least = known.get(path.name, best.lower_bound_s)
        gaps.append(best.value_s / least - 1.0)
        print(f"{path.name:20}{best.value_s:10.0f}{known.get(path.name, np.nan):8.0f}"
              f"{best.lower_bound_s:8.0f}{100 * gaps[-1]:7.2f}%{took_s:9.1f}")  # fmt: skip
    if gaps:
        best_ones = np.mean(np.array(gaps) < 1e-9)
        print(f"mean gap {100 * np.mean(gaps):.2f} %, {100 * best_ones:.0f} % at the least known")


def optima(folder: Path) -> dict[str, float]:
    """{file: least makespan known} of a folder."""
    path = folder / "optima.csv"
    if not path.is_file():
        return {}
    rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    return {name: float(value) for name, value in rows}


def make(folder: Path, jobs: int) -> None:
    """Projects of so many jobs, and the least makespans that CP-SAT knows in a minute."""
    lines = []
    for number, (complexity, factor, strength) in enumerate(
        product((1.5, 1.8, 2.1), (0.25, 0.5, 0.75, 1.0), (0.2, 0.5, 0.7, 1.0))
    ):
        one = project(jobs, number, complexity, factor, strength)
        name = f"made{jobs}-{number:02}.sm"
        (folder / name).write_text(written(one), encoding="utf-8")
        lines.append(f"{name},{least_known(one):g}")
    (folder / "optima.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


class Project(NamedTuple):
    """Seconds of the jobs (n,), units that each needs (n, 4), units there are, who comes after."""

    seconds: Ints
    needs: Ints
    units: Ints
    after: list[set[int]]


def project(jobs: int, seed: int, complexity: float, factor: float, strength: float) -> Project:
    """As ProGen draws them (Kolisch, Sprecher & Drexl 1995): PSPLIB's J30 and J60 are such.

    `complexity`: arcs a node, none implied by others. `factor`: the share of the resources that a
    job needs. `strength`: 0, units for the largest need alone; 1, for the earliest starts.
    """
    rng = np.random.default_rng((seed, jobs))
    seconds, needs = rng.integers(1, 11, jobs), rng.integers(1, 11, (jobs, _RESOURCES))
    for row in needs:
        row[rng.permutation(_RESOURCES)[round(factor * _RESOURCES) :]] = 0
    after: list[set[int]] = [set() for _ in range(jobs)]
    before: list[set[int]] = [set() for _ in range(jobs)]  # all that must have ended
    arcs = 0
    for job in range(_OPEN, jobs):  # everybody has somebody before, the first excepted
        arcs += joined(after, before, int(rng.integers(0, job)), job)
    for _ in range(100 * jobs):
        if arcs >= complexity * (jobs + 2) - 2 * _OPEN:
            break
        first, last = sorted(rng.choice(jobs, 2, replace=False).tolist())
        arcs += joined(after, before, first, last)
    start = np.zeros(jobs, int)
    for job in range(jobs):
        for other in after[job]:
            start[other] = max(start[other], start[job] + seconds[job])
    at = np.arange(start.max() + 11)[:, None]
    peak = (((start <= at) & (at < start + seconds)) @ needs).max(axis=0)
    least = needs.max(axis=0)
    return Project(seconds, needs, np.rint(least + strength * (peak - least)).astype(int), after)


def joined(after: list[set[int]], before: list[set[int]], first: int, last: int) -> bool:
    """Let `last` come after `first`, unless it does or others would be implied; jobs by number."""
    fed = sum(last in one for one in after)
    implied = any(one in before[last] and first in before[one] | {one} for one in before[last])
    implies = any(one in before[first] for one in range(first) if last in after[one])
    if len(after[first]) >= _ARCS or fed >= _ARCS or implied or implies:
        return False
    after[first].add(last)
    for one in range(last, len(after)):
        if one == last or last in before[one]:
            before[one] |= before[first] | {first}
    return True


def least_known(one: Project) -> float:
    """The least makespan that CP-SAT finds in a minute: another solver than ours."""
    model = cp_model.CpModel()
    most = int(one.seconds.sum())
    start = [model.new_int_var(0, most, "") for _ in one.seconds]
    runs = [
        model.new_fixed_size_interval_var(at, int(seconds), "")
        for at, seconds in zip(start, one.seconds, strict=True)
    ]
    for kind, units in enumerate(one.units.tolist()):
        model.add_cumulative(runs, one.needs[:, kind].tolist(), units)
    end = model.new_int_var(0, most, "")
    for job, others in enumerate(one.after):
        model.add(end >= start[job] + int(one.seconds[job]))
        for other in others:
            model.add(start[other] >= start[job] + int(one.seconds[job]))
    model.minimize(end)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = 60.0
    solver.parameters.num_workers = 8
    solver.solve(model)
    return float(solver.objective_value)


def written(one: Project) -> str:
    """A project as PSPLIB writes it, with its supersource and supersink."""
    jobs = len(one.after)
    fed = set().union(*one.after)
    relations = [[job + 2 for job in range(jobs) if job not in fed]]
    relations += [sorted(other + 2 for other in others) or [jobs + 2] for others in one.after]
    lines = [
        _STARS, f"jobs (incl. supersource/sink ):  {jobs + 2}", "RESOURCES",
        f"  - renewable                 :  {_RESOURCES}   R",
        "  - nonrenewable              :  0   N", "  - doubly constrained        :  0   D",
        _STARS, "PRECEDENCE RELATIONS:", "jobnr.    #modes  #successors   successors",
        *(f"{job} 1 {len(ones)} {' '.join(map(str, ones))}" for job, ones in
          enumerate([*relations, []], 1)),
        _STARS, "REQUESTS/DURATIONS:", "jobnr. mode duration  R 1  R 2  R 3  R 4", "-" * 72,
        "1 1 0 0 0 0 0",
        *(f"{job} 1 {seconds} {' '.join(map(str, needs))}" for job, (seconds, needs) in
          enumerate(zip(one.seconds.tolist(), one.needs.tolist(), strict=True), 2)),
        f"{jobs + 2} 1 0 0 0 0 0", _STARS, "RESOURCEAVAILABILITIES:", "  R 1  R 2  R 3  R 4",
        " ".join(map(str, one.units.tolist())), _STARS,
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
