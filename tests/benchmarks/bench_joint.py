"""What deciding everything together brings: ``python -m tests.benchmarks.bench_joint [cases]``.

Random workloads with open programs and an overlay: the joint search against deciding one kind
after the other, each by its best option, and against every combination where there are few. Then
the monitored campaign, and workflows without programs, which take the ordinary search.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from statistics import geometric_mean, median
from time import perf_counter

from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.registry import known
from advisor.kernels import load
from advisor.project.examples import load_example
from advisor.search import advise
from advisor.search.joint import is_joint
from machines import InputError
from tests.advisor.search.test_joint import a_case, least_s
from tests.benchmarks.table import least_seconds

_CASES = 20
_SECONDS = 0.3
_LEAST = 1e-9


@dataclass(frozen=True)
class Found:
    """One case: what each way of deciding reaches, and the seconds of the joint search."""

    joint_s: float
    in_turn_s: float
    every_s: float | None
    seconds: float


def main() -> None:
    """Search and print."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else _CASES
    load()
    print("\nMakespan of the joint search over that of …")
    print(f"{'':38}  {'one by one: mean, worst':>24}  {'all: worst, met':>22}  {'time':>7}")
    for title, overlay in (("programs", False), ("programs and an overlay", True)):
        _show(f"{cases} cases, {title}", [
            _decided(a_case(seed, overlay=overlay), Plan((0, 0, 0)), every=True)
            for seed in range(100, 100 + cases)
        ])  # fmt: skip
    project = load_example("monitored")
    problem = Problem.of(project.platform, project.workload)
    _show("monitored campaign", [_decided(problem, project.plan, every=False, seconds=2.0)])
    for example in ("mosaic-small", "mosaic-large"):  # in WfFormat, without programs
        found = load_example(example)
        one = Problem.of(found.platform, found.workload)
        asked_s = least_seconds(partial(is_joint, one), 0.1)
        searched_s = least_seconds(partial(advise, one, seconds=_SECONDS), 0.1)
        print(f"{example:38}  joint: {is_joint(one)}; asking takes {asked_s / searched_s:.5%} of "
              "its search")  # fmt: skip


def one_after_the_other(problem: Problem, start: Plan) -> float:
    """Every kind by its best option for each subject in turn."""
    plan = start
    for kind in known().values():
        for subject in kind.values(problem, plan):
            options = [
                kind.put(problem, plan, subject, value)
                for value in kind.options(problem, plan, subject)
            ]
            plan = min((plan, *options), key=lambda one: _value(problem, one))
    return _value(problem, plan)


def _value(problem: Problem, plan: Plan) -> float:
    try:
        return reached_s(problem, "makespan", plan)
    except InputError:
        return float("inf")


def _decided(problem: Problem, start: Plan, *, every: bool, seconds: float = _SECONDS) -> Found:
    in_turn_s = one_after_the_other(problem, start)
    before = perf_counter()
    joint_s = advise(problem, seconds=seconds, start=start).value_s
    spent = perf_counter() - before
    return Found(joint_s, in_turn_s, least_s(problem) if every else None, spent)


def _show(name: str, cases: list[Found]) -> None:
    turn = [one.joint_s / one.in_turn_s for one in cases]
    every = [one.joint_s / one.every_s for one in cases if one.every_s is not None]
    met = sum(ratio <= 1.0 + _LEAST for ratio in every)
    said = f"{max(every):.4f}, {met} of {len(every)}" if every else ""
    print(f"{name:38}  {geometric_mean(turn):12.4f} {max(turn):11.4f}  {said:>22}"
          f"  {median(one.seconds for one in cases):5.2f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
