"""Figures of Parsons, Brorsson & Sevcik (1997), redrawn by `advisor.models.dvsm`.

The tables are of single operations, whose inputs are printed. The figures are of whole
applications, whose counts are not: the reconstructions in `resources/applications` draw them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from advisor.models.dvsm import (
    FAST_ETHERNET,
    FUTURE,
    OC3_ATM,
    TODAY,
    Network,
    Technology,
    empty_miss_time,
    lock_time,
    software_time,
    wire_time,
)
from advisor.published import dvsm_figures as numbers
from advisor.published.dvsm_cells import ATM_DELAY, FAULTS, LOCKS, PAGES
from advisor.published.dvsm_trends import (
    published_operations,
    relative_cost,
    run,
    saving,
)
from advisor.published.redrawn.redrawn import (
    Axes,
    Mark,
    NotRedrawn,
    Numbers,
    Redrawn,
    lines,
    spread,
)
from advisor.shared_memory.application_file import application_names

_redrawn = partial(Redrawn, model=numbers.MODEL)
_NETWORKS = {"fast-ethernet": FAST_ETHERNET, "atm": OC3_ATM}
_RECONSTRUCTED = (
    "The paper prints no counts of operations: the curves are those of the reconstructions that "
    "ship, on Fast Ethernet, fitted to Table 1."
)
_SHARES = tuple(range(0, 101, 5))  # per cent
_BENEFITS = range(10, 101)  # the model has none of 0
_LOCKING = ("is", "sphere", "water", "raytrace")
_FAULTING = ("sor", "is", "barnes", "water")
_KEYS = {  # of Table 1's names
    "SOR": "sor", "IS": "is", "Barnes (1)": "barnes", "Barnes (2)": "barnes-large",
    "Sphere (1)": "sphere", "Sphere (2)": "sphere-large", "Water": "water",
    "Raytrace": "raytrace",
}  # fmt: skip

NOT_REDRAWN = tuple(
    NotRedrawn(numbers.MODEL, where, reason)
    for where, reason in (
        ("Fig. 1", "measured shares of the execution time, bars without numbers"),
        ("Fig. 2", "a drawing of phases between barriers, without numbers"),
        ("Fig. 3", "a drawing of one fault of two parts in units of about 100 µs"),
        ("Fig. 4", "measured and predicted shares of the execution time, bars without numbers"),
        ("Fig. 9", "a drawing of the protocol, without numbers"),
    )
)


def redrawn() -> Iterator[Redrawn]:
    """What of the paper's tables and figures its model can draw."""
    printed = Numbers(numbers.figures())
    yield _software(printed)
    yield _wire(printed)
    yield _empty_miss(printed)
    for name, net in _NETWORKS.items():
        yield _faults(printed, name, net)
    yield _locks(printed)
    yield from _today(printed)
    yield from _efficiency(printed)
    yield _fast_processors(printed)
    yield from _future(printed)


def _software(printed: Numbers) -> Redrawn:
    sizes = spread(1, 8192, 12, 20, 978, 979, 4120)
    return _redrawn(
        name="parsons-table-2-software",
        where="Tables 2, 4 and 5",
        title="software of one side of a message",
        equation="base + per byte · size, 46 bytes of overhead on Fast Ethernet (Table 2)",
        curves=lines(("message size", "bytes", "software time", "µs"), sizes, {
            net.name: [software_time(net, size) for size in sizes] for net in _NETWORKS.values()
        }),
        marks=tuple(
            Mark(printed.one(f"software of one side of {size} bytes, {net.name}"), size, net.name)
            for net in _NETWORKS.values()
            for size in (12, 20, 4120)
        ),
        others=(*printed.all("software of 102", "Table 2"), *printed.all("send() of 1 KB")),
        logarithmic=(True, False),
    )  # fmt: skip


def _wire(printed: Numbers) -> Redrawn:
    sizes = [float(size) for size in range(0, 8193, 256)]
    return _redrawn(
        name="parsons-table-2-wire",
        where="Table 2, section on fault time",
        title="time of a message on the wire",
        equation="per byte · (size + overhead), 58 and 40 bytes of overhead (Table 2)",
        curves=lines(("message size", "bytes", "wire time", "µs"), sizes, {
            net.name: [wire_time(net, size) for size in sizes] for net in _NETWORKS.values()
        }),
        marks=(Mark(printed.one("wire time of a 4 KB reply"), 4096.0, FAST_ETHERNET.name),),
        others=printed.all("time per byte on ATM"),
    )  # fmt: skip


