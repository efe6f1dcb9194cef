"""Tasks without names of their own, known by their dependencies.

Parsl's monitoring tells of a task its number, its function and the numbers that it waited for. Both
graphs, the log's and the workload's, are coloured together: tasks get one colour at first (or that
of their kind, where all functions are kinds), then that of their colour and of the colours before
and behind them, until no more colours come (Weisfeiler & Leman 1968). Unlike colours mean another
workload. A colour that one task of each graph has tells who that is, whatever the order.

Tasks of one colour are alike (a branch and its twin): they are taken in the order of their numbers
for those of the workload in its order, if all dependencies then agree, and that is said. Alike
tasks that nothing depends on, either way, stay unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count
from advisor.basics.slugs import slug
from advisor.runs.name_patterns import NUMBERED
from advisor.runs.record import Run

Edges = Sequence[tuple[int, int]]
_MOST_ROUNDS = 50  # of colouring


def by_structure(
    run: Run, found: dict[str, int], workload: Workload
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Positions of names that are numbers alone, and what to say of it; none where unsure.

    Parameters
    ----------
    run : Run
        Whose names end in a number after `NUMBERED`.
    found : dict
        What was matched by name: then there is nothing to do.
    workload : Workload
    """
    after = {one.task: one.after for one in run.tasks}
    if found or not after or any(NUMBERED not in name for name in after):
        return {}, ()
    names = sorted(after, key=_number)
    said = f"{count(len(names), 'task')} have numbers instead of names"
    if len(names) != len(workload.tasks):
        return {}, (f"{said}; the workload has {len(workload.tasks)}, so that dependencies can't "
                    "tell which is which",)  # fmt: skip
    place = {name: at for at, name in enumerate(names)}
    told = [(place[one], place[name]) for name in names for one in after[name] if one in place]
    stated = list(workload.ends())
    mine, theirs = _colours(_kinds(names, workload), told, stated)
    if sorted(mine) != sorted(theirs):
        return {}, (f"{said}, and they do not depend on each other as the workload's do",)
    position, alike = _paired(mine, theirs, told, stated)
    matched = {names[at]: position[at] for at in sorted(position)}
    return matched, (f"{said}: {len(matched)} are known by their dependencies{alike}",)


def _kinds(names: Sequence[str], workload: Workload) -> tuple[list[Hashable], list[Hashable]]:
    """The first colours: kinds, where every function is one; else one for all."""
    functions = [slug(name.rpartition(NUMBERED)[0]).lower() for name in names]
    groups = [slug(task.group).lower() for task in workload.tasks]
    if set(functions) == set(groups):
        return list(functions), list(groups)
    return [0] * len(names), [0] * len(groups)


def _colours(
    first: tuple[list[Hashable], list[Hashable]], told: Edges, stated: Edges
) -> tuple[list[int], list[int]]:
    """Colours of the tasks of both graphs, one numbering for both."""
    size = len(first[0])
    before: list[list[int]] = [[] for _ in range(2 * size)]
    behind: list[list[int]] = [[] for _ in range(2 * size)]
    for shift, edges in ((0, told), (size, stated)):
        for source, target in set(edges):
            before[target + shift].append(source + shift)
            behind[source + shift].append(target + shift)
    colours, kinds = _numbered([*first[0], *first[1]])
    for _ in range(_MOST_ROUNDS):
        finer, more = _numbered([
            (colours[at], tuple(sorted(colours[one] for one in before[at])),
             tuple(sorted(colours[one] for one in behind[at])))
            for at in range(2 * size)
        ])  # fmt: skip
        if more == kinds:
            break
        colours, kinds = finer, more
    return colours[:size], colours[size:]


def _numbered(values: Sequence[Hashable]) -> tuple[list[int], int]:
    """Each value's number, and how many different ones there are."""
    numbers: dict[Hashable, int] = {}
    found = [numbers.setdefault(value, len(numbers)) for value in values]
    return found, len(numbers)


def _paired(
    mine: Sequence[int], theirs: Sequence[int], told: Edges, stated: Edges
) -> tuple[dict[int, int], str]:
    """The task of the workload for tasks of the log, and words on those that are alike."""
    ranks: dict[int, list[int]] = defaultdict(list)
    for at, colour in enumerate(theirs):
        ranks[colour].append(at)
    members: dict[int, list[int]] = defaultdict(list)
    for at, colour in enumerate(mine):
        members[colour].append(at)
    sure = {own[0]: ranks[colour][0] for colour, own in members.items() if len(own) == 1}
    every = {
        at: ranks[colour][rank] for colour, own in members.items() for rank, at in enumerate(own)
    }
    joined = {at for edge in told for at in edge}
    likely = {at: place for at, place in every.items() if at in joined or at in sure}
    if len(likely) == len(sure):
        return sure, ""
    if {(every[source], every[target]) for source, target in told} != set(stated):
        return sure, ", the others can't be distinguished"
    return likely, (
        f", {len(likely) - len(sure)} of which can't be distinguished and take the workload's order"
    )


def _number(name: str) -> tuple[int, str]:
    digits = name.rpartition(NUMBERED)[2]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0, name)
