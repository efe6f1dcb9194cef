"""What Parsons, Brorsson & Sevcik (1997) say of whole applications and of future technology.

The paper prints curves and bars but no counts, so these are not reproducible; beside each stands
what the reconstructions in `resources/applications` give, as a check that they behave like it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from advisor.models.dvsm import (
    FAST_ETHERNET,
    FUTURE,
    TODAY,
    Operation,
    Technology,
    application_time,
)
from advisor.models.dvsm import Network as DvsmNetwork
from advisor.models.dvsm_application import ApplicationTime
from advisor.published.dvsm_cells import FAULTS, LOCKS, PAGES, RUNS, FaultColumn
from advisor.published.figure import Figure, at_most, compared, withheld
from advisor.shared_memory.application_file import application_names, shipped_application

MODEL = "Parsons, Brorsson & Sevcik 1997"
_NETWORK = "fast-ethernet"
_withheld = partial(withheld, MODEL)


def figures() -> tuple[Figure, ...]:
    """What the text says in numbers of whole applications."""
    return (*_overheads(), *_reductions(), *_future())


def _overheads() -> Iterator[Figure]:
    (alone, time) = next((alone, fast[0]) for name, alone, fast, _ in RUNS if name == "Water")
    yield compared(
        MODEL,
        "overhead of Water, % of its time",
        "section on execution time overhead",
        f"1 − {alone:g}/(8 · {time:g}), Table 1",
        60,
        100.0 * (1.0 - alone / 8.0 / time),
        within=5.0,
        note="printed as “up to 60 percent”",
    )


def _reductions() -> Iterator[Figure]:
    fault, lock = Technology(fault=0.5), Technology(lock=0.5)
    fast = Technology(processor=8.0)
    locking = ("is", "sphere", "water", "raytrace")
    cases = (
        ("overhead saved by half the faults, SOR, %", "Fig. 5", 13, TODAY, fault, ("sor",)),
        ("overhead saved by half the lock time, least, %", "Fig. 5", 8, TODAY, lock, locking),
        ("overhead saved by half the lock time, most, %", "Fig. 5", 20, TODAY, lock, locking),
        (
            "overhead saved by half the protocol's time, %",
            "section on protocols",
            15,
            TODAY,
            Technology(protocol=0.5),
            ("barnes", "water"),
        ),
        (
            "overhead saved by half the faults at 8 times the speed, least, %",
            "Fig. 7",
            15,
            fast,
            replace(fast, fault=0.5),
            ("sor", "is", "barnes", "water"),
        ),
        (
            "overhead saved by half the faults at 8 times the speed, most, %",
            "Fig. 7",
            56,
            fast,
            replace(fast, fault=0.5),
            ("sor", "is", "barnes", "water"),
        ),
    )
    for name, where, printed, base, better, applications in cases:
        saved = {key: saving(key, base, better) for key in applications}
        limit = (
            "; half of the faults of a processor that does nothing else would be 50"
            if printed == 56
            else ""
        )
        yield _withheld(name, where, printed, _beside(saved) + limit)


def _future() -> Iterator[Figure]:
    """Fig. 8: no counts are needed where every operation gains more than the processor."""
    dearest = max(relative_cost(operation, FUTURE) for operation in published_operations())
    yield at_most(
        MODEL,
        "dearest operation of the system of Table 7 over today's, at most",
        "Fig. 8A",
        "all operations of Tables 3 to 6, full benefit of system software",
        1.0 / FUTURE.processor,
        dearest,
        "the processor is 8 times as fast and no operation gains less: each application is more "
        "efficient whatever its counts: “improve in all cases”",
    )
    partly = replace(FUTURE, system_benefit=0.5)
    gained = {}
    for key in application_names():
        before, after = (run(key, technology).efficiency for technology in (TODAY, partly))
        gained[key] = 100.0 * (after / before - 1.0)
    yield _withheld(
        "applications of eight that keep today's efficiency with half the benefit, fewer than",
        "Fig. 8B",
        4,
        "gain of efficiency in %; " + _beside(gained),
    )


def published_operations() -> tuple[tuple[DvsmNetwork, Operation], ...]:
    """The 18 operations of Tables 3 to 6 with the network that they were measured on."""
    pages = ((one.net, "empty_miss", {"extra": one.extra, "compute": one.compute,
                                      "delay": one.delay}) for one in PAGES)  # fmt: skip
    locks = ((one.net, "lock", {"parties": one.parties, "extra": one.extra,
                                "compute": one.compute, "remote_compute": one.remote_compute,
                                "delay": one.delay}) for one in LOCKS)  # fmt: skip
    faults = ((one.net, "collection", fault_inputs(one)) for one in FAULTS)
    return tuple(
        (net, Operation(kind, tuple(inputs.items())))
        for net, kind, inputs in (*pages, *faults, *locks)
    )


def fault_inputs(column: FaultColumn) -> dict[str, float]:
    """The arguments of `fault_time` that a column of Table 4 or 5 prints."""
    send, receive = column.extra
    return {
        "parts": column.parts,
        "request": 12.0,
        "reply": column.reply,
        "send_extra": send,
        "receive_extra": receive,
        "fault_compute": column.fault_compute,
        "remote_compute": column.remote_compute,
        "remote_extra": column.remote_extra,
        "delay": column.delay,
    }


def relative_cost(operation: tuple[DvsmNetwork, Operation], technology: Technology) -> float:
    """Time of an operation under a technology over today's; never prefetched, no lock factor."""
    net, performed = operation
    plain = replace(technology, fault=1.0, lock=1.0)
    return performed.time(net, 1, plain) / performed.time(net, 1)


def saving(application: str, base: Technology, better: Technology) -> float:
    """Percent of the overhead under `base` that `better` saves, on Fast Ethernet."""
    before, after = run(application, base).overhead, run(application, better).overhead
    return 100.0 * (1.0 - after / before)


@cache
def run(application: str, technology: Technology) -> ApplicationTime:
    """A reconstruction's time on Fast Ethernet."""
    counted = shipped_application(application).counted(_NETWORK)
    return application_time(FAST_ETHERNET, counted, technology)


def _beside(values: dict[str, float]) -> str:
    listed = ", ".join(f"{name} {value:.1f}" for name, value in values.items())
    return f"the paper prints no counts; the reconstructions give {listed}"
