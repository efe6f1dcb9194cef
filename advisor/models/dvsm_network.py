"""Networks and technologies of a software shared memory: what one message costs today and after.

Parsons, Brorsson & Sevcik, IBM Systems Journal 36(4), 1997, Tables 2 and 7. Times in µs, sizes in
bytes. A message costs software on either side, the wire, and the latency of the hardware.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from machines.checks import LARGEST, number, text
from machines.errors import InputError

HANDLERS = ("system", "processor")
LOCK_MODES = ("time", "prefetch")

Line = tuple[float, float]


def _speeds(processor: float, system_benefit: float, where: str = "") -> tuple[float, float]:
    # so far and no further that its powers stay finite
    factor = number("processor", processor, high=1e6, above=True, where=where)
    if factor < 1e-6:
        raise InputError(
            "processor is out of range", where=where, value=processor, remedy="Allowed: ≥ 1e-06"
        )
    return factor, number("system_benefit", system_benefit, high=1.0, above=True, where=where)


def _line(name: str, value: object, where: str) -> Line:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise InputError(f"{name} is a pair (base, per byte)", where=where, value=value)
    base = number(f"base of {name}", value[0], above=True, where=where)
    return base, number(f"per byte of {name}", value[1], where=where)


def _choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(
            f"unknown {name}",
            where="technology",
            value=value,
            remedy="Allowed: " + ", ".join(allowed),
        )


@dataclass(frozen=True)
class Network:
    """A network and the system software that drives it.

    Attributes
    ----------
    name : str
        What people call it.
    software_small, software_large : (base, per byte)
        Time of one side (send or receive) of one message up to and above `knee`, µs and µs/byte.
    knee : float
        Largest size, `software_overhead` included, of a small message, bytes; may be infinite.
    wire_per_byte : float
        µs per byte on the wire.
    interface_latency, switch_latency : float
        Latency of one network interface and of the switch, µs.
    wire_overhead, software_overhead : float
        Bytes of protocol that a message adds on the wire, and that its software handles.
    signal : float
        Time to deliver a signal to the program (sigio), µs.

    Raises
    ------
    InputError
        A negative or infinite value (but `knee`), or software that takes no time.
    """

    name: str
    software_small: Line
    software_large: Line
    knee: float
    wire_per_byte: float
    interface_latency: float
    switch_latency: float = 0.0
    wire_overhead: float = 0.0
    software_overhead: float = 0.0
    signal: float = 40.0

    def __post_init__(self) -> None:
        text("name", self.name, where="network")
        where = f'network "{self.name}"'
        for name in ("software_small", "software_large"):
            object.__setattr__(self, name, _line(name, getattr(self, name), where))
        if self.knee != math.inf:
            number("knee", self.knee, where=where)
        for field in fields(self)[4:]:
            number(field.name, getattr(self, field.name), where=where)


@dataclass(frozen=True)
class Technology:
    """What is better than today's: five factors, absolute replacements, and the readings.

    Attributes
    ----------
    processor : float
        How many times as fast the processor is, > 0.
    system_benefit : float
        Share of a doubled processor speed that system software gains, in (0, 1].
    protocol : float
        Protocol software's time over today's, 0..1.
    fault : float
        Share of the faults that is not prefetched, 0..1; acts in `application_time` only.
    lock : float
        Lock time over today's, or share not prefetched (`lock_mode`), 0..1; there only, too.
    interface_latency, switch_latency, wire_per_byte, signal : float, optional
        µs, µs, µs per byte, µs; ``None``: the network's. A signal given is not scaled again.
    handlers : {"system", "processor"}
        Whether fault and request handlers speed up as system software or as the processor.
    protocol_on_extra : bool
        Whether `protocol` scales the measured extra system-call time, too.
    lock_mode : {"time", "prefetch"}
        How `lock` is read.
    """

    processor: float = 1.0
    system_benefit: float = 1.0
    protocol: float = 1.0
    fault: float = 1.0
    lock: float = 1.0
    interface_latency: float | None = None
    switch_latency: float | None = None
    wire_per_byte: float | None = None
    signal: float | None = None
    handlers: str = "system"
    protocol_on_extra: bool = True
    lock_mode: str = "time"

    def __post_init__(self) -> None:
        where = "technology"
        _speeds(self.processor, self.system_benefit, where)
        for name in ("protocol", "fault", "lock"):
            number(name, getattr(self, name), high=1.0, where=where)
        for name in ("interface_latency", "switch_latency", "wire_per_byte", "signal"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), where=where)
        _choice("handlers", self.handlers, HANDLERS)
        _choice("lock_mode", self.lock_mode, LOCK_MODES)
        if not isinstance(self.protocol_on_extra, bool):
            raise InputError(
                "protocol_on_extra is yes or no", where=where, value=self.protocol_on_extra
            )


# Table 2. The 46 bytes are in the text; 58 there, or none, do not give Tables 4 and 5.
FAST_ETHERNET = Network(
    "Fast Ethernet",
    software_small=(102.0, 0.03865),
    software_large=(154.0, 0.02583),
    knee=1024.0,
    wire_per_byte=0.08,
    interface_latency=25.0,
    wire_overhead=58.0,
    software_overhead=46.0,
)
OC3_ATM = Network(
    "OC-3 ATM",
    software_small=(150.0, 0.02918),
    software_large=(150.0, 0.02918),
    knee=math.inf,
    wire_per_byte=0.05926,
    interface_latency=50.0,
    switch_latency=10.0,
    wire_overhead=40.0,
)

TODAY = Technology()

# Parsons et al. 1997, Table 7, at full benefit of system software.
FUTURE = Technology(
    processor=8.0,
    protocol=0.2,
    fault=0.5,
    lock=0.5,
    interface_latency=0.5,
    switch_latency=0.5,
    wire_per_byte=0.0008,
    signal=0.625,
)


def software_time(net: Network, size: float) -> float:
    """Software time of one side of one message: base + per byte · (size + software_overhead).

    Parsons et al. 1997, Table 2.

    Parameters
    ----------
    net : Network
    size : float
        Payload in bytes, ≥ 0.

    Raises
    ------
    InputError
        A negative or infinite size.
    """
    handled = number("size", size) + net.software_overhead
    base, per_byte = net.software_small if handled <= net.knee else net.software_large
    return base + per_byte * handled


def wire_time(net: Network, size: float) -> float:
    """Time of one message on the wire: wire_per_byte (size + wire_overhead).

    Parsons et al. 1997, Table 2.

    Raises
    ------
    InputError
        A negative or infinite size.
    """
    return net.wire_per_byte * (number("size", size) + net.wire_overhead)


def hardware_latency(net: Network) -> float:
    """Latency of the hardware for one message: 2 interface_latency + switch_latency.

    Parsons et al. 1997, Table 2.
    """
    return 2.0 * net.interface_latency + net.switch_latency


def system_speed(processor: float, system_benefit: float) -> float:
    """How much faster system software gets: (1 + system_benefit)^(log2 processor).

    At a benefit of 50 % each doubling of the processor's speed makes it 1.5 times as fast.
    Parsons et al. 1997, section on faster processors.

    Parameters
    ----------
    processor : float
        Processor factor, > 0.
    system_benefit : float
        In (0, 1].
    """
    factor, benefit = _speeds(processor, system_benefit)
    return float((1.0 + benefit) ** math.log2(factor))


@dataclass(frozen=True)
class MessageCosts:
    """What a message costs on a network under a technology; built by `message_costs`.

    Attributes
    ----------
    net : Network
    technology : Technology
    software_factor, extra_factor : float
        On protocol software and on measured extra system-call time: φ/s, and φ/s or 1/s.
    wire_per_byte, latency, signal : float
        µs per byte; latency of one message; time of a signal.
    system_factor, handler_factor : float
        1/s on delays, and 1/h on handlers.
    """

    net: Network
    technology: Technology
    software_factor: float
    extra_factor: float
    wire_per_byte: float
    latency: float
    signal: float
    system_factor: float
    handler_factor: float

    def software(self, size: float, extra: float = 0.0, messages: float = 1.0) -> float:
        """Software of so many equal messages on one side, with measured extra time."""
        return self.summed(messages * software_time(self.net, size), extra)

    def summed(self, software: float, extra: float) -> float:
        """Today's software and extra time, scaled; refused unless the sum stays positive."""
        factor = self.software_factor
        measured = number("extra", extra, low=-LARGEST)
        scaled = factor * software + self.extra_factor * measured
        if software + measured <= 0.0 or scaled < 0.0:
            raise InputError(
                "the extra time takes away all of the software's",
                where="extra",
                value=extra,
                remedy=f"Allowed: > {-software:.6g} µs, and less so if protocol_on_extra is no",
            )
        return scaled

    def wire(self, size: float, messages: float = 1.0) -> float:
        """Time of so many equal messages on the wire."""
        return messages * self.wire_per_byte * (number("size", size) + self.net.wire_overhead)


def message_costs(net: Network, technology: Technology = TODAY) -> MessageCosts:
    """The costs of messages under a technology.

    S φ/s; extra φ/s or 1/s; signal and delay 1/s; handlers 1/h; wire and latency stay unless
    replaced. Parsons et al. 1997, section on faster processors; h is the reading `handlers`.
    """
    speed = system_speed(technology.processor, technology.system_benefit)
    interface = _either(technology.interface_latency, net.interface_latency)
    switch = _either(technology.switch_latency, net.switch_latency)
    return MessageCosts(
        net=net,
        technology=technology,
        software_factor=technology.protocol / speed,
        extra_factor=(technology.protocol if technology.protocol_on_extra else 1.0) / speed,
        wire_per_byte=_either(technology.wire_per_byte, net.wire_per_byte),
        latency=2.0 * interface + switch,
        signal=_either(technology.signal, net.signal / speed),
        system_factor=1.0 / speed,
        handler_factor=1.0 / (speed if technology.handlers == "system" else technology.processor),
    )


def _either(given: float | None, otherwise: float) -> float:
    return otherwise if given is None else float(given)
