"""How near advice comes to known optima: ``python -m tests.benchmarks.bench_search [seconds]``.

Reads the cases (format dag-optimal/1) in ``../shared/corpus/optimal`` or ``$PLACEWISE_CORPUS``;
prints a row a case and a summary. The gap is against the optimum, or the best makespan known.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import load
from advisor.search import advise
from machines import Direction, Link, Machine, Platform

FORMAT = "dag-optimal/1"
_SAME = 1e-9


def corpus() -> Path:
    """The folder of the cases, which need not exist."""
    beside = Path(__file__).parents[3] / "shared" / "corpus" / "optimal"
    return Path(os.environ.get("PLACEWISE_CORPUS") or beside)


def problem_of(case: dict[str, Any]) -> Problem:
    """The problem that a case states."""
    names, tasks = case["machines"], case["tasks"]

    def way(one: int, other: int) -> Direction:
        return Direction(float(case["startup"][one][other]), float(case["bandwidth"][one][other]))

    links = tuple(
        Link(names[i], names[j], way(i, j), way(j, i)) for i in range(len(names)) for j in range(i)
    )
    made = tuple(
        Task(name, seconds=tuple(zip(names, map(float, row), strict=True)))
        for name, row in zip(tasks, case["time"], strict=True)
    )
    flows = tuple(
        Flow(tasks[one], tasks[other], ((1, float(data)),) if data > 0 else ())
        for one, other, data in case["edges"]
    )
    platform = Platform(case["name"], tuple(Machine(name) for name in names), links)
    return Problem.of(platform, Workload(case["name"], made, flows))


def main() -> None:
    """Advise on every case and print."""
    limit_s = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    files = sorted(corpus().glob("*.json"))
    cases = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    cases = [case for case in cases if case.get("format") == FORMAT]
    if not cases:
        print(f"no cases of format {FORMAT} in {corpus()}; set PLACEWISE_CORPUS to their folder")
        return
    load()
    width = max(len(case["name"]) for case in cases)
    print(f"\nMakespan, {limit_s:g} s each (* proved optimum, else best known)")
    print(f"{'':{width}}  {'known':>9}   {'value':>9}  {'gap':>8}  {'time':>8}")
    gaps, hits, proved = [], 0, 0
    for case in cases:
        problem, optimum = problem_of(case), case["optimum"]
        before = perf_counter()
        best = advise(problem, seconds=limit_s)
        seconds = perf_counter() - before
        known, optimal = optimum["makespan"], optimum["status"] == "OPTIMAL"
        gap = best.value_s / known - 1.0
        gaps.append(gap)
        proved += optimal
        hits += optimal and abs(gap) <= _SAME
        print(f"{case['name']:{width}}  {known:9g} {'*' if optimal else ' '} {best.value_s:9g}"
              f"  {gap:8.2%}  {seconds:6.2f} s", flush=True)  # fmt: skip
    print(f"\n{hits} of {proved} proved optima reached; all {len(cases)} cases: "
          f"median gap {median(gaps):.2%}, worst {max(gaps):.2%}")  # fmt: skip


if __name__ == "__main__":
    main()
