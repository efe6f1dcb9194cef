"""Tiled Cholesky factorisation of n × n tiles: Buttari, Langou, Kurzak & Dongarra 2009, sec. 3.1.

Step k: potrf factors the tile on the diagonal, trsm solves the tiles below it, syrk and gemm
update the rest, right-looking. n(n + 1)(n + 2)/6 tasks, (n³ − n)/2 flows, each of one tile. Times
are the operations on a tile of b² numbers: b³/3, b³, b³ and 2b³.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, family
from advisor.campaigns.generators.generator_settings import Settings
from machines.parameters import parameter

_POTRF, _TRSM, _SYRK, _GEMM = 1.0, 3.0, 3.0, 6.0


@dataclass(frozen=True)
class Cholesky(Settings):
    """Settings of tiled Cholesky factorisation."""

    FAMILY: ClassVar[str] = "cholesky"

    tiles: int = parameter(
        6,
        low=2,
        high=80,
        title="Tiles",
        help="Tiles n along a side: n(n + 1)(n + 2)/6 tasks (6: 56, 38: 9,880)",
    )


def shape(settings: Cholesky, rng: np.random.Generator) -> Shape:  # noqa: ARG001 - times are counted
    """Factor, solve and update, step by step."""
    found, n = Shape(), settings.tiles
    last: dict[tuple[int, int], int] = {}  # what wrote each tile last

    def kernel(kind: str, work: float, tile: tuple[int, int], k: int, needs: list[int]) -> int:
        row, column = tile
        numbers = {"potrf": f"{k}", "gemm": f"{row}-{column}-{k}"}.get(kind, f"{row}-{k}")
        here = found.task(kind, f"{kind}-{numbers}", work)
        for source in [*needs, *([last[tile]] if tile in last else [])]:
            found.flow(source, here, 1.0)
        last[tile] = here
        return here

    for k in range(1, n + 1):
        factor = kernel("potrf", _POTRF, (k, k), k, [])
        solved = {i: kernel("trsm", _TRSM, (i, k), k, [factor]) for i in range(k + 1, n + 1)}
        for i in range(k + 1, n + 1):
            kernel("syrk", _SYRK, (i, i), k, [solved[i]])
            for j in range(k + 1, i):
                kernel("gemm", _GEMM, (i, j), k, [solved[i], solved[j]])
    return found


GENERATOR = family(
    Cholesky,
    "Tiled Cholesky",
    "Factorisation of a matrix of tiles: potrf, trsm, syrk and gemm",
    shape,
    "A. Buttari, J. Langou, J. Kurzak and J. Dongarra, A class of parallel tiled linear algebra "
    "algorithms for multicore architectures, Parallel Computing 35(1), 2009",
)
