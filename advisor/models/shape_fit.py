"""Least squares of X ≈ gamma f(P; shape) with bounded shapes, many samples at once.

The samples of a bootstrap or of leave-one-out are fitted together: `Samples` of m measurements in
rows, shapes of k parameters, all arrays. gamma is linear and eliminated (variable projection);
the shapes start on a grid and are improved by Levenberg-Marquardt steps within their bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Floats

# (P of shape (m,), shapes of shape (samples, k)) → f of shape (samples, m)
Curve = Callable[[Floats, Floats], Floats]

_STEPS = 200
CONVERGED = 1e-12  # relative step of every shape
_SOFTEST, _STIFFEST = 1e-7, 1e12  # damping; at the last no step helps any more


@dataclass(frozen=True, eq=False)
class Samples:
    """Throughputs to fit at the same P.

    Attributes
    ----------
    P : array, shape (m,)
    X : array, shape (samples, m)
    kept : array ≥ 0, shape (samples, m)
        Factor of each residual, 1/standard deviation up to a common factor; 0 leaves a
        measurement out.
    gamma : array, shape (samples,), or None
        Throughput of one processor where it is given; ``None``: fitted.
    """

    P: Floats
    X: Floats
    kept: Floats
    gamma: Floats | None = None

    @classmethod
    def of(
        cls, P: Floats, X: Floats, gamma: Floats | None = None, kept: Floats | None = None
    ) -> Samples:
        """Samples that leave nothing out; X of shape (m,) is one sample, `kept` (m,) is for all."""
        rows = np.atleast_2d(X)
        return cls(P, rows, np.broadcast_to(1.0 if kept is None else kept, rows.shape), gamma)

    def chosen(self, which: NDArray[np.intp]) -> Samples:
        """Some of the samples."""
        gamma = None if self.gamma is None else self.gamma[which]
        return Samples(self.P, self.X[which], self.kept[which], gamma)

    def scale(self, f: Floats) -> Floats:
        """The gamma of each sample: given, or of least squares for the curves `f`."""
        if self.gamma is not None:
            return self.gamma
        weighted = self.kept**2 * f
        best: Floats = (weighted * self.X).sum(axis=1) / (weighted * f).sum(axis=1)
        return best

    def error(self, f: Floats) -> Floats:
        """Sum of squared residuals of each sample."""
        residuals = self.kept * (self.X - self.scale(f)[:, None] * f)
        total: Floats = (residuals**2).sum(axis=1)
        return total


@dataclass(frozen=True, eq=False)
class Box:
    """Bounds of the shapes, the size that matters of each, and where to start."""

    low: Floats
    high: Floats
    size: Floats
    grid: Floats


def fit_shapes(
    curve: Curve,
    samples: Samples,
    box: Box,
    start: Floats | None = None,
    converged: float = CONVERGED,
) -> tuple[Floats, Floats]:
    """Shapes and gamma of least squared error of every sample.

    Parameters
    ----------
    curve : callable
        f of shapes at P.
    samples : Samples
    box : Box
    start : array, shape (k,), optional
        Where every sample starts; ``None``: each at the best point of the grid.
    converged : float
        Relative step of every shape at which a sample is done.

    Returns
    -------
    shapes : array, shape (samples, k)
    gamma : array, shape (samples,)
    """
    shapes, f = _start(curve, samples, box.grid if start is None else start[None])
    error = samples.error(f)
    damping = np.full(error.shape, 1e-3)
    active = np.arange(error.size)
    for _ in range(_STEPS):
        part, now, before = samples.chosen(active), shapes[active], error[active]
        step, promised = _step(curve, part, now, f[active], box, damping[active])
        tried = np.clip(now + step, box.low, box.high)
        there = curve(part.P, tried)
        found = part.error(there)
        better = found <= before
        shapes[active[better]] = tried[better]
        f[active[better]] = there[better]
        error[active[better]] = found[better]
        damping[active] = _damped(damping[active], before - found, promised)
        moved = np.abs(tried - now) / (np.abs(now) + 1e-6 * box.size)
        done = (moved.max(axis=1) < converged) | (damping[active] > _STIFFEST)
        active = active[~done]
        if active.size == 0:
            break
    return shapes, samples.scale(f)


def _damped(damping: Floats, gained: Floats, promised: Floats) -> Floats:
    """The next damping, by the share that a step gained of what the linear model promised.

    More where it overshoots (Marquardt 1963), else steps would swing about a curved minimum.
    """
    share = gained / np.maximum(promised, 1e-300)
    factor = np.select([share > 0.75, share > 0.25, share >= 0.0], [0.1, 1.0, 4.0], 10.0)
    following: Floats = np.maximum(damping * factor, _SOFTEST)
    return following


def slopes(curve: Curve, P: Floats, shapes: Floats, box: Box) -> Floats:
    """Derivatives of the curve by every shape; shape (samples, m, k). One-sided at a bound."""
    samples, many = shapes.shape
    width = 1e-5 * np.abs(shapes) + 1e-7 * box.size
    ends = np.tile(shapes, (2, many, 1, 1))  # up and down, by each shape
    own = np.arange(many)
    ends[0, own, :, own] = np.minimum(shapes + width, box.high).T
    ends[1, own, :, own] = np.maximum(shapes - width, box.low).T
    up, down = curve(P, ends.reshape(-1, many)).reshape(2, many, samples, P.size)
    gap = (ends[0] - ends[1])[own, :, own]
    derivatives: Floats = ((up - down) / gap[:, :, None]).transpose(1, 2, 0)
    return derivatives


def _start(curve: Curve, samples: Samples, grid: Floats) -> tuple[Floats, Floats]:
    """The best shapes of the grid, for each sample, and their curves."""
    f = curve(samples.P, grid)
    weight = samples.kept**2
    across = (weight * samples.X) @ f.T
    square = weight @ (f**2).T
    if samples.gamma is None:
        gain = across**2 / square
    else:
        gain = samples.gamma[:, None] * (2.0 * across - samples.gamma[:, None] * square)
    best = gain.argmax(axis=1)
    return grid[best], f[best]


def _step(
    curve: Curve, samples: Samples, shapes: Floats, f: Floats, box: Box, damping: Floats
) -> tuple[Floats, Floats]:
    """The damped Gauss-Newton step and the fall of the squared error that it promises.

    `f` are the curves of the shapes. Shapes that a bound holds stay; gamma follows the shapes
    (Kaufman 1975).
    """
    gamma = samples.scale(f)[:, None]
    residuals = samples.kept * (samples.X - gamma * f)
    J = samples.kept[:, :, None] * gamma[:, :, None] * slopes(curve, samples.P, shapes, box)
    if samples.gamma is None:
        g = samples.kept * f
        along = np.einsum("sm,smk->sk", g, J) / (g**2).sum(axis=1)[:, None]
        J -= g[:, :, None] * along[:, None, :]
    J = J * box.size
    downhill = np.einsum("smk,sm->sk", J, residuals)
    held = ((shapes <= box.low) & (downhill <= 0.0)) | ((shapes >= box.high) & (downhill >= 0.0))
    J = np.where(held[:, None, :], 0.0, J)
    downhill = np.where(held, 0.0, downhill)
    normal = np.einsum("smk,sml->skl", J, J)
    diagonal = np.einsum("skk->sk", normal)
    weight = np.where(diagonal > 0.0, diagonal, 1.0)  # 1: a shape that stays
    added = damping[:, None] * weight
    stiff = added + (diagonal == 0.0)
    damped = normal + stiff[:, :, None] * np.eye(shapes.shape[1])
    step = np.linalg.solve(damped, downhill[:, :, None])[:, :, 0]
    promised: Floats = (step * (downhill + added * step)).sum(axis=1)
    return step * box.size, promised
