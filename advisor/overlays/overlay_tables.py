"""Overlays and their plans as tables of workload, plan and project files.

Each pair of functions is exact: what one writes the other reads back to an equal value.
"""

from __future__ import annotations

from itertools import groupby

from advisor.models.process_tree import Tree
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_load import check_fits
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.overlays.placed import placed_tree
from advisor.trees.mrnet_trees import render
from advisor.trees.topology_file import parse_topology
from machines.checks import whole
from machines.errors import InputError
from machines.formats.fields import (
    Table,
    names,
    place,
    properties,
    properties_table,
    required,
    table,
)
from machines.parameters import properties_of

_PARTS = ("back_ends", "internal_on")
_PLACED = ("tree", "placement")


def overlay_from(row: object, where: str = "overlay") -> Overlay:
    """The overlay of a table.

    `row`: with the keys of `Overlay`; `back_ends` by machine. `where`: the place, for messages.
    """
    known = (*(one.name for one in properties_of(Overlay)), *_PARTS)
    source = table(row, known, where)
    below = required(source, "back_ends", where)
    if not isinstance(below, dict):
        raise InputError(
            "back_ends must be a table", where=where, value=below,
            remedy="Write back_ends = { MACHINE = PROCESSES, … }",
        )  # fmt: skip
    counts = tuple(
        (str(machine), whole("back_ends", many, low=1, where=f"{where}: {machine}"))
        for machine, many in below.items()
    )
    allowed = source.get("internal_on")
    return Overlay(
        back_ends=counts,
        internal_on=None if allowed is None else names(allowed, "internal_on", where),
        **properties(source, Overlay, where),
    )


def overlay_table(overlay: Overlay) -> Table:
    """The table of an overlay; what is at its default is left out."""
    defaults = {one.name: one.default for one in properties_of(Overlay)}
    said = properties_table(overlay)
    result: Table = {"name": said.pop("name"), "front_end": said.pop("front_end")}
    result["back_ends"] = dict(overlay.back_ends)
    result |= {name: value for name, value in said.items() if value != defaults[name]}
    if overlay.internal_on is not None:
        result["internal_on"] = list(overlay.internal_on)
    return result


def placed_from(row: object, overlay: Overlay, where: str = "overlay") -> OverlayPlan:
    """The plan of an overlay, of a table.

    `row`: ``tree``: a shape such as "8x8", an MRNet topology that names the machine of every
        process, or the children of all processes breadth first; ``placement``, beside a shape or
        children: the number of internal processes by machine, in the order in which they are filled
        breadth first, or a list with the machine of each.
    `overlay`: whose plan it is.
    `where`: the place, for messages.
    """
    source = table(row, _PLACED, where)
    said = required(source, "tree", where)
    with place(where):
        if isinstance(said, str) and ("=>" in said or ";" in said):
            if "placement" in source:
                raise InputError(
                    "an MRNet topology names the machines itself", where="placement",
                    value=source["placement"], remedy="Leave placement out",
                )  # fmt: skip
            return _of_topology(said, overlay)
        tree = _tree(said, overlay)
        plan = OverlayPlan.of(tree, _placement(source.get("placement", {}), tree))
        check_fits(overlay, plan, "tree")
    return plan


def placed_table(overlay: Overlay, plan: OverlayPlan) -> Table:
    """The table of a plan: a shape and counts where these say it, else an MRNet topology.

    What neither can say, as a machine's name that MRNet does not take, are lists.
    """
    runs = [(machine, len(list(same))) for machine, same in groupby(plan.internal)]
    counts = dict(runs)
    in_turn = len(counts) == len(runs)
    shape = plan.shape
    if shape is not None and in_turn:
        return {"tree": shape} | ({"placement": counts} if counts else {})
    text = _topology(overlay, plan)
    if text is not None:
        return {"tree": text}
    tree = list(plan.fanouts) if shape is None else shape
    placement = counts if in_turn else list(plan.internal)
    return {"tree": tree} | ({"placement": placement} if placement else {})


def _tree(said: object, overlay: Overlay) -> Tree:
    if isinstance(said, str):
        return tree_of_shape(said, overlay.count)
    if isinstance(said, list):
        fanouts = tuple(whole("children", one, where="tree") for one in said)
        return OverlayPlan(fanouts).tree
    raise InputError(
        "tree must be a text", where="tree", value=said,
        remedy='Write a shape such as "8x8", or an MRNet topology',
    )  # fmt: skip


def _placement(said: object, tree: Tree) -> tuple[str, ...]:
    """The machine of every internal process."""
    if isinstance(said, list):
        return names(said, "placement", "placement")
    if not isinstance(said, dict):
        raise InputError(
            "placement must be a table", where="placement", value=said,
            remedy="Write the number of internal processes by machine",
        )  # fmt: skip
    counts = {
        str(machine): whole("placement", many, low=1, high=tree.size, where=str(machine))
        for machine, many in said.items()
    }
    placed = sum(counts.values())
    if placed != tree.internal:
        raise InputError(
            f"the tree has {tree.internal} internal processes, and {placed} are placed",
            where="placement", value=dict(said), remedy="Give every internal process one machine",
        )  # fmt: skip
    return tuple(machine for machine, many in counts.items() for _ in range(many))


def _topology(overlay: Overlay, plan: OverlayPlan) -> str | None:
    """The plan as an MRNet topology; None where MRNet takes none of its size or hosts."""
    try:
        return render(placed_tree(overlay, plan))
    except InputError:
        return None


def _of_topology(text: str, overlay: Overlay) -> OverlayPlan:
    topology = parse_topology(text, "tree")
    if topology.tree is None:
        raise InputError(
            "a front-end alone is no tree", where="tree", remedy="Name its back-ends, too"
        )
    tree = topology.tree
    hosts = [host for host, _ in topology.names]
    fanouts = tree.fanouts.tolist()
    inner = [host for host, children in zip(hosts, fanouts, strict=True) if children]
    plan = OverlayPlan.of(tree, tuple(inner[1:]))
    check_fits(overlay, plan, "tree")
    if hosts[0] != overlay.front_end:
        raise InputError(
            f"its front-end is on another machine than {overlay.front_end}", where="tree",
            value=hosts[0], remedy="Put the root there, or change the overlay's front_end",
        )  # fmt: skip
    leaves = [host for host, children in zip(hosts, fanouts, strict=True) if not children]
    wanted = [machine for machine, many in overlay.back_ends for _ in range(many)]
    for number, (host, machine) in enumerate(zip(leaves, wanted, strict=True), 1):
        if host != machine:
            raise InputError(
                f"its back-end {number} is not on {machine}", where="tree", value=host,
                remedy="List the leaves breadth first in the order of the overlay's back_ends",
            )  # fmt: skip
    return plan
