"""Work in proportion to what cores do: starts of the search, and who sits on which core of a node.

The load of a process is its work or, where only cores are shared, what its messages keep it busy:
processes of a core take turns with both.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from machines.arrays import Floats, Ints
from machines.multicore import node_at

_HALVINGS = 40


def weighed(problem: MappingProblem) -> bool:
    """Whether it matters to the time which core of its node a process is on."""
    computing = problem.computing
    return problem.sharing > 1 or (computing is not None and not computing.even)


def balanced(problem: MappingProblem, load: Floats, base: Mapping) -> Iterator[Mapping]:
    """Mappings of little computing that keep the order of another one as far as they can.

    First the heaviest processes on the fastest cores, of equal ones in the order of `base`; then
    stretches of `base` on one core after the other (Pinar & Aykanat, "Fast optimal load balancing
    algorithms for 1D partitioning", 2004).
    """
    order = np.argsort(base, kind="stable")
    cores = np.arange(len(problem.pace))
    every = [problem.sharing] * len(cores)
    dealt = _dealt(load[order], cores, problem.pace, every)
    yield _placed(problem, order, dealt)
    yield _placed(problem, order, _stretched(problem, load[order]))


def on_cores(problem: MappingProblem, load: Floats, mapping: Mapping) -> Mapping:
    """The same processes on each socket of each node, dealt to its cores by load and speed."""
    places = np.array(mapping)
    part = node_at(problem.network, places) * problem.sockets + problem.socket_of(places)
    every = np.arange(problem.network.size // problem.sharing)
    first = every * problem.sharing
    home = node_at(problem.network, first) * problem.sockets + problem.socket_of(first)
    core = np.zeros(len(places), np.int64)
    by_part = np.argsort(part, kind="stable")
    bounds = np.flatnonzero(np.diff(part[by_part], prepend=-1, append=-1))
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        mine = by_part[low:high]
        mine = mine[np.argsort(places[mine], kind="stable")]
        here = part[mine[0]]
        cores = np.arange(*np.searchsorted(home, (here, here + 1)))
        core[mine] = _dealt(load[mine], cores, problem.pace[cores], [problem.sharing] * len(cores))
    order = np.argsort(places, kind="stable")
    return _placed(problem, order, core[order])


def _dealt(load: Floats, cores: Ints, pace: Floats, room: list[int]) -> Ints:
    """The core of each: the heaviest first, each where it ends first (Graham 1969, uniform cores).

    Of equal loads and equal ends the first process gets the first core.
    """
    if room[0] == 1:  # the heaviest on the fastest: no other way ends before
        fast, heavy = np.argsort(pace, kind="stable"), np.argsort(-load, kind="stable")
        chosen = np.empty(len(load), np.int64)
        # of equal ones the order stays that of the cores
        chosen[heavy] = cores[fast[: len(load)]]
        return chosen
    # cores of one speed by their sums so far: only the first of each kind can be the best
    kinds: dict[float, list[tuple[float, int]]] = {}
    for at, step in enumerate(pace.tolist()):
        kinds.setdefault(step, []).append((0.0, at))
    chosen, left = np.empty(len(load), np.int64), list(room)
    for one in np.argsort(-load, kind="stable").tolist():
        weight = float(load[one])
        best = min(
            ((heap[0][0] + weight) * step, heap[0][1], step) for step, heap in kinds.items() if heap
        )
        _, at, step = best
        sum_, _ = heapq.heappop(kinds[step])
        chosen[one] = cores[at]
        left[at] -= 1
        if left[at]:
            heapq.heappush(kinds[step], (sum_ + weight, at))
    return chosen


def _stretched(problem: MappingProblem, load: Floats) -> Ints:
    """The core of each, in stretches of the given order: the least longest that halving finds."""
    high = float(load.sum() * problem.pace.max())
    low, found = 0.0, _cut(problem, load, np.inf)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        cut = _cut(problem, load, middle)
        if cut is None:
            low = middle
        else:
            high, found = middle, cut
    assert found is not None
    return found


def _cut(problem: MappingProblem, load: Floats, most: float) -> Ints | None:
    """Cores filled in turn up to `most` each; None: not all fit."""
    total = np.concatenate([[0.0], np.cumsum(load)])
    core, begin = np.empty(len(load), np.int64), 0
    for number, pace in enumerate(problem.pace.tolist()):
        if begin == len(load):
            break
        room = total[begin] + most / pace * (1.0 + 1e-12)
        end = int(np.searchsorted(total, room, side="right")) - 1
        end = min(max(end, begin), begin + problem.sharing, len(load))
        core[begin:end] = number
        begin = end
    return core if begin == len(load) else None


def _placed(problem: MappingProblem, order: Ints, core: Ints) -> Mapping:
    """The places of processes, which are listed in `order`, by their cores."""
    by_core = np.argsort(core, kind="stable")
    sorted_ = core[by_core]
    turn = np.arange(len(core)) - np.searchsorted(sorted_, sorted_)
    places = np.empty(len(core), np.int64)
    places[order[by_core]] = sorted_ * problem.sharing + turn
    return tuple(places.tolist())
