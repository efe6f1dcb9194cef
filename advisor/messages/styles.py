"""What a message costs its program in each style: synchronous or asynchronous, short or long.

Each style is one function that says precisely what it charges; a cost is split into the parts
that the program sees, which sum to the time per message. Times in the interconnect's unit.

From which difference on two message styles differ: the errors of the models of contention.

A difference below the model's own error is none. What a style costs without contention is a sum of
measured overheads: a time is in doubt by the model's error, but by no more than the contention in
it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.basics.rounding import ALIKE
from advisor.messages.network_load import PUBLISHED, NetworkLoad
from advisor.models.logpc import pipelined_message_time
from machines.checks import number
from machines.errors import InputError
from machines.interconnect import Interconnect, LogGP

SYNCHRONOUS, ASYNCHRONOUS = "synchronous", "asynchronous"
SHORT, BLOCKING, NON_BLOCKING = "short", "long blocking", "long non-blocking"
COMPLETIONS = (SYNCHRONOUS, ASYNCHRONOUS)
TRANSPORTS = (SHORT, BLOCKING, NON_BLOCKING)


@dataclass(frozen=True)
class Style:
    """How a program sends.

    `completion`: "synchronous": a request whose reply the sender awaits; "asynchronous": it goes
        on.
    `transport`: "short": the processor writes and reads the bytes, many messages for many bytes;
        "long …": a DMA engine moves them, and the processor waits for it or does not.
    """

    completion: str = ASYNCHRONOUS
    transport: str = SHORT

    def __post_init__(self) -> None:
        for name, known in (("completion", COMPLETIONS), ("transport", TRANSPORTS)):
            if getattr(self, name) not in known:
                raise InputError(
                    f"unknown {name}",
                    where="style",
                    value=getattr(self, name),
                    remedy="Allowed: " + "; ".join(known),
                )

    @property
    def name(self) -> str:
        """Its name on screen: "asynchronous short"."""
        return f"{self.completion} {self.transport}"


STYLES = tuple(
    Style(completion, transport) for completion in COMPLETIONS for transport in TRANSPORTS
)


@dataclass(frozen=True)
class StyleCost:
    """Time per message of the program, split into what it goes to; the parts sum to `time`.

    `messages`: messages of this occupancy that a process sends for one of the program: several
        where short ones carry it, twice as many where they are answered by their like.
    `gap`: bytes on their way (G, G_m) and the least gap between messages, where that is waited for.
    `processor`: processor contention: other requests before this one, or a busy receiver.
    `interval`: time between messages of a process in the network without contention; what the
        models' domains are about.
    `receiver`: what the busiest receiver's processor needs per message of the program, whatever the
        reading.
    """

    style: Style
    messages: int
    computing: float = 0.0  # the program's own computation between messages
    overhead: float = 0.0  # send and receive overheads of the processor
    latency: float = 0.0  # time in the network that the sender waits for
    gap: float = 0.0
    network: float = 0.0  # network contention that is waited for
    processor: float = 0.0
    contention: float = 0.0  # C_n of each message in the network, waited for or not
    interval: float = 0.0
    occ: float = 0.0  # time that each message in the network occupies a channel
    receiver: float = 0.0

    @property
    def time(self) -> float:
        """Time per message of the program."""
        return float(sum(getattr(self, name) for name in PARTS))

    def caveats(self, load: NetworkLoad, unit: str) -> tuple[str, ...]:
        """Why the time should be taken with care, one sentence each."""
        found = load.caveats(self.interval, self.time / self.messages, self.occ, unit)
        if self.receiver > self.time * (1.0 + ALIKE):
            found += (
                f"The busiest receiver's processor alone needs {self.receiver / self.time:.3g} "
                "times as long: the model does not know hotspots.",
            )
        return found

    def times(self, count: int) -> StyleCost:
        """The cost of several such messages."""
        many = {name: count * getattr(self, name) for name in (*PARTS, "messages", "receiver")}
        return replace(self, **many)


PARTS = ("computing", "overhead", "latency", "gap", "network", "processor")
"""The parts of `StyleCost` that sum to its time."""


@dataclass(frozen=True)
class Message:
    """One message of a program, the computation around it and how it may be cut."""

    size: float  # bytes, ≥ 1
    computation: float = 0.0  # the program's computation between two messages, ≥ 0
    short_bytes: float = 16.0  # most bytes that a short message carries, header included, ≥ 1

    def __post_init__(self) -> None:
        for name, low in (("size", 1.0), ("computation", 0.0), ("short_bytes", 1.0)):
            number(name, getattr(self, name), low=low, where="message")

    def cut(self) -> tuple[int, Message]:
        """How many short messages carry it, and each of them."""
        count = math.ceil(self.size / self.short_bytes)
        return count, replace(self, size=self.size / count, computation=self.computation / count)


def style_cost(style: Style, net: Interconnect, load: NetworkLoad, message: Message) -> StyleCost:
    """Time per message of a program in a style.

    `net`: LogGP parameters of short and long messages. `load`: what the program's traffic asks of
    the network, and the reading of contention.
    """
    if style.transport == SHORT:
        count, each = message.cut()
        one = _synchronous_short if style.completion == SYNCHRONOUS else _asynchronous_short
        return one(net, load, each).times(count)
    blocking = style.transport == BLOCKING
    if style.completion == SYNCHRONOUS:
        return _synchronous_long(net, load, message, blocking)
    if blocking:
        return _asynchronous_blocking(net, load, message)
    return _asynchronous_overlapped(net, load, message)


def _synchronous_short(net: Interconnect, load: NetworkLoad, message: Message) -> StyleCost:
    """A request and its reply: 2 (o_s + L + C_n + o_r) + C_r, C_r = o_s + o_r.

    C_n is that of two messages per round trip. Moritz & Frank 2001, sec. 5.1.1.
    """
    p = net.short
    cost = StyleCost(
        Style(SYNCHRONOUS, SHORT),
        messages=2,
        computing=message.computation,
        overhead=2.0 * (p.o_s + p.o_r),
        latency=2.0 * (p.L + _behind_first_byte(p, message.size)),
        processor=p.o_s + p.o_r,
    )
    cost = _with_gap(cost, 2.0 * p.g)
    interval, occ = cost.time / 2.0, load.occ(message.size, net.long.G)
    waited = load.contention(interval, occ)
    cost = replace(cost, network=2.0 * waited, contention=waited, interval=interval, occ=occ)
    return _busy_receiver(cost, load, own=cost.computing + p.o_s + p.o_r, handler=p.o_r + p.o_s)


def _asynchronous_short(net: Interconnect, load: NetworkLoad, message: Message) -> StyleCost:
    """One send and, on average, one receive: o_s + o_r; the rest happens meanwhile.

    Longer only where the network can't take messages so fast: its own interval is the gap g plus
    C_n. Moritz & Frank 2001, sec. 5.1.2.
    """
    p = net.short
    cost = StyleCost(
        Style(ASYNCHRONOUS, SHORT),
        messages=1,
        computing=message.computation,
        overhead=p.o_s + p.o_r,
        occ=load.occ(message.size, net.long.G),
    )
    cost = _busy_receiver(cost, load, own=cost.computing + p.o_s, handler=p.o_r)
    return _overlapped(cost, load, max(p.g, _behind_first_byte(p, message.size)))


def _synchronous_long(
    net: Interconnect, load: NetworkLoad, message: Message, blocking: bool
) -> StyleCost:
    """A long request and a short reply: Eq. (2) + o_s + L + o_r + 2 C_n + C_r.

    The request takes o_sl + L + max(o_rl + a G + B G_m, (B − 1) G), the reply o_s + L + o_r of
    short messages; each waits C_n for channels, at one long message per round trip. C_r is one
    other request in the way: its receive handler, which a blocking DMA makes as long as the
    transfer, and its reply. Moritz & Frank 2001, Eq. (2), with sec. 5.1.1's accounting.
    """
    p, reply = net.long, net.short
    handler = (_blocking_receive(p, message.size) if blocking else p.o_r) + reply.o_s
    cost = StyleCost(
        Style(SYNCHRONOUS, BLOCKING if blocking else NON_BLOCKING),
        messages=1,
        computing=message.computation,
        overhead=p.o_s + p.o_r + reply.o_s + reply.o_r,
        latency=p.L + reply.L,
        gap=max(0.0, pipelined_message_time(p, message.size) - p.o_s - p.L - p.o_r),
        processor=handler,
    )
    cost = _with_gap(cost, p.g + reply.g)
    interval, occ = cost.time, load.occ(message.size, p.G)
    waited = load.contention(interval, occ, terms=2.0)
    cost = replace(cost, network=2.0 * waited, contention=waited, interval=interval, occ=occ)
    sending = _behind_first_byte(p, message.size) if blocking else 0.0
    own = cost.computing + p.o_s + sending + reply.o_r
    return _busy_receiver(cost, load, own, handler)


def _asynchronous_blocking(net: Interconnect, load: NetworkLoad, message: Message) -> StyleCost:
    """One blocking send and one blocking receive: o_sl + (B − 1) G + O_r + C_n.

    O_r = max(o_rl + B G_m, (B − 1 − a) G), the receiver's part of Eq. (2): long messages hide
    the handler under the bytes that still arrive, as the paper's o_s + (B − 1) G +
    (B − 1 − a) G ≈ 2 B G has it. C_n is that of one message per such interval.
    Moritz & Frank 2001, sec. 5.1.3, Eq. (13).
    """
    p = net.long
    receive = _blocking_receive(p, message.size)
    send = p.o_s + _behind_first_byte(p, message.size)
    cost = StyleCost(
        Style(ASYNCHRONOUS, BLOCKING),
        messages=1,
        computing=message.computation,
        overhead=p.o_s + p.o_r,
        gap=send - p.o_s + receive - p.o_r,
    )
    cost = _with_gap(cost, p.g)
    interval, occ = cost.time, load.occ(message.size, p.G)
    waited = load.contention(interval, occ)
    cost = replace(cost, network=waited, contention=waited, interval=interval, occ=occ)
    return _busy_receiver(cost, load, own=cost.computing + send, handler=receive)


def _asynchronous_overlapped(net: Interconnect, load: NetworkLoad, message: Message) -> StyleCost:
    """The processor's o_sl + o_rl, or the DMA engines' time where that is longer.

    An engine needs max(B G, B G_m) + C_n per message, while the processor computes.
    Moritz & Frank 2001, sec. 2.2: non-blocking DMA; C_n as Eq. (7) of the engine's interval.
    """
    p = net.long
    cost = StyleCost(
        Style(ASYNCHRONOUS, NON_BLOCKING),
        messages=1,
        computing=message.computation,
        overhead=p.o_s + p.o_r,
        occ=load.occ(message.size, p.G),
    )
    cost = _busy_receiver(cost, load, own=cost.computing + p.o_s, handler=p.o_r)
    return _overlapped(cost, load, engine_time(p, message.size))


def engine_time(p: LogGP, size: float) -> float:
    """What a DMA engine needs for a message, without contention; not less than the gap."""
    return max(p.g, size * p.G, size * p.G_m)


def _behind_first_byte(p: LogGP, size: float) -> float:
    return (size - 1.0) * p.G


def _blocking_receive(p: LogGP, size: float) -> float:
    """O_r: from the interrupt, a G after the first byte, until all is in memory. Eq. (2)."""
    return max(p.o_r + size * p.G_m, (size - 1.0 - p.a) * p.G)


def _with_gap(cost: StyleCost, least: float) -> StyleCost:
    """At least the gap g between messages of one processor."""
    return replace(cost, gap=cost.gap + max(0.0, least - cost.time))


def _overlapped(cost: StyleCost, load: NetworkLoad, engine: float) -> StyleCost:
    """What the program waits for because the network takes longer than its processor."""
    waited = load.contention(engine, cost.occ)
    busy, alone = cost.time, max(cost.time, engine)
    interval = max(alone, engine + waited)
    if interval > engine + waited:  # the processor is the slower one: a longer interval, less C_n
        waited = load.contention_at(interval, cost.occ)
    return replace(
        cost,
        gap=cost.gap + alone - busy,
        network=interval - alone,
        contention=waited,
        interval=alone,
    )


def _busy_receiver(cost: StyleCost, load: NetworkLoad, own: float, handler: float) -> StyleCost:
    """The busiest receiver's processor has to keep up, where the reading knows of it."""
    least = own + load.handled * handler
    return replace(
        cost,
        processor=cost.processor + max(0.0, least - cost.time),
        receiver=own + load.receiver * handler,
    )


