"""What odds cost and robust plans win: ``python -m tests.benchmarks.bench_odds``.

A thousand draws of a plan against a thousand simulations of it as stated: the ratio is wanted at
most 2 for a thousand tasks; of few tasks a draw costs more than its simulation. Then the examples:
how much later the mean is than the stated makespan, and what a robust plan wins over the plan of
the shortest makespan on draws that its search has not seen.
"""

from __future__ import annotations

from time import thread_time

from advisor import kernels
from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.problem import Problem
from advisor.odds import band, drawn_makespans, draws_of
from advisor.odds.goals import EXPECTED, P90, REGRET, Goal
from advisor.project.examples import example_titles, load_example
from advisor.search.portfolio import advise
from advisor.search.robust import robust
from tests.benchmarks.bench_board import best_ms, large

_DRAWS, _SECONDS = 1024, 2.0


def main() -> None:
    """Print ratios, then a line an example."""
    kernels.load()
    for tasks in (10, 100, 1_000):
        project = large(tasks, 8, 4)
        problem = Problem.of(project.platform, project.workload)
        allocation, order = placement(problem, project.plan)
        once = best_ms(
            lambda p=problem, a=allocation, o=order: executed_makespan(p.executed, a, o)  # type: ignore[misc]
        )
        before = thread_time()
        drawn_makespans(problem, project.plan, draws_of(problem, _DRAWS))
        spent_s = thread_time() - before
        ratio = 1e3 * spent_s / (_DRAWS * once)
        print(f"{tasks:,} tasks: {_DRAWS:,} draws {spent_s:.2f} s, ×{ratio:.2f} of as many stated")
    for name, _, _ in example_titles():
        problem = load_example(name).problem()
        if len(problem.workload.tasks) > 100:
            continue
        found = advise(problem, seconds=_SECONDS, clocked=False)
        draws = draws_of(problem, _DRAWS)
        told = band(found.value_s, drawn_makespans(problem, found.plan, draws))
        late = 100.0 * (told.expected_s / told.point_s - 1.0)
        wins = []
        for goal in (EXPECTED, P90, REGRET):
            one = robust(problem, Goal(goal), found, _SECONDS)
            wins.append(f"{goal} {100.0 * (1.0 - one.value / (one.plain_value or 1.0)):.1f} %")
        print(f"{name}: mean {late:.1f} % later than stated; robust wins {', '.join(wins)}")


if __name__ == "__main__":
    main()
