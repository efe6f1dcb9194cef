"""The trees study's answer in words and figures, and the rule by which it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from advisor.basics.quantities import count, duration, number, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import durations
from advisor.models.mrnet import REDUCTION
from advisor.studies.facts import LESS, Fact
from advisor.studies.trees.candidates import AT_COSTS, TreesCase
from advisor.studies.trees.message_costs import ALONE_BEST, Spread
from advisor.studies.trees.parameters import FLAT, KNEE, OPTIMAL, OWN
from advisor.trees.attachable import mixed_processes
from advisor.trees.tree_costs import ROUND_TRIP, US, TreeMeasures
from advisor.trees.tree_picture import NamedTree
from machines.errors import capital

SIMULATED = "Placewise's own simulation of trees"
FASTER = 1.005  # times that are worth a word
_SEARCHED = (KNEE, OPTIMAL, AT_COSTS)


def headline(case: TreesCase) -> str:
    """What to build, what it takes, and through how many processes."""
    chosen, N = case.chosen, case.asked.back_ends
    operation = case.costs.operation
    over = {REDUCTION: "of", ROUND_TRIP: "with"}.get(operation, "to")
    inner = chosen.measures.internal
    through = f"through {count(inner, 'internal process', 'internal processes')}"
    if not inner:
        through = "straight from the front-end"
    return (
        f"Build {_named(chosen)}: a {operation} {over} {count(N, 'back-end')} takes "
        f"{_taken(case)} {through}."
    )


def alternative(case: TreesCase) -> str:
    """Beside which others, and how sure that is; empty where there is no other."""
    if case.spread is not None:
        return _at_worst(case, case.spread)
    parts = [part for part in (_faster(case), _least(case)) if part]
    told = "; ".join(parts)
    return f"{capital(told)}." if told else ""


def _named(tree: NamedTree) -> str:
    """The tree to build: "the knee tree", "your own tree", "levels 4×8×8"."""
    name = called(tree)
    if tree.name == OWN:
        return f"{name} tree"
    if name.startswith("levels "):
        return name
    ends = min(found for found in (name.find(", "), name.find(" for "), len(name)) if found >= 0)
    return f"the {name[:ends]} tree{name[ends:]}"


def called(tree: NamedTree) -> str:
    """The name of a tree in a sentence."""
    if tree.name in (OPTIMAL, KNEE) and not tree.measures.internal:
        return FLAT
    return "your own" if tree.name == OWN else tree.name


def title(tree: NamedTree) -> str:
    """The name of a tree at the begin of a sentence."""
    name = called(tree)
    return f"{capital(name)} tree"


def time_text(time: float) -> str:
    """A time of the model, which is in µs."""
    return duration(time * US)


def _taken(case: TreesCase) -> str:
    return facts(case)[0].text


def _faster(case: TreesCase) -> str:
    """How much faster than the flat tree and the best of the usual others."""
    mine = case.latency(case.chosen.measures)
    flat = [one for one in case.trees if one.name == FLAT]
    usual = [one for one in _usual(case) if one.name != FLAT]
    slower = [*flat, min(usual, key=lambda one: case.latency(one.measures))]
    parts = [
        f"{number(case.latency(one.measures) / mine)} times faster than {called(one)}"
        for one in slower
        if case.latency(one.measures) > FASTER * mine
    ]
    return " and ".join(parts)


def _usual(case: TreesCase) -> list[NamedTree]:
    """The usual shapes that are not the chosen tree."""
    return [
        one
        for shape, one in zip(case.shapes, case.trees, strict=True)
        if one is not case.chosen and shape not in _SEARCHED
    ]


def rival(case: TreesCase) -> NamedTree | None:
    """The tree to compare with: the fastest if that is another, else the best of the usual.

    ``None``: all of them are the same tree.
    """
    fastest, mine = case.fastest, case.chosen.measures
    if _behind(case):
        return fastest
    others = [one for one in _usual(case) if one.measures != mine]
    return min(others, key=lambda one: case.latency(one.measures), default=None)


def against(case: TreesCase) -> str:
    """What `rival` is called beside the figures."""
    other = rival(case)
    if other is None:
        return ""
    return "fastest tree" if _behind(case) else called(other)


def _behind(case: TreesCase) -> bool:
    """Whether another tree within the limits is faster than the chosen one."""
    least = case.latency(case.fastest.measures)
    return least * (1.0 + ALIKE) < case.latency(case.chosen.measures)


def facts(case: TreesCase) -> tuple[Fact, ...]:
    """Of the chosen tree, against `rival`: latency, processes, period and start-up.

    Where costs are known to an interval the latency is one too, and has no difference.
    """
    mine, other = case.chosen.measures, rival(case)

    def fact(name: str, value: Callable[[TreeMeasures], float], unit: str) -> Fact:
        return Fact(name, value(mine), unit, None if other is None else value(other.measures), LESS)

    processes = fact("internal processes", lambda one: one.internal, "")
    start_up = [fact("start-up", lambda one: one.start_up * US, "s")]
    start_up = start_up if case.costs.create > 0 else []
    if case.spread is not None:
        low, high = (end * US for end in case.spread.ends(case.best))
        return Fact(case.costs.operation, low, "s", most=high), processes, *start_up
    latency = fact(case.costs.operation, lambda one: case.latency(one) * US, "s")
    return latency, processes, fact("period", lambda one: one.period * US, "s"), *start_up


def _least(case: TreesCase) -> str:
    """What the fastest tree would take, and with how many processes more."""
    least = case.fastest
    if not _behind(case):
        return ""
    within = "the fastest takes "
    if case.asked.shape not in case.shapes and case.asked.spares_processes:
        within = f"the fewest processes within {case.asked.tolerance:g} % of the least, "
    time, _ = durations(*(case.latency(one.measures) * US for one in (least, case.chosen)))
    return f"{within}{time} with {least.measures.internal:,}"


def _at_worst(case: TreesCase, spread: Spread) -> str:
    """What is not known, and what the choice may cost."""
    loss = spread.loss(case.best, case.allowed)
    worst = "the best for any of them"
    if loss > ALONE_BEST:
        worst = f"at worst {number(loss)} times the best"
    unknown = spread.unknown.text
    return f"{capital(unknown)}, and this is {worst}."


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
        yield f"The best tree depends on o and g: {'; '.join(ends)}. Measure them to choose."


def _attaching(case: TreesCase) -> Iterator[str]:
    best = next(one for shape, one in zip(case.shapes, case.trees, strict=True) if shape == OPTIMAL)
    mixed = sum(1 for one in case.trees if mixed_processes(one.tree).size)
    text = "Attach mode: each process has only back-ends below, or only internal processes"
    if mixed:
        text += f"; {count(mixed, 'tree')} of the comparison can't take all back-ends"
    yield f"{text}. The fastest of this kind takes {time_text(case.latency(best.measures))}."