ROUTE_AWARE_ERROR = 0.06
"""Of uniform traffic and hotspots, against simulation (`advisor.models.wormhole`)."""

FIXED_PATTERN_ERROR = 0.10
"""Of shifts and permutations at random intervals, there too; at regular ones up to 37 %."""

PUBLISHED_ERROR = 0.12
"""Against measurements: "within 12 percent" (Moritz & Frank 2001, sec. 1)."""

MEASURED_ERROR = 0.03
"""With C_n as measured: 499 cycles for 486 (Moritz & Frank 2001, Table 4 and sec. 5.1.1)."""


def model_error(load: NetworkLoad, fixed: bool) -> float:
    """Relative error of a time with contention.

    `load`: whose reading it is. `fixed`: every process has one partner only.
    """
    if load.given is not None:
        return MEASURED_ERROR
    if load.reading == PUBLISHED:
        return PUBLISHED_ERROR
    return FIXED_PATTERN_ERROR if fixed else ROUTE_AWARE_ERROR


def error_source(load: NetworkLoad) -> str:
    """Who found that error."""
    published = load.given is not None or load.reading == PUBLISHED
    return "Moritz & Frank 2001" if published else "Placewise's own simulation of messages"


def alike(one: StyleCost, other: StyleCost, error: float) -> bool:
    """Whether two times differ by no more than the model's error in the more doubtful one."""
    doubt = max(min(error * cost.time, cost.network + cost.processor) for cost in (one, other))
    least = max(doubt, ALIKE * max(one.time, other.time))
    return abs(one.time - other.time) <= least


