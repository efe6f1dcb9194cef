"""Recursive bisection: halves of the communication go to halves of the network, again and again.

The processes are split where few bytes are cut, by the Fiedler vector of their communication, and
the network across its longest side. Simon, "Partitioning of unstructured problems", 1991;
Pellegrini & Roman, "Scotch", 1996, for splitting both.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.search_effort import is_large
from machines.arrays import Floats, Ints
from machines.interconnect import switched
from machines.multicore import cores_of, unequal
from machines.network import Network

_WORK = 1_000_000  # flow visits of the iteration that splits one part
_FEWEST = 5
_FEW_STEPS = 24  # of the iteration, where there are many processes

Box = tuple[tuple[int, int], ...]  # first and past-the-last coordinate along each dimension


def bisected(problem: MappingProblem, should_stop: ShouldStop) -> Mapping | None:
    """A mapping by recursive bisection of processes and network.

    None when stopped, and where nodes are unequal, so that boxes of places are no halves.
    """
    if unequal(problem.network):
        return None
    many = is_large(problem)
    whole: Box = tuple((0, k) for k in problem.network.dims)
    every = np.arange(problem.communication.processes)
    centre = np.full(len(every), _centre(whole, problem), np.int64)
    parts = deque([(every, whole)])
    while parts:
        if should_stop():
            return None
        processes, box = parts.popleft()
        if many and _alike(problem.network, box):
            centre[processes] = _first(box, problem) + np.arange(len(processes))
        elif len(processes) and _capacity(box) > 1:
            for half, part in _split(problem, centre, processes, box, many=many):
                # known at once, so that the next part turns towards this one's halves
                centre[half] = _centre(part, problem)
                parts.append((half, part))
    return tuple(centre.tolist())


def _split(
    problem: MappingProblem, centre: Ints, processes: Ints, box: Box, *, many: bool
) -> list[tuple[Ints, Box]]:
    """Both halves, turned so that what lies outside the box pulls them least."""
    axis = _axis(problem.network, box)
    low, high = box[axis]
    middle = (low + high) // 2
    halves = [(*box[:axis], span, *box[axis + 1 :]) for span in ((low, middle), (middle, high))]
    capacity = [_capacity(half) for half in halves]
    count = len(processes) * capacity[0] // sum(capacity)
    count = max(count, len(processes) - capacity[1])
    owner, mate, weight = _flows(problem, processes)
    inside = mate >= 0
    most = _FEW_STEPS if many else 4 * len(processes)
    order = _by_fiedler(len(processes), owner[inside], mate[inside], weight[inside], most)
    pull = [
        np.bincount(
            owner[~inside],
            weight[~inside]
            * problem.routes.between(_centre(half, problem), centre[-1 - mate[~inside]]),
            len(processes),
        )
        for half in halves
    ]
    both = (order, order[::-1])
    strain = [float(pull[0][one[:count]].sum() + pull[1][one[count:]].sum()) for one in both]
    best = both[int(strain[1] < strain[0])]
    return [(processes[best[:count]], halves[0]), (processes[best[count:]], halves[1])]


def _axis(network: Network, box: Box) -> int:
    """The longest side; levels of switches from above, and the cores of a node at last."""
    sides = [high - low for low, high in box]
    nested = len(sides) if switched(network) else int(cores_of(network) > 1)
    flat = max(range(nested, len(sides)), key=sides.__getitem__, default=-1)
    if flat >= 0 and sides[flat] > 1:
        return flat
    return max(axis for axis in range(nested) if sides[axis] > 1)


def _flows(problem: MappingProblem, processes: Ints) -> tuple[Ints, Ints, Floats]:
    """(place of the process, that of its partner, bytes); −1 − partner where it is outside."""
    land = problem.landscape
    starts, ends = land.first[processes], land.first[processes + 1]
    counts = ends - starts
    owner = np.repeat(np.arange(len(processes)), counts)
    entry = np.arange(len(owner)) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    place = -1 - np.arange(problem.communication.processes)
    place[processes] = np.arange(len(processes))
    # calls, after which other threads may run
    weight = np.take(land.sent, entry) + np.take(land.received, entry)
    return owner, np.take(place, np.take(land.partner, entry)), weight


def _by_fiedler(count: int, owner: Ints, mate: Ints, weight: Floats, most: int) -> Ints:
    """Processes in the order of the second eigenvector of their graph's Laplacian.

    By power iteration of at most so many steps, enough to tell one end from the other.
    """
    every = np.arange(count)
    if not len(owner) or count < 3:
        return every
    degree = np.bincount(owner, weight, count)
    shift = 2.0 * degree.max()
    vector = every - (count - 1) / 2.0
    for _ in range(min(most, max(_FEWEST, _WORK // len(owner)))):
        vector = (shift - degree) * vector + np.bincount(owner, weight * vector[mate], count)
        vector -= vector.mean()
        vector /= max(np.abs(vector).max(), 1e-300)
    return np.lexsort((every, np.round(vector, 9)))


def _alike(network: Network, box: Box) -> bool:
    """Whether all places of a box are equally far from each other: of a node, or a leaf switch."""
    first_is_level = switched(network) or cores_of(network) > 1
    return first_is_level and all(high - low == 1 for low, high in box[1:])


def _first(box: Box, problem: MappingProblem) -> int:
    """The first node of a box."""
    strides = np.cumprod([1, *problem.network.dims[:-1]]).tolist()
    return sum(low * stride for (low, _), stride in zip(box, strides, strict=True))


def _capacity(box: Box) -> int:
    return int(np.prod([high - low for low, high in box]))


def _centre(box: Box, problem: MappingProblem) -> int:
    """The node in the middle of a box."""
    node, stride = 0, 1
    for (low, high), k in zip(box, problem.network.dims, strict=True):
        node += (low + high - 1) // 2 * stride
        stride *= k
    return node
