"""A Diamond DAG message by message: its stripes and blocks on the simulated network.

As `advisor.messages.diamond_blocks.wavefront` counts, but every message finds its own way and waits
as long as it must: nothing is said about contention beforehand. And every processor pays what the
network states: a receiver its o_r, whatever the diamond's reading, and a message leaves only after
its sender's o_s, which d = L + a G of Eq. (15) leaves out. Without shared channels that makes
M of the network's own reading, (P − 1) o_s later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.messages.diamond_blocks import NETWORKS_OWN, Diamond
from advisor.messages.mapping.orders import Mapping
from advisor.messages.simulation.simulated_programs import DrivenNetwork
from machines.arrays import Floats
from machines.errors import PlacewiseError
from machines.traffic import Routes

MOST_MESSAGES = 100_000
"""A wavefront of more is not simulated."""


@dataclass(frozen=True, eq=False)
class WavefrontRun:
    """What was simulated.

    `waits`: shape (messages,); what each message waited for channels, in the order in which they
        landed.
    """

    makespan: float  # end of the last block of the last stripe
    waits: Floats


def simulate_wavefront(
    diamond: Diamond,
    b: int,
    routes: Routes,
    mapping: Mapping,
    should_stop: ShouldStop | None = None,
) -> WavefrontRun | None:
    """Run the P stripes in b blocks.

    A processor receives a block's data (O_r, always with o_r) when they are announced and it is
    free, computes (W) and sends (o_s, then the message's time on its channels), which holds it
    until the message has been taken in. The next processor is told o_s + d after the send began,
    later by what the message waited; messages that it does not take yet stay in its network
    interface.

    `diamond`: its reading of what receiving costs does not count here. `b`: blocks of a stripe.
    `routes`: of the network. `mapping`: node of each stripe. Returns None when stopped.
    """
    messages = (diamond.P - 1) * b
    if messages > MOST_MESSAGES:
        raise PlacewiseError(
            "these are too many messages to simulate",
            where=f"b = {b}",
            value=messages,
            remedy=f"Allowed: up to {MOST_MESSAGES}: choose fewer blocks",
        )
    used = np.zeros((routes.network.size, routes.network.size), np.bool_)
    used[list(mapping[:-1]), list(mapping[1:])] = True
    charged = replace(diamond, receiving=NETWORKS_OWN)
    # the first byte is there when the send has begun, so that O_s = o_s + occ
    occ = charged.steps(b).sending - charged.net.long.o_s
    run = _Stripes(charged, b, mapping, DrivenNetwork(routes, used, occ))
    if not run.network.run(run.landed, should_stop):
        return None
    return WavefrontRun(run.end, np.array(run.waits))


class _Stripes:
    """Where every stripe stands; the first one begins at once."""

    def __init__(
        self, diamond: Diamond, b: int, mapping: Sequence[int], network: DrivenNetwork
    ) -> None:
        self.steps, self.o_s, self.b = diamond.steps(b), diamond.net.long.o_s, b
        self.mapping, self.network = mapping, network
        self.stripe_at = {node: stripe for stripe, node in enumerate(mapping)}
        self.done = [0] * diamond.P
        self.free = [0.0] * diamond.P
        self.sends = [False] * diamond.P
        self.told: list[list[float]] = [[] for _ in range(diamond.P)]
        self.computed = [0.0] * diamond.P
        self.end = 0.0
        self.waits: list[float] = []
        self._go_on(0)

    def landed(self, node: int, _now: float, wait: float) -> None:
        """A message has been taken in: its sender and its receiver may go on."""
        stripe = self.stripe_at[node]
        began = self.computed[stripe]
        self.waits.append(wait)
        self.sends[stripe] = False
        self.free[stripe] = began + self.steps.sending + wait
        self.told[stripe + 1].append(began + self.o_s + self.steps.delay + wait)
        self._go_on(stripe)
        self._go_on(stripe + 1)

    def _go_on(self, stripe: int) -> None:
        """Compute the next block and send its last row, if its data are there."""
        last = stripe == len(self.mapping) - 1
        while self.done[stripe] < self.b and not self.sends[stripe]:
            block, start = self.done[stripe], self.free[stripe]
            if stripe > 0:
                if block == len(self.told[stripe]):
                    return
                start = max(start, self.told[stripe][block]) + self.steps.receiving
            self.done[stripe] += 1
            computed = self.computed[stripe] = start + self.steps.work
            if last:
                self.free[stripe] = self.end = computed
            else:
                self.sends[stripe] = True
                target = self.mapping[stripe + 1]
                self.network.send(self.mapping[stripe], target, computed + self.o_s)