def _empty_miss(printed: Numbers) -> Redrawn:
    delays = [float(delay) for delay in range(0, 121)]
    curves = {
        one.net.name: [empty_miss_time(one.net, one.extra, one.compute, delay) for delay in delays]
        for one in PAGES
    }
    marks = [
        Mark(printed.one("empty miss, µs", f"Table 3, {one.net.name}"), one.delay, one.net.name)
        for one in PAGES
    ]
    marks.append(Mark(printed.one("empty miss with a delay of"), ATM_DELAY, OC3_ATM.name))
    return _redrawn(
        name="parsons-table-3",
        where="Table 3",
        title="an empty miss by the delay of the remote handler",
        equation="2 S(12) + 2 S(4096) + extra + W of both + 2 LAT + signal + handlers + delay",
        curves=lines(("delay of the remote handler", "µs", "empty miss", "µs"), delays, curves),
        marks=tuple(marks),
        others=(*printed.all("software of an empty miss"), *printed.all("software's share")),
    )  # fmt: skip


def _faults(printed: Numbers, key: str, net: Network) -> Redrawn:
    parts = range(1, 9)
    columns = {f"Table {one.table}, phase {one.phase}": one for one in FAULTS if one.net is net}
    curves = {
        name: [numbers.fault_total(one, count) for count in parts] for name, one in columns.items()
    }
    places = [
        (name, f"Table {one.table}, {net.name}, phase {one.phase}", one.parts)
        for name, one in columns.items()
    ]
    return _redrawn(
        name=f"parsons-tables-4-5-{key}",
        where="Tables 4 and 5",
        title=f"a fault by its parts, {net.name}",
        equation="a + b + w + (parts − 1) max(a, b, w) + 2 LAT + handlers + signal + S(12) + "
        "S(reply) + remote extra + delay, with the measured inputs of each column",
        curves=lines(("parts of the fault", "", "fault", "µs"), parts, curves),
        marks=tuple(Mark(printed.one("fault of several parts", where), at, name)
                    for name, where, at in places),
        others=tuple(printed.one("fault with the maximum", where) for _, where, _ in places),
    )  # fmt: skip


def _locks(printed: Numbers) -> Redrawn:
    parties = range(1, 4)
    columns = {f"{one.net.name}, as of {one.parties}": one for one in LOCKS}
    curves = {
        name: [
            lock_time(one.net, hops, one.extra, one.compute, one.remote_compute, one.delay)
            for hops in parties
        ]
        for name, one in columns.items()
    }
    where = {
        name: f"Table 6, {one.net.name}, {one.parties} processors" for name, one in columns.items()
    }
    return _redrawn(
        name="parsons-table-6",
        where="Table 6",
        title="a lock by the processors that take part",
        equation="2q S(24) + 2 S(4) + extra + q W(24) + W(4) + h LAT + q signal + handlers + "
        "delay, q = h − 1; measured inputs of 2 or of 3 processors",
        curves=lines(("processors h", "", "lock", "µs"), parties, curves),
        marks=tuple(Mark(printed.one("lock, µs", where[name]), one.parties, name)
                    for name, one in columns.items()),
        others=printed.all("software of a lock"),
    )  # fmt: skip


def _saved(
    base: Technology,
    changed: Callable[[float], Technology],
    applications: tuple[str, ...],
    share: str,
) -> tuple[dict[str, list[float]], Axes]:
    """Overhead saved by application with 0 to 100 % of something left, and the axes."""
    curves = {
        key: [saving(key, base, changed(left / 100.0)) for left in _SHARES] for key in applications
    }
    return curves, (share, "%", "overhead saved", "%")


def _today(printed: Numbers) -> Iterator[Redrawn]:
    """Fig. 5: what today's system gains."""
    half, at = _SHARES.index(50), 50.0
    curves, axes = _saved(
        TODAY, lambda left: Technology(fault=left), ("sor", "is", "barnes", "sphere"), "faults left"
    )
    yield _redrawn(
        name="parsons-fig-5-faults",
        where="Fig. 5",
        title="overhead saved by prefetching faults",
        equation="1 − overhead/today's overhead, by the share of faults that is not prefetched",
        curves=lines(axes, _SHARES, curves),
        marks=(Mark(printed.one("overhead saved by half the faults, SOR"), at, "sor"),),
        note=_RECONSTRUCTED,
    )
    curves, axes = _saved(TODAY, lambda left: Technology(lock=left), _LOCKING, "lock time left")
    least, *_, most = sorted(curves, key=lambda key: curves[key][half])
    yield _redrawn(
        name="parsons-fig-5-locks",
        where="Fig. 5",
        title="overhead saved by faster locks",
        equation="1 − overhead/today's overhead, by the factor of the time of locks",
        curves=lines(axes, _SHARES, curves),
        marks=(
            Mark(printed.one("overhead saved by half the lock time, least"), at, least),
            Mark(printed.one("overhead saved by half the lock time, most"), at, most),
        ),
        note=_RECONSTRUCTED,
    )
    curves, axes = _saved(
        TODAY, lambda left: Technology(protocol=left), ("barnes", "water"), "protocol time left"
    )
    yield _redrawn(
        name="parsons-fig-5-protocol",
        where="Fig. 5, section on protocols",
        title="overhead saved by a faster protocol",
        equation="1 − overhead/today's overhead, by the factor of the protocol's software",
        curves=lines(axes, _SHARES, curves),
        marks=(Mark(printed.one("overhead saved by half the protocol's time"), at, "barnes"),),
        note=_RECONSTRUCTED,
    )


