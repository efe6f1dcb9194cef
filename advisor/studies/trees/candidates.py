"""The trees that the trees study compares, and the one that it recommends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from advisor.basics.rounding import ALIKE
from advisor.models.mrnet import CONVENTIONS, Tree, balanced, flat
from advisor.models.process_tree import levelled
from advisor.studies.study import Note
from advisor.studies.trees.hosts import hosts_of, limits_with
from advisor.studies.trees.parameters import (
    BALANCED,
    FLAT,
    KNOMIAL,
    LEVELS,
    OPTIMAL,
    OWN,
    TreesParameters,
    costs_of,
)
from advisor.trees.costs import TreeCosts, TreeMeasures, measure
from advisor.trees.hosts import Hosts
from advisor.trees.picture import NamedTree
from advisor.trees.search import Limits, TreeChoice, best_weighted, optimum
from advisor.trees.shapes import best_levels, spread_knomial
from advisor.trees.topgen_spec import is_spec, parse_spec
from advisor.trees.tree_file import read_tree


@dataclass(frozen=True, eq=False)
class TreesCase:
    """The parameters resolved: what things cost, what is allowed, and the trees to compare."""

    asked: TreesParameters
    costs: TreeCosts
    limits: Limits
    hosts: Hosts | None
    notes: tuple[Note, ...]
    shapes: tuple[str, ...]
    trees: tuple[NamedTree, ...]
    best: int

    @classmethod
    def of(cls, asked: TreesParameters) -> TreesCase:
        """Resolve the parameters.

        Raises
        ------
        InputError
            Costs, a file or an own tree that can't be used, or no tree within the limits.
        """
        costs, notes = costs_of(asked)
        hosts = hosts_of(asked)
        limits = limits_with(asked.limits, hosts, asked.back_ends)
        own, doubts = own_tree(asked)
        found = [*_shapes(asked, costs, limits), *([] if own is None else [(OWN, OWN, own)])]
        trees = tuple(NamedTree(name, tree, measure(tree, costs)) for _, name, tree in found)
        shapes = tuple(shape for shape, _, _ in found)
        case = cls(asked, costs, limits, hosts, (*notes, *doubts), shapes, trees, 0)
        return replace(case, best=case._recommended())

    def _recommended(self) -> int:
        """The place of the tree of the wanted shape, or of the best; the optimum wins ties."""
        if self.asked.shape in self.shapes:
            return self.shapes.index(self.asked.shape)
        allowed = [at for at, one in enumerate(self.trees) if self.keeps(one.measures)]
        least = min(self.value(self.trees[at].measures) for at in allowed)
        near = least * (1.0 + ALIKE)
        return next(at for at in allowed if self.value(self.trees[at].measures) <= near)

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

    def keeps(self, measures: TreeMeasures) -> bool:
        """Whether a tree keeps the limits."""
        most = self.limits.max_internal
        return (most is None or measures.internal <= most) and self.limits.allows(
            self.costs, measures.front_end_fanout, measures.inner_fanout
        )

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


def _shapes(
    asked: TreesParameters, costs: TreeCosts, limits: Limits
) -> Iterator[tuple[str, str, Tree]]:
    """(shape, name, tree): the optimum first, as it wins ties."""
    N = asked.back_ends
    yield OPTIMAL, OPTIMAL, _optimal(asked, costs, limits)
    yield FLAT, FLAT, flat(N)
    fanout = min(asked.fanout, max(2, N))
    yield BALANCED, f"balanced {fanout}-way", balanced(N, fanout)
    levels = best_levels(N, costs.search_message)
    yield LEVELS, levels_text(levels), levelled(N, levels)
    kind = "binomial" if asked.k == 2 else f"{asked.k}-nomial"
    yield KNOMIAL, f"{kind}, {-(-N // fanout):,} processes", spread_knomial(N, asked.k, fanout)


def _optimal(asked: TreesParameters, costs: TreeCosts, limits: Limits) -> Tree:
    """The tree of least latency, or of the least weighted sum, within the limits."""
    N, weights = asked.back_ends, asked.weights
    if weights.period or weights.internal:
        choice, _ = best_weighted(N, costs, limits, weights)
        limits = limits.within(choice)
    return optimum(N, costs, limits).tree


def levels_text(fanouts: tuple[int, ...]) -> str:
    """Fan-outs by level: "4×8×8", "2×4⁴"."""
    parts = []
    for fanout, group in groupby(fanouts):
        times = len(list(group))
        power = str(times).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        parts.append(f"{fanout}{power if times > 1 else ''}")
    return "levels " + "×".join(parts)


def own_tree(asked: TreesParameters) -> tuple[Tree | None, tuple[Note, ...]]:
    """The user's own tree, and what is to be said of it.

    Raises
    ------
    InputError
        A specification or a file that holds no tree.
    """
    text = asked.own.strip()
    if not text:
        return None, ()
    warnings: tuple[str, ...] = ()
    if is_spec(text):
        tree = parse_spec(text, "setting own")
    else:
        found = read_tree(Path(text))
        tree, warnings = found.tree, found.warnings
    notes = tuple(Note(False, one) for one in warnings)
    if tree.back_ends != asked.back_ends:
        missing = (
            f"Your own tree has {tree.back_ends} back-ends and N is {asked.back_ends}: it is left "
            "out of the comparison"
        )
        return None, (Note(False, missing),)
    return tree, notes
