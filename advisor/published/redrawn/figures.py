"""Every figure of the papers that the models can redraw, and why the others are not redrawn.

A paper joins by a module in `advisor.published.redrawn` with `redrawn` and `NOT_REDRAWN`.
"""

from __future__ import annotations

from advisor.published.redrawn import dvsm, logpc, mrm, mrnet, slowdown
from advisor.published.redrawn.redrawn import NotRedrawn, Redrawn

_PAPERS = (slowdown, logpc, mrnet, mrm, dvsm)


def redrawn_figures() -> tuple[Redrawn, ...]:
    """All of them, computed now, in the order of the papers in `placewise validate`."""
    return tuple(figure for paper in _PAPERS for figure in paper.redrawn())


def not_redrawn() -> tuple[NotRedrawn, ...]:
    """Figures that the models can't draw, each with the reason."""
    return tuple(one for paper in _PAPERS for one in paper.NOT_REDRAWN)
