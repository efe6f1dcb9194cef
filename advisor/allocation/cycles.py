"""Finding a cycle in a graph that topological sorting could not finish, to name it in an error."""

from __future__ import annotations


def cycle_among(children: list[list[int]], waiting: list[int]) -> list[int]:
    """One cycle among the tasks that topological sorting could not reach."""
    parent = {}
    for task, count in enumerate(waiting):
        if count > 0:
            for child in children[task]:
                if waiting[child] > 0:
                    parent[child] = task
    task = next(iter(parent))
    seen: dict[int, int] = {}
    walk: list[int] = []
    while task not in seen:
        seen[task] = len(walk)
        walk.append(task)
        task = parent[task]
    return [*walk[seen[task] :], task][::-1]
