"""The platform that an application finds where overlays run: contenders on hosts, links less wide.

Processes of an overlay are paced contenders by the share of a processor that they take: their work
comes at its rate and does not wait (`advisor.models.waves`). Of the links and switches on its way a
message takes the share of the time for which it holds them: they keep 1 − (bytes/s)/capacity of
their bandwidth. Of a link with one piece that is its bandwidth less these bytes a second; of one
with two both pieces keep the same share. What moves inside a machine or through a link that is not
shared takes nothing from others. Of the application's routes that cost the same, those whose links
carry less may then be the ones that are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.models.contention import EXACT, PacedContender, contended_slowdown
from advisor.overlays.message_ways import summed
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_load import Running
from advisor.overlays.placed import OverlayPlan, check_placed, check_traffic
from machines.arrays import Floats
from machines.platform import Direction, Link, Machine, Platform, Switch
from machines.sharing import Resource


def loaded(platform: Platform, placed: Sequence[tuple[Overlay, OverlayPlan]]) -> Platform:
    """The platform as an application finds it beside overlays.

    Machines, links and switches that no overlay uses are the same objects; without overlays, or
    where none does anything, so is the platform.

    `platform`: without them. `placed`: pairs (Overlay, OverlayPlan); in any order: what they take
    adds up.
    """
    found = [check_placed(platform, overlay, plan) for overlay, plan in placed]
    found = [one for one in found if one.overlay.rate_hz > 0.0]
    if not found:
        return platform
    contenders: dict[int, list[PacedContender]] = {}
    for one in found:
        for machine, more in contenders_of(one).items():
            contenders.setdefault(machine, []).extend(more)
    machines = tuple(
        _slowed(machine, tuple(contenders[position])) if position in contenders else machine
        for position, machine in enumerate(platform.machines)
    )
    traffic = np.sum([one.traffic for one in found], axis=0)
    if len(found) > 1:
        check_traffic(found[0].ways, traffic, [one.overlay for one in found])
    links, switches = _narrowed(platform, found[0].ways.resources, traffic)
    if (machines, links, switches) == (platform.machines, platform.links, platform.switches):
        return platform
    return replace(platform, machines=machines, links=links, switches=switches)


def contenders_of(found: Running) -> dict[int, list[PacedContender]]:
    """Position of a machine → what the overlay's processes there take, as contenders.

    One contender for all processes of a machine that work at the same time: the front-end, the
    internal processes of a level, the back-ends. It has their number and their mean share.
    """
    tree, leaves, machines = found.tree, found.is_back_end(), len(found.ways.platform.machines)
    level = np.repeat(np.arange(tree.levels.size - 1), np.diff(tree.levels))
    level[leaves] = tree.levels.size  # all back-ends begin together, whatever is above them
    place, first, wave, many = np.unique(
        level * machines + found.host, return_index=True, return_inverse=True, return_counts=True
    )
    share = summed(wave, found.share, place.size) / many
    inner = np.cumsum(~leaves) - 1  # the number of an internal process
    result: dict[int, list[PacedContender]] = {}
    for at in np.flatnonzero(share > 0.0).tolist():
        process, count = int(first[at]), int(many[at])
        label = _label(count, int(inner[process]), is_back_end=bool(leaves[process]))
        said = f"{found.overlay.name}: {label}"
        contender = PacedContender(said, min(1.0, float(share[at])), processes=count)
        result.setdefault(int(found.host[process]), []).append(contender)
    return result


def _label(count: int, number: int, *, is_back_end: bool) -> str:
    """What processes that work together are called: "internal 3", "8 back-ends"."""
    if is_back_end:
        return "back-end" if count == 1 else f"{count} back-ends"
    if count > 1:
        return f"{count} internal processes"
    return f"internal {number}" if number else "front-end"


def _slowed(machine: Machine, more: tuple[PacedContender, ...]) -> Machine:
    """A machine with more contenders.

    A slowdown that is stated stands in place of contenders: it is multiplied by what the
    overlay's alone would do to a task of one core. Where 1 is stated of a machine with contenders,
    these go on communicating, and do not compute.
    """
    if machine.slowdown is None:
        return replace(machine, contenders=(*machine.contenders, *more))
    if machine.contenders:
        quiet = tuple(replace(one, compute=0.0) for one in machine.contenders)
        return replace(machine, slowdown=None, contenders=(*quiet, *more))
    alone = replace(machine, slowdown=None, contenders=more)
    factor = contended_slowdown(alone, 1, EXACT).value
    return replace(machine, slowdown=machine.slowdown * factor)


def _narrowed(
    platform: Platform, resources: Sequence[Resource], traffic: Floats
) -> tuple[tuple[Link, ...], tuple[Switch, ...]]:
    """Links and switches with what messages leave of their bandwidth."""
    links, switches = platform.links, platform.switches
    if not traffic.any():
        return links, switches
    kept, passed = list(links), list(switches)
    for one, passing in zip(resources, traffic.tolist(), strict=True):
        if passing == 0.0:
            continue
        left = 1.0 - passing / one.capacity
        if one.switch is not None:
            passed[one.switch] = replace(passed[one.switch], bandwidth=one.capacity * left)
        elif one.link is not None:
            kept[one.link] = _shared(kept[one.link], one.forward, left)
    return tuple(kept), tuple(passed)


def _shared(link: Link, forward: bool | None, left: float) -> Link:
    """A link of which so much is left in one direction, or in both (None)."""
    if forward is not False:
        link = replace(link, to_second=_part(link.to_second, left))
    if forward is not True:
        link = replace(link, to_first=_part(link.to_first, left))
    return link


def _part(way: Direction, left: float) -> Direction:
    above = way.above
    if above is not None:
        above = replace(above, bandwidth=above.bandwidth * left)
    return replace(way, bandwidth=way.bandwidth * left, above=above)
