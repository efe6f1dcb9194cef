"""The published figures of Moritz & Frank (LoGPC, 2001) against `advisor.models.logpc`.

The machine is the preset "alewife": the paper's parameters, its mesh and its numbering. Where the
paper uses two readings of one symbol the note gives both; `docs/logpc.md` says which is which. The
Diamond DAG of sec. 5.2 is in `advisor.published.diamond_figures`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.models.logpc import (
    asynchronous_cost,
    channel_occupancy,
    contention_open,
    diamond_steps,
    em3d_messages,
    inflation_bound,
    long_message_time,
    pipeline_crossover,
    synchronous_cost,
)
from advisor.published import diamond_figures as diamond
from advisor.published.figure import (
    Figure,
    at_most,
    compared,
    measured,
    unexplained,
    withheld,
)
from machines import LogGP, Mesh
from machines.catalogue import interconnect

MODEL = diamond.MODEL
_compared = partial(compared, MODEL)
_withheld = partial(withheld, MODEL)
_measured = partial(measured, MODEL)
_at_most = partial(at_most, MODEL)

_ALEWIFE = "8 × 4 mesh"
SHORT_BYTES = 16.0  # a header of 8 bytes and two arguments of 4
FITTED = 44.0  # cycles; what would give the 31 of Table 4


def figures() -> tuple[Figure, ...]:
    """Every figure that the paper prints and its model could give."""
    return (
        *_parameters(),
        *_long_messages(),
        *_distances(),
        *_bounds(),
        *_round_trips(),
        *_short_contention(),
        *diamond.figures(),
        *_measurements(),
    )


def _short() -> LogGP:
    return interconnect("alewife").short


def _long() -> LogGP:
    return interconnect("alewife").long


def _mesh() -> Mesh:
    network = interconnect("alewife").network
    assert isinstance(network, Mesh)
    return network


def _parameters() -> Iterator[Figure]:
    none, one = interconnect("alewife-0").short, interconnect("alewife-1").short
    yield _measured("latency L of short messages, cycles", "Table 1", 21, "an input of the model")
    yield _measured(
        "receive overhead o_r of two arguments, cycles",
        "Table 1",
        122,
        f"an input of the model; {none.o_r:g} without argument, {one.o_r:g} with one",
    )
    yield _compared(
        "send overhead o_s of two arguments, cycles",
        "Table 1",
        f"{none.o_s:g} without argument, {one.o_s:g} with one",
        15,
        2 * one.o_s - none.o_s,
        note="each argument adds the same",
    )
    yield _measured("latency L of long messages, cycles", "Table 2", 8, "an input of the model")
    yield _compared(
        "send overhead of long messages o_sl, cycles",
        "Table 2",
        "o_s 15, start of the DMA engine 10",
        25,
        _short().o_s + 10,
    )
    yield _compared(
        "receive overhead of long messages o_rl, cycles",
        "Table 2",
        "interrupt 119, start of the DMA engine 10",
        129,
        119 + 10,
    )
    yield _compared("bandwidth, bytes a cycle", "Table 2", "G 0.5", 2, 1 / _long().G)
    yield _withheld(
        "bandwidth, MB/s",
        "Table 2",
        41,
        "the clock is not printed: 2 bytes a cycle make 41 MB/s at 20.5 MHz, 40 at 20 MHz",
    )


def _long_messages() -> Iterator[Figure]:
    p = _long()
    later = pipeline_crossover(LogGP(p.L, p.o_s, p.o_r, G=p.G, G_m=p.G_m, a=16))
    alone = pipeline_crossover(LogGP(p.L, p.o_s, p.o_r, G=p.G, G_m=0.25, a=p.a))
    yield _compared(
        "size from which the network rules, bytes",
        "sec. 2.2",
        "o_rl 129, a 8, G 0.5, G_m 0.25·1.45",
        1000,
        pipeline_crossover(p),
        within=50,
        note=f"printed as “about”; a = 16: {later:.4g}, G_m without the slowdown: {alone:.4g}",
    )
    share = {size: size * p.G / long_message_time(p, size) for size in (1000, 10_000)}
    yield _compared(
        "share of the full bandwidth at 10 KB",
        "Fig. 5",
        "o_sl 25, L 8, G 0.5",
        1,
        share[10_000],
        within=0.01,
        note=f"printed as “approximately constant”; at 1000 bytes {share[1000]:.3f}",
    )
    yield _compared(
        "bytes in the input queue when the handler starts",
        "sec. 2",
        "a + o_rl/G",
        256,
        p.a + p.o_r / p.G,
        note="256 is the queue's size: it would overflow by 10 bytes, of which the paper says "
        "nothing",
    )
    steps = diamond_steps(1024, 32, 64, 100.0, p, 1000.0)
    yield _compared(
        "cycles a message of all-to-all, over B",
        "sec. 5.1.3",
        "o_sl 25, G 0.5, a 8, B 1000",
        1,
        (steps.sending + steps.receiving) / 1000.0,
        within=0.05,
        note="printed as “approximately”, from 2 G B = B",
    )


def _distances() -> Iterator[Figure]:
    mesh = _mesh()
    yield _compared(
        "mean distance, hops",
        "Eq. (11)",
        _ALEWIFE,
        3.875,
        mesh.mean_distance(),
        note=f"counts src = dst; without {mesh.mean_distance(distinct=True):g}",
    )
    row = mesh.dims[0]
    onward = [mesh.distance(p, p + 1) for p in range(row)]
    ring = [mesh.distance(p, (p + 1) % mesh.size) for p in range(mesh.size)]
    yield _compared(
        "mean distance of ±1, hops",
        "Eq. (12)",
        _ALEWIFE,
        1.875,
        sum(onward) / row,
        note="every change of row costs 8, the ends are not treated apart; as a ring of 32 "
        f"{sum(ring) / mesh.size:g}",
    )


def _bounds() -> Iterator[Figure]:
    mesh, G = _mesh(), _long().G
    counted, distinct = mesh.mean_distance() / 2, mesh.mean_distance(distinct=True) / 2
    physical = [inflation_bound(k_d, G, 2, "physical") for k_d in (distinct, counted)]
    rejected = f"occupancy B·G: {physical[0]:.4g} and {physical[1]:.4g} for k_d 2 and 1.9375"
    yield _compared(
        "upper bound on contention",
        "sec. 3.4",
        "Eq. (14), occupancy B, G 0.5, n 2, k_d 1.9375",
        2.2,
        inflation_bound(counted, G, 2),
        within=0.05,
        note=rejected,
    )
    bound = inflation_bound(distinct, G, 2)
    yield _compared(
        "upper bound on contention",
        "sec. 5.1.3",
        "Eq. (14), occupancy B, G 0.5, n 2, k_d 2",
        2.22,
        bound,
        within=0.005,
        note=rejected,
    )
    yield _compared(
        "measured cycles a message of all-to-all, over B",
        "Fig. 6",
        "Eq. (14) as in sec. 5.1.3",
        2.03,
        bound,
        note="a measurement beside the model",
    )
    yield _compared(
        "contention in long all-to-all, %",
        "abstract",
        "(2.03 − 1)/2.03",
        50,
        100 * (2.03 - 1) / 2.03,
        within=5,
        note="a round number of measured times",
    )
    yield _at_most(
        "impact of locality, at most",
        "abstract",
        "Eq. (14) as in sec. 5.1.3",
        2.0,
        bound,
        f"the model's own bound is above it; {rejected}",
    )


def _round_trips() -> Iterator[Figure]:
    p = _short()
    inputs = "L 21, o_s 15, o_r 122"
    trip = synchronous_cost(p, C_n=23.0)
    for name, more, printed, cost in (
        ("LogP", "", 316, synchronous_cost(p, C_r=0.0)),
        ("LoPC", ", C_r 137", 453, synchronous_cost(p)),
        ("LoGPC", ", C_r 137, C_n 23 as printed", 499, trip),
    ):
        yield _compared(f"{name} round trip, cycles", "Table 4", inputs + more, printed, cost)
    waiting = synchronous_cost(p) - synchronous_cost(p, C_r=0.0)
    yield _compared("processor contention C_r, cycles", "Table 4", "o_s + o_r", 137, waiting)
    yield _compared(
        "overestimate of the round trip, %",
        "sec. 5.1.1",
        "499 predicted, 486 measured",
        3,
        100 * (trip / 486 - 1),
        within=0.5,
    )
    yield _compared(
        "share of processor contention C_r, %",
        "sec. 5.1.1",
        "137 of 486 measured",
        28,
        100 * waiting / 486,
        within=0.5,
    )
    alone = asynchronous_cost(p)
    yield _compared("asynchronous message, cycles", "Table 4", inputs, 137, alone)
    yield _compared(
        "underestimate of the asynchronous message, %",
        "sec. 5.1.2",
        "137 predicted, 151 measured",
        10,
        100 * (151 / alone - 1),
        within=0.5,
        note="printed as “about”",
    )
    bound = inflation_bound(2.0, _long().G, 2)
    errors = [bound / 2.03 - 1, alone / 151 - 1, trip / 486 - 1]
    yield _at_most(
        "largest error, %",
        "sec. 1",
        "all-to-all: long, asynchronous, synchronous",
        12.0,
        100 * max(abs(error) for error in errors),
        ", ".join(f"{100 * error:+.1f} %" for error in errors),
    )


def _short_contention() -> Iterator[Figure]:
    """What no stated reading of the stated inputs gives."""
    p = _short()
    occupancies = SHORT_BYTES, channel_occupancy(SHORT_BYTES, _long().G), FITTED
    for style, interval, printed, rate in (
        ("asynchronous", asynchronous_cost(p), 31, "1/137"),
        ("synchronous", synchronous_cost(p, C_r=0.0) / 2, 23, "2/316"),
    ):
        found = [contention_open(1.0 / interval, occ, 2.0, 2) for occ in occupancies]
        yield unexplained(
            MODEL,
            f"contention C_n of {style} messages, cycles",
            "Table 4",
            f"m {rate}, 16 bytes, k_d 2, n 2; occupancy B",
            printed,
            found[0],
            f"no stated occupancy gives it: B·G {found[1]:.3g}; {FITTED:g} cycles, fitted to the "
            f"asynchronous 31, {found[2]:.4g}",
        )


def _measurements() -> Iterator[Figure]:
    yield _withheld(
        "error of the model without contention, %", "sec. 5.2.2", 3.14, "no makespan is printed"
    )
    sent = em3d_messages(3200, 32, 1.0, 32)
    cost = asynchronous_cost(_short())
    beside = f"the model gives {sent:g} messages of {cost:g} cycles, {sent * cost:g} an iteration"
    yield _measured("EM3D: improvement of the runtime, %", "sec. 5.3.1", 20, beside)
    yield _measured("EM3D: reduction of stall time, %", "sec. 5.3.1", 70, beside)
