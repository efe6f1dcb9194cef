"""Dependencies of a log's tasks from a graph whose nodes have kinds for names, as Dask draws it.

The graph has as many nodes of every kind as the log has tasks. Which is which no file tells: in the
order in which tasks began, each takes a node of its kind whose inputs were there by then; if there
is a choice, one with inputs of its own number (scale-3, gram-3), then with most on its own machine.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.allocation.workload import Workload
from advisor.project.run_start import ended, kind_of
from advisor.runs.run_record import Run, TaskRun

SAID = (
    "The graph names kinds, not tasks: each task took a node of its kind whose inputs were there, "
    "if possible with the task's own number or on its machine"
)
_NUMBER = re.compile(r"(\d+)\D*\Z")
_BLUR = 0.05  # of a task: the end of one may overlap the next one's start


def is_of_kinds(graph: Workload, runs: Iterable[Run]) -> bool:
    """Whether a run has as many tasks of each kind as the graph, under other names."""
    nodes = Counter(task.group for task in graph.tasks)
    named = {task.name for task in graph.tasks}
    return any(
        Counter(kind_of(one.task) for one in ended(run)) == nodes
        and not named >= {one.task for one in run.tasks}
        for run in runs
    )


def with_nodes(graph: Workload, runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs with what every task waited for; as they are where no choice fits their times."""
    return tuple(_waiting(graph, run) for run in runs)


def _waiting(graph: Workload, run: Run) -> Run:
    parents: dict[str, list[str]] = {task.name: [] for task in graph.tasks}
    children: dict[str, list[str]] = {task.name: [] for task in graph.tasks}
    for edge in graph.edges:
        parents[edge.target].append(edge.source)
        children[edge.source].append(edge.target)
    kind = {task.name: task.group for task in graph.tasks}
    waits = {name: len(before) for name, before in parents.items()}
    free: dict[str, list[str]] = defaultdict(list)  # nodes by kind whose parents have a task
    for task in graph.tasks:
        if not waits[task.name]:
            free[task.group].append(task.name)
    took: dict[str, TaskRun] = {}
    after: dict[str, tuple[str, ...]] = {}
    for one in ended(run):
        nodes = free[kind_of(one.task)]
        latest_s = one.start_s + _BLUR * (one.end_s - one.start_s)
        able = [
            node for node in nodes if all(took[each].end_s <= latest_s for each in parents[node])
        ]
        if not able:
            return run
        node = max(able, key=lambda each: _nearness(one, [took[name] for name in parents[each]]))
        nodes.remove(node)
        took[node] = one
        after[one.task] = tuple(took[each].task for each in parents[node])
        for child in children[node]:
            waits[child] -= 1
            if not waits[child]:
                free[kind[child]].append(child)
    tasks = tuple(replace(one, after=after.get(one.task, ())) for one in run.tasks)
    return replace(run, tasks=tasks, notes=(*run.notes, SAID))


def _nearness(one: TaskRun, inputs: Sequence[TaskRun]) -> tuple[float, float]:
    """The shares of a task's inputs that have its number, and that were made on its machine."""
    many, number = max(len(inputs), 1), _NUMBER.search(one.task)
    named = [_NUMBER.search(each.task) for each in inputs]
    alike = sum(number is not None and each is not None and each[1] == number[1] for each in named)
    return alike / many, sum(each.machine == one.machine for each in inputs) / many
