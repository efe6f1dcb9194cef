"""A plan as the table that files hold: allocation, order, strategy and every decision by name.

`plan_from` and `plan_table` are inverses; project files, the JSON of `advise` and
`predict --allocation` share them (docs/files.md).
"""

from __future__ import annotations

from advisor.allocation.choices import choices_table
from advisor.allocation.plan import Plan, from_names
from advisor.allocation.variants import variants_table
from advisor.allocation.workload import Workload
from advisor.overlays.overlay_tables import placed_table
from machines import InputError, Platform
from machines.checks import plain_name
from machines.formats.fields import Table, names, required

KEYS = ("allocation", "order", "strategy", "processors", "choices", "overlays", "variants")


def plan_from(source: Table, workload: Workload, platform: Platform) -> Plan:
    """The plan of a table; other keys than `KEYS` are the caller's."""
    allocation = required(source, "allocation", "")
    if not isinstance(allocation, dict):
        raise InputError("allocation must be a table task → machine", value=allocation)
    given = source.get("order")
    processors = source.get("processors", {})
    if not isinstance(processors, dict):
        raise InputError("processors must be a table task → number", value=processors)
    return from_names(
        allocation,
        workload,
        platform,
        None if given is None else names(given, "order", ""),
        plain_name("strategy", source.get("strategy", "manual"), empty=True),
        processors,
        source.get("choices"),
        source.get("overlays"),
        source.get("variants"),
    )


def plan_table(plan: Plan, workload: Workload, platform: Platform) -> Table:
    """The table of a plan; what is not decided is left out."""
    result: Table = {"allocation": plan.named(workload, platform)}
    if plan.order is not None:
        result["order"] = [workload.tasks[task].name for task in plan.order]
    result["strategy"] = plan.strategy
    if plan.processors is not None:
        result["processors"] = plan.counts(workload)
    return result | decisions_table(plan, workload)


def decisions_table(plan: Plan, workload: Workload) -> Table:
    """Variants, choices about programs and trees of overlays, where there are any."""
    result: Table = {}
    if plan.variants is not None and workload.variable:
        result["variants"] = variants_table(plan.variants, workload)
    if plan.choices:
        result["choices"] = choices_table(plan.choices, workload)
    trees = {
        overlay.name: placed_table(overlay, tree)
        for overlay, tree in zip(workload.overlays, plan.overlays, strict=False)
        if tree is not None
    }
    if trees:
        result["overlays"] = trees
    return result
