"""Study: how to send, synchronously or asynchronously, in short messages or long ones.

Prices every style (`advisor.styles`) for a traffic pattern on a network, shows what its time goes
to, and searches where one style overtakes another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.models.logpc import OCCUPANCIES
from advisor.network_load import READINGS, ROUTE_AWARE, SOURCE, NetworkLoad, network_load
from advisor.networks import ORDER_NAMES, Clock, chosen_network, placed, shape
from advisor.patterns import ALL_TO_ALL, EM3D, HOTSPOT, KINDS, Pattern, destinations
from advisor.quantities import number, percent, size
from advisor.studies.study import (
    Note,
    OnProgress,
    Series,
    ShouldStop,
    Study,
    StudyProgress,
    StudyResult,
    Table,
    parameter,
)
from advisor.style_crossings import Crossing, crossings, limit
from advisor.styles import PARTS, STYLES, SYNCHRONOUS, Message, Style, StyleCost, style_cost
from machines import Interconnect
from machines.catalogue import interconnect_names
from machines.traffic import Routes, routes_of

_SIZES = 120
_SHARES = 21
_MOST_SHARE = 0.5
_SWEPT = 128  # nodes


@dataclass(frozen=True)
class StylesParameters:
    """What the styles study asks for; times in the network's unit."""

    network: str = parameter(
        interconnect_names()[0], choices=interconnect_names(), help="Preset of message costs."
    )
    dims: str = parameter("", help='Another shape, e.g. 8x8 or "4x4x4 torus"; empty: its own.')
    processors: int | None = parameter(
        None, low=2, high=4096, help="Processes, one a node; auto: one on each node."
    )
    pattern: str = parameter(ALL_TO_ALL, choices=KINDS, help="Who sends to whom.")
    reach: int = parameter(
        1, low=1, high=4096, help="Shift distance, hops of neighbours, or span of EM3D."
    )
    hotspot_share: float = parameter(
        0.1, low=0.0, high=1.0, help="Share of all messages that go to one node (hotspot)."
    )
    nonlocal_share: float = parameter(
        1.0, low=0.0, high=1.0, help="Share of the bytes that leave their processor (EM3D)."
    )
    message_bytes: int = parameter(1000, unit="B", low=1, high=10**9, help="Size of a message.")
    computation: float = parameter(
        0.0, low=0.0, high=1e15, help="Computation between two messages, in the network's unit."
    )
    total_bytes: float = parameter(
        1e6, unit="B", low=0.0, high=1e18, help="Bytes that each process has to send."
    )
    short_bytes: float = parameter(
        16.0, unit="B", low=1.0, high=1e6, help="Most bytes that one short message carries."
    )
    largest_bytes: int = parameter(
        100_000, unit="B", low=2, high=10**9, help="Right end of the curves."
    )
    mapping: str = parameter(
        "row-major", choices=ORDER_NAMES, help="Order in which processes take the nodes."
    )
    seed: int = parameter(0, low=0, high=2**31 - 1, help="Of random patterns and mappings.")
    contention: str = parameter(ROUTE_AWARE, choices=READINGS, help="Model of network contention.")
    occupancy: str = parameter(
        "physical",
        choices=OCCUPANCIES,
        help='Time that B bytes occupy a channel: "physical" B·G; "bytes" B, as printed.',
    )
    measured_contention: float | None = parameter(
        None, low=0.0, high=1e15, help="C_n per message as measured; auto: from the model."
    )


@dataclass(frozen=True, eq=False)
class _Case:
    """The parameters resolved: the network, its routes and the load of the pattern."""

    asked: StylesParameters
    net: Interconnect
    routes: Routes
    load: NetworkLoad

    @classmethod
    def of(cls, asked: StylesParameters) -> _Case:
        net = chosen_network(asked.network, asked.dims)
        routes = routes_of(net.network)
        return cls(asked, net, routes, _load(asked, net, routes, asked.hotspot_share))

    @property
    def clock(self) -> Clock:
        return Clock.of(self.net)

    def cost(self, style: Style, message_bytes: int, load: NetworkLoad | None = None) -> StyleCost:
        asked = self.asked
        message = Message(float(message_bytes), asked.computation, asked.short_bytes)
        return style_cost(style, self.net, self.load if load is None else load, message)

    def time(self, style: Style, message_bytes: int) -> float:
        return self.cost(style, message_bytes).time

    def time_at_share(self, style: Style, share: float) -> float:
        load = _load(self.asked, self.net, self.routes, share)
        return self.cost(style, self.asked.message_bytes, load).time

    @property
    def sweeps(self) -> bool:
        """Whether the share of a hotspot is varied: each value solves the network anew."""
        return self.asked.pattern == HOTSPOT and self.net.network.size <= _SWEPT

    @property
    def messages(self) -> int:
        """Messages of the program that each process sends."""
        sent = self.asked.total_bytes
        if self.asked.pattern == EM3D:
            sent *= self.asked.nonlocal_share
        return math.ceil(sent / self.asked.message_bytes)


