"""Study: which process runs on which node of the network, and what that saves.

Fixed orders, the user's own and one found by search, for a pattern of communication or one from
a file; measured on the real routes of the network.
"""

from __future__ import annotations

from collections.abc import Callable

from advisor.basics.quantities import count, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_measures import (
    BUSIEST,
    HOP_BYTES,
    LOGPC,
    Measures,
    bound,
    least_time,
    measure,
)
from advisor.messages.mapping.mapping_picture import MappedOrder, MappingPicture, node_positions
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping, drawn, standard_mappings
from advisor.messages.mapping.own_mapping import own_mapping
from advisor.messages.mapping.restarts import Restarted, restarted
from advisor.messages.networks import Clock, shape
from advisor.studies.facts import LESS, Fact
from advisor.studies.mapping.mapping_host_fields import between_reason, core_notes, problem_of
from advisor.studies.mapping.occupancy import occupancy_sentences, occupancy_table
from advisor.studies.mapping.parameters import OPTIMISED, OWN, RANDOM, MappingParameters
from advisor.studies.mapping.starts import spread_fact, spread_sentence, starts_table
from advisor.studies.mapping.work_fields import computing_notes
from advisor.studies.network_source import NetworkFound, network_of_settings
from advisor.studies.study import (
    EQUATION,
    STATED,
    Note,
    OnProgress,
    Series,
    StudyProgress,
    StudyResult,
    Table,
)
from machines import Interconnect, PlacewiseError
from machines.errors import capital
from machines.formats.fields import place
from machines.stopping import stoppable

_FEWER = {
    HOP_BYTES: "fewer hop-bytes",
    BUSIEST: "less on its busiest channel",
    LOGPC: "less LoGPC time",
}
_SOLVED = 128  # nodes, up to which the route-aware model is asked


