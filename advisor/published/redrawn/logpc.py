"""Figures of Moritz & Frank (LoGPC, 2001), redrawn by `advisor.models.logpc`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor.models.logpc import asynchronous_cost as asynchronous
from advisor.models.logpc import (
    channel_occupancy,
    contention_closed,
    contention_open,
    diamond_steps,
    long_message_time,
    pipelined_message_time,
    synchronous_cost,
)
from advisor.published import logpc_figures as numbers
from advisor.published.diamond_figures import diamond_slowdown
from advisor.published.redrawn.redrawn import Mark, NotRedrawn, Numbers, Redrawn, lines, spread
from machines.catalogue import interconnect

_redrawn = partial(Redrawn, model=numbers.MODEL)
_OCCUPANCIES = {"B": "bytes", "B·G": "physical"}
_LONG_BYTES = 2000.0  # of the message whose bytes queue
_CROSSOVER = 1000.0  # as printed
_NEGLIGIBLE = 3.14  # %, within which the paper sees no contention

NOT_REDRAWN = tuple(
    NotRedrawn(numbers.MODEL, where, reason)
    for where, reason in (
        ("Fig. 1", "a drawing of layers of models, without numbers"),
        ("Fig. 2", "a drawing of the network interface, without numbers"),
        ("Fig. 7", "a drawing of the Diamond DAG, without numbers"),
        ("Fig. 8", "a drawing of its schedule, without numbers"),
        ("Fig. 10", "a drawing of a phase of EM3D, without numbers"),
        ("Fig. 11", "measured and predicted runtimes of EM3D; the time that it computes is not "
         "printed, and the model gives that of its messages alone"),
    )
)  # fmt: skip


def redrawn() -> Iterator[Redrawn]:
    """What of the paper's figures and tables its model can draw."""
    printed = Numbers(numbers.figures())
    yield _input_queue(printed)
    yield _delivery(printed)
    yield _bandwidth(printed)
    yield _all_to_all(printed)
    yield _round_trips(printed)
    yield _short_contention(printed)
    yield _diamond(printed)


def _input_queue(printed: Numbers) -> Redrawn:
    p, size = interconnect("alewife").long, _LONG_BYTES
    begins, rate = p.a * p.G + p.o_r, 1.0 / p.G
    empty = begins + begins * rate / (1.0 / p.G_m - rate)
    name = f"queue of a message of {size:,.0f} bytes"
    return _redrawn(
        name="moritz-frank-fig-3",
        where="Fig. 3",
        title="bytes in the input queue of a long message",
        equation="bytes come each G; from a G + o_r on the memory takes one each G_m, until the "
        "queue is empty (sec. 2.2)",
        curves=lines(("time since the first byte", "cycles", "queue", "bytes"),
                     (0.0, begins, empty, size * p.G),
                     {name: (0.0, begins * rate, 0.0, 0.0)}),
        marks=(Mark(printed.one("bytes in the input queue"), begins, name),),
    )  # fmt: skip


def _delivery(printed: Numbers) -> Redrawn:
    p = interconnect("alewife").long
    sizes = np.arange(16.0, 3001.0, 8.0)
    both = "end to end"
    curves = {
        both: [pipelined_message_time(p, size) for size in sizes],
        "sender alone": [long_message_time(p, size) - p.L for size in sizes],
    }
    return _redrawn(
        name="moritz-frank-fig-4",
        where="Fig. 4",
        title="time of a long message",
        equation="o_sl + L + max(o_rl + a G + B G_m, (B − 1) G) (Eq. 2); the sender: "
        "o_sl + (B − 1) G",
        curves=lines(("message size B", "bytes", "time", "cycles"), sizes, curves),
        marks=(
            Mark(
                printed.one("size from which the network rules"),
                pipelined_message_time(p, _CROSSOVER),
                both,
                along=True,
            ),
        ),
    )


def _bandwidth(printed: Numbers) -> Redrawn:
    p = interconnect("alewife").long
    sizes, name = spread(10, 100_000, 10_000), "B G over the time of the message"
    return _redrawn(
        name="moritz-frank-fig-5",
        where="Fig. 5",
        title="share of the full bandwidth by message size",
        equation="B G/(o_sl + L + (B − 1) G) (Eq. 1)",
        curves=lines(("message size B", "bytes", "share of the full bandwidth", ""), sizes,
                     {name: [size * p.G / long_message_time(p, size) for size in sizes]}),
        marks=(Mark(printed.one("share of the full bandwidth at 10 KB"), 10_000.0, name),),
        others=printed.all("bandwidth,"),
        logarithmic=(True, False),
        note="The figure's axis is in MB/s; the clock that would give them is not printed.",
    )  # fmt: skip


