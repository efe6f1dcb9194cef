"""Study: which tree of processes between a front-end and its back-ends.

Compares the exact optimum with the usual shapes, draws them over the fan-out, and gives the Pareto
front of latency, period and internal processes (`advisor.models.mrnet`, `advisor.trees.search`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from advisor.basics.quantities import count, number, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrnet import EACH, FIRST
from advisor.studies.study import (
    EQUATION,
    Note,
    OnProgress,
    Series,
    StudyProgress,
    StudyResult,
    Table,
)
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import FLAT, TreesParameters
from advisor.studies.trees.tree_answer_words import (
    FASTER,
    SIMULATED,
    against,
    alternative,
    called,
    facts,
    headline,
    rules,
    time_text,
    title,
)
from advisor.studies.trees.tree_host_fields import (
    attached_table,
    cores_text,
    host_notes,
    host_table,
    statements_text,
    tools_text,
)
from advisor.studies.trees.views import (
    Curve,
    convention_table,
    curve_series,
    curves,
    load_series,
    load_table,
    map_table,
    pareto_series,
    pareto_table,
    tree_table,
)
from advisor.trees.colocation import DEPENDS, MOST_PER_HOST, SHARED, Colocation, Price
from advisor.trees.fanout_map import FanoutMap, fanout_map
from advisor.trees.search import TreeChoice, pareto_front
from advisor.trees.tree_costs import ROUND_TRIP
from advisor.trees.tree_picture import TreePicture

SOURCE = "Roth, Arnold & Miller 2003"
_DAEMONS, _METRICS = 256, 32  # of Fig. 9
_EQUATION = Note(
    True,
    "Broadcast B(v) = max over its children i of (i − 1) step + D + B(child i), reduction the "
    "same in reversed time; D = 2 overheads o + latency L, step = the larger of overhead o and "
    "gap g, with (B − 1) times the gap per byte G of B bytes on top",
    f"{SOURCE}, sec. 2.6; Culler 1993",
    EQUATION,
)


@dataclass(eq=False)
class _Found:
    """What has been found so far."""

    curves: list[Curve] = field(default_factory=list)
    front: tuple[TreeChoice, ...] = ()
    map: FanoutMap | None = None
    complete: bool = False


def run(
    parameters: TreesParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Find the best tree, then draw what else is possible.

    Returns a `TreePicture`; curves over the fan-out; the Pareto front, whose rows can be adopted.
    Incomplete when stopped.
    """
    case, found = TreesCase.of(parameters), _Found()
    tell = on_progress or (lambda _progress: None)
    stopped = should_stop or (lambda: False)
    first = _at_first(case)
    tell(StudyProgress(0.2, "Trees measured", first))
    for one in curves(case, should_stop):
        found.curves.append(one)
        tell(StudyProgress(0.2 + 0.05 * len(found.curves), f"{one.name} over the fan-out"))
    whole, mapped = False, case.costs.p.L > 0.0
    if not stopped():
        tell(StudyProgress(0.5, "Pareto front", _grown(first, case, found)))
        found.front, whole = pareto_front(
            parameters.back_ends,
            case.costs,
            case.limits,
            lambda share: tell(StudyProgress(0.5 + 0.25 * share, "Pareto front")),
            should_stop,
        )
    if not stopped() and mapped:
        tell(StudyProgress(0.75, "Map of fan-outs", _grown(first, case, found)))
        found.map = fanout_map(
            case.costs,
            parameters.back_ends,
            on_progress=lambda share: tell(StudyProgress(0.75 + 0.25 * share, "Map of fan-outs")),
            should_stop=should_stop,
        )
    found.complete = whole and (not mapped or (found.map is not None and found.map.complete))
    return _grown(first, case, found)


def _at_first(case: TreesCase) -> StudyResult:
    """What is known once the trees are measured."""
    tables = [tree_table(case), convention_table(case), load_table(case)]
    series = load_series(case)
    shared = colocation_of(case)
    if shared is not None:
        tables.append(colocation_table(shared))
        series += colocation_series(shared)
    if case.hosts is not None:
        tables.append(host_table(case.chosen, case.costs, case.hosts))
    if case.asked.attach:
        tables.append(attached_table(case.chosen.tree, case.hosts))
    if case.spread is not None:
        tables.insert(1, case.spread.table(case.best, case.allowed, case.trees))
    return StudyResult(
        headline=headline(case),
        alternative=alternative(case),
        against=against(case),
        facts=facts(case),
        reasons=tuple(_reasons(case, shared)),
        series=series,
        tables=tuple(tables),
        notes=tuple(_notes(case)),
        pictures=(TreePicture(case.costs, case.trees, case.best),),
        answer=case.chosen.tree,
        complete=False,
    )


