"""Figures of Roth, Arnold & Miller (SC2003), redrawn by `advisor.models.mrnet`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.models.mrnet import (
    EACH,
    FIRST,
    balanced,
    broadcast_latency,
    broadcast_period,
    front_end_share,
    instantiation_latency,
    kary,
    knomial,
)
from advisor.published import mrnet_figures as numbers
from advisor.published.redrawn.redrawn import Mark, NotRedrawn, Numbers, Redrawn, lines
from machines import LogGP

_redrawn = partial(Redrawn, model=numbers.MODEL)
_GAPS = tuple(half / 2 for half in range(4, 17))
_TREES = {"balanced (Fig. 4a)": kary(4, 2), "unbalanced (Fig. 4b)": knomial(4, 2, 4)}
_BALANCED, _UNBALANCED = _TREES
_PARAMETERS = (
    "The paper prints letters only: L 6, o 2 and, at the printed points, g 4 are LogP's example."
)
_DAEMONS = sorted({round(4.0 * 2.0 ** (step / 4.0)) for step in range(29)})  # 4 to 512
_FANOUTS = (4, 8, 16)

NOT_REDRAWN = tuple(
    NotRedrawn(numbers.MODEL, where, reason)
    for where, reason in (
        ("Fig. 1", "a drawing of a tool's components, without numbers"),
        ("Fig. 2", "sample code"),
        ("Fig. 3", "a drawing of an internal process, without numbers"),
        ("Fig. 5", "a drawing of time-aligned aggregation, without numbers"),
        ("Fig. 6", "a drawing of distributed aggregation, without numbers"),
        ("Fig. 7", "measured latencies and throughput; the machine's LogP parameters and times "
         "to create a process are not printed"),
        ("Fig. 8", "the seconds, and those of each activity in (b), are measured and not printed; "
         "the ratio to a flat tree is redrawn"),
    )
)  # fmt: skip


def redrawn() -> Iterator[Redrawn]:
    """What of the paper's figures its model can draw."""
    printed = Numbers(numbers.figures())
    yield _latency(printed)
    yield _period(printed)
    yield _start_up(printed)
    yield _front_end(printed)


def _costs(g: float) -> LogGP:
    return LogGP(L=6.0, o_s=2.0, o_r=2.0, g=g)


def _latency(printed: Numbers) -> Redrawn:
    curves = {
        f"{name}{more}": [broadcast_latency(tree, _costs(g), convention=paid) for g in _GAPS]
        for more, paid in (("", EACH), (", textbook LogP", FIRST))
        for name, tree in _TREES.items()
    }
    return _redrawn(
        name="roth-arnold-miller-fig-4-latency",
        where="Fig. 4",
        title="latency of one broadcast to 16 back-ends",
        equation="8g + 4o + 2L of (a), 6g + 6o + 3L of (b): each message pays the gap (sec. 2.6); "
        "textbook LogP: the first does not",
        curves=lines(("gap g", "cycles", "latency", "cycles"), _GAPS, curves),
        marks=(Mark(printed.one("broadcast over Fig. 4a"), 4.0, _BALANCED),),
        others=(
            printed.one("Fig. 4b may complete"),
            *printed.all("back-ends"),
            *printed.all("internal processes"),
        ),
        note=_PARAMETERS,
    )


def _period(printed: Numbers) -> Redrawn:
    curves = {name: [broadcast_period(tree, _costs(g)) for g in _GAPS]
              for name, tree in _TREES.items()}  # fmt: skip
    return _redrawn(
        name="roth-arnold-miller-fig-4-period",
        where="Fig. 4",
        title="time between two broadcasts of a stream",
        equation="the busiest process: 4g of (a), 6g of (b) where g ≥ 2o (sec. 2.6)",
        curves=lines(("gap g", "cycles", "time between broadcasts", "cycles"), _GAPS, curves),
        marks=(
            Mark(printed.one("a new broadcast each 4g"), 4.0, _BALANCED),
            Mark(printed.one("a new broadcast each 6g"), 4.0, _UNBALANCED),
        ),
        note=_PARAMETERS,
    )


def _start_up(printed: Numbers) -> Redrawn:
    def faster(daemons: int, fanout: int) -> float:
        tree = balanced(daemons, fanout)
        serial = numbers.SERIAL
        return (serial + daemons) / (serial + instantiation_latency(tree, 1.0))

    return _redrawn(
        name="roth-arnold-miller-fig-8",
        where="Fig. 8a",
        title="start-up with a tree, times faster than without",
        equation="(a + b N)/(a + b T), T the time to create the tree at 1 a process (sec. 2.5)",
        curves=lines(
            ("daemons", "", "times faster", ""),
            _DAEMONS,
            {f"{k}-way": [faster(count, k) for count in _DAEMONS] for k in _FANOUTS},
        ),
        marks=(Mark(printed.one("start-up of 512 daemons"), 512.0, "8-way"),),
        others=(*printed.all("levels for 64"), *printed.all("daemons")),
        logarithmic=(True, False),
        note="The printed point fits a/b; the seconds of the figure are measured and not printed.",
    )


def _front_end(printed: Numbers) -> Redrawn:
    daemons = range(4, 257)
    flat = {f"flat, {metrics} metrics": (512, metrics) for metrics in (32, 16, 8)}
    trees = {f"{k}-way, 32 metrics": (k, 32) for k in _FANOUTS}
    curves = {
        name: [100.0 * front_end_share(min(count, most), metrics, numbers.SAMPLE_S)
               for count in daemons]
        for name, (most, metrics) in (flat | trees).items()
    }  # fmt: skip
    all_served = (
        Mark(printed.one(f"samples serviced, {k}-way"), at, f"{k}-way, 32 metrics")
        for k, at in zip(_FANOUTS, (64.0, 128.0, 256.0), strict=True)
    )
    return _redrawn(
        name="roth-arnold-miller-fig-9",
        where="Fig. 9",
        title="samples that the front-end services",
        equation="min(1, 1/(rate · inputs² · metrics · cost)): every sample is aligned against "
        "every input (sec. 4.2.2)",
        curves=lines(("daemons", "", "samples serviced", "%"), daemons, curves),
        marks=(
            Mark(printed.one("samples serviced, 64 daemons"), 64.0, "flat, 32 metrics"),
            Mark(printed.one("samples serviced, 256 daemons"), 256.0, "flat, 32 metrics"),
            *all_served,
        ),
        logarithmic=(True, False),
        note="60 % at 64 daemons fits the cost of a sample; the other points follow. The paper "
        "prints 100 % for all trees at once.",
    )
