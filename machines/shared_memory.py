"""Workstations that run shared-memory programs together, through software on their network.

What a machine offers to such programs (`Machine.shared_memory`): how many workstations, and what
messages, signals and the system cost on them. Times in µs, sizes in bytes, as the model has them
(`advisor.models.dvsm`); how fast the processors are is the machine's speed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from machines.checks import number, plain_name, text, whole
from machines.errors import InputError

Line = tuple[float, float]

_TIMES = ("wire_per_byte", "interface_latency", "switch_latency", "signal")
_BYTES = ("wire_overhead", "software_overhead")
_FACTORS = ("protocol", "fault", "lock")


@dataclass(frozen=True)
class SharedMemory:
    """Software shared memory over a network of workstations.

    Attributes
    ----------
    network : str
        Its name, which programs that were measured on it know it by.
    workstations : int
        How many there are; a program runs on as many as its counts are for.
    software_small, software_large : (base, per byte)
        Time of one side of one message up to and above `knee`, µs and µs/byte.
    wire_per_byte, interface_latency, switch_latency : float
        µs per byte on the wire; latency of one interface and of the switch, µs.
    knee : float
        Largest size, `software_overhead` included, of a small message, bytes; may be infinite.
    wire_overhead, software_overhead : float
        Bytes that a message adds on the wire, and that its software handles.
    signal : float
        Time to deliver a signal, µs.
    system_benefit : float
        Share of a doubled processor speed that system software gains, in (0, 1].
    protocol, fault, lock : float
        Time of protocol software, share of faults that is not prefetched, and time of locks, over
        those of 1997, each 0..1.
    source : str
        Where the figures are published; empty: the user's own.
    assumed : tuple of str
        One sentence for each figure that the source does not print.
    """

    network: str
    workstations: int
    software_small: Line
    software_large: Line
    wire_per_byte: float
    interface_latency: float
    switch_latency: float = 0.0
    knee: float = math.inf
    wire_overhead: float = 0.0
    software_overhead: float = 0.0
    signal: float = 40.0
    system_benefit: float = 1.0
    protocol: float = 1.0
    fault: float = 1.0
    lock: float = 1.0
    source: str = ""
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        where = "shared_memory"
        plain_name("network", self.network, where=where)
        whole("workstations", self.workstations, low=1, where=where)
        for name in ("software_small", "software_large"):
            object.__setattr__(self, name, _line(name, getattr(self, name), where))
        if self.knee != math.inf:
            number("knee", self.knee, where=where)
        for name in (*_TIMES, *_BYTES):
            number(name, getattr(self, name), where=where)
        number("system_benefit", self.system_benefit, high=1.0, above=True, where=where)
        for name in _FACTORS:
            number(name, getattr(self, name), high=1.0, where=where)
        text("source", self.source, where=where, empty=True)
        for sentence in self.assumed:
            text("assumed", sentence, where=where)


def _line(name: str, value: object, where: str) -> Line:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InputError(f"{name} is a pair [base, per byte]", where=where, value=value)
    base = number(f"base of {name}", value[0], above=True, where=where)
    return base, number(f"per byte of {name}", value[1], where=where)
