"""The trees that the trees study compares, and the one that it recommends.

The trees that the study searches for: the fastest, and the knee of far fewer processes.

Exact where every process has a processor of its own. Where processes share the cores of hosts, or
back-ends attach to leaves, the fastest of a ladder of trees from many processes to none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from advisor.basics.quantities import number
from advisor.basics.rounding import ALIKE
from advisor.models.mrnet import CONVENTIONS, Tree, balanced, flat
from advisor.models.process_tree import levelled
from advisor.project.kinds import named_by_content
from advisor.studies.study import Note
from advisor.studies.trees.message_costs import Spread, costs_of
from advisor.studies.trees.parameters import (
    BALANCED,
    FLAT,
    KNEE,
    KNOMIAL,
    LEVELS,
    OPTIMAL,
    OWN,
    TreesParameters,
)
from advisor.studies.trees.tree_host_fields import hosts_full, hosts_of, limits_with
from advisor.trees.attachable import attachable_trees, is_attachable
from advisor.trees.search import Limits, TreeChoice, best_weighted, optimum, rungs, thinnest
from advisor.trees.shapes import best_levels, spread_knomial
from advisor.trees.topology_file import read_topology
from advisor.trees.tree_costs import TreeCosts, TreeMeasures, measure
from advisor.trees.tree_file import FoundTree, read_attached, read_tree, specified
from advisor.trees.tree_hosts import Hosts
from advisor.trees.tree_picture import NamedTree
from machines.errors import InputError
from machines.files import kept_inputs

AT_COSTS = "at other costs"


@dataclass(frozen=True, eq=False)
class TreesCase:
    """The parameters resolved: what things cost, what is allowed, and the trees to compare.

    `spread` tells what the trees take where a part of the costs is not known.
    """

    asked: TreesParameters
    costs: TreeCosts
    limits: Limits
    hosts: Hosts | None
    notes: tuple[Note, ...]
    shapes: tuple[str, ...]
    trees: tuple[NamedTree, ...]
    best: int
    spread: Spread | None = None

    @classmethod
    def of(cls, asked: TreesParameters) -> TreesCase:
        """Resolve the parameters."""
        hosts = hosts_of(asked)
        costs, notes, unknown = costs_of(asked, hosts)
        limits = limits_with(asked.limits, hosts, asked.back_ends)
        own, doubts = own_tree(asked)
        samples = () if unknown is None else tuple(
            replace(costs, p=p) for p in unknown.samples()
        )  # fmt: skip
        with hosts_full(limits, asked.limits):
            found = [*searched(asked, costs, limits), *_shapes(asked, costs)]
            found += _of_samples(asked, samples, limits)
        found += [] if own is None else [(OWN, OWN, own)]
        trees = tuple(NamedTree(name, tree, measure(tree, costs)) for _, name, tree in found)
        shapes = tuple(shape for shape, _, _ in found)
        spread = None if unknown is None else Spread.of(unknown, samples, trees)
        case = cls(asked, costs, limits, hosts, (*notes, *doubts), shapes, trees, 0, spread)
        return replace(case, best=case._recommended())

    def _recommended(self) -> int:
        """The place of the tree of the wanted shape, or of the best by the rule."""
        wanted = self.asked.shape
        if wanted == KNEE and wanted not in self.shapes:  # the optimum has the fewest already
            wanted = OPTIMAL
        if wanted in self.shapes:
            return self.shapes.index(wanted)
        allowed = self.allowed
        if not allowed:
            raise InputError(
                "no tree that is compared keeps these limits", where="limits",
                remedy="Allow more internal processes, more children or a longer period",
            )  # fmt: skip
        if self.spread is not None:
            spread = self.spread
            return min(allowed, key=lambda at: spread.loss(at, allowed))
        values = {at: self.value(self.trees[at].measures) for at in allowed}
        least = min(values.values())
        if not self.asked.spares_processes:
            return next(at for at in allowed if values[at] <= least * (1.0 + ALIKE))
        near = least * (1.0 + self.asked.tolerance / 100.0 + ALIKE)
        close = [at for at in allowed if values[at] <= near]
        return min(close, key=lambda at: (self.trees[at].measures.internal, values[at]))

    @cached_property
    def allowed(self) -> tuple[int, ...]:
        """The places of the trees that keep the limits."""
        return tuple(at for at, one in enumerate(self.trees) if self.keeps(one))

    @property
    def fastest(self) -> NamedTree:
        """The tree of least latency within the limits."""
        kept = [self.trees[at] for at in self.allowed] or list(self.trees)
        return min(kept, key=lambda one: (self.latency(one.measures), one.measures.internal))

    @property
    def chosen(self) -> NamedTree:
        """The recommended tree."""
        return self.trees[self.best]

    def named(self, name: str) -> NamedTree | None:
        """The tree of that name."""
        return next((one for one in self.trees if one.name == name), None)

    def latency(self, measures: TreeMeasures) -> float:
        """µs of the operation that is asked for."""
        return measures.latency(self.costs.operation)

    def value(self, measures: TreeMeasures) -> float:
        """What is to be small: the latency, or the weighted sum."""
        return self.asked.weights.value(
            TreeChoice(
                self.latency(measures),
                measures.period,
                measures.internal,
                (measures.front_end_fanout, measures.inner_fanout),
            )
        )

    def keeps(self, one: NamedTree) -> bool:
        """Whether a tree keeps the limits, and in attach mode takes all back-ends."""
        attaches = not self.asked.attach or is_attachable(one.tree)
        return attaches and self.limits.keeps(self.costs, one.measures)

    @cached_property
    def conventions(self) -> tuple[dict[str, float], ...]:
        """Latency of each tree in each convention."""
        return tuple(
            {
                name: self.latency(
                    one.measures
                    if name == self.costs.convention
                    else measure(one.tree, replace(self.costs, convention=name))
                )
                for name in CONVENTIONS
            }
            for one in self.trees
        )


def _shapes(asked: TreesParameters, costs: TreeCosts) -> Iterator[Shaped]:
    """(shape, name, tree) of the usual shapes."""
    N = asked.back_ends
    yield FLAT, FLAT, flat(N)
    fanout = min(asked.fanout, max(2, N))
    yield BALANCED, f"balanced {fanout}-way", balanced(N, fanout)
    levels = best_levels(N, costs.search_message)
    yield LEVELS, levels_text(levels), levelled(N, levels)
    kind = "binomial" if asked.k == 2 else f"{asked.k}-nomial"
    yield KNOMIAL, f"{kind}, {-(-N // fanout):,} processes", spread_knomial(N, asked.k, fanout)


def _of_samples(
    asked: TreesParameters, samples: Sequence[TreeCosts], limits: Limits
) -> Iterator[Shaped]:
    """The best trees for costs along an interval."""
    for costs in samples:
        gap = costs.p.g + (costs.size - 1.0) * costs.p.G
        if max(costs.p.o_s, gap) > 0.0:  # else the flat tree is the best, and any tree is free
            *_, (_, name, tree) = searched(asked, costs, limits)
            yield AT_COSTS, f"{name} for g {number(costs.p.g)} µs", tree


def levels_text(fanouts: tuple[int, ...]) -> str:
    """Fan-outs by level: "4×8×8", "2×4⁴"."""
    parts = []
    for fanout, group in groupby(fanouts):
        times = len(list(group))
        power = str(times).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        parts.append(f"{fanout}{power if times > 1 else ''}")
    return "levels " + "×".join(parts)


@kept_inputs()
def _own_file(text: str, asked: TreesParameters) -> FoundTree:
    """A tree from a file; of a topology file for attach mode the back-ends are added.

    A file of the front-end alone can only be one.
    """
    path = Path(text)
    if path.suffix != ".json":
        with suppress(InputError):
            topology = read_topology(path)
            whole = topology.tree is not None and topology.tree.back_ends == asked.back_ends
            if topology.tree is None or (asked.attach and not whole):
                return read_attached(path, asked.back_ends)
    return read_tree(path)


def own_tree(asked: TreesParameters) -> tuple[Tree | None, tuple[Note, ...]]:
    """The user's own tree, and what is to be said of it."""
    text = asked.own.strip()
    if not text:
        return None, ()
    warnings: tuple[str, ...] = ()
    tree = specified(text, "setting own")
    if tree is None:
        with named_by_content(text, "a tree of processes"):
            found = _own_file(text, asked)
        tree, warnings = found.tree, found.warnings
    notes = tuple(Note(False, one) for one in warnings)
    if tree.back_ends != asked.back_ends:
        missing = (
            f"Your own tree has {tree.back_ends} back-ends and N is {asked.back_ends}: it is left "
            "out of the comparison"
        )
        return None, (Note(False, missing),)
    return tree, notes


