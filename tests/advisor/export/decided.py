"""A plan that decides nodes, orders and a tree, with hosts that can be counted by hand."""

from __future__ import annotations

from advisor.allocation.choices import TaskChoice
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.export.export_record import Planned
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from tests.choosing import ALIGN, LOGIN, SPECTRA, choosing

BACKWARDS = tuple(reversed(range(32)))


def decided(overlay: bool = True) -> Planned:
    """Spectra on Alewife's nodes backwards, the alignment on the other's in a snake, a tree 8 × 8.

    The processes of the tree between front-end and back-ends are on the service machine.
    """
    problem = choosing(overlay).problem()
    tree = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)
    plan = Plan(
        (0, 1, LOGIN),
        choices=(
            TaskChoice(SPECTRA, "mapping", BACKWARDS),
            TaskChoice(ALIGN, "block", 16),
            TaskChoice(ALIGN, "mapping", "snake"),
        ),
        overlays=(tree,) if overlay else (),
    )
    return Planned(problem, plan, predict(problem, plan))