def run(
    parameters: MappingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Measure all orders and search a better one.

    Returns: its picture is a `MappingPicture`; the best so far when stopped.
    """
    network = network_of_settings(parameters)
    net = network.net
    with stoppable(should_stop):
        problem = problem_of(parameters, net)
        orders = [
            MappedOrder(name, mapping, measure(problem, net.long, mapping))
            for name, mapping in _mappings(parameters, problem)
        ]
    tell = on_progress or (lambda _progress: None)
    limit = bound(problem, net.long, parameters.objective)
    tell(
        StudyProgress(0.0, "Orders measured", _result(parameters, network, problem, orders, limit))
    )
    found = restarted(
        problem,
        net.long,
        parameters.objective,
        parameters.seconds,
        parameters.seeds,
        lambda share, text: tell(StudyProgress(share, text)),
        should_stop,
        next((one.mapping for one in orders if one.name == OWN), None),
    )
    if found is not None:
        orders.append(MappedOrder(OPTIMISED, found.best.mapping, found.best.measures))
    return _result(parameters, network, problem, orders, limit, found)


def _mappings(parameters: MappingParameters, problem: MappingProblem) -> list[tuple[str, Mapping]]:
    """(name, mapping) of all orders that need no search; the first is the default."""
    network, processes = problem.network, problem.communication.processes
    sharing = problem.sharing
    found = [*standard_mappings(network, processes, sharing)]
    found.append((RANDOM, drawn(network, processes, parameters.seed, sharing)))
    if parameters.own.strip():
        with place("setting own"):
            found.append((OWN, own_mapping(problem, parameters.own)))
    return found


def _result(
    parameters: MappingParameters,
    network: NetworkFound,
    problem: MappingProblem,
    orders: list[MappedOrder],
    limit: float,
    found: Restarted | None = None,
) -> StudyResult:
    net, objective = network.net, parameters.objective
    best = min(range(len(orders)), key=lambda at: orders[at].measures.rank(objective))
    positions = node_positions(problem.network, problem.sharing)
    positions.flags.writeable = False
    picture = MappingPicture(
        net, problem, objective, tuple(orders), best, positions, parameters.threads
    )
    several = found if found is not None and len(found.starts) > 1 else None
    facts = _facts(picture, several)
    return StudyResult(
        headline=_headline(picture, facts),
        alternative=_alternative(picture),
        against="" if picture.chosen is picture.orders[0] else picture.orders[0].name,
        facts=facts,
        reasons=_reasons(picture, limit, found, facts[2]),
        series=bars(picture, Clock.of(net)),
        tables=(
            order_table(picture, Clock.of(net), limit, _waiting(net, problem, orders, found)),
            *(() if several is None else (starts_table(picture, several),)),
            *occupancy_table(problem, picture.chosen.mapping),
        ),
        notes=(
            *_notes(net, problem),
            *core_notes(parameters, net),
            *computing_notes(parameters, net, problem.computing),
            *network.notes,
        ),
        pictures=(picture,),
        answer=tuple(int(node) for node in picture.chosen.mapping),
        complete=found is not None and found.best.complete,
    )


def _headline(picture: MappingPicture, facts: tuple[Fact, ...]) -> str:
    """What to do, with the objective, the one measure that more effort never worsens.

    Such as "Use the optimised mapping: the exchange takes 4100 cycles at least.".
    """
    chosen = picture.chosen
    name = f"{chosen.name} {'mapping' if chosen.name in (OPTIMISED, OWN) else 'order'}"
    does = "Keep" if chosen is picture.orders[0] else "Use the"
    time, hop_bytes, busiest = (fact.text for fact in facts[:3])
    what = {
        LOGPC: f"{_step(picture.problem)} {time} at least",
        HOP_BYTES: f"{hop_bytes} of hop-bytes",
        BUSIEST: f"the busiest channel carries {busiest}",
    }
    return f"{does} {name}: {what[picture.objective]}."


def _step(problem: MappingProblem) -> str:
    """What the time is of."""
    return "the exchange takes" if problem.computing is None else "computing and exchange take"


def _time_name(problem: MappingProblem) -> str:
    """What that time is called among the measures."""
    return "LoGPC time" if problem.computing is None else "computing + LoGPC"


def _computing(picture: MappingPicture) -> str:
    """How long cores compute, against row-major and against what no mapping can beat."""
    if picture.problem.computing is None:
        return ""
    text, mine = Clock.of(picture.net).text, picture.chosen.measures
    before = picture.orders[0].measures.computing
    least = (
        "the least possible"
        if mine.computing <= mine.least_computing * (1 + ALIKE)
        else (f"at least {text(mine.least_computing)} under any mapping")
    )
    changed = (
        ""
        if abs(before - mine.computing) <= ALIKE * before
        else (f" instead of {text(before)} in row-major order")
    )
    return f"The slowest core computes {text(mine.computing)}{changed}, {least}."


def _alternative(picture: MappingPicture) -> str:
    """What it saves against the default order: "38 % less time with 20 % fewer hop-bytes …"."""
    default, chosen = picture.orders[0], picture.chosen
    shared = chosen.measures.shared_channels
    tail = f"{count(shared, 'channel')} shared" if shared else "no channel shared"
    if chosen is default:
        return f"Nothing better was found; {tail}."
    before, after = default.measures.hop_bytes, chosen.measures.hop_bytes
    if before:
        fewer = _change(before, after, "fewer", "more")
        hops = f"{fewer} hop-bytes than" if fewer else "as many hop-bytes as"
    else:
        hops = f"{size(after)} of hop-bytes, none in" if after else "as many hop-bytes as"
    saved = _change(default.measures.time, chosen.measures.time, "less", "more")
    time = f"{saved} time" if saved else "The same time"
    return f"{time} with {hops} {default.name}, {tail}."


def _facts(picture: MappingPicture, several: Restarted | None) -> tuple[Fact, ...]:
    """The measures of the order that is named, against the default one where that is another.

    Where there were several starts, how far they spread is worth more than the last measure.
    """
    clock, mine, default = Clock.of(picture.net), picture.chosen.measures, picture.orders[0]
    other = None if picture.chosen is default else default.measures
    wanted: tuple[tuple[str, str, Callable[[Measures], float]], ...] = (
        (_time_name(picture.problem), clock.unit, lambda one: clock.shown(one.time)),
        ("hop-bytes", "B", lambda one: float(one.hop_bytes)),
        ("busiest channel", "B", lambda one: float(one.busiest_bytes)),
        ("shared channels", "", lambda one: int(one.shared_channels)),
    )
    facts = tuple(
        Fact(name, value(mine), unit, None if other is None else value(other), LESS)
        for name, unit, value in wanted
    )
    return facts if several is None else (*facts[:-1], spread_fact(picture, several))


def _change(before: float, after: float, less: str, more: str) -> str:
    """A change as "38 % less"; empty where there is none."""
    if abs(after - before) <= ALIKE * before:
        return ""
    return f"{percent(abs(1.0 - after / before))} {less if after < before else more}"


def _reasons(
    picture: MappingPicture, limit: float, found: Restarted | None, busiest: Fact
) -> tuple[str, ...]:
    default, chosen = picture.orders[0].measures, picture.chosen.measures
    value = chosen.value(picture.objective)
    reasons = [
        between_reason(picture),
        _computing(picture),
        *occupancy_sentences(picture.problem, picture.chosen.mapping),
        capital(
            f"{_hops(chosen.mean_hops, default.mean_hops)}the busiest channel carries "
            f"{_instead(busiest, default.busiest_bytes)}."
        ),
        f"Proved: no mapping has {_FEWER[picture.objective]}."
        if value <= limit * (1.0 + ALIKE)
        else f"At most {percent(value / limit - 1)} above the bound of {picture.objective}, which "
        "may not be reachable."
        if limit > 0
        else "",
        _what_sets_the_time(picture),
    ]
    if found is not None and picture.chosen.name == OPTIMISED:
        reasons.append(f"Found from the {found.best.start} order.")
    if found is not None and len(found.starts) > 1:
        reasons.append(spread_sentence(picture, found))
    return tuple(filter(None, reasons))


def _hops(now: float, before: float) -> str:
    """How far a byte travels; empty where the figures are written alike."""
    written, was = f"{now:.2f}", f"{before:.2f}"
    return "" if written == was else f"a byte travels {written} hops instead of {was}; "


def _instead(now: Fact, before: float) -> str:
    """A load as "3.07 kB instead of 4.10 kB"; "as before" where both are written alike."""
    was = now.said(before)
    return f"{now.text} as before" if now.text == was else f"{now.text} instead of {was}"


def _what_sets_the_time(picture: MappingPicture) -> str:
    """Why the exchange takes as long as it does, and who is faster."""
    times = [one.measures.time for one in picture.orders]
    quickest = min(range(len(times)), key=times.__getitem__)
    mine = picture.chosen.measures.time
    if times[quickest] < mine * (1.0 - ALIKE):
        saved = percent(1.0 - times[quickest] / mine)
        return (
            f"{_step(picture.problem).capitalize()} {saved} less in "
            f"{picture.orders[quickest].name} order, which has "
            f"more {picture.objective}: objective {LOGPC} searches for the least time."
        )
    mine = picture.chosen.measures.logpc_time
    if mine and least_time(picture.problem, picture.net.long, 0.0) >= mine * (1.0 - ALIKE):
        return (
            "The process with most messages takes that long by itself, under any mapping; waits "
            "on shared channels come on top and are not in it."
        )
    return ""


def _waiting(
    net: Interconnect, problem: MappingProblem, orders: list[MappedOrder], found: Restarted | None
) -> list[float | None]:
    """Route-aware time of the exchange by order; None where that model says nothing."""
    if found is None or problem.network.size > _SOLVED or problem.cores > 1:
        return [None] * len(orders)
    from advisor.messages.simulation import exchanges  # noqa: PLC0415 - scipy is slow to import

    try:
        exchange = exchanges.Exchange.of(problem, net.long)
    except PlacewiseError:
        return [None] * len(orders)
    return [exchanges.exchange_estimate(exchange, one.mapping) for one in orders]


def _notes(net: Interconnect, problem: MappingProblem) -> tuple[Note, ...]:
    notes = [
        Note(True, f"{net.name}, {shape(problem.network)}", net.source, STATED),
        Note(
            True,
            "Loads follow the real routes, dimension-order in a mesh; LoGPC time = latency L + the "
            "longer of the busiest process and the gap per byte G · bytes of the busiest channel, "
            "all processes sending at once",
            "Moritz & Frank 2001, Eq. (1) and sec. 3",
            EQUATION,
        ),
    ]
    notes += [Note(False, one) for one in problem.communication.doubts]
    if net.long.G == 0.0:
        notes.append(
            Note(False, f"{net.name} states no gap per byte: channels cost no time", net.source)
        )
    return tuple(notes)


# Curves and tables of the mapping study.


def order_table(
    picture: MappingPicture, clock: Clock, limit: float, waiting: list[float | None]
) -> Table:
    """Every order with its measures, its gap to the bound and its route-aware time if known."""
    known = any(time is not None for time in waiting)
    computes = picture.problem.computing is not None
    columns = (
        ("order", ""),
        ("hop-bytes", "B"),
        ("mean hops", ""),
        ("busiest channel", "B"),
        ("shared channels", ""),
        *((("computing", clock.unit),) if computes else ()),
        ("LoGPC time", clock.unit),
        *((("computing + LoGPC", clock.unit),) if computes else ()),
        ("gap", "%"),
        *((("route-aware time", clock.unit),) if known else ()),
        *((("between nodes", "B"),) if picture.problem.cores > 1 else ()),
        *((("between sockets", "B"),) if picture.problem.sockets > 1 else ()),
    )
    rows = tuple(
        (
            one.name,
            one.measures.hop_bytes,
            one.measures.mean_hops,
            one.measures.busiest_bytes,
            one.measures.shared_channels,
            *((clock.shown(one.measures.computing),) if computes else ()),
            clock.shown(one.measures.logpc_time),
            *((clock.shown(one.measures.time),) if computes else ()),
            _gap(one.measures.value(picture.objective), limit),
            *((None if time is None else clock.shown(time),) if known else ()),
            *((picture.problem.between_nodes(one.mapping),) if picture.problem.cores > 1 else ()),
            *((one.measures.socket_bytes,) if picture.problem.sockets > 1 else ()),
        )
        for one, time in zip(picture.orders, waiting, strict=True)
    )
    return Table("Orders", columns, rows)


def _gap(value: float, limit: float) -> float | None:
    """Percent above the bound; None: a bound of nothing says nothing."""
    if limit > 0.0:
        return 100.0 * (value / limit - 1.0)
    return None if value > 0.0 else 0.0


def bars(picture: MappingPicture, clock: Clock) -> tuple[Series, ...]:
    """The three measures by order."""
    names = tuple(one.name for one in picture.orders)
    wanted = (
        ("hop-bytes", "B", [one.measures.hop_bytes for one in picture.orders]),
        ("busiest channel", "B", [one.measures.busiest_bytes for one in picture.orders]),
        (_time_name(picture.problem), clock.unit,
         [clock.shown(one.measures.time) for one in picture.orders]),
    )  # fmt: skip
    return tuple(
        Series(name, names, tuple(values), "order", "", name, unit, "bars")
        for name, unit, values in wanted
    )
