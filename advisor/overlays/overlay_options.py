"""Plans of an overlay to choose from: a sensible one, those worth comparing, and near ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from advisor.models.process_tree import Tree, balanced, flat, levelled
from advisor.overlays.overlay import ROUND_TRIP, Overlay
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_measures import latency_s, period_s
from advisor.overlays.overlay_plan import OverlayPlan, level_fanouts
from advisor.overlays.placed import check_placed
from advisor.trees import tree_costs
from advisor.trees.search import Limits, optimum
from machines.errors import InputError
from machines.interconnect import LogGP
from machines.platform import Machine, Platform

MOST_CANDIDATES = 40
MOST_MOVES = 48
_TWO_LEVELS = 6  # shapes of two levels
_FEW = 3  # levels that the default plan has, unless only deeper trees keep up
_US = 1e6


@lru_cache(maxsize=64)
def default_plan(platform: Platform, overlay: Overlay) -> OverlayPlan:
    """The plan that is taken where nobody chose one.

    Flat where the front-end can keep up; else of the balanced trees that can, with internal
    processes beside the back-ends below them, the one of least latency, then of fewest processes:
    of up to three levels, deeper where no other keeps up.
    """
    alone = OverlayPlan.of(flat(overlay.count))
    if _keeps_up(platform, overlay, alone):
        return alone
    trees = _balanced_trees(overlay.count)
    low = [tree for tree in trees if tree.depth <= _FEW]
    deep = [tree for tree in trees if tree.depth > _FEW]
    for among in (_beside(platform, overlay, low), _beside(platform, overlay, deep),
                  _every(platform, overlay)):  # fmt: skip
        fitting = list(_feasible(platform, overlay, among))
        if fitting:
            return min(
                fitting, key=lambda plan: (_latency(platform, overlay, plan), len(plan.fanouts))
            )
    # the one that comes nearest says what would fit
    every = (alone, *_beside(platform, overlay, trees))
    nearest = min(every, key=lambda plan: period_s(running(platform, overlay, plan)))
    check_placed(platform, overlay, nearest)
    raise AssertionError("a plan that keeps up was refused")


def trees_of(
    platform: Platform, overlays: Sequence[Overlay], given: Sequence[OverlayPlan | None]
) -> tuple[OverlayPlan, ...]:
    """The tree of every overlay: the given one, else the default; of none given all defaults."""
    return tuple(
        default_plan(platform, overlay) if tree is None else tree
        for overlay, tree in zip(overlays, given or (None,) * len(overlays), strict=True)
    )


@lru_cache(maxsize=16)
def candidates(platform: Platform, overlay: Overlay) -> tuple[OverlayPlan, ...]:
    """Plans worth comparing that can run, at most `MOST_CANDIDATES`; the default plan first.

    Flat, two and three levels, and the tree of least latency at the platform's mean message costs
    (`advisor.trees.search.optimum`), each with its `placements`.
    """
    try:
        first = default_plan(platform, overlay)
    except InputError:
        return ()
    found = dict.fromkeys((first, *_feasible(platform, overlay, _every(platform, overlay))))
    return tuple(found)[:MOST_CANDIDATES]


def neighbours(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> tuple[OverlayPlan, ...]:
    """Plans one step away that can run, for a local search.

    The first level one child wider or narrower; all internal processes of a machine on another
    one, and single ones: of either evenly chosen, at most `MOST_MOVES`.
    """
    found = dict.fromkeys(_near(platform, overlay, plan))
    found.pop(plan, None)
    return tuple(_feasible(platform, overlay, found))


def _keeps_up(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> bool:
    try:
        check_placed(platform, overlay, plan)
    except InputError:
        return False
    return True


def _feasible(
    platform: Platform, overlay: Overlay, plans: Iterable[OverlayPlan]
) -> Iterator[OverlayPlan]:
    return (plan for plan in plans if _keeps_up(platform, overlay, plan))


def _latency(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> float:
    return latency_s(running(platform, overlay, plan))


def _beside(platform: Platform, overlay: Overlay, trees: list[Tree]) -> Iterator[OverlayPlan]:
    """Trees with internal processes beside the back-ends below them; without them, none."""
    for tree in trees:
        placed = beside(platform, overlay, tree)
        if len(placed) == tree.internal:
            yield OverlayPlan.of(tree, placed)


def _every(platform: Platform, overlay: Overlay) -> Iterator[OverlayPlan]:
    """All shapes with all placements."""
    for tree in _shapes(platform, overlay):
        for placed in placements(platform, overlay, tree):
            yield OverlayPlan.of(tree, placed)


def _balanced_trees(back_ends: int) -> list[Tree]:
    """Balanced trees of 2, 3, 4, 6, 8, 12, … children, and those of two levels."""
    fanouts = sorted({part << power for power in range(20) for part in (2, 3)})
    widths = [fanout for fanout in fanouts if fanout < back_ends]
    trees = [balanced(back_ends, fanout) for fanout in widths]
    return _each_once([*trees, *(_two_levels(back_ends, width) for width in widths)])


def _shapes(platform: Platform, overlay: Overlay) -> list[Tree]:
    """Flat, some of two and three levels, and the optimum, each once."""
    N = overlay.count
    widths = {len(overlay.back_ends), math.isqrt(N - 1) + 1, *(2**power for power in range(1, 20))}
    useful = sorted(width for width in widths if 1 < width < N)
    if len(useful) > _TWO_LEVELS:
        middle = sorted(useful, key=lambda width: (abs(math.log(width * width / N)), width))
        useful = sorted(middle[:_TWO_LEVELS])
    trees = [flat(N), *(_two_levels(N, width) for width in useful)]
    for root in sorted({math.ceil(N ** (1.0 / 3.0) - 1e-9), len(overlay.back_ends)}):
        if root > 1 and 2 * root < N:
            inner = math.isqrt(-(-N // root) - 1) + 1
            trees.append(levelled(N, (root, inner, inner)))
    best = _optimum(platform, overlay)
    return _each_once(trees if best is None else [*trees, best])


def _two_levels(back_ends: int, width: int) -> Tree:
    return levelled(back_ends, (width, -(-back_ends // width)))


def _each_once(trees: list[Tree]) -> list[Tree]:
    return list({tree.fanouts.tobytes(): tree for tree in trees}.values())


def mean_costs(platform: Platform, overlay: Overlay) -> tree_costs.TreeCosts:
    """What the overlay's messages cost on the mean of the routes to its back-ends, in µs.

    As in `advisor.overlays.overlay_load`: o a quarter of the startup unless stated, and g = o.
    """
    found = running(platform, overlay, OverlayPlan.of(flat(overlay.count)))
    message = found.down if found.up is None else found.up
    assert message is not None
    o = float(np.mean(message.parent_s + message.child_s)) / 2.0
    c = float(found.filter_s[0]) if found.up is not None else 0.0
    tail = float(np.mean(message.tail_s))
    L = max(0.0, float(np.mean(message.delay_s)) - 2.0 * o - tail - c)
    size = max(overlay.message_bytes, 1.0)
    G = tail / (size - 1.0) if size > 1.0 else 0.0
    L, o, G, c = (float(f"{_US * value:.4g}") for value in (L, o, G, c))
    return tree_costs.TreeCosts(
        LogGP(L=L, o_s=o, o_r=o, g=o, G=G), size=size, filter_cost=c, rate=overlay.rate_hz,
        operation=tree_costs.ROUND_TRIP if overlay.operation == ROUND_TRIP else overlay.operation,
    )  # fmt: skip


def _optimum(platform: Platform, overlay: Overlay) -> Tree | None:
    """The tree of least latency where every message costs the mean; None where there is none."""
    try:
        return optimum(overlay.count, mean_costs(platform, overlay), Limits()).tree
    except InputError:
        return None


def _near(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> Iterator[OverlayPlan]:
    for tree in _stepped(plan.tree):
        yield OverlayPlan.of(tree, _stretched(platform, overlay, plan, tree))
    names = [machine.name for machine in allowed(platform, overlay)]
    used = list(plan.machines)
    for which, where in _some(len(used), len(names)):
        moved = tuple(names[where] if one == used[which] else one for one in plan.internal)
        yield OverlayPlan(plan.fanouts, moved)
    for which, where in _some(len(plan.internal), len(names)):
        moved = (*plan.internal[:which], names[where], *plan.internal[which + 1 :])
        yield OverlayPlan(plan.fanouts, moved)


def _some(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """Cells of a table: all of them, or so many that are evenly spread over it."""
    cells = rows * columns
    for place in range(min(cells, MOST_MOVES)):
        row, column = divmod(place * cells // min(cells, MOST_MOVES), columns)
        yield row, (column + row) % columns


def _stepped(tree: Tree) -> Iterator[Tree]:
    """The next levelled trees whose first level is narrower or wider; of a flat one two levels.

    Wider, the last level has one child less: the least width that this leaves room for.
    """
    N, fanouts = tree.back_ends, level_fanouts(tree)
    if len(fanouts) == 1:
        if N > 2:
            yield _two_levels(N, math.isqrt(N - 1) + 1)
        return
    width, inner, last = fanouts[0], fanouts[1:-1], fanouts[-1]
    between = math.prod(inner)
    shapes = (
        (width - 1, -(-N // ((width - 1) * between))) if width > 2 else None,
        (-(-N // (between * (last - 1))), last - 1) if last > 2 else None,
    )
    for shape in shapes:
        yield flat(N) if shape is None else levelled(N, (shape[0], *inner, shape[1]))


def _stretched(platform: Platform, overlay: Overlay, plan: OverlayPlan, tree: Tree) -> Placement:
    """The placement of a plan for a tree of more or fewer internal processes."""
    before = plan.internal
    if not before:
        return beside(platform, overlay, tree)
    return tuple(before[place * len(before) // tree.internal] for place in range(tree.internal))


# Where the internal processes of a tree may run: the few placements worth comparing.

Placement = tuple[str, ...]
_BELOW = 16  # machines below an internal process among which one is chosen


def allowed(platform: Platform, overlay: Overlay) -> tuple[Machine, ...]:
    """The machines that may hold internal processes, in the order of the platform."""
    return tuple(machine for machine in platform.machines if overlay.may_hold(machine.name))


def placements(platform: Platform, overlay: Overlay, tree: Tree) -> Iterator[Placement]:
    """Placements of a tree, each once, the one beside the back-ends first.

    Beside the back-ends below; on machines without back-ends, packed one a core or spread evenly
    over all of them; on the front-end's machine.
    """
    found = [beside(platform, overlay, tree)]
    below = {machine for machine, _ in overlay.back_ends}
    free = allowed(platform, overlay)
    spare = [one for one in free if one.name not in below and one.name != overlay.front_end]
    if spare:
        found += [packed(spare, tree.internal), spread(spare, tree.internal)]
    if any(machine.name == overlay.front_end for machine in free):
        found.append((overlay.front_end,) * tree.internal)
    yield from (one for one in dict.fromkeys(found) if len(one) == tree.internal)


def packed(machines: list[Machine], processes: int) -> Placement:
    """One process a core, machine after machine; those that are left over spread evenly."""
    rounds = [machine.name for machine in machines for _ in range(machine.cores)]
    if processes <= len(rounds):
        return tuple(rounds[:processes])
    return spread(machines, processes)


def spread(machines: list[Machine], processes: int) -> Placement:
    """Evenly by cores over all machines, in runs, so that siblings stay together."""
    cores = sum(machine.cores for machine in machines)
    placed: list[str] = []
    before = 0
    for machine in machines:
        before += machine.cores
        placed += [machine.name] * (before * processes // cores - len(placed))
    return tuple(placed)


def beside(platform: Platform, overlay: Overlay, tree: Tree) -> Placement:
    """Each on a machine of the back-ends below it, that with the fewest processes a core so far.

    Where none of them may hold it, on the machine with the fewest of all that may; empty where
    none may hold any. From the lowest level up.
    """
    free = {machine.name: 1.0 / machine.cores for machine in allowed(platform, overlay)}
    if not free or not tree.internal:
        return ()
    below = _below(overlay, tree)
    held = dict.fromkeys(free, 0.0)
    chosen: list[str] = []
    for near in reversed(below):
        among = [machine for machine in near if machine in free] or free
        machine = min(among, key=lambda name: held[name] + free[name])
        held[machine] += free[machine]
        chosen.append(machine)
    return tuple(reversed(chosen))


def _below(overlay: Overlay, tree: Tree) -> list[tuple[str, ...]]:
    """The first few machines of the back-ends below every internal process, breadth first."""
    machines = [machine for machine, _ in overlay.back_ends]
    owner = np.repeat(np.arange(len(machines)), [many for _, many in overlay.back_ends])
    leaves = np.concatenate(([0], np.cumsum(tree.fanouts == 0)))  # before every process
    inner = np.flatnonzero(tree.fanouts)[1:]
    first, end = tree.first_child[inner], tree.first_child[inner] + tree.fanouts[inner]
    found: list[tuple[str, ...]] = [()] * inner.size
    spans = zip(*(each.tolist() for each in (first, end, leaves[first], leaves[end])), strict=True)
    for place, (begin, after, leaf, last) in reversed(list(enumerate(spans))):
        near: dict[str, None] = {}
        if last > leaf:
            near = dict.fromkeys(machines[owner[leaf] : owner[last - 1] + 1][:_BELOW])
        for child in range(begin - leaf - 1, after - last - 1):
            if len(near) >= _BELOW:
                break
            near |= dict.fromkeys(found[child])
        found[place] = tuple(near)[:_BELOW]
    return found
