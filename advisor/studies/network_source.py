"""The network that settings describe, and for each of its numbers who says so.

Shipped numbers have a source, a platform's are its owner's, the user's own are stated; a ping-pong
shows startup and bandwidth alone, so its overhead and gap are stated, or assumed and said to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.basics.quantities import duration, number
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.networks import SHAPES, reshaped, shape
from advisor.project.platforms import find_machines
from advisor.project.sites.network_benchmarks import pingpong_of
from advisor.studies.network_settings import (
    CYCLE,
    OWN,
    PING_PONG,
    PLATFORM,
    SECONDS,
    NetworkSettings,
    ShapedNetworkSettings,
)
from advisor.studies.study import ASSUMED, MEASURED, STATED, Note, OnProgress, Study, StudyResult
from machines import Interconnect, LogGP
from machines.catalogue import interconnect
from machines.errors import InputError
from machines.fitting import Line
from machines.formats.fields import place, suggestion
from machines.formats.pingpong_csv import PingPong
from machines.network import Crossbar, Mesh
from machines.platform import Machine, Platform
from machines.traffic import fits_places, fits_tables

_PROCESSORS = 0.5  # share of a measured startup that is assumed to be overhead, at both ends
_SOURCE = "Culler 1993; Kielmann 2000"


@dataclass(frozen=True)
class NetworkFound:
    """A network, and notes on where its numbers come from; those that ship have none."""

    net: Interconnect
    notes: tuple[Note, ...] = ()


def network_of_settings(asked: NetworkSettings) -> NetworkFound:
    """The network that settings describe."""
    resolve = {PLATFORM: _platform, OWN: _stated, PING_PONG: _measured}.get(asked.network)
    found = NetworkFound(interconnect(asked.network)) if resolve is None else resolve(asked)
    if asked.prices_bytes and not found.net.long.G:
        raise InputError(
            "bytes take no time on this network", where="setting network", value=asked.network,
            remedy="Give gap_per_byte= above 0, or choose a network that has it",
        )  # fmt: skip
    if not isinstance(asked, ShapedNetworkSettings):
        return found
    if resolve in (_stated, _measured):
        found = _shaped(asked, found)
    else:
        with said_of("dims", asked.dims, SHAPES):
            found = replace(found, net=reshaped(found.net, asked.dims))
    field = "dims" if asked.dims.strip() else "nodes"
    if given := getattr(asked, field):
        with said_of(field, given):
            (fits_places if asked.by_levels else fits_tables)(found.net.network)
    return found


def processors_on(net: Interconnect, asked: ShapedNetworkSettings, given: int | None) -> int:
    """The processors that were given, or one on each node."""
    nodes = net.network.size
    if nodes < 2:
        field = "dims" if asked.dims.strip() else "network"
        raise InputError(
            "a single node sends no messages", where=f"setting {field}",
            value=getattr(asked, field), remedy="Give a network of two nodes or more",
        )  # fmt: skip
    if given is not None and given > nodes:
        raise InputError(
            f"the network has {nodes:,} nodes", where="setting processors", value=given,
            remedy=f"Allowed: up to {nodes:,}, one on each node",
        )  # fmt: skip
    return nodes if given is None else given


@contextmanager
def said_of(field: str, given: object, remedy: str = "") -> Iterator[None]:
    """What a model says is wrong, as wrong with the field that it follows from."""
    try:
        yield
    except InputError as error:
        raise InputError(
            error.what, where=f"setting {field}", value=given, remedy=error.remedy or remedy
        ) from None


def parallel_machines(platform: Platform | None) -> tuple[Machine, ...]:
    """Its machines with a network inside."""
    machines = () if platform is None else platform.machines
    return tuple(machine for machine in machines if machine.network is not None)


def answered(
    study: Study,
    parameters: object,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """What a study answers; of a machine of the platform, its sentence begins with the name."""
    result = study.run(parameters, on_progress, should_stop)
    if not isinstance(parameters, NetworkSettings) or parameters.network != PLATFORM:
        return result
    machines = parallel_machines(parameters.open_platform)
    name = parameters.machine or (machines[0].name if machines else "")
    said: str = result.headline
    if not name or not said:
        return result
    begin = said[0].lower() if said[1:2].islower() else said[0]
    return replace(result, headline=f"On {name}, {begin}{said[1:]}")


def _platform(asked: NetworkSettings) -> NetworkFound:
    """The network inside a machine of the platform that is named, or open."""
    given = asked.platform.strip()
    if given:
        with place("setting platform"):
            platform: Platform | None = find_machines(given, Path(given)).platform
        home = f'platform "{given}"'
    else:
        platform, home = asked.open_platform, "the open project's platform"
    if platform is None:
        raise InputError(
            "no platform is open", where="setting platform",
            remedy="Name a file or one of the catalogue: platform=FILE, or --platform FILE",
        )  # fmt: skip
    machines = {machine.name: machine for machine in parallel_machines(platform)}
    if not machines:
        raise InputError(
            f"no machine of {home} has a network inside", where="setting network", value=PLATFORM,
            remedy="Give a machine a network, or choose another source",
        )  # fmt: skip
    name = next(iter(machines)) if asked.machine is None else asked.machine
    if name not in machines:
        raise InputError(
            f"{home} has no parallel machine of that name", where="setting machine", value=name,
            remedy=suggestion(name, tuple(machines)),
        )  # fmt: skip
    net = machines[name].network
    assert net is not None
    others = "" if len(machines) == 1 else f", one of {len(machines)} with a network"
    text = f'Network: {net.name}, inside machine "{name}" of {home}{others}'
    return NetworkFound(net, (Note(True, text, net.source, STATED),))


def _stated(asked: NetworkSettings) -> NetworkFound:
    """The user's own numbers; what may be left out is said to be assumed."""
    L, o, G = asked.latency, asked.overhead, asked.per_byte
    needed = {"latency": L, "overhead": o, "gap_per_byte": G}
    missing = [f"{key}=" for key, value in needed.items() if value is None]
    if isinstance(asked, ShapedNetworkSettings) and not asked.dims.strip() and asked.nodes is None:
        missing.append("dims= (such as 8x8 torus) or nodes=")
    if L is None or o is None or G is None or missing:
        raise InputError(
            "your own network is not complete", where="setting network", value=OWN,
            remedy=f"Give {', '.join(missing)}",
        )  # fmt: skip
    costs = _costs(asked, L, o, G)
    known = {"L": L, "o": o, "o_r": asked.overhead_receive, "g": asked.gap, "G": G}
    notes = (
        Note(True, _told("Stated", known, asked.time_unit), kind=STATED),
        *_doubts(_assumed_gap(asked, costs)),
    )
    return NetworkFound(_interconnect("Own network", asked, costs, costs), notes)