def _grown(first: StudyResult, case: TreesCase, found: _Found) -> StudyResult:
    """The first result with what has been found since."""
    series, tables = (*curve_series(case, found.curves), *first.series), first.tables
    if found.map is not None:
        tables += (map_table(found.map),)
    if found.front:
        tables += (pareto_table(found.front),)
        series += pareto_series(case, found.front)
    pictures = (*first.pictures, *filter(None, (found.map,)))
    return replace(first, series=series, tables=tables, pictures=pictures, complete=found.complete)


def _reasons(case: TreesCase, shared: Colocation | None) -> Iterator[str]:
    chosen = case.chosen.measures
    yield from rules(case)
    inside = (
        f" and up to {chosen.inner_fanout} of an internal process" if chosen.inner_fanout else ""
    )
    yield (
        f"{count(chosen.front_end_fanout, 'child', 'children')} of the front-end{inside}, depth "
        f"{chosen.depth}; a {case.costs.operation} at most every {time_text(chosen.period)}"
        + ("." if case.spread is None else f" at a gap g of {number(case.costs.p.g)} µs.")
    )
    if shared_text := cores_text(case.chosen, case.costs):
        yield shared_text
    elif case.spread is None:
        yield _accounting(case)
    if case.costs.create > 0:
        flat = case.named(FLAT)
        beside = "" if flat is None else f", flat {time_text(flat.measures.start_up)}"
        yield (
            f"Start-up {time_text(chosen.start_up)}{beside}: a parent creates one child at a time."
        )
    if case.costs.rate > 0:
        share = max(chosen.front_end_share, chosen.inner_share)
        yield (
            f"At {number(case.costs.rate)} operations a second the busiest process takes "
            f"{percent(share)} of a processor."
        )
    yield _front_end(case)
    if shared is not None:
        yield colocation_text(shared)
    if tools := tools_text(case.chosen.tree, case.costs):
        yield tools
    yield from _others_allowed(case)


def _accounting(case: TreesCase) -> str:
    """Both conventions, and whether the order of the trees hangs on the choice."""
    mine = case.conventions[case.best]
    text = (
        f"Accounting: {time_text(mine[FIRST])} where the first message is free of the gap (LogP's "
        f"textbooks), {time_text(mine[EACH])} where each message pays it (the MRNet paper)"
    )
    better = [
        called(one)
        for one, both in zip(case.trees, case.conventions, strict=True)
        if (both[FIRST] < mine[FIRST]) != (both[EACH] < mine[EACH])
    ]
    if not better:
        return f"{text}; the choice changes no tree's rank against it."
    return f"{text}; whether it or {better[0]} is faster depends on that choice."


def _front_end(case: TreesCase) -> str:
    load, chosen = case.asked.load, case.chosen.measures
    served = percent(load.serviced(chosen.front_end_fanout))
    alone = percent(load.serviced(chosen.back_ends))
    most = load.largest
    limit = "any number of inputs" if most is None else f"up to {count(most, 'input')}"
    return (
        f"Front-end load: {served} of the samples are serviced, {alone} with a flat tree; "
        f"with {count(load.metrics, 'metric')} it keeps up with {limit}."
    )


def _others_allowed(case: TreesCase) -> Iterator[str]:
    """Trees that would be better but break the limits."""
    mine = case.value(case.chosen.measures)
    for one in case.trees:
        if not case.keeps(one) and FASTER * case.value(one.measures) < mine:
            time = time_text(case.latency(one.measures))
            yield f"{title(one)} would take {time}, beyond the limits."


