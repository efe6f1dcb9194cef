"""One measurement of a machine, as values, as JSON and as a platform.

It looks first; then come speeds, contention, memory, network and disk, within a minute.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from advisor.basics.quantities import percent
from advisor.measuring.memory_and_disk import Memory, disk, memory
from advisor.measuring.peer import Host, pingpong, serve, this_host
from advisor.measuring.processors import Contention, contention, speeds
from advisor.measuring.samples import Estimate, estimate
from machines import Direction, Link, Machine, Platform
from machines.errors import InputError
from machines.formats.pingpong_csv import PingPong
from machines.local import usable_cores
from machines.stopping import Stopped, stoppable

FORMAT = "placewise-measurement"
VERSION = 1
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Network:
    """`way`: by a fit to `seconds` of one way, by size in bytes; None: as `refused` says."""

    peer: Host
    loopback: bool
    seconds: dict[int, Estimate]
    way: Direction | None = None
    refused: str = ""


@dataclass(frozen=True)
class Measurement:
    """All of one machine; `speeds`: by core, MB hashed in a second of processor time."""

    host: Host
    state: HostState
    speeds: dict[int, Estimate]
    contention: Contention
    memory: Memory
    network: Network
    disk: Estimate

    def document(self) -> dict[str, object]:
        """For JSON: every figure."""
        return {"format": FORMAT, "version": VERSION, **asdict(self)}

    def platform(self) -> Platform:
        """The machine at speed 1, and the peer with the link to it, if one was measured."""
        here, there = self.host, self.network.peer
        rate = None if self.contention.refused else self.memory.limit  # what others left it
        machines = [Machine(here.name, here.cores, 1.0, here.memory_bytes, memory_bandwidth=rate)]
        links: list[Link] = []
        if not self.network.loopback:
            name = there.name if there.name != here.name else f"{there.name} (peer)"
            speed = float(f"{there.speed / here.speed:.4g}")
            machines.append(Machine(name, there.cores, speed, there.memory_bytes))
            way = self.network.way
            if way is None:
                raise InputError(self.network.refused, where="the network",
                                 remedy="Measure again when it is quiet")  # fmt: skip
            links.append(Link(here.name, name, way, way))
        return Platform(f"{here.name}, measured", tuple(machines), tuple(links))


def measure(peer: tuple[str, int] | None, on_progress: Callable[[str], None]) -> Measurement:
    """Measure this machine, with a peer that serves, or its loopback.

    Raises
    ------
    InputError
        No peer answers there.
    Stopped
        Whoever may stop it did.
    """
    on_progress("a look at what runs")
    state = look()
    on_progress("the speed of every core")
    found = speeds()
    host = this_host(max(one.value for one in found.values()))
    on_progress("the network")
    network = _network(peer, host)
    curve = contention(state.busy, on_progress)
    on_progress("memory and disk")
    streams = memory(len(usable_cores()))
    return Measurement(host, state, found, curve, streams, network, disk())


def measured(
    peer: tuple[str, int] | None,
    on_progress: Callable[[str], None],
    should_stop: Callable[[], bool],
) -> Measurement | None:
    """As `measure`; None: it was stopped."""
    with stoppable(should_stop), suppress(Stopped):
        return measure(peer, on_progress)
    return None


def _network(peer: tuple[str, int] | None, host: Host) -> Network:
    if peer is not None:
        return _fitted(*pingpong(peer), loopback=False)
    port: Future[int] = Future()
    thread = threading.Thread(target=serve, args=((_LOOPBACK, 0), host, port.set_result))
    thread.start()
    try:
        return _fitted(*pingpong((_LOOPBACK, port.result(timeout=10))), loopback=True)
    finally:
        thread.join()


def _fitted(other: Host, times: dict[int, list[float]], *, loopback: bool) -> Network:
    seconds = {size: estimate(some) for size, some in times.items()}
    points = PingPong(tuple(map(float, seconds)), tuple(one.value for one in seconds.values()),
                      sum(map(len, times.values())), "the ping-pong")  # fmt: skip
    try:
        return Network(other, loopback, seconds, points.direction())
    except InputError as error:
        return Network(other, loopback, seconds, refused=str(error))


_LOOK_S = 0.5
_PRESSURE = Path("/proc/pressure/cpu")
_BUSY = 0.1
_STOLEN = 0.02
_WAITING = 0.1


@dataclass(frozen=True)
class HostState:
    """Shares of all cores' time; `pressure`: of time in which some task waited; None: not told."""

    busy: float
    steal: float
    pressure: float | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What disturbs a measurement, and what to do about it."""
        found = []
        if self.busy > _BUSY:
            found.append(f"The cores are {percent(self.busy)} busy: end other programs first")
        if self.steal > _STOLEN:
            found.append(f"The host takes {percent(self.steal)} of this virtual machine's time: "
                         "measure at another hour")  # fmt: skip
        if self.pressure is not None and self.pressure > _WAITING:
            found.append(f"Tasks waited for a core {percent(self.pressure)} of the last 10 s")
        return tuple(found)


def look() -> HostState:
    """The state over half a second."""
    before = psutil.cpu_times()
    time.sleep(_LOOK_S)
    after = psutil.cpu_times()
    spent = {name: getattr(after, name) - getattr(before, name) for name in after._fields
             if name not in {"guest", "guest_nice"}}  # fmt: skip
    total = max(sum(spent.values()), 1e-9)
    idle = spent["idle"] + spent.get("iowait", 0.0)
    return HostState(
        min(max(1.0 - idle / total, 0.0), 1.0), max(spent.get("steal", 0.0), 0.0) / total, _waited()
    )


def _waited() -> float | None:
    try:
        found = re.search(r"some avg10=([\d.]+)", _PRESSURE.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        return None
    return None if found is None else float(found[1]) / 100