def _load(asked: StylesParameters, net: Interconnect, routes: Routes, share: float) -> NetworkLoad:
    P = net.network.size if asked.processors is None else asked.processors
    mapping = placed(net.network, asked.mapping, P, asked.seed)
    pattern = Pattern(asked.pattern, asked.reach, share, seed=asked.seed)
    traffic = destinations(pattern, routes.hops[np.ix_(mapping, mapping)])
    given = asked.measured_contention
    return network_load(routes, traffic, mapping, asked.contention, asked.occupancy, given)


def run(
    parameters: StylesParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Price all styles and find where they cross.

    Returns
    -------
    StudyResult
        Time per message by style and part, time against size with its crossovers and, of a
        hotspot, against its share; the best style and how far that holds. Incomplete when
        stopped.

    Raises
    ------
    InputError
        A network, shape or mapping that does not exist, or more processors than nodes.
    """
    case, stop = _Case.of(parameters), should_stop or (lambda: False)
    costs = {style: case.cost(style, parameters.message_bytes) for style in STYLES}
    sizes = _sizes(parameters.largest_bytes)
    curves: dict[Style, list[float]] = {style: [] for style in STYLES}
    for done, message_bytes in enumerate(sizes):
        if stop():
            return _result(case, costs, sizes[:done], curves, [], complete=False)
        if on_progress is not None and done % 16 == 0:
            on_progress(StudyProgress(0.5 * done / len(sizes), size(message_bytes)))
        for style in STYLES:
            curves[style].append(case.time(style, message_bytes))
    found = []
    for crossing in crossings(sizes, curves, case.time):
        found.append(crossing)
        if stop():
            return _result(case, costs, sizes, curves, found, complete=False)
    return _result(case, costs, sizes, curves, found, complete=True)


def _sizes(largest: int) -> list[int]:
    return sorted(set(np.geomspace(1, largest, _SIZES).round().astype(int).tolist()))


def _result(
    case: _Case,
    costs: dict[Style, StyleCost],
    sizes: list[int],
    curves: dict[Style, list[float]],
    found: list[Crossing],
    complete: bool,
) -> StudyResult:
    ranked = sorted(STYLES, key=lambda style: costs[style].time)
    sweep = complete and case.sweeps
    return StudyResult(
        sentence=_sentence(case, costs, ranked),
        reasons=tuple(_reasons(case, costs, ranked, complete)),
        series=(
            *_bars(case, costs),
            *_curves(case, sizes, curves, found),
            *(_shares(case) if sweep else ()),
        ),
        tables=(_style_table(case, costs), _crossing_table(case, found)),
        notes=_notes(case, costs, ranked),
        complete=complete,
    )


def _sentence(case: _Case, costs: dict[Style, StyleCost], ranked: list[Style]) -> str:
    best, second = ranked[:2]
    time = case.clock.text(costs[best].time)
    what = f"{best.name.capitalize()} messages are best: {time} for {_bytes(case)}"
    return f"{what}, {_faster(costs[second].time / costs[best].time)} {second.name}."


def _faster(ratio: float) -> str:
    if ratio < 1.0 + 1e-9:
        return "as fast as"
    if ratio < 1.1:
        return f"{percent(ratio - 1.0)} faster than"
    return f"{number(ratio, digits=2)} times faster than"


def _bytes(case: _Case) -> str:
    return size(case.asked.message_bytes)


def _reasons(
    case: _Case, costs: dict[Style, StyleCost], ranked: list[Style], complete: bool
) -> Iterator[str]:
    best, second = ranked[:2]
    saved = {part: getattr(costs[second], part) - getattr(costs[best], part) for part in PARTS}
    most = max(saved, key=lambda part: saved[part])
    if saved[most] > 0:
        yield (
            f"Against {second.name} it saves {case.clock.text(saved[most])} of "
            f"{TITLES[most]} a message."
        )
    needing = next(style for style in ranked if style.completion == SYNCHRONOUS)
    if needing != best:
        time = case.clock.text(costs[needing].time)
        yield f"Where the program awaits replies, {needing.name} is best: {time}."
    if complete:
        yield from _holds(case, best)


def _holds(case: _Case, best: Style) -> Iterator[str]:
    """Until which size and which hotspot share the best style stays best."""

    def leads(message_bytes: int) -> bool:
        times = [case.time(style, message_bytes) for style in STYLES]
        return case.time(best, message_bytes) <= min(times) * (1.0 + 1e-9)

    here, largest = case.asked.message_bytes, case.asked.largest_bytes
    up = limit(leads, here, max(largest, here))
    down = limit(leads, here, 1)
    low = "from the smallest" if down is None else f"from {size(down)}"
    high = f"to the largest drawn, {size(max(largest, here))}" if up is None else f"to {size(up)}"
    yield f"It stays best {low} {high}."
    if not case.sweeps:
        return
    steps = 1000  # a thousandth of the share is finer than any pattern is known

    def leads_at(thousandth: int) -> bool:
        load = _load(case.asked, case.net, case.routes, thousandth / steps)
        times = [case.cost(style, here, load).time for style in STYLES]
        return times[STYLES.index(best)] <= min(times) * (1.0 + 1e-9)

    last = limit(leads_at, round(case.asked.hotspot_share * steps), steps)
    if last is None:
        yield "It stays best whatever the share of the hotspot."
    else:
        yield f"It stays best up to a hotspot share of {percent(last / steps)}."


TITLES = {
    "computing": "computation",
    "overhead": "overheads",
    "latency": "latency",
    "gap": "gap",
    "network": "network contention",
    "processor": "processor contention",
}


def _bars(case: _Case, costs: dict[Style, StyleCost]) -> tuple[Series, ...]:
    return tuple(
        Series(
            name=TITLES[part],
            x=tuple(style.name for style in STYLES),
            y=tuple(case.clock.shown(getattr(costs[style], part)) for style in STYLES),
            x_label="style",
            x_unit="",
            y_label="time per message",
            y_unit=case.clock.unit,
            kind="bars",
        )
        for part in PARTS
        if any(getattr(cost, part) > 0 for cost in costs.values())
    )


def _line(
    case: _Case, name: str, points: list[tuple[float, float]], by: tuple[str, str], kind: str
) -> Series:
    return Series(
        name=name,
        x=tuple(float(x) for x, _ in points),
        y=tuple(case.clock.shown(y) for _, y in points),
        x_label=by[0],
        x_unit=by[1],
        y_label="time per message",
        y_unit=case.clock.unit,
        kind=kind,
    )


def _curves(
    case: _Case, sizes: list[int], curves: dict[Style, list[float]], found: list[Crossing]
) -> tuple[Series, ...]:
    by = ("message size", "B")
    lines = [
        _line(case, style.name, list(zip(sizes, curves[style], strict=False)), by, "line")
        for style in STYLES
    ]
    marks = [(float(one.size), one.time) for one in sorted(found, key=lambda one: one.size)]
    here = (
        float(case.asked.message_bytes),
        min(case.time(s, case.asked.message_bytes) for s in STYLES),
    )
    return (
        *lines,
        _line(case, "crossovers", marks, by, "points"),
        _line(case, "chosen size", [here], by, "points"),
    )


def _shares(case: _Case) -> tuple[Series, ...]:
    shares = np.linspace(0.0, _MOST_SHARE, _SHARES).tolist()
    return tuple(
        _line(
            case, style.name, [(share, case.time_at_share(style, share)) for share in shares],
            ("hotspot share", ""), "line",
        )
        for style in STYLES
    )  # fmt: skip


def _style_table(case: _Case, costs: dict[Style, StyleCost]) -> Table:
    clock = case.clock
    rows = tuple(
        (
            style.name,
            clock.shown(cost.time),
            *(clock.shown(getattr(cost, part)) for part in PARTS),
            clock.shown(cost.contention),
            cost.messages,
            case.messages * cost.time * case.net.unit_s,
        )
        for style, cost in costs.items()
    )
    columns = (
        ("style", ""), ("time per message", clock.unit),
        *((TITLES[part], clock.unit) for part in PARTS), ("C_n", clock.unit),
        ("messages sent", ""), ("in total", "s"),
    )  # fmt: skip
    return Table("Styles", columns, rows)


def _crossing_table(case: _Case, found: list[Crossing]) -> Table:
    rows = tuple(
        (one.before.name, one.after.name, one.size, case.clock.shown(one.time)) for one in found
    )
    columns = (("up to here", ""), ("from here on", ""), ("size", "B"), ("time", case.clock.unit))
    return Table("Crossovers", columns, rows)


def _notes(case: _Case, costs: dict[Style, StyleCost], ranked: list[Style]) -> tuple[Note, ...]:
    best = ranked[0]
    texts = costs[best].caveats(case.load, case.net.unit)
    outside = [Note(False, f"{best.name}: {text}", SOURCE) for text in texts]
    where = f"{case.net.name}, {shape(case.net.network)}, k_d = {case.load.k_d:.4g}"
    return (*outside, Note(True, where, case.net.source))


STUDY = Study(
    name="styles",
    title="Message styles",
    question="Shall messages be synchronous or asynchronous, short or long?",
    record=StylesParameters,
    run=run,
)
