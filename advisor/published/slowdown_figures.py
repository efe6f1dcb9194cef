"""The published figures of Figueira & Berman (HPDC 1996) against `advisor.models.slowdown`.

Tables 1–4 go the whole way: costs and timeline of all four allocations of the two tasks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor.allocation.costs import build_costs
from advisor.allocation.timeline import makespan, prepare, rank_order
from advisor.allocation.workload import Flow, Task, Workload
from advisor.models.slowdown import (
    delay_column,
    finish_time,
    simultaneous,
)
from advisor.published.figure import Figure, compared, withheld
from machines import Contender, Direction, Link, Machine, Platform

MODEL = "Figueira & Berman 1996"
_compared = partial(compared, MODEL)
_withheld = partial(withheld, MODEL)

_TASKS = "A 12 / 18 s, B 4 / 30 s on M1 / M2; transfer 7 s M1→M2, 8 s M2→M1"


def figures() -> tuple[Figure, ...]:
    """Every figure that the paper prints and its models could give."""
    return (
        *_allocations(),
        *_scaled_costs(),
        *_distributions(),
        *_delay_columns(),
        *_without_inputs(),
    )


def allocation_times(contenders: int, link_slowdown: float) -> dict[str, float]:
    """Makespan of A and B by allocation, "A's machine, B's machine" (Tables 1–4).

    `contenders`: CPU-bound applications on M1. `link_slowdown`: stated slowdown of the link.
    """
    way = Direction(0.0, 1.0)
    busy = tuple(Contender(f"contender {number + 1}", 1.0) for number in range(contenders))
    platform = Platform(
        "Tables 1–4",
        (Machine("M1", contenders=busy), Machine("M2")),
        (Link("M1", "M2", way, way, slowdown=link_slowdown),),
    )
    workload = Workload(
        "A then B",
        (
            Task("A", seconds=(("M1", 12.0), ("M2", 18.0))),
            Task("B", seconds=(("M1", 4.0), ("M2", 30.0))),
        ),
        (Flow("A", "B", seconds=((("M1", "M2"), 7.0), (("M2", "M1"), 8.0))),),
    )
    instance = prepare(build_costs(platform, workload))
    order = rank_order(instance)
    return {
        ", ".join(platform.machines[position].name for position in allocation): makespan(
            instance, np.array(allocation, dtype=np.int32), order
        )
        for allocation in itertools.product(range(2), repeat=2)
    }


def _allocations() -> Iterator[Figure]:
    dedicated = allocation_times(0, 1.0)
    loaded = allocation_times(2, 1.0)
    both = allocation_times(2, 3.0)
    for times, figure, where, inputs, printed in (
        (dedicated, "least time, dedicated, s", "Tables 1–2", _TASKS, 16.0),
        (loaded, "least time, M1 slowed 3×, s", "Table 3", f"{_TASKS}; M1 3×", 38.0),
        (both, "least time, M1 and link 3×, s", "Tables 3–4", f"{_TASKS}; M1, link 3×", 48.0),
    ):
        least = min(times.values())
        yield _compared(figure, where, inputs, printed, least, note=_ranking(times))
    yield _compared(
        "gain over both on M1, M1 slowed 3×, s",
        "sec. 1",
        f"{_TASKS}; M1 3×",
        10.0,
        loaded["M1, M1"] - min(loaded.values()),
        note="48 − 38",
    )


def _ranking(times: dict[str, float]) -> str:
    """The best allocations, ties named, and the times of the others."""
    least = min(times.values())
    best = [f"({name})" for name, time in times.items() if time == least]
    others = [f"({name}) {time:g}" for name, time in times.items() if time > least]
    tie = f"tie of {' and '.join(best)}, of which the paper names one" if best[1:] else best[0]
    return f"(A, B): {tie}; others: {', '.join(others)}"


def _scaled_costs() -> Iterator[Figure]:
    for figure, where, dedicated, printed in (
        ("A on M1, slowed 3×, s", "Table 3", 12.0, 36.0),
        ("B on M1, slowed 3×, s", "Table 3", 4.0, 12.0),
        ("transfer M1→M2, slowed 3×, s", "Table 4", 7.0, 21.0),
        ("transfer M2→M1, slowed 3×, s", "Table 4", 8.0, 24.0),
    ):
        yield _compared(
            figure,
            where,
            f"{dedicated:g} s, slowdown 3",
            printed,
            finish_time(dedicated, [(0.0, 3.0)]),
        )


def _distributions() -> Iterator[Figure]:
    for name, fractions, printed in (
        ("pcomm", (0.2, 0.3), (0.38, 0.06)),
        ("pcomp", (0.8, 0.7), (0.38, 0.56)),
    ):
        found = simultaneous(fractions)
        for i, value in enumerate(printed, start=1):
            yield _compared(
                f"probability {name}_{i}, two applications",
                "sec. 3.2.1",
                f"shares {fractions[0]:g} and {fractions[1]:g}",
                value,
                float(found[i]),
                note="printed as a product of the shares",
            )


def _delay_columns() -> Iterator[Figure]:
    for figure, where, words, printed, note in (
        ("best delay column j, 800 and 1200 words", "Fig. 7", 1200, 1000, "largest message"),
        ("best delay column j, 500 and 200 words", "Fig. 8", 500, 500, "largest message"),
        ("delay column j below 95 words", "footnote 2", 94, 1, "95 words: 500"),
    ):
        yield _compared(figure, where, f"{words} words", printed, delay_column(words), note=note)


def _without_inputs() -> Iterator[Figure]:
    yield _withheld(
        "message threshold, words",
        "sec. 3.2.1",
        1024,
        "no measurement is printed; on synthetic data with a jump there the search finds it",
    )
    yield _withheld(
        "matrix size up to which p = 3 slows the CM2",
        "Fig. 3",
        200,
        "the times are curves only; consistent with 4·dserial > dcomp + didle",
    )
    for figure, where, percent, communicating in (
        ("average error of transfers to the CM2, %", "Fig. 1", 11, ()),
        ("average error on the Sun/CM2, %", "sec. 3.1", 15, ()),
        ("average error of transfers to the Paragon, %", "Fig. 5", 12, (0.25, 0.76)),
        ("average error of transfers from the Paragon, %", "Fig. 6", 14, (0.25, 0.76)),
        ("typical average error of transfers, %", "sec. 3.2.1", 15, ()),
        ("largest average error of transfers, %", "sec. 3.2.1", 30, ()),
        ("error with an unsuitable delay column j, %", "sec. 3.2.2", 75, ()),
        ("average error on the Sun with j = 1000, %", "Fig. 7", 4, (0.66, 0.33)),
        ("average error on the Sun with j = 500, %", "Fig. 7", 16, (0.66, 0.33)),
        ("average error on the Sun with j = 1, %", "Fig. 7", 32, (0.66, 0.33)),
        ("average error on the Sun with j = 500, %", "Fig. 8", 5, (0.4, 0.76)),
        ("average error on the Sun with j = 1 or 1000, %", "Fig. 8", 25, (0.4, 0.76)),
        ("largest average error on the Sun, %", "sec. 3.2.2", 33, ()),
        ("average error, %", "abstract", 15, ()),
    ):
        yield _withheld(figure, where, percent, _missing(communicating))


def _missing(communicating: tuple[float, ...]) -> str:
    """What the paper withholds, and what its contenders' shares alone give."""
    text = "alpha, beta and the delay tables are not printed"
    if not communicating:
        return text
    law = ", ".join(f"{value:.4g}" for value in simultaneous(communicating))
    mean = sum(1.0 - share for share in communicating)
    return f"{text}; the shares give pcomm_0…2 = {law} and Σ i pcomp_i = {mean:.4g}"
