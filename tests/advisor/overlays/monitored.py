"""Platforms with an overlay on them, for tests that count by hand, and drawn ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from advisor.overlays.overlay import ASKED, Overlay
from advisor.overlays.overlay_load import running
from advisor.overlays.overlay_plan import OverlayPlan
from machines import Direction, Link, Machine, Platform, Switch
from tests.advisor.random_trees import trees

STARTUP_S, BANDWIDTH = 100e-6, 1e8  # of each of the two links between any two machines
WAY = Direction(STARTUP_S, BANDWIDTH)
HUB = Switch("hub")


def star(*machines: Machine, way: Direction = WAY, hub: Switch = HUB, **link: object) -> Platform:
    """All machines on one switch."""
    links = tuple(Link(one.name, hub.name, way, way, **link) for one in machines)
    return Platform("star", machines, links, switches=(hub,))


def workers(count: int, **properties: object) -> tuple[Machine, ...]:
    """n1, n2, …"""
    return tuple(Machine(f"n{number}", **properties) for number in range(1, count + 1))


def cluster(count: int = 8, **properties: object) -> Platform:
    """Workers of one core, the front-end's machine, and one of eight cores without back-ends."""
    return star(*workers(count, **properties), Machine("login", cores=2), Machine("svc", cores=8))


def monitor(count: int = 8, each: int = 8, **fields: object) -> Overlay:
    """A tool with so many back-ends on each of so many workers, ten reductions a second."""
    below = tuple((f"n{number}", each) for number in range(1, count + 1))
    return Overlay("monitor", "login", below, **{"rate_hz": 10.0, "filter_s": 2e-6} | fields)


@st.composite
def placed(draw: st.DrawFn) -> tuple[Platform, Overlay, OverlayPlan]:
    """An overlay on a star of unlike machines, as fast as half of what it could be."""
    speeds = draw(st.lists(st.sampled_from([0.5, 1.0, 1.7, 4.0]), min_size=2, max_size=5))
    cores = [draw(st.integers(1, 4)) for _ in speeds]
    machines = [
        Machine(f"m{number}", cores=many, speed=speed)
        for number, (speed, many) in enumerate(zip(speeds, cores, strict=True))
    ]
    names = [machine.name for machine in machines]
    tree = draw(trees(14))
    split = draw(st.integers(0, tree.back_ends - 1))
    first, second = draw(st.permutations(names))[:2]
    parts = ((first, tree.back_ends - split), (second, split))
    overlay = Overlay(
        "o",
        draw(st.sampled_from(names)),
        tuple(part for part in parts if part[1]),
        message_bytes=draw(st.sampled_from([1.0, 64.0, 5000.0])),
        operation=draw(st.sampled_from(ASKED)),
        filter_s=draw(st.sampled_from([0.0, 3e-5])),
        overhead_s=draw(st.sampled_from([None, 0.0, 2e-5, 1e-3])),
    )
    internal = tuple(draw(st.sampled_from(names)) for _ in range(tree.internal))
    platform, plan = star(*machines), OverlayPlan.of(tree, internal)
    return platform, replace(overlay, rate_hz=_possible_hz(platform, overlay, plan)), plan


def _possible_hz(platform: Platform, overlay: Overlay, plan: OverlayPlan) -> float:
    found = running(platform, overlay, plan)
    cores = [machine.cores for machine in platform.machines]
    needs = [float(found.busy_s.max()), *(found.machine_busy_s / cores).tolist()]
    needs += (found.crossing_bytes / [one.capacity for one in found.ways.resources]).tolist()
    return 0.5 / max(needs) if max(needs) > 0.0 else 1.0