def _fast_processors(printed: Numbers) -> Redrawn:
    half = _SHARES.index(50)
    fast = Technology(processor=8.0)
    curves, axes = _saved(fast, lambda left: replace(fast, fault=left), _FAULTING, "faults left")
    least, *_, most = sorted(curves, key=lambda key: curves[key][half])
    name = "overhead saved by half the faults at 8 times the speed"
    return _redrawn(
        name="parsons-fig-7",
        where="Fig. 7",
        title="overhead saved by prefetching faults, processors 8 times as fast",
        equation="1 − overhead/overhead with all faults, by the share that is not prefetched",
        curves=lines(axes, _SHARES, curves),
        marks=(
            Mark(printed.one(f"{name}, least"), 50.0, least),
            Mark(printed.one(f"{name}, most"), 50.0, most),
        ),
        note=_RECONSTRUCTED,
    )


def _efficiency(printed: Numbers) -> Iterator[Redrawn]:
    """Fig. 6; today's efficiency is the speedup of Table 1 over its eight processors."""
    speeds = spread(0.25, 16.0, 1.0, count=25)
    marks = [Mark(printed.one(f"speedup of {name}, {FAST_ETHERNET.name}"), 1.0, key, scale=1 / 8)
             for name, key in _KEYS.items()]  # fmt: skip
    water = Mark(printed.one("overhead of Water"), 1.0, "water", scale=-0.01, zero=1.0)
    for part, benefit, said, others in (
        ("A", 1.0, "in full", ()),
        ("B", 0.5, "by half", printed.all("speed of system software")),
    ):
        yield _redrawn(
            name=f"parsons-fig-6{part.lower()}",
            where=f"Fig. 6{part}, Table 1",
            title=f"efficiency by the processor's speed, system software gains {said}",
            equation="sequential time/(8 · time), system software (1 + benefit)^(log2 speed) as "
            "fast, wire and latency as today",
            curves=lines(
                ("processor's speed over today's", "", "efficiency", ""),
                speeds,
                {
                    key: [run(key, Technology(processor=speed, system_benefit=benefit)).efficiency
                          for speed in speeds]
                    for key in _KEYS.values()
                },
            ),
            marks=(*marks, water),
            others=others,
            logarithmic=(True, False),
            note=f"{_RECONSTRUCTED} The printed points are speedups of Table 1 over 8.",
        )  # fmt: skip


def _future(printed: Numbers) -> Iterator[Redrawn]:
    """Fig. 8: the system of Table 7."""
    axis, operations = "benefit of system software", published_operations()

    def by_benefit(value: Callable[[Technology], float]) -> list[float]:
        return [value(replace(FUTURE, system_benefit=share / 100.0)) for share in _BENEFITS]

    def kept(technology: Technology) -> float:
        return float(sum(
            run(key, technology).efficiency >= run(key, TODAY).efficiency
            for key in application_names()
        ))  # fmt: skip

    dearest, keeping = "dearest of 18 operations", "of eight reconstructions"
    yield _redrawn(
        name="parsons-fig-8a",
        where="Fig. 8A, Table 7",
        title="an operation of the future system over today's",
        equation="time with the technology of Table 7 over today's, the largest of Tables 3 to 6",
        curves=lines(
            (axis, "%", "time over today's", ""),
            _BENEFITS,
            {dearest: by_benefit(lambda one: max(relative_cost(op, one) for op in operations))},
        ),
        marks=(Mark(printed.one("dearest operation of the system of Table 7"), 100.0, dearest),),
        note="The paper says that every application gains; no counts are needed where every "
        "operation costs less than 1/8 of today's.",
    )
    yield _redrawn(
        name="parsons-fig-8b",
        where="Fig. 8B, Table 7",
        title="applications that keep today's efficiency on the future system",
        equation="efficiency with the technology of Table 7 not below today's",
        curves=lines((axis, "%", "applications", ""), _BENEFITS, {keeping: by_benefit(kept)}),
        marks=(Mark(printed.one("applications of eight that keep"), 50.0, keeping),),
        note=_RECONSTRUCTED,
    )
