"""Published fits of the universal scalability law: the R package usl and its data sets.

The package prints three-parameter fits of its data set specsdm91 and, by its older recipe, a peak
of raytracer that lies seven times beyond the last measurement.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from advisor.models.mrm import fit_usl, usl, usl_peak
from advisor.models.shape_fit import Samples
from advisor.published.figure import Figure, compared
from advisor.scaling.data import shipped
from advisor.scaling.laws import BY_KEY, USL_TRANSFORM

MODEL = "R package usl"
_compared = partial(compared, MODEL)

_FITTED = (90, 1078, 1541, 1850, 1879, 1822, 1646)
_TEST = ((1, 2, 4, 6, 8, 10), (1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557))


def figures() -> Iterator[Figure]:
    """Every figure of the package's manual and tests that our fits could give."""
    yield from _specsdm91()
    yield from _peaks()
    found = fit_usl(*_TEST)
    for name, printed, obtained in (
        ("sigma", 0.02, found.sigma),
        ("kappa", 0.02, found.kappa),
        ("gamma", 1, found.gamma),
    ):
        yield _compared(
            f"{name} of six rounded points", "tests", "P 1 … 10", printed, obtained, within=5e-5
        )


def _specsdm91() -> Iterator[Figure]:
    data = shipped("specsdm91")
    found = fit_usl(data.P, data.X)
    where, inputs = "specsdm91", "seven points, three parameters"
    errors = found.standard_errors
    stop = "least squares proper; R stops some 10⁻⁹ before it"
    for name, printed, obtained, within, note in (
        ("sigma", 0.0277285, found.sigma, 5e-8, ""),
        ("kappa", 0.0001044, found.kappa, 5e-8, ""),
        ("gamma", 89.9952330, found.gamma, 2e-7, stop),
        ("standard error of sigma", 0.0091217, errors[0], 5e-8, ""),
        ("standard error of kappa", 0.0000199, errors[1], 5e-8, ""),
        ("standard error of gamma", 14.2134894, errors[2], 2e-7, ""),
        ("residual standard error", 82.85, found.residual_se, 5e-3, ""),
        ("limit without kappa", 3245.589, found.gamma / found.sigma, 5e-4, ""),
        ("1/sigma", 36.06401, 1 / found.sigma, 5e-6, ""),
    ):
        yield _compared(name, where, inputs, printed, float(obtained), within=within, note=note)
    place = usl_peak(found.sigma, found.kappa) or 0.0
    top = usl(place, found.sigma, found.kappa, found.gamma)
    yield _compared("load of the peak", where, inputs, 96.51956, place, within=5e-6)
    yield _compared("throughput of the peak", where, inputs, 1884, top, within=0.5)
    for P, printed in zip(data.processors, _FITTED, strict=True):
        value = usl(P, found.sigma, found.kappa, found.gamma)
        yield _compared(f"fitted throughput, P {P}", where, inputs, printed, value, within=0.5)


def _peaks() -> Iterator[Figure]:
    data = shipped("raytracer")
    shapes, _ = BY_KEY[USL_TRANSFORM].fit(Samples.of(data.P, data.X))
    sigma, kappa = shapes[0].tolist()
    free = fit_usl(data.P, data.X)
    yield _compared(
        "load of the peak",
        "raytracer",
        "eleven points up to 64, quadratic transform",
        450,
        usl_peak(sigma, kappa) or 0.0,
        within=1.0,
        note=f"printed as “just below”; an extrapolation, which Placewise doesn't print: with "
        f"three parameters kappa is {free.kappa:g}",
    )
    yield _compared(
        "load of the peak",
        "tests",
        "sigma 0.001, kappa 10⁻⁵",
        316.0696,
        usl_peak(0.001, 1e-5) or 0.0,
        within=5e-5,
    )