def _all_to_all(printed: Numbers) -> Redrawn:
    p = interconnect("alewife").long
    sizes = spread(1000, 64_000, 10_000)
    alone = [diamond_steps(1024, 32, 64, 100.0, p, size) for size in sizes]

    def contended(size: float, occupancy: str) -> float:
        T, occ = 2.0 * p.G * size, channel_occupancy(size, p.G, occupancy)
        return (T + contention_closed(T, occ, 2.0, 2)) / size

    curves = {
        "without contention": [
            (one.sending + one.receiving) / size for one, size in zip(alone, sizes, strict=True)
        ]
    }
    curves |= {
        f"with contention, occupancy {name}": [contended(size, kind) for size in sizes]
        for name, kind in _OCCUPANCIES.items()
    }
    bound = "with contention, occupancy B"
    return _redrawn(
        name="moritz-frank-fig-6",
        where="Fig. 6, sec. 5.1.3",
        title="interval between long messages of an all-to-all exchange, over their size",
        equation="o_s + (B − 1) G + (B − 1 − a) G; with contention T + C_n, T = 2 G B, of Eq. (13)",
        curves=lines(("message size B", "bytes", "interval over B", "cycles/byte"), sizes, curves),
        marks=(
            Mark(printed.one("cycles a message of all-to-all"), 1000.0, "without contention"),
            Mark(printed.one("upper bound on contention", "sec. 5.1.3"), 10_000.0, bound),
            Mark(printed.one("measured cycles a message"), 10_000.0, bound),
        ),
        others=(
            *printed.all("upper bound on contention", "sec. 3.4"),
            *printed.all("contention in long all-to-all"),
            *printed.all("impact of locality"),
        ),
        logarithmic=(True, False),
        note="2.22 and the measured 2.03 hold for all sizes; they stand at 10,000 bytes.",
    )  # fmt: skip


def _round_trips(printed: Numbers) -> Redrawn:
    p = interconnect("alewife").short
    waits = [float(one) for one in range(51)]
    alone, contended, sent = "synchronous, C_r 0", "synchronous, C_r 137", "asynchronous"
    curves = {
        alone: [synchronous_cost(p, one, C_r=0.0) for one in waits],
        contended: [synchronous_cost(p, one) for one in waits],
        sent: [asynchronous(p)] * len(waits),
    }
    return _redrawn(
        name="moritz-frank-table-4",
        where="Table 4",
        title="cost of one short message of an all-to-all exchange",
        equation="2 (o_s + L + C_n + o_r) + C_r (sec. 5.1.1); o_s + o_r (sec. 5.1.2)",
        curves=lines(("network contention C_n", "cycles", "cost", "cycles"), waits, curves),
        marks=(
            Mark(printed.one("LogP round trip"), 0.0, alone),
            Mark(printed.one("LoPC round trip"), 0.0, contended),
            Mark(printed.one("LoGPC round trip"), 23.0, contended),
            Mark(printed.one("asynchronous message"), 0.0, sent),
        ),
        others=tuple(printed.one(name) for name in (
            "processor contention C_r", "share of processor contention", "overestimate of",
            "underestimate of", "largest error",
        )),
        note="The measured 486 and 151 cycles are in the three percentages.",
    )  # fmt: skip


def _short_contention(printed: Numbers) -> Redrawn:
    p = interconnect("alewife").short
    size, G = numbers.SHORT_BYTES, interconnect("alewife").long.G
    marked = {"asynchronous": asynchronous(p), "synchronous": synchronous_cost(p, C_r=0.0) / 2}
    intervals = spread(50, 1000, *marked.values())
    bytes_long = f"occupancy B, {size:g}"
    held = {
        bytes_long: size,
        f"occupancy B·G, {size * G:g}": channel_occupancy(size, G),
        f"occupancy {numbers.FITTED:g}, fitted": numbers.FITTED,
    }
    curves = {
        name: [contention_open(1.0 / one, occ, 2.0, 2) for one in intervals]
        for name, occ in held.items()
    }
    return _redrawn(
        name="moritz-frank-table-4-contention",
        where="Table 4",
        title="network contention of short messages by the interval between them",
        equation="C_n = n k_d w_b at the rate m of 1 over the interval, k_d 2, n 2 (Eq. 3–6)",
        curves=lines(("interval between messages", "cycles", "contention C_n", "cycles"),
                     intervals, curves),
        marks=tuple(Mark(printed.one(f"contention C_n of {style} messages"), interval, bytes_long)
                    for style, interval in marked.items()),
        logarithmic=(True, True),
        note="No occupancy that the paper states gives the printed values.",
    )  # fmt: skip


def _diamond(printed: Numbers) -> Redrawn:
    sizes = spread(1000, 400_000, 14_000, 16_000, 32_000, 320_000)
    curves = {
        f"random mapping, occupancy {name}": [
            100.0 * diamond_slowdown(size, kind) for size in sizes
        ]
        for name, kind in _OCCUPANCIES.items()
    }
    physical = "random mapping, occupancy B·G"
    marks = (
        Mark(
            printed.one("makespan over that without contention"),
            16_000.0,
            physical,
            scale=100.0,
            zero=-100.0,
        ),
        Mark(printed.one("size at which contention begins"), _NEGLIGIBLE, physical, along=True),
        *(Mark(one, 320_000.0, physical) for one in printed.all("slowdown of the random mapping")),
    )
    return _redrawn(
        name="moritz-frank-fig-9",
        where="Fig. 9",
        title="slowdown of the Diamond DAG by contention",
        equation="makespan of Eq. (15) with (P − 1) C_n + 2 (b − 1) C_n over that without, "
        "m_c = 1/(v + 2 C_n); n 1024, P 32, b 64, 100 cycles a task",
        curves=lines(("message size", "bytes", "slowdown", "%"), sizes, curves),
        marks=marks,
        others=(
            *printed.all("communication over computation"),
            *printed.all("slowdown of the default mapping"),
            *printed.all("contention in the Diamond DAG"),
            *printed.all("error of the model without contention"),
        ),
        logarithmic=(True, False),
        note="The makespans of the figure are measured and not printed; the text prints their "
        "ratios. No contention observed stands at 0 %.",
    )  # fmt: skip
