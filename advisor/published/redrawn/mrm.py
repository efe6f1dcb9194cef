"""Figures of Gunther (PDCS 2005) and of the R package usl, redrawn by `advisor.models.mrm`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from advisor.models.mrm import (
    amdahl,
    erlang_speedup,
    fit_usl,
    gustafson,
    harmonic,
    harmonic_mean_bound,
    mva_curve,
    usl,
)
from advisor.published import mrm_figures as numbers
from advisor.published import usl as package
from advisor.published.figure import Figure
from advisor.published.redrawn.redrawn import Mark, NotRedrawn, Numbers, Redrawn, lines, spread
from advisor.scaling.data import shipped
from advisor.studies.study import Series

_redrawn = partial(Redrawn, model=numbers.MODEL)
_SIGMA = 0.01
_SPEEDUP = ("processors P", "", "speedup", "")

NOT_REDRAWN = tuple(
    NotRedrawn(numbers.MODEL, where, reason)
    for where, reason in (
        ("Fig. 1", "a drawing of a multicomputer, without numbers"),
        ("Fig. 2", "a drawing of the queue, without numbers"),
        ("Fig. 3", "drawings of message exchanges, without numbers"),
        ("Fig. 7", "a drawing of how the models' parameters map, without numbers"),
    )
)


def redrawn() -> Iterator[Redrawn]:
    """What of the paper's figures its models can draw, then the package's."""
    printed = Numbers(numbers.figures())
    yield _cost_function(printed)
    yield _bounds(printed)
    yield _latency(printed)
    yield _solver(printed, "a", "nCUBE2", 64)
    yield _solver(printed, "b", "Paragon", 32)
    yield _specsdm91(Numbers(package.figures()))


def _cost_function(printed: Numbers) -> Redrawn:
    P = range(1, 11)
    name = "sigma/(1 + sigma (P − 1)), k 100"
    return _redrawn(
        name="gunther-table-2",
        where="Table 2",
        title="Amdahl's cost function",
        equation="G = sigma/(1 + sigma (P − 1)) = 1/(k + P − 1) (Eq. 11)",
        curves=lines(("processors P", "", "cost G", ""), P,
                     {name: [amdahl(one, _SIGMA) * _SIGMA / one for one in P]}),
        marks=(Mark(printed.one("cost function G_k(5)"), 5.0, name),),
        note="The paper prints formulas; k 100 is the sigma 0.01 of its Fig. 4.",
    )  # fmt: skip


def _bounds(printed: Numbers) -> Redrawn:
    laws: dict[str, Callable[[int], float]] = {
        "S_G, scaled": lambda P: gustafson(P, _SIGMA),
        "S_E, asynchronous": lambda P: erlang_speedup(P, _SIGMA),
        "S_A, synchronous": lambda P: amdahl(P, _SIGMA),
        "half harmonic mean": lambda P: harmonic_mean_bound(P, _SIGMA),
        "S_H, equipartition": harmonic,
        "P/ln P": lambda P: P / math.log(P),
    }
    most = 256
    begins = {"P/ln P": 3}  # below, its logarithm is no sum of several terms
    marks = (
        Mark(printed.one("Erlang's speedup S_E(64)"), 64.0, "S_E, asynchronous"),
        Mark(printed.one("Erlang's speedup S_E(128)"), 128.0, "S_E, asynchronous"),
        Mark(printed.one("harmonic speedup of P = 100"), 100.0, "S_H, equipartition"),
    )
    placed = {mark.number for mark in marks}
    about = (*printed.all(where="Fig. 4"), *printed.all("P up to which asynchronous"))
    return _redrawn(
        name="gunther-fig-4",
        where="Fig. 4",
        title="bounds of the speedup, sigma 0.01",
        equation="Eq. (8) S_A, (15) S_H, (17) P/ln P, (20) half the harmonic mean, (22) S_G, "
        "(25) S_E",
        curves=tuple(
            curve
            for name, law in laws.items()
            for P in [range(begins.get(name, 1), most + 1)]
            for curve in lines(_SPEEDUP, P, {name: [law(one) for one in P]})
        ),
        marks=marks,
        others=tuple(one for one in about if one not in placed),
    )


def _latency(printed: Numbers) -> Redrawn:
    axes = ("processors P", "", "latency R", "cycles")
    most, longest = 1024, numbers.LONGEST
    curves: list[Series] = []
    marks = [
        Mark(printed.one("latency at P = 1,"), 1.0, _of(numbers.THINK[0])),
        Mark(printed.one("latency at P = 1024,"), most, _of(numbers.THINK[-1])),
    ]
    for Z in numbers.THINK:
        found = mva_curve(most, numbers.STAGES, Z)
        curves += lines(axes, found.processors.tolist(), {_of(Z): found.response})
    for Z in numbers.THINK:
        asymptote, above = f"P · {longest:g} − {Z:,.0f}", range(int(Z / longest) + 1, most + 1)
        curves += lines(axes, above, {asymptote: [longest * P - Z for P in above]})
        # the knee: where the asymptote leaves D = D_max, the paper's choice
        marks.append(Mark(printed.one(f"optimal P_opt of Z = {Z:g},"), longest, asymptote,
                          along=True))  # fmt: skip
    return _redrawn(
        name="gunther-fig-5",
        where="Fig. 5",
        title="latency of the nCUBE2 by processors, for three execution times Z",
        equation="mean value analysis of stages 5 × 40 + 160 and Z; asymptotes P D_max − Z, which "
        "begin at P_opt = (D + Z)/D_max, D = D_max (Eq. 30)",
        curves=tuple(curves),
        marks=tuple(marks),
        others=(*printed.all("latency at P = 1024 with the text's Z"),
                *printed.all("optimal P_opt by LogP")),
        logarithmic=(False, True),
    )  # fmt: skip


def _of(Z: float) -> str:
    return f"Z = {Z:,.0f}"


def _solver(printed: Numbers, letter: str, machine: str, most: int) -> Redrawn:
    fitted = printed.one(f"serial fraction sigma fitted to the Jacobi solver on the {machine}")
    sigma, P = fitted.printed, range(1, most + 1)
    curves = {
        "S_A, synchronous": [amdahl(one, sigma) for one in P],
        "S_E, asynchronous": [erlang_speedup(one, sigma) for one in P],
    }
    return _redrawn(
        name=f"gunther-fig-6{letter}",
        where=f"Fig. 6{letter}",
        title=f"speedup of a Jacobi solver on the {machine}, predicted",
        equation=f"Eq. (8) S_A and (25) S_E with the printed sigma {sigma:g}",
        curves=lines(_SPEEDUP, P, curves),
        others=(fitted,),
        note="The measured speedups are points of the figure without numbers, so that neither "
        "they nor the fit of sigma can be redrawn.",
    )


def _specsdm91(printed: Numbers) -> Redrawn:
    data = shipped("specsdm91")
    found = fit_usl(data.P, data.X)
    axes = ("load P", "", "throughput", "scripts/h")
    peak = printed.one("load of the peak", "specsdm91")
    P = spread(1.0, 250.0, *data.processors, peak.printed)
    fit = "USL, three parameters"

    def throughput(load: float) -> float:
        return usl(load, found.sigma, found.kappa, found.gamma)

    fitted = (
        Mark(printed.one(f"fitted throughput, P {load:g}"), load, fit) for load in data.processors
    )
    measured = Series("measured", tuple(map(float, data.P)), tuple(map(float, data.X)), *axes,
                      kind="points")  # fmt: skip
    marks = (*fitted, Mark(printed.one("throughput of the peak"), peak.printed, fit))
    placed = {mark.number for mark in marks}
    about: tuple[Figure, ...] = printed.all(where="specsdm91")
    return Redrawn(
        name="usl-specsdm91",
        model=package.MODEL,
        where="specsdm91",
        title="throughput by load, and the fit of the universal scalability law",
        equation="gamma P/(1 + sigma (P − 1) + kappa P (P − 1)), least squares",
        curves=(*lines(axes, P, {fit: [throughput(load) for load in P]}), measured),
        marks=marks,
        others=tuple(one for one in about if one not in placed),
    )
