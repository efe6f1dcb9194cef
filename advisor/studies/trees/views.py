"""The trees study's plots and tables: trees side by side, curves over the fan-out, Pareto front."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import Tree, balanced, flat, kary
from advisor.models.optimal_tree import OptimalTree
from advisor.models.process_tree import least_depth
from advisor.studies.study import Series, Table
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import FLAT, OPTIMAL
from advisor.trees.fanout_map import FanoutMap
from advisor.trees.search import TreeChoice, optimum
from advisor.trees.shapes import spread_knomial
from advisor.trees.tree_costs import ROUND_TRIP, US, TreeMeasures, measure
from machines.errors import InputError
from machines.stopping import Stopped, ask, stoppable

RECOMMENDED = "recommended"
FRONT = "Pareto front of latency, period and internal processes"
_EVERY = 16  # fan-outs up to here are all drawn
_WIDEST = 512  # fan-out that is drawn
_GROWTH = 1.3
_MANY = 20_000  # back-ends, from which only powers of 2 are drawn
_FANOUT = ("fan-out k", "")
_DAEMONS, _WAYS = 256, (4, 8, 16)  # of the paper's Fig. 9
_DECADE = 1e-6  # of log10: rounding


@dataclass(frozen=True)
class Curve:
    """One shape measured over fan-outs; `kind` as of `Series`."""

    name: str
    fanouts: tuple[int, ...]
    measures: tuple[TreeMeasures, ...]
    kind: str = "line"


def fanouts_of(N: int) -> tuple[int, ...]:
    """The fan-outs that are drawn."""
    if N < 2:
        return (2,)
    k, found, most = 2, [], min(N, _WIDEST)
    while k < most:
        found.append(k)
        k = 2 * k if N > _MANY else k + 1 if k < _EVERY else int(k * _GROWTH)
    return (*found, most)


def curves(case: TreesCase, should_stop: ShouldStop | None = None) -> Iterator[Curve]:
    """Each shape over its fan-outs, as far as it comes until it should stop."""
    N, costs = case.asked.back_ends, case.costs
    drawn = fanouts_of(N)

    def curve(name: str, kind: str = "line") -> Curve:
        found: dict[int, TreeMeasures] = {}
        last: tuple[Tree, TreeMeasures] | None = None
        with suppress(Stopped), stoppable(should_stop):
            for k, tree in _trees(case, name, _asked(drawn)):
                if last is None or tree is not last[0]:
                    last = tree, measure(tree, costs)
                found[k] = last[1]
        return Curve(name, tuple(found), tuple(found.values()), kind)

    for name, kind in (
        *((one, "line") for one in (OPTIMAL, "balanced", "k-nomial")),
        ("full k-ary", "points"),
    ):
        found = curve(name, kind)
        if found.fanouts:
            yield found
    alone = measure(flat(N), costs)
    yield Curve(FLAT, (drawn[0], drawn[-1]), (alone, alone))


def _asked(drawn: Iterable[int]) -> Iterator[int]:
    """The fan-outs, each after a look whether all should stop."""
    for k in drawn:
        ask()
        yield k


def _trees(case: TreesCase, name: str, drawn: Iterable[int]) -> Iterator[tuple[int, Tree]]:
    """The trees of a shape with rising fan-outs, without those that don't exist."""
    N = case.asked.back_ends
    if name == OPTIMAL:
        yield from _optimal(case, drawn)
    elif name == "balanced":
        yield from ((k, balanced(N, k)) for k in drawn)
    elif name == "k-nomial":
        yield from ((k, spread_knomial(N, k, k)) for k in drawn)
    else:
        depths = ((k, least_depth(N, k)) for k in drawn)
        yield from ((k, kary(k, depth)) for k, depth in depths if k**depth == N)


def _optimal(case: TreesCase, drawn: Iterable[int]) -> Iterator[tuple[int, Tree]]:
    """The fastest trees of fan-outs up to each; where a larger one changes nothing, the same."""
    found: OptimalTree | None = None
    for k in drawn:
        most = k if case.limits.max_fanout is None else min(k, case.limits.max_fanout)
        with suppress(InputError):
            if found is None or not found.is_free:
                limits = replace(case.limits, max_fanout=most)
                found = optimum(case.asked.back_ends, case.costs, limits)
            yield k, found.tree


def curve_series(case: TreesCase, found: list[Curve]) -> tuple[Series, ...]:
    """Latency, period, start-up and processes against the fan-out."""
    operation = case.costs.operation
    axes = (
        (f"latency of a {operation}", "s", lambda one: one.latency(operation) * US),
        ("period", "s", lambda one: one.period * US),
        ("start-up latency", "s", lambda one: one.start_up * US),
        ("internal processes", "", lambda one: float(one.internal)),
    )
    return tuple(
        Series(
            name=curve.name,
            x=tuple(map(float, curve.fanouts)),
            y=tuple(value(one) for one in curve.measures),
            x_label=_FANOUT[0],
            x_unit=_FANOUT[1],
            y_label=label,
            y_unit=unit,
            kind=curve.kind,
            beside="what it takes" if label != "period" else "",
            counts=True,
            y_by_ratio=bool(unit),
        )
        for label, unit, value in axes
        for curve in (*found, _recommended(case))
        if label != "start-up latency" or case.costs.create > 0
    )


def _recommended(case: TreesCase) -> Curve:
    """The chosen tree at the most children that one of its processes has."""
    chosen = case.chosen.measures
    most = max(chosen.front_end_fanout, chosen.inner_fanout)
    return Curve(RECOMMENDED, (most,), (chosen,), "points")


