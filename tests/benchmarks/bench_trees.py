"""Speed of trees of a million processes: ``python -m tests.benchmarks.bench_trees``.

The exact optimum's numbers, its explicit tree, measures and times of every process, the search for
the Pareto front and the compact text, by the number of back-ends; what the study shows first and
when it ends; memory at its peak.
"""

from __future__ import annotations

import resource
from collections.abc import Callable
from contextlib import suppress
from time import process_time

from advisor.models.mrnet import balanced, optimal_tree
from advisor.studies.study import StudyProgress
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.run import run
from advisor.trees.search import Limits, pareto_front
from advisor.trees.topgen_spec import parse_spec, spec_text
from advisor.trees.tree_costs import TreeCosts, measure, times_of
from machines import LogGP

SIZES = (512, 10_000, 100_000, 1_000_000)
COSTS = TreeCosts(LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0), filter_cost=1.0, create=100.0)
_REPEAT = 3
_WANTED = {"the study's first figures": 1.0, "the study": 3.0}
"""Seconds of the largest."""


def main() -> None:
    """Time every part and print."""
    print("\nTrees of processes, ms of processor time (best of three)")
    print(f"{'':34}" + "".join(f"{size:>12,}" for size in SIZES) + "      wanted")
    rows: dict[str, list[float]] = {}
    for N in SIZES:
        found = optimal_tree(N, COSTS.p)
        tree, text = found.tree, spec_text(found.tree)
        parts: dict[str, Callable[[], object]] = {
            "optimum, numbers": lambda N=N: optimal_tree(N, COSTS.p).latency,
            "optimum, tree": lambda N=N: optimal_tree(N, COSTS.p).tree,
            "balanced 16-way, tree": lambda N=N: balanced(N, 16),
            "latency, period, start-up, shares": lambda tree=tree: measure(tree, COSTS),
            "times of every process": lambda tree=tree: times_of(tree, COSTS),
            "write the compact text": lambda tree=tree: spec_text(tree),
            "read the compact text": lambda text=text: parse_spec(text),
            "the study's first figures": lambda N=N: _study(N, first=True),
            "the study": lambda N=N: _study(N, first=False),
            "Pareto front": lambda N=N: pareto_front(N, COSTS, Limits()),
        }
        for name, part in parts.items():
            repeat = 1 if name in ("Pareto front", "the study") else _REPEAT
            rows.setdefault(name, []).append(min(_timed(part) for _ in range(repeat)))
    for name, seconds in rows.items():
        wanted = _WANTED.get(name)
        told = "" if wanted is None else f"{1e3 * wanted:12.1f}"
        told += "  missed" if wanted is not None and seconds[-1] > wanted else ""
        print(f"{name:34}" + "".join(f"{1e3 * one:12.1f}" for one in seconds) + told)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


class _ShownError(Exception):
    """The first figures are there."""


def _study(N: int, *, first: bool) -> None:
    """All of the study, or what it says first."""

    def tell(progress: StudyProgress) -> None:
        if first and progress.partial is not None:
            raise _ShownError

    with suppress(_ShownError):
        run(TreesParameters(back_ends=N), tell)


def _timed(part: Callable[[], object]) -> float:
    before = process_time()
    part()
    return process_time() - before


if __name__ == "__main__":
    main()
