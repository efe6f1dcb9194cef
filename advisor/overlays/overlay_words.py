"""An overlay, its tree and what it costs, in short phrases for tooltips, answers and tables."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.models.mrnet import BROADCAST, REDUCTION
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_measures import OverlayMeasures
from advisor.overlays.overlay_plan import OverlayPlan

_OPERATIONS = {BROADCAST: "broadcast", REDUCTION: "reduction"}
_MOST_NAMED = 3


def operation_words(overlay: Overlay) -> str:
    """What comes how often: "10 reductions a second"."""
    what = _OPERATIONS.get(overlay.operation, "round trip")
    return f"{overlay.rate_hz:g} {what}{'' if overlay.rate_hz == 1.0 else 's'} a second"


def overlay_words(overlay: Overlay) -> str:
    """What it is: "64 back-ends on 8 machines, 10 reductions a second"."""
    back_ends = count(overlay.count, "back-end")
    return f"{back_ends} on {_machines(dict(overlay.back_ends))}, {operation_words(overlay)}"


def shape_words(plan: OverlayPlan) -> str:
    """The tree alone: "8×8 tree", "flat tree", "tree of depth 3"."""
    if plan.tree.internal == 0:
        return "flat tree"
    if plan.shape is not None:
        return f"{plan.shape.replace('x', '×')} tree"
    return f"tree of depth {plan.tree.depth}"


def placement_words(overlay: Overlay, plan: OverlayPlan) -> str:
    """Where internal processes run: "internal processes on svc"; empty where there are none."""
    machines = plan.machines
    if not machines:
        return ""
    what = "internal process" if len(plan.internal) == 1 else "internal processes"
    if plan.shape is None:  # which does not say how many
        what = f"{len(plan.internal):,} {what}"
    beside = set(machines) <= {machine for machine, _ in overlay.back_ends}
    if beside and len(machines) > _MOST_NAMED:
        return f"{what} beside back-ends"
    return f"{what} on {_machines(machines)}"


def tree_words(overlay: Overlay, plan: OverlayPlan) -> str:
    """Tree and placement: "8×8 tree, internal processes on svc"."""
    where = placement_words(overlay, plan)
    return f"{shape_words(plan)}, {where}" if where else shape_words(plan)


def brief_tree_words(overlay: Overlay, plan: OverlayPlan) -> str:
    """Tree and placement in a list of trees: "8×8 on svc", "flat", "4×16 beside back-ends"."""
    where = placement_words(overlay, plan).rpartition("process")[2].removeprefix("es")
    return f"{shape_words(plan).removesuffix(' tree')}{where}"


def most_rate_hz(measures: OverlayMeasures) -> float:
    """Operations a second that it can keep up with; infinite where they take nothing."""
    return 1.0 / measures.period_s if measures.period_s > 0.0 else float("inf")


def _machines(machines: dict[str, int]) -> str:
    """Their names, or how many there are."""
    if len(machines) > _MOST_NAMED:
        return count(len(machines), "machine")
    names = list(machines)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
