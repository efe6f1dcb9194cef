"""What kinds of resources cost: ``python -m tests.benchmarks.bench_resources``.

The same plan of one workload carried out without and with three kinds that never bind (memory, GPUs
and a licence), and the same search of both: ratios within one run, wanted at most 1.5.
"""

from __future__ import annotations

from dataclasses import replace
from time import thread_time

from advisor import kernels
from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.problem import Problem
from advisor.project.project import Project
from advisor.search.portfolio import advise
from machines import Resource
from tests.benchmarks.bench_board import best_ms, large

_TASKS, _MACHINES, _CORES, _SECONDS = 1_000, 8, 4, 4.0


def with_three_kinds(project: Project) -> Project:
    """Tasks that hold memory, a GPU and a licence, of which there is enough for all."""
    machines = tuple(
        replace(one, memory_bytes=_TASKS - 1, resources=(Resource("gpu", _TASKS),))
        for one in project.platform.machines
    )
    platform = replace(
        project.platform, machines=machines, resources=(Resource("licence", _TASKS),)
    )
    held = (("gpu", 1), ("licence", 1))
    tasks = tuple(replace(one, memory_bytes=1, resources=held) for one in project.workload.tasks)
    workload = project.workload.repriced(tasks, project.workload.flows)
    return replace(project, platform=platform, workload=workload)


def main() -> None:
    """Print the times and their ratios."""
    kernels.load()
    plain = large(_TASKS, _MACHINES, _CORES)
    both = []
    for project in (plain, with_three_kinds(plain)):
        problem = Problem.of(project.platform, project.workload)
        allocation, order = placement(problem, project.plan)
        carried = best_ms(
            lambda p=problem, a=allocation, o=order: executed_makespan(p.executed, a, o)  # type: ignore[misc]
        )
        before = thread_time()  # what others on the machine do is no part of it
        advise(problem, seconds=_SECONDS, clocked=False)
        searched = 1e3 * (thread_time() - before)
        both.append((carried, searched))
    for name, one, other in zip(("carried out", "searched"), *both, strict=True):
        print(f"{name}: {one:.2f} ms without kinds, {other:.2f} ms with three: ×{other / one:.2f}")


if __name__ == "__main__":
    main()
