"""Every published number against what the models give.

A model joins by a module in `advisor.published` with a function `figures`, listed here.
"""

from __future__ import annotations

from advisor.published import dvsm_figures as dvsm
from advisor.published import logpc_figures as logpc
from advisor.published import mrm_figures as mrm
from advisor.published import mrnet_figures as mrnet
from advisor.published import slowdown_figures as slowdown
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure

__all__ = ["DEVIATES", "NOT_REPRODUCIBLE", "REPRODUCED", "Figure", "published_figures"]

_SOURCES = (slowdown.figures, logpc.figures, mrnet.figures, mrm.figures, dvsm.figures)


def published_figures() -> tuple[Figure, ...]:
    """All figures of all models, computed now, in the order of the models and their papers."""
    return tuple(figure for figures in _SOURCES for figure in figures())
