"""How often intervals of fitted laws hold the truth, and how good recommended numbers are.

Synthetic measurements of known truth: nine or eight P, 1.5 % noise of each value.
"""

from __future__ import annotations

import numpy as np

from advisor.models.mrm import amdahl, erlang_speedup, usl
from advisor.scaling.data import measurements
from advisor.scaling.fits import fit_laws
from advisor.studies.scaling.run import ScalingParameters, run

_NAMES = ("sigma", "kappa", "gamma")
_LOADS = (1, 2, 4, 8, 16, 32, 48, 64, 96)


def main() -> None:
    """Print coverage and losses."""
    print("95 % intervals of the USL that hold the truth")
    for runs, sets in ((3, 1000), (1, 200)):
        held = np.zeros(3)
        for seed in range(sets):
            held += _held(seed, runs)
        shares = zip(_NAMES, held / sets, strict=True)
        said = ", ".join(f"{name} {100 * share:.1f} %" for name, share in shares)
        print(f"  {runs} of each P, {sets} sets: {said}; wanted 92 % with 3")
    lost = np.array([_loss(seed) for seed in range(20)])
    print("How much slower than possible the recommended number is, in 20 sets")
    print(f"  median {100 * np.median(lost):.2f} %, worst {100 * lost.max():.2f} %; wanted 3.2 %")


def _held(seed: int, runs: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    sigma, kappa = rng.uniform(0.005, 0.08), 10 ** rng.uniform(-5, -3.3)
    P = np.repeat(_LOADS, runs)
    X = np.array([100.0 * usl(int(p), sigma, kappa) for p in P])
    X *= 1.0 + 0.015 * rng.standard_normal(P.size)
    fit = fit_laws(measurements(P.tolist(), X.tolist()), replicates=0 if runs > 1 else 100).fit(
        "usl"
    )
    assert fit is not None
    ends = [fit.estimate(name) for name in _NAMES]
    truth = (sigma, kappa, 100.0)
    return np.array([one.low <= value <= one.high for one, value in zip(ends, truth, strict=True)])


def _loss(seed: int) -> float:
    rng = np.random.default_rng(100 + seed)
    sigma, kappa = rng.uniform(0.005, 0.1), 10 ** rng.uniform(-4.6, -3)
    truth = (
        lambda P: usl(P, sigma, kappa),
        lambda P: amdahl(P, sigma),
        lambda P: erlang_speedup(P, sigma),
        lambda P: P / (1 + sigma * (P - 1) + kappa * P * np.log(P)),
    )[seed % 4]
    lines = [
        f"{P},{100 / truth(P) * (1 + 0.015 * rng.standard_normal()):.6g}"
        for P in (1, 2, 4, 8, 16, 32, 64, 128)
        for _ in range(3)
    ]
    data = "\n".join(["P,time (s)", *lines])
    result = run(ScalingParameters(source="data", replicates=0, data=data))
    (table,) = [one for one in result.tables if one.title == "Processors to use"]
    chosen = table.rows[0][1]
    assert isinstance(chosen, int)
    return float(max(truth(P) for P in range(1, 129)) / truth(chosen) - 1.0)


if __name__ == "__main__":
    main()
