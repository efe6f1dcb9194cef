"""Every published number against what the models give.

A model joins by a module in `advisor.published` with a function `figures`, listed here.
"""

from __future__ import annotations

from advisor.published import dvsm, logpc, mrm, mrnet, slowdown
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure

__all__ = ["DEVIATES", "NOT_REPRODUCIBLE", "REPRODUCED", "Figure", "published_figures"]

_SOURCES = (slowdown.figures, logpc.figures, mrnet.figures, mrm.figures, dvsm.figures)


def published_figures() -> tuple[Figure, ...]:
    """All figures of all models, computed now, in the order of the models and their papers."""
    return tuple(figure for figures in _SOURCES for figure in figures())
