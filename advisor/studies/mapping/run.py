"""Study: which process runs on which node of the network, and what that saves.

Fixed orders, the user's own and one found by search, for a pattern of communication or one from
a file; measured on the real routes of the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.allocation.communication import from_workload
from advisor.basics.quantities import count, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.messages.mapping import patterns
from advisor.messages.mapping.communication import Communication
from advisor.messages.mapping.communication_file import read_communication
from advisor.messages.mapping.measures import BUSIEST, HOP_BYTES, LOGPC, OBJECTIVES, bound, measure
from advisor.messages.mapping.optimise import Optimised, optimise
from advisor.messages.mapping.orders import Mapping, checked, shuffled, standard_mappings
from advisor.messages.mapping.picture import MappedOrder, MappingPicture, node_positions
from advisor.messages.mapping.problem import MappingProblem, mapping_problem
from advisor.messages.networks import Clock, chosen_network, shape
from advisor.project.workload_file import read_workload
from advisor.studies.parameters import parameter
from advisor.studies.questions import QUESTIONS
from advisor.studies.study import (
    Check,
    Note,
    OnCheckProgress,
    OnProgress,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
)
from machines import InputError, Interconnect, PlacewiseError
from machines.catalogue import interconnect_names

DIAMOND, RING, STENCIL_2, STENCIL_3 = "diamond", "ring", "stencil-2d", "stencil-3d"
TRANSPOSE, RANDOM, ALL_TO_ALL = "transpose", "random", "all-to-all"
FILE, WORKLOAD = "file", "workload"
PATTERNS = (DIAMOND, RING, STENCIL_2, STENCIL_3, TRANSPOSE, RANDOM, ALL_TO_ALL, FILE, WORKLOAD)

OPTIMISED, OWN = "optimised", "own"
_NOUNS = {
    HOP_BYTES: "fewer hop-bytes",
    BUSIEST: "less on the busiest channel",
    LOGPC: "less time for the exchange",
}
_SOLVED = 128  # nodes, up to which the route-aware model is asked


@dataclass(frozen=True)
class MappingParameters:
    """What the mapping study asks for."""

    network: str = parameter(
        interconnect_names()[0], choices=interconnect_names(), help="Preset of message costs."
    )
    dims: str = parameter(
        "", title="shape", help='Another shape, e.g. 4x8 or "8x8x8 torus"; empty: its own.'
    )
    pattern: str = parameter(DIAMOND, choices=PATTERNS, help="Who sends to whom.")
    file: str = parameter(
        "",
        path=True,
        help="CSV matrix or list of edges of the pattern file; a workload of pattern workload.",
        only={"pattern": (FILE, WORKLOAD)},
    )
    processes: int | None = parameter(
        None, low=2, high=4096, help="Processes; auto: one on each node."
    )
    grid: str = parameter(
        "",
        help="Processes of stencil or transpose, e.g. 16x32; empty: cubic.",
        only={"pattern": (STENCIL_2, STENCIL_3, TRANSPOSE)},
    )
    periodic: bool = parameter(
        False,
        help="Whether a stencil closes to a torus.",
        only={"pattern": (STENCIL_2, STENCIL_3)},
    )
    size_bytes: float = parameter(
        1024.0, title="message size", unit="B", low=1.0, high=1e12, help="Bytes of a message."
    )
    messages: int = parameter(
        4096,
        low=1,
        high=10**6,
        help="Messages of pattern random, in all.",
        only={"pattern": (RANDOM,)},
    )
    objective: str = parameter(HOP_BYTES, choices=OBJECTIVES, help="What is to be smallest.")
    own: str = parameter(
        "", title="own mapping", help="Nodes of processes 0, 1, …, separated by commas."
    )
    seconds: float = parameter(
        2.0, unit="s", low=0.01, high=3600.0, help="Effort of the search, spent in steps."
    )
    seed: int = parameter(0, low=0, high=2**31 - 1, help="Of random messages, order and search.")


def run(
    parameters: MappingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Measure all orders and search a better one.

    Returns
    -------
    StudyResult
        its picture is a `MappingPicture`; the best so far when stopped.

    Raises
    ------
    InputError
        Unusable settings or files, or more processes than nodes.
    """
    net = chosen_network(parameters.network, parameters.dims)
    flows = communication_of(parameters, net.network.size)
    problem = mapping_problem(flows, net.network)
    orders = [
        MappedOrder(name, mapping, measure(problem, net.long, mapping))
        for name, mapping in _mappings(parameters, problem)
    ]
    tell = on_progress or (lambda _progress: None)
    limit = bound(problem, net.long, parameters.objective)
    tell(StudyProgress(0.0, "Orders measured", _result(parameters, net, problem, orders, limit)))
    found = optimise(
        problem,
        net.long,
        parameters.objective,
        parameters.seconds,
        parameters.seed,
        lambda share, text: tell(StudyProgress(share, text)),
        should_stop,
    )
    orders.append(MappedOrder(OPTIMISED, found.mapping, found.measures))
    return _result(parameters, net, problem, orders, limit, found)


