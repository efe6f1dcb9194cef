"""A program's own messages on the simulated network: turns, waits, stopping, no standstill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from advisor.messages.simulation.simulated_programs import DrivenNetwork
from machines.errors import InputError, PlacewiseError
from machines.network import Crossbar, Mesh
from machines.traffic import routes_of

Seen = list[tuple[int, float, float]]


def pairs(nodes: int, *used: tuple[int, int]) -> np.ndarray:
    matrix = np.zeros((nodes, nodes), np.bool_)
    for sender, receiver in used:
        matrix[sender, receiver] = True
    return matrix


def test_a_message_takes_its_occupancy_from_when_it_is_sent() -> None:
    network = DrivenNetwork(routes_of(Mesh((4,))), pairs(4, (0, 3)), 2.5)
    network.send(0, 3, 10.0)
    seen: Seen = []
    assert network.run(lambda *told: seen.append(told))
    assert seen == [(0, 12.5, 0.0)]


def test_what_blocks_a_message_also_holds_what_it_has() -> None:
    # 1 → 3 holds the channel 2 → 3; 0 → 3 waits for it and keeps 0 → 1, which 0 → 1 needs
    used = pairs(4, (1, 3), (0, 3), (2, 1))
    network = DrivenNetwork(routes_of(Mesh((4,))), used, 1.0)
    network.send(1, 3, 0.0)
    network.send(0, 3, 0.25)
    network.send(2, 1, 0.5)  # the other way: shares nothing
    seen: Seen = []
    assert network.run(lambda *told: seen.append(told))
    assert seen == [(1, 1.0, 0.0), (2, 1.5, 0.0), (0, 2.0, 0.75)]


def test_a_program_sends_on_when_a_message_has_landed() -> None:
    network = DrivenNetwork(routes_of(Crossbar(3)), pairs(3, (0, 1), (0, 2), (1, 2)), 1.0)
    seen: Seen = []

    def landed(node: int, now: float, wait: float) -> None:
        seen.append((node, now, wait))
        if len(seen) == 1:
            network.send(0, 2, now + 3.0)
            network.send(1, 2, now + 2.5)

    network.send(0, 1, 0.0)
    assert network.run(landed)
    # both to node 2: the second waits for its receiver
    assert seen == [(0, 1.0, 0.0), (1, 4.5, 0.0), (0, 5.5, 0.5)]


def test_the_past_is_over() -> None:
    network = DrivenNetwork(routes_of(Crossbar(2)), pairs(2, (0, 1), (1, 0)), 1.0)
    seen: Seen = []

    def landed(node: int, now: float, wait: float) -> None:
        seen.append((node, now, wait))
        if node == 0:
            network.send(1, 0, 0.0)

    network.send(0, 1, 5.0)
    assert network.run(landed)
    assert seen == [(0, 6.0, 0.0), (1, 7.0, 0.0)]


def test_it_can_be_stopped() -> None:
    network = DrivenNetwork(routes_of(Crossbar(2)), pairs(2, (0, 1)), 1.0)
    seen: Seen = []

    def landed(node: int, now: float, wait: float) -> None:
        seen.append((node, now, wait))
        network.send(0, 1, now)

    network.send(0, 1, 0.0)
    assert not network.run(landed, lambda: len(seen) >= 5)
    assert 5 <= len(seen) < 100


@dataclass(frozen=True)
class OneLaneRing:
    """A ring whose messages have no second lane to escape to."""

    ring: Mesh
    kind: str = "one-lane ring"

    def __getattr__(self, name: str) -> object:
        return getattr(self.ring, name)


def test_a_deadlock_is_reported_not_waited_for() -> None:
    ring = routes_of(OneLaneRing(Mesh((6,), wrap=True)))  # type: ignore[arg-type]
    network = DrivenNetwork(ring, np.roll(np.eye(6, dtype=np.bool_), 3, axis=1), 1.0)
    for node in range(6):
        network.send(node, (node + 3) % 6, 0.0)
    with pytest.raises(PlacewiseError, match="deadlock"):
        network.run(lambda *_told: None)


def test_messages_without_length_are_refused() -> None:
    with pytest.raises(InputError, match="occ"):
        DrivenNetwork(routes_of(Crossbar(2)), pairs(2, (0, 1)), 0.0)
