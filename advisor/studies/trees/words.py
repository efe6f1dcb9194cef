"""The trees study's answer in a sentence, and the rule by which it was found."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.quantities import count, duration, number, percent
from advisor.basics.rounding import ALIKE
from advisor.models.mrnet import REDUCTION
from advisor.studies.trees.candidates import AT_COSTS, TreesCase
from advisor.studies.trees.parameters import FLAT, KNEE, OPTIMAL, OWN
from advisor.studies.trees.unknown import ALONE_BEST, Spread
from advisor.trees.attachable import mixed_processes
from advisor.trees.costs import ROUND_TRIP, US
from advisor.trees.picture import NamedTree

FASTER = 1.005  # times that are worth a word
_SEARCHED = (KNEE, OPTIMAL, AT_COSTS)


def sentence(case: TreesCase) -> str:
    """What is recommended, what it takes, and beside which other."""
    chosen, N = case.chosen, case.asked.back_ends
    operation = case.costs.operation
    over = {REDUCTION: "of", ROUND_TRIP: "with"}.get(operation, "to")
    inner = chosen.measures.internal
    through = f"through {count(inner, 'internal process', 'internal processes')}"
    if not inner:
        through = "straight from the front-end"
    spread = case.spread
    rest = f"{_faster(case)}{_least(case)}" if spread is None else _at_worst(case, spread)
    return (
        f"{title(chosen)}: a {operation} {over} {count(N, 'back-end')} takes {_taken(case)} "
        f"{through}{rest}."
    )


def called(tree: NamedTree) -> str:
    """The name of a tree in a sentence."""
    if tree.name in (OPTIMAL, KNEE) and not tree.measures.internal:
        return FLAT
    return "your own" if tree.name == OWN else tree.name


def title(tree: NamedTree) -> str:
    """The name of a tree at the begin of a sentence."""
    name = called(tree)
    return f"{name[:1].upper()}{name[1:]} tree"


def time_text(time: float) -> str:
    """A time of the model, which is in µs."""
    return duration(time * US)


def _taken(case: TreesCase) -> str:
    if case.spread is None:
        return time_text(case.latency(case.chosen.measures))
    low, high = case.spread.ends(case.best)
    return f"{time_text(low)} to {time_text(high)}"


def _faster(case: TreesCase) -> str:
    """How much faster than the flat tree and the best of the usual others."""
    mine = case.latency(case.chosen.measures)
    usual = [
        one
        for shape, one in zip(case.shapes, case.trees, strict=True)
        if one is not case.chosen and shape not in _SEARCHED and one.name != FLAT
    ]
    flat = [one for one in case.trees if one.name == FLAT]
    slower = [*flat, min(usual, key=lambda one: case.latency(one.measures))]
    parts = [
        f"{number(case.latency(one.measures) / mine)} times faster than {called(one)}"
        for one in slower
        if case.latency(one.measures) > FASTER * mine
    ]
    return f", {' and '.join(parts)}" if parts else ""


def _least(case: TreesCase) -> str:
    """What the fastest tree would take, and with how many processes more."""
    least, mine = case.fastest, case.latency(case.chosen.measures)
    if case.latency(least.measures) * (1.0 + ALIKE) >= mine:
        return ""
    within = ""
    if case.asked.shape not in case.shapes and case.asked.spares_processes:
        within = f"the fewest processes within {case.asked.tolerance:g} % of "
    return (
        f"; {within}the least, {time_text(case.latency(least.measures))} with "
        f"{least.measures.internal:,}"
    )


def _at_worst(case: TreesCase, spread: Spread) -> str:
    """What is not known, and what the choice may cost."""
    loss = spread.loss(case.best, case.allowed)
    worst = "the best for any of them"
    if loss > ALONE_BEST:
        worst = f"at worst {number(loss)} times the best"
    return f": {spread.unknown.text}, and this is {worst}"


def rules(case: TreesCase) -> Iterator[str]:
    """By which rule the tree was chosen, and what else holds where."""
    if case.spread is not None:
        yield from _by_interval(case, case.spread)
    elif case.asked.spares_processes and case.asked.shape not in case.shapes:
        least, mine = case.fastest.measures, case.chosen.measures
        text = (
            "Rule: the fewest internal processes within "
            f"{case.asked.tolerance:g} % of the least latency"
        )
        if least.internal > mine.internal:
            more = case.latency(mine) / case.latency(least) - 1.0
            text += (
                f"; {percent(more)} of latency saves {least.internal - mine.internal:,} of "
                f"{count(least.internal, 'process', 'processes')}"
            )
        yield f"{text}."
    if case.asked.attach:
        yield from _attaching(case)


def _by_interval(case: TreesCase, spread: Spread) -> Iterator[str]:
    yield "Rule: the tree that at worst, over all o and g that are possible, loses least."
    best = spread.best(case.allowed)
    ends = []
    for sample, name in ((0, "the smallest"), (-1, "the largest")):
        tree, time = case.trees[best[sample]], spread.latencies[best[sample]][sample]
        who = called(tree)
        if case.shapes[best[sample]] in _SEARCHED and tree.measures.internal:
            inner = count(tree.measures.internal, "internal process", "internal processes")
            who = f"one with {inner}"
        ends.append(f"for {name} {who} is best, {time_text(time)}")
    if best[0] == best[-1] == case.best:
        yield "The tree is the same over the whole interval."
    else:
        yield f"The best tree hangs on o and g: {'; '.join(ends)}. Measure them to choose."


def _attaching(case: TreesCase) -> Iterator[str]:
    best = next(one for shape, one in zip(case.shapes, case.trees, strict=True) if shape == OPTIMAL)
    mixed = sum(1 for one in case.trees if mixed_processes(one.tree).size)
    text = "Attach mode: each process has only back-ends below, or only internal processes"
    if mixed:
        text += f"; {count(mixed, 'tree')} of the comparison can't take all back-ends"
    yield f"{text}. The fastest of this kind takes {time_text(case.latency(best.measures))}."
