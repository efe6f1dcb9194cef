"""The trees that the trees study compares, and the one that it recommends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from advisor.formats.topgen_spec import is_spec, parse_spec
from advisor.formats.tree_file import read_tree
from advisor.models.mrnet import CONVENTIONS, Tree, balanced, flat
from advisor.models.process_tree import levelled
from advisor.studies.study import Note
from advisor.studies.trees_cases import TreesParameters, costs_of
from advisor.tree_picture import OWN, NamedTree
from advisor.tree_search import Choice, Limits, best_weighted, optimum
from advisor.tree_shapes import best_levels, spread_knomial
from advisor.trees import ROUND_TRIP, TreeCosts, TreeMeasures, measure

OPTIMAL, FLAT = "optimal", "flat"
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class TreesCase:
    """The parameters resolved: what things cost, what is allowed, and the trees to compare."""

    asked: TreesParameters
    costs: TreeCosts
    limits: Limits
    notes: tuple[Note, ...]
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
        own, doubts = own_tree(asked)
        shapes = [*_shapes(asked, costs), *([] if own is None else [(OWN, own)])]
        trees = tuple(NamedTree(name, tree, measure(tree, costs)) for name, tree in shapes)
        case = cls(asked, costs, asked.limits, (*notes, *doubts), trees, 0)
        allowed = [at for at, one in enumerate(trees) if case.keeps(one.measures)]
        least = min(case.value(trees[at].measures) for at in allowed)
        near = least * (1.0 + _SAME)  # equals: the optimum comes first
        best = next(at for at in allowed if case.value(trees[at].measures) <= near)
        return replace(case, best=best)

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
            Choice(
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

    def with_convention(self, tree: Tree) -> dict[str, float]:
        """Latency in each convention."""
        return {
            name: self.latency(measure(tree, replace(self.costs, convention=name)))
            for name in CONVENTIONS
        }


def _shapes(asked: TreesParameters, costs: TreeCosts) -> Iterator[tuple[str, Tree]]:
    """(name, tree): the optimum first, as it wins ties."""
    N = asked.back_ends
    yield OPTIMAL, optimal_tree_of(asked, costs)
    yield FLAT, flat(N)
    fanout = min(asked.fanout, max(2, N))
    yield f"balanced {fanout}-way", balanced(N, fanout)
    levels = best_levels(N, costs.search_message)
    yield levels_text(levels), levelled(N, levels)
    kind = "binomial" if asked.k == 2 else f"{asked.k}-nomial"
    yield f"{kind} of {-(-N // fanout)}", spread_knomial(N, asked.k, fanout)


def optimal_tree_of(asked: TreesParameters, costs: TreeCosts) -> Tree:
    """The tree of least latency, or of the least weighted sum, within the limits."""
    N, limits, weights = asked.back_ends, asked.limits, asked.weights
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
    if is_spec(text):
        tree, warnings = parse_spec(text, "setting own"), ()
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