def _measured(asked: NetworkSettings) -> NetworkFound:
    """L and G of a ping-pong; o and g as stated, or assumed."""
    path = asked.pingpong.strip()
    if not path:
        raise InputError(
            "a measured network needs a ping-pong file", where="setting pingpong",
            remedy="Give pingpong=FILE.csv",
        )  # fmt: skip
    unit_s = SECONDS.get(asked.time_unit)
    if unit_s is None:
        raise InputError(
            "a ping-pong file is in seconds, not in cycles", where="setting unit",
            value=asked.time_unit, remedy=f"Write {', '.join(SECONDS)}",
        )  # fmt: skip
    with place("setting pingpong"):
        file = pingpong_of(path)
        lines = [file.line(size) for size in asked.message_sizes]
    (short, _), (long, threshold) = lines
    o = _overhead(asked, long, unit_s)
    costs = [_fitted(asked, line, o, unit_s) for line in (short, long)]
    known = {"o": asked.overhead, "o_r": asked.overhead_receive, "g": asked.gap}
    fitted = fitted_text(file, long, threshold, asked.message_sizes[1])
    notes = [Note(True, fitted, kind=MEASURED)]
    if any(value is not None for value in known.values()):
        notes.append(Note(True, _told("Stated", known, asked.time_unit), kind=STATED))
    assumed = _assumed_gap(asked, costs[1])
    if asked.overhead is None:
        most = f"{long[0] / unit_s / 2.0:.4g} {asked.time_unit}"
        text = f"o = {o:.4g} {asked.time_unit}, a quarter of the startup at either end"
        assumed.insert(0, f"{text}: a ping-pong does not show it, anything from 0 to {most} fits")
    notes += _doubts(assumed, _SOURCE)
    return NetworkFound(_interconnect("Measured network", asked, *costs), tuple(notes))


