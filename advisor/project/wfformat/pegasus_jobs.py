"""What Pegasus adds to a workflow: jobs of its own that make folders, move files and register them.

WfFormat lists them without times, and with few of their dependencies. Their names tell the others:
a folder is made before all; what level L of the graph reads is staged in by ``stage_in_…_L_n``;
``register_…_L_n`` follows ``stage_out_…_L_n``. Pegasus 5 runs ten of a kind at once, but one
registration after the other, since they write to one catalogue (its DAGMan categories).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

from advisor.allocation.workload import Flow, Workload

REGISTRATION = "registration"
_OWN = re.compile(r"^(create_dir|stage_in|stage_out|stage_inter|register|clean_?up)_")
_LEVEL = re.compile(r"_(\d+)_(\d+)$")


def own_job(name: str) -> bool:
    """Whether a task is a job of Pegasus itself."""
    return _OWN.match(name) is not None


def with_own_jobs(workload: Workload) -> Workload:
    """The workload whose own jobs of Pegasus wait for each other and for its tasks, as they do."""
    own: dict[str, list[str]] = defaultdict(list)
    for task in workload.tasks:
        if found := _OWN.match(task.name):
            own[found[1]].append(task.name)
    if not own:
        return workload
    depths = _depths(workload)
    stated = {(one.source, one.target) for one in workload.flows}
    added: dict[tuple[str, str], None] = {}
    for folder in own["create_dir"]:
        added |= {(folder, one): None for one in own["stage_in"]}
        added |= {(folder, one): None for one, depth in depths.items() if depth == 0}
    bringing: dict[int, list[str]] = defaultdict(list)
    for one in own["stage_in"]:
        if at := _LEVEL.search(one):
            bringing[int(at[1])].append(one)
    for level, jobs in bringing.items():
        readers = [one for one, depth in depths.items() if depth == level]
        added |= {(jobs[k % len(jobs)], one): None for k, one in enumerate(readers)}
    kept = {at[0]: one for one in own["stage_out"] if (at := _LEVEL.search(one))}
    for one in own["register"]:
        if (at := _LEVEL.search(one)) and at[0] in kept:
            added[kept[at[0]], one] = None
    flows = (Flow(*pair) for pair in added if pair not in stated)
    tasks = tuple(
        replace(task, resources=((REGISTRATION, 1),)) if task.name in own["register"] else task
        for task in workload.tasks
    )
    return replace(workload, tasks=tasks, flows=(*workload.flows, *flows))


def _depths(workload: Workload) -> dict[str, int]:
    """The level of every task that is none of Pegasus itself: what it waits for at most."""
    depth = [0] * len(workload.tasks)
    before: dict[int, list[int]] = defaultdict(list)
    for source, target in zip(workload.sources.tolist(), workload.targets.tolist(), strict=True):
        if not own_job(workload.tasks[source].name):
            before[target].append(source)
    for task in workload.topological_order.tolist():
        depth[task] = max((depth[one] + 1 for one in before[task]), default=0)
    return {
        task.name: depth[place]
        for place, task in enumerate(workload.tasks)
        if not own_job(task.name)
    }
