"""The published figures of Gunther (PDCS 2005) against `advisor.models.mrm`.

The nCUBE2 of the paper: messages of 160 cycles a stage, five hops of 40. Where the paper
contradicts itself the note says so; `docs/mrm.md` has the readings. Fits of the USL are in
`advisor.published.usl`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from advisor.models.mrm import (
    amdahl,
    erlang_speedup,
    gustafson,
    harmonic,
    harmonic_mean_bound,
    mva,
    optimal_processors,
    serial_fraction,
)
from advisor.models.queue_curves import erlang_curve
from advisor.published import usl
from advisor.published.figure import (
    Figure,
    at_most,
    compared,
    unexplained,
    withheld,
)

MODEL = "Gunther 2005"
_compared = partial(compared, MODEL)
_withheld = partial(withheld, MODEL)
_at_most = partial(at_most, MODEL)

_HOP, _HOPS, LONGEST = 40.0, 5, 160.0  # cycles: a hop, hops, M/W of the message
STAGES = [_HOP] * _HOPS + [LONGEST]
THINK = (12_800.0, 64_000.0, 128_000.0)


def figures() -> tuple[Figure, ...]:
    """Every figure that the paper prints and its models could give, then those of the USL."""
    return (*_amdahl(), *_bounds(), *_scaled(), *_erlang(), *_ncube(), *_latency(), *usl.figures())


def _amdahl() -> Iterator[Figure]:
    yield _compared("Amdahl's speedup S_A(4)", "Eq. (8), (10)", "sigma 1/7", 2.80, amdahl(4, 1 / 7))
    yield _compared(
        "limit of Amdahl's speedup S_A",
        "sec. 3",
        "sigma 0.1, P 10⁹",
        10,
        amdahl(10**9, 0.1),
        within=0.5,
    )
    yield _compared(
        "cost function G_k(5)",
        "Table 2",
        "k 100; printed as 1/(k + 3)",
        1 / 103,
        amdahl(5, 0.01) * 0.01 / 5,
        note="a misprint: sigma/(1 + 4 sigma) is 1/(k + 4)",
    )


def _bounds() -> Iterator[Figure]:
    missed = [100 * (1 - harmonic_mean_bound(P, 0.01) / amdahl(P, 0.01)) for P in (1, 100)]
    yield _at_most(
        "error of Eq. (20), at most, %",
        "sec. 4, Fig. 4",
        "sigma 0.01",
        1.0,
        max(missed),
        f"sigma/(1 + sigma P): {missed[0]:.3f} % at P = 1, {missed[1]:.1f} % at 100",
    )
    loose = [100 * (P / math.log(P) / harmonic(P) - 1) for P in (2, 10, 1024)]
    yield _compared(
        "harmonic speedup of P = 100 by P/ln P",
        "Eq. (16), (17)",
        "Eq. (15)",
        100 / math.log(100),
        harmonic(100),
        note="an upper bound, but a loose one: "
        + ", ".join(f"+{one:.3g} % at P = {P}" for one, P in zip(loose, (2, 10, 1024), strict=True))
        + "; above P itself at 2",
    )
    crossing = next(P for P in range(2, 10**4) if harmonic(P) > amdahl(P, 0.01))
    approximated = next(P for P in range(3, 10**4) if P / math.log(P) > amdahl(P, 0.01))
    yield _at_most(
        "“worse than worst case”: harmonic speedup S_H over S_A at P = 1024",
        "Fig. 4",
        "sigma 0.01",
        1.0,
        harmonic(1024) / amdahl(1024, 0.01),
        f"false from P = {crossing} by Eq. (15), {approximated} by (17): S_H has no limit, S_A "
        "has 100",
    )


def _scaled() -> Iterator[Figure]:
    P, D, Z = 64, 360.0, THINK[0]
    inputs = f"P {P}, D {D:g}, Z {Z:g}"
    scaled = gustafson(P, serial_fraction(D, Z))
    yield _compared(
        "Gustafson's speedup S_G by D and Z",
        "Eq. (22), (23)",
        inputs,
        (D + P * Z) / (D + Z),
        scaled,
    )
    yield _compared(
        "Gustafson's speedup S_G as S_A with Z grown P times",
        "Eq. (24), Appendix B",
        inputs,
        scaled,
        amdahl(P, serial_fraction(D, P * Z)),
        note="Eq. (24) writes the inverse substitution",
    )


def _erlang() -> Iterator[Figure]:
    yield _compared(
        "Erlang's speedup S_E(128), “asymptote reached”",
        "sec. 8, Fig. 4",
        "sigma 0.01",
        100,
        erlang_speedup(128, 0.01),
        within=0.5,
        note=f"S_A {amdahl(128, 0.01):.2f}",
    )
    yield _compared(
        "Erlang's speedup S_E(64), “near-linear”",
        "sec. 6, Fig. 4",
        "sigma 0.01",
        64,
        erlang_speedup(64, 0.01),
        within=1.0,
        note="no number is printed",
    )
    P = np.arange(1.0, 2001.0)
    sigma = np.array([[0.01]])
    gain = erlang_curve(P, sigma)[0] - P / (1.0 + 0.01 * (P - 1.0))
    yield _compared(
        "P up to which asynchronous messages are better",
        "sec. 8",
        "sigma 0.01; P of the largest gain",
        100,
        float(P[gain.argmax()]),
        note=f"printed as “approximately”; S_E > S_A at every P > 1, most, {gain.max():.2f}, there",
    )


def _ncube() -> Iterator[Figure]:
    latency = _HOPS * _HOP + LONGEST
    yield _compared("latency L, cycles", "sec. 7", "H 5, r 40, M/W 160", 360, latency)
    yield _compared(
        "least round trip RTT_min, cycles",
        "sec. 7",
        "L 360, Z 6400",
        6700,
        latency + 6400,
        note="a misprint of 6760",
    )
    yield _compared(
        "serial fraction sigma of the nCUBE2",
        "sec. 7",
        "D 360, Z 12 800",
        0.0274,
        serial_fraction(latency, THINK[0]),
        within=5e-5,
        note=f"the 6400 of Eq. (28), (29) give {serial_fraction(latency, 6400):.4g}",
    )
    for Z, printed in zip(THINK, (81, 401, 801), strict=True):
        yield _compared(
            f"optimal P_opt of Z = {Z:g}, processors",
            "Eq. (30), sec. 7",
            "D = D_max = 160",
            printed,
            optimal_processors(LONGEST, Z, LONGEST),
            note=f"D = 360 gives {optimal_processors(latency, Z, LONGEST):g}",
        )
    yield _compared(
        "optimal P_opt by LogP",
        "Eq. (31)",
        "(L + 2o)/(M/W), 2o 6400",
        (latency + 6400) / LONGEST,
        optimal_processors(latency, 6400, LONGEST),
        note="the formula is printed, its value is not",
    )


def _latency() -> Iterator[Figure]:
    inputs = "demands 5 × 40 + 160"
    first, last = THINK[0], THINK[-1]
    yield _compared("latency at P = 1, cycles", "Fig. 5", inputs, 360, mva(1, STAGES, 0).response)
    yield _compared(
        "latency at P = 1024, cycles",
        "Fig. 5",
        f"{inputs}, Z {last:g}",
        36_000,
        mva(1024, STAGES, last).response,
        within=500,
        note="printed as “almost”; the lowest curve of the figure",
    )
    beyond = mva(1024, STAGES, first).response
    yield unexplained(
        MODEL,
        "latency at P = 1024 with the text's Z, cycles",
        "Fig. 5",
        f"{inputs}, Z {first:g}",
        36_000.0,
        beyond,
        f"no split of 360 over five stages comes below 1024·72 − {first:g} = "
        f"{1024 * 72 - first:g}; Z = {last:g} gives it",
    )
    for machine, P, sigma in (("nCUBE2", 64, 0.0181), ("Paragon", 16, 0.0105)):
        yield _withheld(
            f"serial fraction sigma fitted to the Jacobi solver on the {machine}",
            "Fig. 6",
            sigma,
            f"the data are not printed; S_A({P}) is {amdahl(P, sigma):.3f}, S_E({P}) "
            f"{erlang_speedup(P, sigma):.3f}",
        )
