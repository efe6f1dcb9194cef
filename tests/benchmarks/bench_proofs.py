"""Proofs: ``python -m tests.benchmarks.bench_proofs [seconds [folder]]``.

Asks for `exact` on fourteen instances of ten tasks, on generated workloads that share a network,
and on the cases of `bench_search` (contention-free); prints value and bound, the known ones, and
the seconds of the clock. A bound above a known optimum, or a value below it, is an error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import NONE
from advisor.kernels import load
from advisor.search import advise
from advisor.search.constraint_program import installed
from tests.advisor.campaigns.generators.making import made
from tests.advisor.published_problems import ARABNEJAD, TOPCUOGLU
from tests.benchmarks.bench_search import FORMAT, corpus, problem_of
from tests.benchmarks.network_search_cases import cases

_SAME = 1e-9


def ten_tasks() -> dict[str, Problem]:
    """Those of two papers, and twelve random ones."""
    found = {"Topcuoglu et al. 2002": TOPCUOGLU, "Arabnejad & Barbosa 2014": ARABNEJAD}
    for family in ("layered", "chains"):
        for seed in range(6):
            workload, platform = made(family, seed, tasks=10, machines=3)
            found[f"{family} {seed}"] = Problem.of(platform, workload, sharing=NONE)
    return found


def _asked(name: str, problem: Problem, limit_s: float, known: str = "") -> Recommendation:
    before = perf_counter()
    found = advise(problem, strategy="exact", seconds=limit_s)
    seconds = perf_counter() - before
    mark = "  proved" if found.proved_optimal else ""
    print(f"{name:32} {found.value_s:10.6g} {found.lower_bound_s:10.6g} {known:>20}"
          f"  {seconds:6.2f} s{mark}", flush=True)  # fmt: skip
    return found


def main() -> None:
    """Prove every case and print."""
    limit_s = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    load()
    print(f"\nProofs, {limit_s:g} s each, {'with' if installed() else 'without'} OR-Tools")
    print(f"{'':32} {'value':>10} {'bound':>10} {'known value, bound':>20}  {'time':>8}")
    gaps: list[tuple[float, float]] = []
    tens = [_asked(name, problem, limit_s) for name, problem in ten_tasks().items()]
    print(f"{sum(found.proved_optimal for found in tens)} of {len(tens)} proved\n")
    for name, problem in cases(Path()):
        before = problem.lower_bounds_s[MAKESPAN]
        found = _asked(name, problem, limit_s, f"bound {before:.6g}")
        gaps.append((found.value_s / before - 1.0, found.gap))
    median_gaps = [f"{median(one):.0%}" for one in zip(*gaps, strict=True)]
    print(f"Median gap on shared networks: {median_gaps[0]}, with proofs {median_gaps[1]}\n")
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else corpus()
    files = sorted(folder.glob("*.json"))
    read_cases = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    read_cases = [case for case in read_cases if case.get("format") == FORMAT]
    if not read_cases:
        print(f"no cases of format {FORMAT} in {folder}; name their folder")
        return
    proved = better = 0
    for case in read_cases:
        read, known = problem_of(case), case["optimum"]
        problem = Problem.of(read.platform, read.workload, sharing=NONE)
        said = f"{known['makespan']:g} {known['bound']:8g}"
        found = _asked(case["name"], problem, limit_s, said)
        assert found.lower_bound_s <= known["makespan"] * (1 + _SAME)
        assert found.value_s >= known["bound"] * (1 - _SAME)
        proved += found.proved_optimal
        better += not found.proved_optimal and found.lower_bound_s > known["bound"] * (1 + _SAME)
    print(
        f"{proved} of {len(read_cases)} proved, {better} more with a better bound than the file's"
    )


if __name__ == "__main__":
    main()