def _notes(case: TreesCase) -> Iterator[Note]:
    yield from case.notes
    if not case.keeps(case.chosen):
        yield Note(False, f"{title(case.chosen)} does not keep the limits")
    if too_many := statements_text(case.chosen.tree):
        yield Note(False, too_many)
    p, o = case.costs, case.costs.p.o_s
    gap = p.p.g + (p.size - 1.0) * p.p.G
    if o < gap < 2.0 * o and case.chosen.measures.internal:
        yield Note(
            False,
            "Overhead o < gap g < 2o: a process that serves first come, first served loses up to "
            "13 % of the throughput",
            SIMULATED,
        )
    elif case.costs.sharing(case.chosen.tree) is None:
        yield Note(True, "Latencies agree with simulation; periods are lower bounds", SIMULATED)
    yield from host_notes(case.hosts, case.asked.host_cores, case.chosen)
    if p.operation == ROUND_TRIP and p.filter_cost > 0:
        yield Note(
            False,
            "The tree for round trips is found with summed steps and delays: best in 95 % of small "
            "cases, at most 11.7 % above the best",
            SIMULATED,
        )
    load, N = case.asked.load, case.asked.back_ends
    if max(N / _DAEMONS, load.metrics / _METRICS) > 1.0:
        yield Note(
            False,
            "Front-end load beyond 256 daemons or 32 metrics is extrapolated from one point",
            f"{SOURCE}, Fig. 9",
        )
    yield _EQUATION
    yield Note(
        True,
        "Absolute times depend on your numbers: the paper publishes none of its machine",
        f"{SOURCE}, sec. 4",
    )


# Whether internal processes should share the application's hosts: the trees study's part of it.

_AXES = ("share of an internal process", "%")
_LOSS = ("loss of pace", "%")


def colocation_of(case: TreesCase) -> Colocation | None:
    """Of the recommended tree; None where nothing is to be shared or its share exceeds a processor.

    Without named hosts each back-end and each dedicated internal process has a host of its own.
    """
    chosen, hosts = case.chosen.measures, case.hosts
    share = max(case.costs.share(chosen.inner_fanout), 0.0) if chosen.internal else 0.0
    many = chosen.back_ends if hosts is None else len({name for name, _ in hosts.back_ends})
    apart = None if hosts is None or not hosts.internal else len({n for n, _ in hosts.internal})
    if not chosen.internal or share > 1.0 or chosen.internal > MOST_PER_HOST * many:
        return None
    return Colocation.of(
        chosen.back_ends,
        chosen.internal,
        share,
        case.asked.host_cores or 1,
        hosts=many,
        dedicated=apart,
    )


def colocation_text(found: Colocation) -> str:
    """Which is better, by how much, and up to which share sharing pays."""
    hosts, part = f"{count(found.dedicated, 'host')} of their own", percent(found.dedicated_loss)
    even = f"sharing pays as long as each takes less than {_even(found.fixed_rate)} of a processor"
    if found.share == 0.0:
        return (
            f"Hosts: internal processes on {hosts} take {part} of all; {even} "
            f"({_even(found.contender)} as a contender)."
        )
    losses = f"{percent(found.fixed_rate.loss)} ({percent(found.contender.loss)} as a contender)"
    better = {
        SHARED: "Let internal processes share the application's hosts",
        DEPENDS: "Whether internal processes should share the application's hosts is open",
    }.get(found.better, "Keep internal processes off the application's hosts")
    return f"{better}: sharing costs {losses} of its pace, {hosts} are {part} of all; {even}."


def _even(price: Price) -> str:
    return "100 %" if price.break_even is None else percent(price.break_even)


def colocation_table(found: Colocation) -> Table:
    """Both ways, the second by both prices."""

    def even(price: Price) -> float | None:
        return None if price.break_even is None else 100.0 * price.break_even

    rows = (
        ("hosts of their own", 100.0 * found.dedicated_loss, None),
        ("shared, at a fixed rate", 100.0 * found.fixed_rate.loss, even(found.fixed_rate)),
        ("shared, as a contender", 100.0 * found.contender.loss, even(found.contender)),
    )
    columns = (
        ("internal processes", ""),
        ("loss of pace", "%"),
        ("worth it up to a share of", "%"),
    )
    return Table("Co-location", columns, rows)


def colocation_series(found: Colocation) -> tuple[Series, ...]:
    """Losses by the share that an internal process takes, and the present one."""
    curves = found.curves()
    share = tuple((100.0 * curves.share).tolist())
    lines = (
        ("hosts of their own", curves.dedicated),
        ("shared, at a fixed rate", curves.fixed_rate),
        ("shared, as a contender", curves.contender),
    )
    drawn = [
        Series(name, share, tuple((100.0 * loss).tolist()), *_AXES, *_LOSS) for name, loss in lines
    ]
    if found.share > 0.0:
        here = (100.0 * found.share,) * 2
        losses = (100.0 * found.fixed_rate.loss, 100.0 * found.contender.loss)
        drawn.append(Series("at the wanted rate", here, losses, *_AXES, *_LOSS, "points"))
    return tuple(drawn)