@dataclass(frozen=True)
class Advice:
    """The style to use, and what it was chosen from.

    `use`: of those that are alike the one that leaves least in flight: synchronous before
        asynchronous, then short before blocking before non-blocking.
    `alike`: those that differ from the fastest by less than the model's error, the fastest first.
    """

    use: Style
    alike: tuple[Style, ...]
    against: Style  # what it is compared with: the fastest of the others

    @property
    def clear(self) -> bool:
        """Whether no other style is alike."""
        return len(self.alike) == 1


def advice(costs: Mapping[Style, StyleCost], error: float) -> Advice:
    """Which of several styles to use."""
    ranked = sorted(costs, key=lambda style: costs[style].time)
    near = tuple(style for style in ranked if alike(costs[style], costs[ranked[0]], error))
    use = min(near, key=STYLES.index)
    return Advice(use, near, next(style for style in ranked if style != use))


def differences(use: StyleCost, against: StyleCost) -> dict[str, float]:
    """What a style saves against another, by part of `StyleCost`, negative where it adds.

    They sum to the difference of the times. Parts that do not differ are left out.
    """
    saved = {part: getattr(against, part) - getattr(use, part) for part in PARTS}
    least = ALIKE * max(use.time, against.time)
    return {part: value for part, value in saved.items() if abs(value) > least}
