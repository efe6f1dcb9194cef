"""Messages that are sent when a program says so, on the simulated network.

`advisor.messages.simulation.simulated_traffic` knows steady traffic; here a program's own messages
go through the same network: path holding, first come first served, lanes of rings. The program is
told when a message has landed and says when its node sends the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import wormhole_kernel as kernel
from advisor.models.message_paths import paths_of
from machines.arrays import Flags
from machines.checks import number
from machines.errors import PlacewiseError
from machines.traffic import Routes

Landed = Callable[[int, float, float], None]
"""What is told of a message: its sender's node, when it landed and how long it had waited."""

_SLICE = 64  # events between two looks at `should_stop`
_NONE, _ONE = np.empty(0), np.ones(1)


class DrivenNetwork:
    """A network whose nodes send one message at a time, each of which takes `occ`.

    `routes`: of a network of P nodes. `used`: shape (P, P); which pairs (sender, receiver) may
    exchange messages. `occ`: time that a message occupies a channel, > 0.
    """

    def __init__(self, routes: Routes, used: Flags, occ: float) -> None:
        nodes = routes.network.size
        paths = paths_of(routes, used)
        self.occ = number("occ", occ, above=True)
        # every row lets a number in [0, 1) name the receiver
        named = np.tile(np.arange(1, nodes + 1) / nodes, (nodes, 1))
        self._traffic = kernel.Traffic(
            paths.offsets, paths.slots, paths.partner, named, self.occ, 0.0, False, 0
        )
        self._state = kernel.new_state(self._traffic, np.full(nodes, math.inf))
        self._target = np.zeros(nodes, np.int64)
        self._sending = np.zeros(nodes, np.bool_)
        self._began = np.zeros(nodes)

    def send(self, node: int, target: int, when: float) -> None:
        """Let a node that sends nothing send to another one at a time that is not over."""
        self._target[node] = target
        self._plan(node, max(when, float(self._state.clock[kernel.NOW])))

    def run(self, landed: Landed, should_stop: ShouldStop | None = None) -> bool:
        """Go on until nobody sends any more; False when stopped."""
        state, left = self._state, _SLICE
        while True:
            left -= 1
            if left == 0:
                left = _SLICE
                if should_stop is not None and should_stop():
                    return False
            # without a choice it goes on to the next node that has landed or is to send
            if not kernel.advance(self._traffic, state, _NONE, _NONE):
                raise PlacewiseError("the messages deadlock")
            node = int(state.heap[0])
            when = float(state.when[node])
            if self._sending[node]:
                self._sending[node] = False
                self._plan(node, math.inf)
                landed(node, when, when - float(self._began[node]) - self.occ)
            elif when < math.inf:
                self._start(node, when)
            elif (state.doing == kernel.BLOCKED).any():
                raise PlacewiseError("the messages deadlock")
            else:
                return True

    def _start(self, node: int, when: float) -> None:
        self._sending[node] = True
        self._began[node] = when
        choice = np.array([(self._target[node] + 0.5) / len(self._target)])
        kernel.advance(self._traffic, self._state, choice, _ONE)

    def _plan(self, node: int, when: float) -> None:
        state = self._state
        state.when[node] = when
        kernel.rise(state, state.place[node])
        kernel.sink(state, state.place[node])
