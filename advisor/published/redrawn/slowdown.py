"""Figures of Figueira & Berman (HPDC 1996), redrawn by `advisor.models.slowdown`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.models.slowdown import delay_column, finish_time, simultaneous
from advisor.published import slowdown_figures as numbers
from advisor.published.redrawn.redrawn import Mark, NotRedrawn, Numbers, Redrawn, lines, spread

_redrawn = partial(Redrawn, model=numbers.MODEL)
_CONTENDERS = range(5)
_SLOWDOWNS = (1.0, 2.0, 3.0, 4.0, 5.0)
_WITHHELD = "alpha and beta of the link and the delay tables are not printed"

NOT_REDRAWN = tuple(
    NotRedrawn(numbers.MODEL, where, reason)
    for where, reason in (
        ("Fig. 1", "measured transfers to the CM2; alpha and beta are not printed"),
        ("Fig. 2", "a drawing of instructions on the Sun and the CM2, without numbers"),
        ("Fig. 3", "measured times; dcomp, didle and dserial of the program are not printed"),
        ("Fig. 4", "measured transfers to and from the Paragon; alpha and beta are not printed"),
        ("Fig. 5", f"measured transfers to the Paragon; {_WITHHELD}"),
        ("Fig. 6", f"measured transfers from the Paragon; {_WITHHELD}"),
        ("Fig. 7", f"the times: {_WITHHELD}; the choice of the column is redrawn"),
        ("Fig. 8", f"the times: {_WITHHELD}; the choice of the column is redrawn"),
    )
)


def redrawn() -> Iterator[Redrawn]:
    """What of the paper's figures and tables its models can draw."""
    printed = Numbers(numbers.figures())
    yield _allocations(printed)
    yield _allocations_on_a_slow_link(printed)
    yield _costs(printed)
    yield _distributions(printed)
    yield _columns(printed)


def _makespans(*, link: bool) -> dict[str, list[float]]:
    """Allocation → makespan by contenders on M1; `link`: the link is slowed as much."""
    by_load = [numbers.allocation_times(p, p + 1.0 if link else 1.0) for p in _CONTENDERS]
    return {_allocation(name): [times[name] for times in by_load] for name in by_load[0]}


def _allocation(machines: str) -> str:
    first, second = machines.split(", ")
    return f"A on {first}, B on {second}"


_MAKESPAN = ("CPU-bound contenders on M1", "", "makespan", "s")


def _allocations(printed: Numbers) -> Redrawn:
    return _redrawn(
        name="figueira-berman-table-3",
        where="Tables 1–3",
        title="two tasks on two machines, M1 shared",
        equation="times on M1 times p + 1; makespan of each allocation (sec. 1, 3.1.2)",
        curves=lines(_MAKESPAN, _CONTENDERS, _makespans(link=False)),
        marks=(
            Mark(printed.one("least time, dedicated"), 0.0, _allocation("M1, M1")),
            Mark(printed.one("least time, M1 slowed"), 2.0, _allocation("M2, M1")),
        ),
        others=printed.all("gain over both"),
    )


def _allocations_on_a_slow_link(printed: Numbers) -> Redrawn:
    return _redrawn(
        name="figueira-berman-table-4",
        where="Tables 3–4",
        title="two tasks on two machines, M1 and the link shared",
        equation="times on M1 and of transfers times p + 1; makespan of each allocation (sec. 1)",
        curves=lines(_MAKESPAN, _CONTENDERS, _makespans(link=True)),
        marks=(Mark(printed.one("least time, M1 and link"), 2.0, _allocation("M1, M1")),),
    )


def _costs(printed: Numbers) -> Redrawn:
    dedicated = {"A on M1": 12.0, "B on M1": 4.0, "transfer M1→M2": 7.0, "transfer M2→M1": 8.0}
    return _redrawn(
        name="figueira-berman-costs",
        where="Tables 3 and 4",
        title="tasks and transfers by slowdown",
        equation="dedicated time times slowdown (sec. 1)",
        curves=lines(
            ("slowdown", "", "time", "s"),
            _SLOWDOWNS,
            {
                name: [finish_time(alone, [(0.0, slow)]) for slow in _SLOWDOWNS]
                for name, alone in dedicated.items()
            },
        ),
        marks=tuple(Mark(printed.one(f"{name}, slowed"), 3.0, name) for name in dedicated),
    )


def _distributions(printed: Numbers) -> Redrawn:
    shares = {"pcomm: shares 0.2 and 0.3": (0.2, 0.3), "pcomp: shares 0.8 and 0.7": (0.8, 0.7)}
    return _redrawn(
        name="figueira-berman-probabilities",
        where="sec. 3.2.1",
        title="how many of two applications communicate or compute at a time",
        equation="distribution of a sum of independent trials, by the O(p²) recurrence of the text",
        curves=lines(
            ("applications at a time", "", "probability", ""),
            range(3),
            {name: simultaneous(fractions) for name, fractions in shares.items()},
        ),
        marks=tuple(
            Mark(printed.one(f"probability {name[:5]}_{count}"), count, name)
            for name in shares
            for count in (1, 2)
        ),
    )


def _columns(printed: Numbers) -> Redrawn:
    words = spread(1, 4096, 94, 95, 500, 749, 750, 1200)
    column = "column nearest to the largest message"
    errors = (*printed.all("average error on the Sun with"), *printed.all("error with an unsuit"))
    return _redrawn(
        name="figueira-berman-fig-7-8",
        where="Figs. 7 and 8, footnote 2",
        title="the column j of measured delays, by the contenders' largest message",
        equation="j of 1, 500 and 1000 nearest to the message; 1 below 95 words only (sec. 3.2.2)",
        curves=lines(
            ("largest message", "words", "column j", "words"),
            words,
            {column: [delay_column(size) for size in words]},
        ),
        marks=(
            Mark(printed.one("best delay column j", "Fig. 7"), 1200.0, column),
            Mark(printed.one("best delay column j", "Fig. 8"), 500.0, column),
            Mark(printed.one("delay column j below"), 94.0, column),
        ),
        others=errors,
        logarithmic=(True, False),
        note=f"The times of the two figures are measured: {_WITHHELD}.",
    )