Shaped = tuple[str, str, Tree]


def searched(asked: TreesParameters, costs: TreeCosts, limits: Limits) -> Iterator[Shaped]:
    """(shape, name, tree): the knee, if it has fewer processes, and the optimum."""
    near = 1.0 + asked.tolerance / 100.0 + ALIKE
    if asked.attach or (costs.hosts is not None and costs.cores is not None):
        best, knee = _of_ladder(asked, costs, limits, near)
    else:
        best, latency = _optimal(asked, costs, limits)
        knee = best
        if asked.spares_processes:
            knee = thinnest(asked.back_ends, costs, limits, latency * near).tree
    if asked.spares_processes and knee.internal < best.internal:
        yield KNEE, KNEE, knee
    yield OPTIMAL, OPTIMAL, best


def _optimal(asked: TreesParameters, costs: TreeCosts, limits: Limits) -> tuple[Tree, float]:
    """The tree of least latency, or of the least weighted sum, within the limits."""
    N, weights = asked.back_ends, asked.weights
    if weights.period or weights.internal:
        choice, _ = best_weighted(N, costs, limits, weights)
        limits = limits.within(choice)
    found = optimum(N, costs, limits)
    return found.tree, found.latency


def _of_ladder(
    asked: TreesParameters, costs: TreeCosts, limits: Limits, near: float
) -> tuple[Tree, Tree]:
    """(the best rung within the limits, that of fewest processes that is near it)."""
    N, weights = asked.back_ends, asked.weights
    ladder = (attachable_trees if asked.attach else rungs)(N, costs, limits)
    found: list[tuple[float, int, int, Tree]] = []
    for at, tree in enumerate(ladder):
        measures = measure(tree, costs)
        if not limits.keeps(costs, measures) and at:
            continue
        value = measures.latency(costs.operation) + weights.period * measures.period
        found.append((value + weights.internal * tree.internal, tree.internal, at, tree))
    least = min(found)
    close = [one for one in found if one[0] <= least[0] * near]
    return least[-1], min(close, key=lambda one: one[1:3])[-1]
