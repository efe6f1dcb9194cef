"""Hosts of an overlay with a task beside, predicted and simulated; a benchmark takes them all."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.models.contention import machine_slowdown
from advisor.models.process_tree import Tree, levelled
from advisor.models.processor_sharing import resident_slowdown
from advisor.models.waves import fallen_behind
from advisor.overlays.load import loaded
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_plan import OverlayPlan
from machines import Direction, InputError, Link, Machine, Platform, Switch
from tests.advisor.overlays.beside_tasks import slowdowns

LOADS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8)  # of all cores of the host that is looked at
OVERHEAD, FILTER, FLIGHT = 20e-6, 5e-6, 60e-6
HOSTS = ("looked-at", "others", "login", "svc")
# tree of 16 back-ends, the first eight on the host that is looked at, and its internal processes'
KINDS: dict[str, tuple[Tree, tuple[int, ...]]] = {
    "8 back-ends": (levelled(16, (4, 4)), (3, 3, 3, 3)),
    "1 internal process, 8 back-ends": (levelled(16, (2, 8)), (0, 1)),
    "4 internal processes, 8 back-ends": (levelled(16, (4, 4)), (0, 0, 0, 0)),
    "2 and 2 internal processes, 8 back-ends": (levelled(16, (2, 2, 4)), (0, 0, 0, 0, 3, 3)),
}


@dataclass(frozen=True)
class Beside:
    """One cell: slowdowns simulated, predicted, and as contenders that wait would have it."""

    simulated: float
    predicted: float
    waiting: float
    falls_behind: bool

    @property
    def error(self) -> float:
        return self.predicted / self.simulated - 1.0


def beside(
    kind: str, cores: int, held: int, load: float, operations: int, *, apart: bool = False
) -> Beside | None:
    """What a task of `held` cores meets; None where a process would need more than a processor."""
    tree, internal = KINDS[kind]
    hosts = [2, *internal, *[0] * 8, *[1] * 8]
    here = [one for one in range(tree.size) if hosts[one] == 0]
    work = {
        one: int(tree.fanouts[one]) * (OVERHEAD + FILTER) + (OVERHEAD if one else 0.0)
        for one in here
    }
    rate = load * cores / sum(work.values())
    try:
        machine = _loaded(tree, internal, cores, rate)
    except InputError:
        return None
    waves = [(one.compute, one.processes) for one in machine.contenders]
    sizes = [(cores, held), *[(64, 1)] * 3]
    found = slowdowns(tree, hosts, sizes, OVERHEAD, FILTER, FLIGHT, rate, operations, apart=apart)
    shares = [rate * one for one in work.values()]
    return Beside(
        found[0],
        machine_slowdown(machine, held).value,
        resident_slowdown([(one, 0.0) for one in shares], cores, held),
        fallen_behind(waves, cores, held) > 0,
    )


def _loaded(tree: Tree, internal: tuple[int, ...], cores: int, rate: float) -> Machine:
    way = Direction((2 * OVERHEAD + FLIGHT) / 2, 1e12)
    machines = tuple(Machine(name, cores=64 if one else cores) for one, name in enumerate(HOSTS))
    links = tuple(Link(name, "hub", way, way) for name in HOSTS)
    platform = Platform("star", machines, links, switches=(Switch("hub"),))
    below = ((HOSTS[0], 8), (HOSTS[1], 8))
    overlay = Overlay("o", "login", below, 1.0, rate, filter_s=FILTER, overhead_s=OVERHEAD)
    plan = OverlayPlan.of(tree, tuple(HOSTS[one] for one in internal))
    return loaded(platform, [(overlay, plan)]).machines[0]
