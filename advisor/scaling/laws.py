"""The laws that measured scaling is fitted with, one family: speedup laws are queues.

Amdahl's law is the repairman whose processors wait for the last message (synchronous), Erlang's
the exact one with independent messages (asynchronous); with a service that slows as messages queue
they are the USL and the repairman with coherency. So each of them tells Z and D, too. A law is
throughput X = gamma f(P; shapes), gamma the throughput of one processor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.models.law_fits import amdahl_curve, sigma_box, usl_box, usl_curve
from advisor.models.queue_curves import coherent_curve, erlang_curve
from advisor.models.shape_fit import CONVERGED, Box, Curve, Samples, fit_shapes
from machines.arrays import Floats

AMDAHL = "amdahl"
GUSTAFSON = "gustafson"
ERLANG = "erlang"
REPAIRMAN = "repairman"
USL = "usl"
USL_FIXED = "usl-fixed"
USL_TRANSFORM = "usl-transform"

SYNCHRONOUS = "synchronous"
ASYNCHRONOUS = "asynchronous"

FREE = "gamma fitted"
FIXED = "gamma fixed to X(1)"
TRANSFORM = "quadratic transform"

_LEAST_SHARE = 1e-3  # of a measured throughput; a drawn one below it is none


@dataclass(frozen=True)
class Law:
    """One law and the recipe of its fit.

    `key`, `family`: its own name, and that of the law whose recipe it is.
    `messaging`: the repairman that it is, "synchronous" or "asynchronous": sigma = D/(D + Z), gamma
        = 1/(D + Z), so that Z and D can be told. Empty: it is no queue.
    """

    key: str
    family: str
    title: str  # for people
    recipe: str  # how gamma and the shapes are found
    shapes: tuple[str, ...]  # names of the shapes: ("sigma",) or ("sigma", "kappa")
    messaging: str
    source: str  # equation and paper

    @property
    def parameters(self) -> int:
        """Shapes and gamma: a gamma taken from one measurement is one, too."""
        return len(self.shapes) + 1

    def curve(self, P: Floats, shapes: Floats) -> Floats:
        """Speedup f of shapes (samples, k) at P (m,); (samples, m)."""
        return _CURVES[self.family](P, shapes)

    def box(self, P: Floats) -> Box:
        """Bounds, sizes and starting grid of the shapes for measurements at P."""
        return usl_box(P) if len(self.shapes) == 2 else sigma_box(P)

    def fit(
        self, samples: Samples, start: Floats | None = None, converged: float = CONVERGED
    ) -> tuple[Floats, Floats]:
        """Shapes (samples, k) and gamma (samples,) by this recipe.

        A recipe other than `FREE` takes gamma from the samples' measurements at P = 1, unless they
        come with it; a transform may leave the bounds. `start`, `converged` as in `fit_shapes`.
        """
        if self.recipe == FREE:
            return fit_shapes(self.curve, samples, self.box(samples.P), start, converged)
        gamma = samples.gamma
        if gamma is None:
            one = samples.kept**2 * (samples.P == 1.0)
            gamma = (one * samples.X).sum(axis=1) / one.sum(axis=1)
        if self.recipe == TRANSFORM:
            return _transformed(samples, gamma), gamma
        fixed = replace(samples, gamma=gamma)
        return fit_shapes(self.curve, fixed, self.box(samples.P), start, converged)


def _transformed(samples: Samples, gamma: Floats) -> Floats:
    """The sigma and kappa of Y = P/C − 1 = kappa x² + (sigma + kappa) x, x = P − 1, C = X/gamma.

    Linear least squares without a constant, as in R's package usl ("default").
    """
    x, X = samples.P - 1.0, np.maximum(samples.X, _LEAST_SHARE * samples.X.max())
    Y = samples.P * gamma[:, None] / X - 1.0
    size = x.max()
    u = x / size
    powers = np.stack([u**2, u], axis=1)
    measured = (samples.kept > 0.0).astype(np.float64)  # R's recipe knows no weights
    normal = np.einsum("sm,mk,ml->skl", measured, powers, powers)
    right = np.einsum("sm,mk,sm->sk", measured, powers, Y)
    found = np.linalg.solve(normal, right[:, :, None])[:, :, 0]
    kappa = found[:, 0] / size**2
    return np.stack([found[:, 1] / size - kappa, kappa], axis=1)


def gustafson_curve(P: Floats, shapes: Floats) -> Floats:
    """`speedup_laws.gustafson` of many sigma, shape (samples, 1), at many P: (samples, P)."""
    curve: Floats = P + shapes[:, :1] * (1.0 - P)
    return curve


_CURVES: dict[str, Curve] = {
    AMDAHL: amdahl_curve,
    GUSTAFSON: gustafson_curve,
    ERLANG: erlang_curve,
    REPAIRMAN: coherent_curve,
    USL: usl_curve,
}
_ONE, _TWO = ("sigma",), ("sigma", "kappa")
_GUNTHER, _USL = "Gunther 2005", "Gunther, arXiv:0808.1431"
LAWS = (
    Law(AMDAHL, AMDAHL, "Amdahl", FREE, _ONE, SYNCHRONOUS, f"{_GUNTHER}, Eq. (5), (8)"),
    Law(ERLANG, ERLANG, "Erlang", FREE, _ONE, ASYNCHRONOUS, f"{_GUNTHER}, Eq. (25)"),
    Law(GUSTAFSON, GUSTAFSON, "Gustafson", FREE, _ONE, "", f"{_GUNTHER}, Eq. (22)"),
    Law(USL, USL, "USL", FREE, _TWO, SYNCHRONOUS, _USL),
    Law(REPAIRMAN, REPAIRMAN, "repairman with coherency", FREE, _TWO, ASYNCHRONOUS,
        "birth-death chain"),
    Law(USL_FIXED, USL, "USL", FIXED, _TWO, SYNCHRONOUS, _USL),
    Law(USL_TRANSFORM, USL, "USL", TRANSFORM, _TWO, SYNCHRONOUS, _USL),
)  # fmt: skip
BY_KEY = {law.key: law for law in LAWS}