def tree_table(case: TreesCase) -> Table:
    """The trees side by side; times in s."""
    both = case.costs.operation == ROUND_TRIP
    columns = (
        ("tree", ""),
        *((("round trip", "s"),) if both else ()),
        *((("least", "s"), ("most", "s")) if case.spread is not None else ()),
        ("broadcast", "s"),
        ("reduction", "s"),
        ("period", "s"),
        ("start-up", "s"),
        ("internal", ""),
        ("depth", ""),
        ("children of the front-end", ""),
        ("most children inside", ""),
        ("most of a processor", "%"),
        ("within the limits", ""),
    )
    rows = tuple(
        (
            one.name,
            *((one.measures.round_trip * US,) if both else ()),
            *(() if case.spread is None else (end * US for end in case.spread.ends(at))),
            one.measures.broadcast * US,
            one.measures.reduction * US,
            one.measures.period * US,
            one.measures.start_up * US,
            one.measures.internal,
            one.measures.depth,
            one.measures.front_end_fanout,
            one.measures.inner_fanout,
            100.0 * max(one.measures.front_end_share, one.measures.inner_share),
            "yes" if case.keeps(one) else "no",
        )
        for at, one in enumerate(case.trees)
    )
    return Table("Trees", columns, rows)


def convention_table(case: TreesCase) -> Table:
    """Latency in both conventions."""
    rows = tuple(
        (one.name, *(time * US for time in both.values()))
        for one, both in zip(case.trees, case.conventions, strict=True)
    )
    names = ("first message free of the gap", "gap for each message")
    return Table("Conventions", (("tree", ""), *((name, "s") for name in names)), rows)


def load_table(case: TreesCase) -> Table:
    """What the front-end processes of the samples that are offered, tree by tree."""
    load = case.asked.load
    rows = tuple(
        (
            one.name,
            one.measures.front_end_fanout,
            load.offered(one.measures.back_ends),
            100.0 * load.serviced(one.measures.front_end_fanout),
        )
        for one in case.trees
    )
    columns = (("tree", ""), ("inputs", ""), ("samples", "samples/s"), ("serviced", "%"))
    return Table("Front-end load", columns, rows)


def load_series(case: TreesCase) -> tuple[Series, ...]:
    """What the front-end services of the samples of ever more back-ends: the paper's Fig. 9."""
    load, chosen = case.asked.load, case.chosen.measures.front_end_fanout
    most = max(case.asked.back_ends, _DAEMONS)
    daemons = [2**power for power in range(2, most.bit_length() + 1)]
    ways = sorted({*_WAYS, *([chosen] if chosen < case.asked.back_ends else [])})
    inputs = {FLAT: daemons, **{f"{k}-way": [min(k, D) for D in daemons] for k in ways}}
    return tuple(
        Series(
            name=name,
            x=tuple(map(float, daemons)),
            y=tuple(100.0 * load.serviced(one) for one in many),
            x_label="back-ends",
            x_unit="",
            y_label="samples serviced",
            y_unit="%",
        )
        for name, many in inputs.items()
    )


def pareto_table(front: tuple[TreeChoice, ...]) -> Table:
    """The front; a row that is adopted becomes the limits of the search."""
    columns = (
        ("latency", "s"),
        ("period", "s"),
        ("internal", ""),
        ("children of the front-end", ""),
        ("most children inside", ""),
    )
    rows = tuple((one.latency * US, one.period * US, one.internal, *one.fanouts) for one in front)
    settings = tuple({"max_internal": one.internal, "max_period": one.period} for one in front)
    return Table("Pareto front", columns, rows, settings)


def pareto_series(case: TreesCase, front: tuple[TreeChoice, ...]) -> tuple[Series, ...]:
    """The front as it is seen from two sides."""
    label = f"latency of a {case.costs.operation}"
    latency = tuple(one.latency * US for one in front)
    names = tuple(
        f"{one.internal} internal, fan-outs {one.fanouts[0]} and {one.fanouts[1]}" for one in front
    )
    chosen = case.chosen.measures
    sides = (
        ("period", "s", tuple(one.period * US for one in front), chosen.period * US),
        ("internal processes", "", tuple(float(one.internal) for one in front),
         float(chosen.internal)),
    )  # fmt: skip
    found = []
    for x_label, x_unit, x, here in sides:
        found.append(
            Series(FRONT, x, latency, x_label, x_unit, label, "s", "points",
                   labels=names, counts=not x_unit)
        )  # fmt: skip
        y = (case.latency(chosen) * US,)
        found.append(
            Series(RECOMMENDED, (here,), y, x_label, x_unit, label, "s", "points",
                   labels=(case.chosen.name,))
        )  # fmt: skip
    return tuple(found)


def map_table(found: FanoutMap) -> Table:
    """The best fan-out of balanced trees by N, at each decade of g/L."""
    decades = [
        at
        for at, ratio in enumerate(found.ratio.tolist())
        if abs(math.log10(ratio) - round(math.log10(ratio))) < _DECADE
    ]
    names = [f"g/L {found.ratio[at]:g}" for at in decades]
    rows = tuple(
        (int(N), *(int(found.balanced[row, at]) for at in decades))
        for row, N in enumerate(found.back_ends)
    )
    return Table(
        "Best fan-outs by gap over latency g/L",
        (("back-ends", ""), *((name, "") for name in names)),
        rows,
    )
