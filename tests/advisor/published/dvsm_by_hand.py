"""The operations of Parsons, Brorsson & Sevcik (1997) in plain arithmetic, for comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

ETHERNET, ATM = "Fast Ethernet", "OC-3 ATM"


@dataclass(frozen=True)
class Era:
    """What a technology leaves of today's times, and its network; Tables 2 and 7."""

    name: str
    computing: float = 1.0  # of the time of the program itself
    system: float = 1.0  # of handlers and delays
    software: float = 1.0  # of protocol software and of the extra time of system calls
    signal: float = 40.0
    latency: float | None = None
    wire: float | None = None

    def S(self, size: float) -> float:
        """Software of one side: Table 2 with the 46 bytes of the text, none on ATM."""
        if self.name == ATM:
            line = 150.0 + 0.02918 * size
        elif size + 46 <= 1024:
            line = 102.0 + 0.03865 * (size + 46)
        else:
            line = 154.0 + 0.02583 * (size + 46)
        return self.software * line

    def W(self, size: float) -> float:
        own, overhead = (0.05926, 40) if self.name == ATM else (0.08, 58)
        return (own if self.wire is None else self.wire) * (size + overhead)

    @property
    def LAT(self) -> float:
        """Two interfaces, and the switch of ATM."""
        own = 2 * 50.0 + 10.0 if self.name == ATM else 2 * 25.0
        return own if self.latency is None else self.latency


def today(name: str) -> Era:
    return Era(name)


def future(name: str, benefit: float = 1.0) -> Era:
    """Table 7: 8 times the speed, 0.2 of the protocol, 10 Gbps, signals of 625 ns, and 500 ns for
    each of two interfaces and a switch, whichever the network.
    """
    slower = 1.0 / (1.0 + benefit) ** 3
    return Era(name, 1 / 8, slower, 0.2 * slower, 0.625, 3 * 0.5, 8 / 10_000)


def faster(name: str) -> Era:
    """Only the processor is 8 times as fast."""
    return Era(name, 1 / 8, 1 / 8, 1 / 8, 40.0 / 8)


def pipeline(parts: int, *stages: float) -> float:
    """End of the last of equal jobs that pass stages in order, each stage one job at a time."""
    free = [0.0] * len(stages)
    for _ in range(parts):
        now = 0.0
        for place, time in enumerate(stages):
            now = free[place] = max(now, free[place]) + time
    return free[-1]


Given = Mapping[str, float]


def fault(era: Era, **of: float) -> float:
    """Sends, wire and receives in a pipeline; then one remote handler, as in Fig. 3."""
    ends = pipeline(int(of["parts"]), *_stages(era, of))
    there = era.S(of["request"]) + era.S(of["reply"]) + era.software * of.get("remote_extra", 0.0)
    handlers = of.get("fault_compute", 0.0) + of.get("remote_compute", 0.0)
    waits = era.system * (handlers + of.get("delay", 0.0))
    return ends + 2 * era.LAT + era.signal + there + waits


def _stages(era: Era, of: Given) -> tuple[float, float, float]:
    send = era.S(of["request"]) + era.software * of.get("send_extra", 0.0)
    receive = era.S(of["reply"]) + era.software * of.get("receive_extra", 0.0)
    return send, era.W(of["request"]) + era.W(of["reply"]), receive


def prefetched(era: Era, **of: float) -> float:
    """Software and handler at the source: all sends, all receives, no waiting."""
    send, _, receive = _stages(era, of)
    return of["parts"] * (send + receive) + era.system * of.get("fault_compute", 0.0)


def empty(era: Era, **of: float) -> float:
    sides = 2 * era.S(12) + 2 * era.S(4096) + era.software * of.get("extra", 0.0)
    waits = era.system * (of.get("compute", 0.0) + of.get("delay", 0.0))
    return sides + era.W(12) + era.W(4096) + 2 * era.LAT + era.signal + waits


def lock(era: Era, **of: float) -> float:
    hops = of["parties"]
    handlers = of.get("compute", 0.0) + of.get("remote_compute", 0.0) + of.get("delay", 0.0)
    if hops == 1:
        return era.system * of.get("compute", 0.0)
    sides = 2 * (hops - 1) * era.S(24) + 2 * era.S(4) + era.software * of.get("extra", 0.0)
    wire = (hops - 1) * era.W(24) + era.W(4)
    return sides + wire + hops * era.LAT + (hops - 1) * era.signal + era.system * handlers


def barrier(era: Era, processors: int, **of: float) -> float:
    """The last arrives, the master merges and releases one after the other, all go on."""
    arrives = 2 * era.S(of["request"]) + era.W(of["request"]) + era.LAT
    goes = pipeline(processors - 1, era.S(of["release"]), era.W(of["release"]))
    work = era.system * (of.get("merge", 0.0) + of.get("post", 0.0))
    return arrives + goes + era.LAT + era.S(of["release"]) + work


def service(era: Era, **of: float) -> float:
    sides = era.S(of["request"]) + era.S(of["reply"]) + era.software * of.get("remote_extra", 0.0)
    return era.signal + sides + era.system * of.get("remote_compute", 0.0)


PLAIN: Mapping[str, Callable[..., float]] = {
    "collection": fault,
    "empty_miss": empty,
    "service": service,
    "release": lambda era, compute: era.system * compute,
}
