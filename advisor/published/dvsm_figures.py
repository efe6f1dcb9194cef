"""The published figures of Parsons, Brorsson & Sevcik (1997) against `advisor.models.dvsm`.

Every cell of Tables 3 to 6 that the model computes, from the measured cells beside it, and the
speedups of Table 1. The paper adds rounded cells, so a total may be some µs off; a cell that does
not add up has its reason in the note. Fig. 5 to 8 are in `advisor.published.dvsm_trends`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from advisor.models.dvsm import (
    FAST_ETHERNET,
    OC3_ATM,
    empty_miss_time,
    fault_time,
    hardware_latency,
    lock_time,
    software_time,
    system_speed,
    wire_time,
)
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm_operations import (
    LOCK_GRANT,
    LOCK_REQUEST,
    PAGE,
    PAGE_REQUEST,
    software_pairs,
)
from advisor.published import dvsm_trends
from advisor.published.dvsm_cells import (
    ATM_DELAY,
    FAULTS,
    LOCKS,
    PAGES,
    RUNS,
    FaultColumn,
    LockColumn,
    PageColumn,
)
from advisor.published.dvsm_trends import fault_inputs
from advisor.published.figure import Figure, compared, withheld

MODEL = dvsm_trends.MODEL
_compared = partial(compared, MODEL)

# totals add up to nine rounded cells
_ROUNDED_CELLS = 3.05
_NOT_ADDED = "printed totals add rounded cells"
_OFF = {FAST_ETHERNET: "computed without overhead bytes; with the 46 of Tables 3 to 5 it is more"}


def figures() -> tuple[Figure, ...]:
    """Every figure that the paper prints and its model could give."""
    return (
        *_messages(),
        *(figure for run in RUNS for figure in _speedups(*run)),
        *(figure for column in PAGES for figure in _page(column)),
        *(figure for column in FAULTS for figure in _fault(column)),
        *(figure for column in LOCKS for figure in _lock(column)),
        *_measurements(),
        *dvsm_trends.figures(),
    )


def _messages() -> Iterator[Figure]:
    for net, rows in ((FAST_ETHERNET, (104, 105, 262)), (OC3_ATM, (150, 151, 270))):
        for size, printed in zip((12, 20, 4120), rows, strict=True):
            yield _compared(
                f"software of one side of {size} bytes, {net.name}, µs",
                "Tables 4 and 5",
                "Table 2",
                printed,
                software_time(net, size),
                within=0.5,
                note="46 bytes of overhead; 58 would give 104.71, 105.01 and 261.92"
                if net is FAST_ETHERNET
                else "no overhead; 40 bytes would give 152, 152 and 271",
            )
        yield _compared(
            f"latency of two messages, {net.name}, µs",
            "Tables 3 to 5",
            "Table 2",
            100 if net is FAST_ETHERNET else 220,
            2.0 * hardware_latency(net),
        )
    yield _compared(
        "wire time of a 4 KB reply, Fast Ethernet, µs",
        "section on fault time",
        "Table 2, 4096 bytes and 58 of overhead",
        330,
        wire_time(FAST_ETHERNET, PAGE),
        within=5.0,
        note="printed as “about”",
    )
    yield _compared(
        "time per byte on ATM, µs",
        "Table 2",
        "8 bits at 135 Mbit/s",
        0.05926,
        8.0 / 135.0,
        within=5e-6,
        note="printed “0.05926 + sz”: the sign is a multiplication dot",
    )
    yield _compared(
        "speed of system software for a doubled processor at 50 %",
        "section on faster processors",
        "(1 + 0.5)^(log2 2)",
        1.5,
        system_speed(2.0, 0.5),
        note="“a factor of x every time the speed doubles” with x 50 % is read as 1.5, not 0.5",
    )


def _speedups(
    name: str, alone: float, ethernet: tuple[float, float], atm: tuple[float, float]
) -> Iterator[Figure]:
    for net, (time, printed) in ((FAST_ETHERNET, ethernet), (OC3_ATM, atm)):
        yield _compared(
            f"speedup of {name}, {net.name}",
            "Table 1",
            f"{alone:g} s over {time:g} s",
            printed,
            alone / time,
            within=0.05,
        )


def _page(column: PageColumn) -> Iterator[Figure]:
    net, where = column.net, f"Table 3, {column.net.name}"
    inputs = f"extra {column.extra:g}, handler {column.compute:g}, delay {column.delay:g}"
    software = software_pairs(net, PAGE_REQUEST, PAGE)
    total = empty_miss_time(net, column.extra, column.compute, column.delay)
    yield _compared(
        "software of an empty miss, µs",
        where,
        "2 S(12) + 2 S(4096)",
        column.software,
        software,
        within=1.0,
        note=column.note if net is FAST_ETHERNET else "",
    )
    yield _wire(where, column.wire, wire_time(net, PAGE_REQUEST) + wire_time(net, PAGE))
    yield _latency(where, column.latency, 2.0 * hardware_latency(net))
    yield _compared(
        "empty miss, µs", where, inputs, column.total, total, within=_ROUNDED_CELLS,
        note=column.note,
    )  # fmt: skip
    if net is OC3_ATM:
        read = empty_miss_time(net, column.extra, column.compute, ATM_DELAY)
        yield _compared(
            f"empty miss with a delay of {ATM_DELAY:g}, µs",
            where,
            inputs.replace("delay 17", "delay 77"),
            column.total,
            read,
            within=_ROUNDED_CELLS,
            note=_NOT_ADDED,
        )
    share = 100.0 * (column.software + column.extra) / column.total
    yield _compared(
        f"software's share of an empty miss, {net.name}, %",
        "section on empty time",
        "(software + extra)/total, as printed in Table 3",
        column.share,
        share,
        within=0.5,
        note=f"the printed cells make {share:.1f} %, which is not rounded to {column.share:g}",
    )


def _fault(column: FaultColumn) -> Iterator[Figure]:
    net, parts = column.net, column.parts
    where = f"Table {column.table}, {net.name}, phase {column.phase}"
    send, receive = software_time(net, 12), software_time(net, column.reply)
    times = (parts, 1) if column.limit == "send" else (1, parts)
    one, other = column.software
    yield _compared(
        "software at the source, µs",
        where,
        f"{times[0]} S(12) + {times[1]} S({column.reply:g})",
        times[0] * one + times[1] * other,
        times[0] * send + times[1] * receive,
        within=0.5 * (parts + 1),
        note=f"printed as {one:g} · {times[0]} + {other:g} · {times[1]}",
    )
    yield _wire(where, column.wire, wire_time(net, 12) + wire_time(net, column.reply))
    yield _latency(where, column.latency, 2.0 * hardware_latency(net))
    yield _compared(
        "software at the destination, µs",
        where,
        f"S(12) + S({column.reply:g})",
        column.remote_software,
        send + receive,
        within=1.0,
        note="adds two rounded cells",
    )
    inputs = (
        f"{parts} parts, {column.limit} limits; extra {column.extra[0]:g} and {column.extra[1]:g}, "
        f"handlers {column.fault_compute:g} and {column.remote_compute:g}, extra at the "
        f"destination {column.remote_extra:g}, delay {column.delay:g}"
    )
    percents = (f"printed as {percent:g} % of the measured time" for percent in column.percents)
    notes = [f"{note or _NOT_ADDED}; {percent}"
             for note, percent in zip(column.notes, percents, strict=True)]  # fmt: skip
    names = "fault of several parts, µs", "fault with the maximum at the destinations, µs"
    values = fault_total(column), with_maximum(column)
    for name, printed, value, note in zip(names, column.totals, values, notes, strict=True):
        more = f", maximum {column.most:g}" if name == names[1] else ""
        yield _compared(
            name, where, inputs + more, printed, value, within=_ROUNDED_CELLS, note=note
        )


def fault_total(column: FaultColumn, parts: int | None = None) -> float:
    """The model's time of a column's fault, µs; or of one of so many parts instead of its own."""
    inputs: dict[str, Any] = fault_inputs(column) | ({} if parts is None else {"parts": parts})
    return fault_time(column.net, **inputs)


def with_maximum(column: FaultColumn) -> float:
    """The same with the measured maximum at the destinations in place of the last rows.

    a + b + w + 2 LAT + fault_compute + signal + max: the maximum contains the wait for the other
    parts' requests, so it replaces their stages, too.
    """
    net = column.net
    stages = software_pairs(net, 12, column.reply) / 2.0 + sum(column.extra)
    wire = wire_time(net, 12) + wire_time(net, column.reply)
    fixed = 2.0 * hardware_latency(net) + column.fault_compute + net.signal
    return stages + wire + fixed + column.most


def _lock(column: LockColumn) -> Iterator[Figure]:
    net, hops = column.net, column.parties
    where = f"Table 6, {net.name}, {hops} processors"
    asked, off = hops - 1, _OFF.get(net, "")
    yield _compared(
        "software of a lock, µs",
        where,
        f"{2 * asked} S(24) + 2 S(4)",
        column.software,
        software_pairs(net, LOCK_REQUEST, LOCK_GRANT, asked),
        within=1.0,
        note=off,
    )
    wire = asked * wire_time(net, LOCK_REQUEST) + wire_time(net, LOCK_GRANT)
    yield _wire(where, column.wire, wire)
    yield _latency(where, column.latency, hops * hardware_latency(net))
    note = f"{off or _NOT_ADDED}; printed as {column.percent:g} % of the measured time"
    yield _compared(
        "lock, µs",
        where,
        f"extra {column.extra:g}, handlers {column.compute:g} and {column.remote_compute:g}, "
        f"delay {column.delay:g}",
        column.total,
        lock_time(net, hops, column.extra, column.compute, column.remote_compute, column.delay),
        within=_ROUNDED_CELLS,
        note=note,
    )


def _wire(where: str, printed: float, obtained: float) -> Figure:
    return _compared("wire time, µs", where, "Table 2", printed, obtained, within=0.6,
                     note="two rounded times added")  # fmt: skip


def _latency(where: str, printed: float, obtained: float) -> Figure:
    return _compared("hardware latency, µs", where, "Table 2", printed, obtained)


def _measurements() -> Iterator[Figure]:
    """Measured, and not what the line fitted to the measurements gives."""
    for size, printed in ((1024, 142.5), (1025, 110.5)):
        fit = _fitted(FAST_ETHERNET, size)
        yield withheld(
            MODEL,
            f"software of {size} bytes, Fast Ethernet, µs",
            "Table 2",
            printed,
            f"a measurement; the line fitted through all sizes gives {fit:.1f}",
        )
    for case, printed in (("flushed", 527), ("warm", 91)):
        yield withheld(
            MODEL,
            f"send() of 1 KB with a {case} cache, µs",
            "section on networking overheads",
            printed,
            f"a measurement; the line of the system call gives {71 + 0.03138 * 1024:.1f}",
        )


def _fitted(net: DvsmNetwork, size: float) -> float:
    """Software by the line at `size` itself, which the paper does not add overhead to here."""
    base, per_byte = net.software_small if size <= net.knee else net.software_large
    return base + per_byte * size
