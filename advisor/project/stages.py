"""Dependencies of a log's tasks from a graph of their kinds, such as Nextflow's of its processes.

Nodes of the graph that are no kind of the log (operators, channels) are passed through. A task
waits for the tasks of a kind before its own that have its tag, `PROCESS (tag)`; where none has, or
it has no tag, for all of that kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.allocation.workload import Workload
from advisor.runs.run_record import Run, TaskRun

_TAG = re.compile(r"\(([^()]*)\)\s*\Z")
_MOST = 1_000_000  # dependencies


def stage_of(name: str) -> str:
    """The last part of a process's name, without workflow and tag."""
    return name.partition(" (")[0].rpartition(":")[2].strip().lower()


def is_of_stages(graph: Workload, runs: Iterable[Run]) -> bool:
    """Whether most tasks of the logs are of a kind that is a node, and not all are nodes.

    A node with a tag is a task, and no kind.
    """
    nodes = {task.name for task in graph.tasks}
    kinds = {stage_of(name) for name in nodes if not _TAG.search(name)}
    names = {one.task for run in runs for one in run.tasks}
    return sum(stage_of(name) in kinds for name in names) * 2 > len(names) and not names <= nodes


def with_stages(graph: Workload, runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with what every task waited for."""
    return tuple(_waiting(graph, run) for run in runs)


def _waiting(graph: Workload, run: Run) -> Run:
    members: dict[str, list[TaskRun]] = defaultdict(list)
    for one in run.tasks:
        members[stage_of(one.task)].append(one)
    before = _before(graph, members.keys())
    tasks, many = [], 0
    for one in run.tasks:
        after: dict[str, None] = {}
        for stage in before.get(stage_of(one.task), ()):
            after |= dict.fromkeys(_waited(one, members[stage]))
        many += len(after)
        tasks.append(replace(one, after=tuple(after) if many <= _MOST else ()))
    return replace(run, tasks=tuple(tasks))


def _waited(one: TaskRun, others: Sequence[TaskRun]) -> list[str]:
    tag = _TAG.search(one.task)
    alike = [each.task for each in others if tag and each.task.endswith(tag[0])]
    return alike or [each.task for each in others]


def _before(graph: Workload, stages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The nearest stages before each, through nodes that are none."""
    known = set(stages)
    parents: dict[str, list[str]] = defaultdict(list)
    for edge in graph.edges:
        parents[edge.target].append(edge.source)
    found: dict[str, tuple[str, ...]] = {}
    for task in graph.tasks:
        stage, seen = stage_of(task.name), set[str]()
        if stage not in known:
            continue
        pending, nearest = list(parents[task.name]), dict[str, None]()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            if stage_of(name) in known and stage_of(name) != stage:
                nearest[stage_of(name)] = None
            else:
                pending += parents[name]
        found[stage] = (*found.get(stage, ()), *nearest)
    return found
