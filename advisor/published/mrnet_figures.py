"""The published figures of Roth, Arnold & Miller (SC2003) against `advisor.models.mrnet`.

The paper prints formulas for two trees of 16 back-ends, a speedup of start-up and the load that a
front-end services; its measured curves have no numbers, and no LogP parameters of the machine.
`docs/mrnet.md` has the readings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.models.mrnet import (
    EACH,
    broadcast_latency,
    broadcast_period,
    front_end_share,
    instantiation_latency,
    kary,
    knomial,
)
from advisor.published.figure import Figure, at_most, compared, withheld
from machines import LogGP

MODEL = "Roth, Arnold & Miller 2003"
_compared = partial(compared, MODEL)
_withheld = partial(withheld, MODEL)
_at_most = partial(at_most, MODEL)

_P = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)  # LogP's own example; the paper prints letters only
_LETTERS = "L 6, o 2, g 4"
SAMPLE_S = 0.6**-1 / (5 * 64 * 64 * 32)  # seconds a sample and input, from 60 % at 64 daemons
SERIAL = 179.0 + 1.0 / 3.0  # a/b of a start-up of a + b N, so that 512 daemons give 3.4


def figures() -> tuple[Figure, ...]:
    """Every figure that the paper prints and its model could give."""
    return (*_formulas(), *_shapes(), *_start_up(), *_front_end(), *_skew())


def _formulas() -> Iterator[Figure]:
    balanced, binomial = kary(4, 2), knomial(4, 2, 4)
    where = "sec. 2.6, Fig. 4a"
    yield _compared(
        "broadcast over Fig. 4a, 8g + 4o + 2L",
        where,
        _LETTERS,
        8 * _P.g + 4 * _P.o_s + 2 * _P.L,
        broadcast_latency(balanced, _P, convention=EACH),
        note="each message pays the gap, also the first; in textbook LogP 6g + 4o + 2L = "
        f"{broadcast_latency(balanced, _P):g}",
    )
    yield _compared(
        "a new broadcast each 4g",
        where,
        _LETTERS,
        4 * _P.g,
        broadcast_period(balanced, _P),
        note="the front-end's period; inside the tree only if g ≥ 2o, else 3g + 2o",
    )
    yield _compared(
        "a new broadcast each 6g",
        "sec. 2.6, Fig. 4b",
        _LETTERS,
        6 * _P.g,
        broadcast_period(binomial, _P),
        note="the front-end has six children",
    )
    times = [broadcast_latency(tree, _P, convention=EACH) for tree in (balanced, binomial)]
    first = [broadcast_latency(tree, _P) for tree in (balanced, binomial)]
    yield _at_most(
        "Fig. 4b may complete before Fig. 4a",
        "sec. 2.6",
        f"{_LETTERS}, the accounting of Fig. 4a",
        times[0],
        times[1],
        f"only if 2o + L < 2g; in textbook LogP {first[1]:g} against {first[0]:g} (if 2o + L < 3g)",
    )


def _shapes() -> Iterator[Figure]:
    for letter, tree, internal in (("a", kary(4, 2), 4), ("b", knomial(4, 2, 4), 3)):
        where = f"Fig. 4{letter}"
        yield _compared("back-ends", where, "the tree drawn", 16, tree.back_ends)
        yield _compared("internal processes", where, "the tree drawn", internal, tree.internal)
    yield _compared("levels for 64 daemons", "sec. 4.2.1", "4-way, full", 3, kary(4, 3).depth)
    yield _compared("daemons", "sec. 4.2.1", "8-way, full, depth 3", 512, kary(8, 3).back_ends)


def _start_up() -> Iterator[Figure]:
    tree = kary(8, 3)
    ratio = (SERIAL + 512) / (SERIAL + instantiation_latency(tree, 1.0))
    yield _compared(
        "start-up of 512 daemons, times faster",
        "sec. 4.2.1, Fig. 8",
        "a + b N flat, a + 24 b with 8-way fan-out",
        3.4,
        ratio,
        within=0.05,
        note=f"fitted: a/b = {SERIAL:.1f}, so that {100 * 512 / (SERIAL + 512):.1f} % of the "
        "flat time grows with N",
    )


def _front_end() -> Iterator[Figure]:
    def served(inputs: int) -> float:
        return 100.0 * front_end_share(inputs, 32, SAMPLE_S)

    yield _compared(
        "samples serviced, 64 daemons, flat, %",
        "sec. 4.2.2, Fig. 9",
        "32 metrics, 5 a second",
        60,
        served(64),
        within=0.5,
        note=f"the anchor: {1e6 * SAMPLE_S:.6f} µs a sample and input",
    )
    yield _at_most(
        "samples serviced, 256 daemons, flat, %: less than",
        "sec. 4.2.2, Fig. 9",
        "32 metrics, 5 a second",
        5,
        served(256),
        "a constant capacity would service 15 %: every sample is aligned against every input",
    )
    for fanout in (4, 8, 16):
        yield _compared(
            f"samples serviced, {fanout}-way, %",
            "sec. 4.2.2, Fig. 9",
            "32 metrics, 5 a second",
            100,
            served(fanout),
            note="the front-end has as many inputs as children",
        )


def _skew() -> Iterator[Figure]:
    note = "clock skew is measured, not modelled"
    for name, printed in (
        ("error of clock skews over MRNet, %", 10.5),
        ("error of clock skews sent directly, %", 17.5),
        ("standard deviation over MRNet", 80.4),
        ("standard deviation sent directly", 78.9),
    ):
        yield _withheld(name, "sec. 4.2.1", printed, note)