def fitted_text(file: PingPong, line: Line, threshold: float | None, size: float) -> str:
    """What a ping-pong file shows, in words."""
    switch = ""
    if threshold is not None:
        side = "below" if size <= threshold else "above"
        switch = f", {side} the protocol switch at {threshold:g} B"
    return (
        f"Fitted to {file.count} ping-pongs by relative errors{switch}: 2o + L = "
        f"{duration(line[0])}, G = {number(1.0 / line[1], 's')} a byte"
    )


def _overhead(asked: NetworkSettings, line: Line, unit_s: float) -> float:
    if asked.overhead is not None:
        return asked.overhead
    return max(0.0, _PROCESSORS * line[0] / unit_s / 2.0)


def _fitted(asked: NetworkSettings, line: Line, o: float, unit_s: float) -> LogGP:
    """What a message costs on one line of a ping-pong."""
    startup, bandwidth = max(0.0, line[0]) / unit_s, line[1]
    received = o if asked.overhead_receive is None else asked.overhead_receive
    left = startup - o - received
    if left < -ALIKE * startup:
        most = f"{startup:.4g} {asked.time_unit} together"
        raise InputError(
            f"a message that takes {duration(line[0])} can't have overheads of {o:g} and "
            f"{received:g} {asked.time_unit}",
            where="setting overhead", value=o, remedy=f"Allowed: up to {most}",
        )  # fmt: skip
    return _costs(asked, max(0.0, left), o, 1.0 / (bandwidth * unit_s))


def _costs(asked: NetworkSettings, L: float, o: float, G: float) -> LogGP:
    received = o if asked.overhead_receive is None else asked.overhead_receive
    gap = max(o, received) if asked.gap is None else asked.gap
    with place(f"setting network, {asked.network}"):
        return LogGP(L=L, o_s=o, o_r=received, g=gap, G=G)


def _interconnect(name: str, asked: NetworkSettings, short: LogGP, long: LogGP) -> Interconnect:
    """Two nodes until it has a shape; short messages have no G, as those that ship."""
    cycle_ns = asked.cycle_ns if isinstance(asked, ShapedNetworkSettings) else None
    unit_s = SECONDS.get(asked.time_unit, 1e-9 * (cycle_ns or 1.0))
    return Interconnect(name, Crossbar(2), replace(short, G=0.0), long, asked.time_unit, unit_s)


def _shaped(asked: ShapedNetworkSettings, found: NetworkFound) -> NetworkFound:
    """With the nodes and the shape that were stated; a mesh unless another kind is named."""
    notes = list(found.notes)
    if asked.time_unit == CYCLE and asked.cycle_ns is None:
        notes += _doubts(["a cycle of 1 ns, where times are in seconds"])
    net = with_stated_shape(asked, found.net)
    if asked.dims.strip():
        nodes = f"Stated: {shape(net.network)}, {net.network.size} nodes"
        notes.append(Note(True, nodes, kind=STATED))
    else:
        notes += _doubts(["a crossbar, where no two pairs of nodes share a channel: no shape"])
    return NetworkFound(net, tuple(notes))


def with_stated_shape(asked: ShapedNetworkSettings, net: Interconnect) -> Interconnect:
    """Costs on the shape and nodes that were stated: a mesh unless another kind is named."""
    if not asked.dims.strip():
        if asked.nodes is None:
            raise InputError(
                "the network has no shape", where="setting dims",
                remedy="Give dims=, such as 8x8 torus, or nodes=",
            )  # fmt: skip
        return replace(net, network=Crossbar(asked.nodes))
    with said_of("dims", asked.dims, SHAPES):
        shaped = reshaped(replace(net, network=Mesh((2,))), asked.dims)
    if asked.nodes not in (None, shaped.network.size):
        raise InputError(
            f"this shape has {shaped.network.size} nodes, not {asked.nodes}", where="setting dims",
            value=asked.dims, remedy=f"Give a shape of {asked.nodes} nodes, or leave nodes out",
        )  # fmt: skip
    return shaped


def _assumed_gap(asked: NetworkSettings, costs: LogGP) -> list[str]:
    shown = f"g = {costs.g:.4g} {asked.time_unit}, the longer overhead"
    return [shown] if asked.gap is None else []


def _doubts(assumed: list[str], source: str = "") -> list[Note]:
    return [Note(False, f"Assumed: {text}", source, ASSUMED) for text in assumed]


def _told(verb: str, numbers: dict[str, float | None], unit: str) -> str:
    given = [f"{key} {value:g}" for key, value in numbers.items() if value is not None]
    return f"{verb}: {', '.join(given)} {unit}"