def check(
    parameters: MappingParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Simulate the exchange: see `advisor.studies.mapping.check`."""
    from advisor.studies.mapping import check as mapping_check  # noqa: PLC0415 - scipy is slow to import

    return mapping_check.check(parameters, on_progress, should_stop)


def communication_of(parameters: MappingParameters, nodes: int) -> Communication:
    """The communication that the parameters describe; InputError if it can't be."""
    pattern, each = parameters.pattern, parameters.size_bytes
    if pattern == WORKLOAD:
        return from_workload(read_workload(_file(parameters)).workload)
    if pattern == FILE:
        return read_communication(_file(parameters), parameters.processes)
    processes = parameters.processes or nodes
    if pattern in {STENCIL_2, STENCIL_3, TRANSPOSE}:
        dims = _grid(parameters, processes, 3 if pattern == STENCIL_3 else 2)
        if pattern == TRANSPOSE:
            return patterns.transpose(dims[1], dims[0], each)
        return patterns.stencil(dims, each, parameters.periodic)
    if pattern == RANDOM:
        return patterns.random_messages(processes, parameters.messages, each, parameters.seed)
    plain = {DIAMOND: patterns.stripes, RING: patterns.ring, ALL_TO_ALL: patterns.all_to_all}
    return plain[pattern](processes, each)


def _file(parameters: MappingParameters) -> str:
    if not parameters.file:
        raise InputError(
            f"pattern {parameters.pattern} needs a file", where="setting file", remedy="Give file="
        )
    return parameters.file


def _grid(parameters: MappingParameters, processes: int, dimensions: int) -> tuple[int, ...]:
    """The processes along each dimension, as given or as cubic as can be."""
    if not parameters.grid.strip():
        return patterns.grid_of(processes, dimensions)
    sides = re.split(r"\s*[x×*,]\s*", parameters.grid.strip())
    if len(sides) != dimensions or not all(re.fullmatch(r"[1-9]\d{0,3}", side) for side in sides):
        example = "x".join(("16", "8", "4")[:dimensions])
        raise InputError(
            f"the grid needs {dimensions} sides",
            where="setting grid",
            value=parameters.grid,
            remedy=f"For example {example}",
        )
    return tuple(map(int, sides))


def _mappings(parameters: MappingParameters, problem: MappingProblem) -> list[tuple[str, Mapping]]:
    """(name, mapping) of all orders that need no search; the first is the default."""
    network, processes = problem.network, problem.communication.processes
    found = [*standard_mappings(network, processes)]
    found.append((RANDOM, shuffled(network, parameters.seed)[:processes]))
    if parameters.own.strip():
        try:
            nodes = [int(node) for node in re.split(r"[\s,;]+", parameters.own.strip(" ,;[]"))]
        except ValueError:
            raise InputError(
                "these are no node numbers", where="setting own", value=parameters.own
            ) from None
        found.append((OWN, checked(network, processes, nodes)))
    return found


def _result(
    parameters: MappingParameters,
    net: Interconnect,
    problem: MappingProblem,
    orders: list[MappedOrder],
    limit: float,
    found: Optimised | None = None,
) -> StudyResult:
    objective = parameters.objective
    best = min(range(len(orders)), key=lambda at: orders[at].measures.rank(objective))
    positions = node_positions(net.network)
    positions.flags.writeable = False
    picture = MappingPicture(net, problem, objective, tuple(orders), best, positions)
    return StudyResult(
        sentence=_sentence(picture),
        reasons=_reasons(picture, limit, found),
        series=_series(picture, Clock.of(net)),
        tables=(_table(picture, Clock.of(net), limit, _waiting(net, problem, orders, found)),),
        notes=_notes(net, problem),
        pictures=(picture,),
        complete=found is not None and found.complete,
    )


def _sentence(picture: MappingPicture) -> str:
    """The answer: "Optimised mapping: 38 % fewer hop-bytes than row-major, no channel shared."."""
    default, chosen, objective = picture.orders[0], picture.chosen, picture.objective
    before, after = (each.measures.value(objective) for each in (default, chosen))
    shared = chosen.measures.shared_channels
    tail = f"{count(shared, 'channel')} shared" if shared else "no channel shared"
    name = f"{chosen.name.capitalize()} {'mapping' if chosen.name in (OPTIMISED, OWN) else 'order'}"
    if before - after > ALIKE * before:
        return f"{name}: {percent(1 - after / before)} {_NOUNS[objective]} than row-major, {tail}."
    if chosen is default:
        return f"Keep row-major order: nothing better was found, {tail}."
    return f"{name}: as good as row-major in {objective}, and better beside it, {tail}."


def _reasons(picture: MappingPicture, limit: float, found: Optimised | None) -> tuple[str, ...]:
    default, chosen = picture.orders[0].measures, picture.chosen.measures
    value = chosen.value(picture.objective)
    reasons = [
        f"A byte travels {chosen.mean_hops:.2f} hops instead of {default.mean_hops:.2f}; "
        f"the busiest channel carries {size(chosen.busiest_bytes)} instead of "
        f"{size(default.busiest_bytes)}.",
        "Proved best: no mapping can have less."
        if value <= limit * (1.0 + ALIKE)
        else f"At most {percent(value / limit - 1)} above what any mapping needs."
        if limit > 0
        else "",
    ]
    if found is not None and picture.chosen.name == OPTIMISED:
        reasons.append(f"Found by swaps from the {found.start} order.")
    return tuple(filter(None, reasons))


def _waiting(
    net: Interconnect, problem: MappingProblem, orders: list[MappedOrder], found: Optimised | None
) -> list[float | None]:
    """Route-aware time of the exchange by order; None where that model says nothing."""
    if found is None or problem.network.size > _SOLVED:
        return [None] * len(orders)
    from advisor.messages.simulation import exchanges  # noqa: PLC0415 - scipy is slow to import

    try:
        exchange = exchanges.Exchange.of(problem, net.long)
    except PlacewiseError:
        return [None] * len(orders)
    return [exchanges.exchange_estimate(exchange, one.mapping) for one in orders]


def _table(
    picture: MappingPicture, clock: Clock, limit: float, waiting: list[float | None]
) -> Table:
    known = any(time is not None for time in waiting)
    columns = (
        ("order", ""),
        ("hop-bytes", "B"),
        ("mean hops", ""),
        ("busiest channel", "B"),
        ("shared channels", ""),
        ("LoGPC time", clock.unit),
        ("gap", "%"),
        *((("route-aware time", clock.unit),) if known else ()),
    )
    rows = tuple(
        (
            one.name,
            one.measures.hop_bytes,
            one.measures.mean_hops,
            one.measures.busiest_bytes,
            one.measures.shared_channels,
            clock.shown(one.measures.logpc_time),
            100.0 * (one.measures.value(picture.objective) / limit - 1.0) if limit else 0.0,
            *((None if time is None else clock.shown(time),) if known else ()),
        )
        for one, time in zip(picture.orders, waiting, strict=True)
    )
    return Table("Orders", columns, rows)


def _series(picture: MappingPicture, clock: Clock) -> tuple[Series, ...]:
    names = tuple(one.name for one in picture.orders)
    wanted = (
        ("hop-bytes", "B", [one.measures.hop_bytes for one in picture.orders]),
        ("busiest channel", "B", [one.measures.busiest_bytes for one in picture.orders]),
        ("LoGPC time", clock.unit,
         [clock.shown(one.measures.logpc_time) for one in picture.orders]),
    )  # fmt: skip
    return tuple(
        Series(name, names, tuple(values), "order", "", name, unit, "bars")
        for name, unit, values in wanted
    )


def _notes(net: Interconnect, problem: MappingProblem) -> tuple[Note, ...]:
    notes = [
        Note(
            True,
            "Loads follow the real dimension-order routes; LoGPC time = L + the longer of the "
            "busiest process and G · bytes of the busiest channel, all processes sending at once",
            "Moritz & Frank 2001, Eq. (1) and sec. 3",
        )
    ]
    if net.long.G == 0.0:
        notes.append(
            Note(False, f"{net.name} states no gap per byte: channels cost no time", net.source)
        )
    idle = net.network.size - problem.communication.processes
    if idle:
        text = f"{count(idle, 'node')} of the {shape(net.network)} stay without a process"
        notes.append(Note(True, text))
    return tuple(notes)


STUDY = Study(*QUESTIONS["mapping"], record=MappingParameters, run=run, check=check)
