"""Simulated exchanges: the LoGPC time where nothing waits, more where it does, and estimates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from advisor import kernels
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_measures import measure
from advisor.messages.mapping.mapping_problem import mapping_problem
from advisor.messages.mapping.orders import ORDERS, shuffled
from advisor.messages.mapping.process_communication import communication
from advisor.messages.simulation.exchanges import Exchange, exchange_estimate, simulate_exchange
from machines.catalogue import interconnect
from machines.errors import PlacewiseError
from machines.network import Mesh

ALEWIFE = Mesh((8, 4))
COSTS = interconnect("alewife").long
ROWS = tuple(range(32))


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


def test_without_a_shared_channel_it_takes_the_logpc_time() -> None:
    problem = mapping_problem(patterns.stripes(32, 10_000.0, 5), ALEWIFE)
    exchange = Exchange.of(problem, COSTS)
    found = simulate_exchange(exchange, ROWS)
    assert found is not None
    assert found.time == pytest.approx(measure(problem, COSTS, ROWS).logpc_time)
    assert found.wait == pytest.approx(0.0, abs=1e-6)
    assert exchange_estimate(exchange, ROWS) == pytest.approx(found.time)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_never_ends_before_its_busiest_process_and_channel(seed: int) -> None:
    problem = mapping_problem(patterns.random_messages(32, 600, 2000.0, seed), ALEWIFE)
    mapping = shuffled(ALEWIFE, seed)
    found = simulate_exchange(Exchange.of(problem, COSTS), mapping, seed)
    assert found is not None
    assert found.time >= measure(problem, COSTS, mapping).logpc_time
    assert found.wait > 0.0


def test_the_route_aware_estimate_is_nearer_than_the_bound() -> None:
    problem = mapping_problem(patterns.all_to_all(32, 10_000.0), ALEWIFE)
    exchange = Exchange.of(problem, COSTS)
    runs = [simulate_exchange(exchange, ROWS, seed) for seed in range(5)]
    time = np.mean([run.time for run in runs if run is not None])
    assert exchange_estimate(exchange, ROWS) == pytest.approx(time, rel=0.15)
    assert measure(problem, COSTS, ROWS).logpc_time < 0.65 * time


def test_a_seed_gives_one_exchange() -> None:
    exchange = Exchange.of(mapping_problem(patterns.all_to_all(16), Mesh((4, 4))), COSTS)
    runs = [simulate_exchange(exchange, tuple(range(16)), seed) for seed in (3, 3, 4)]
    times = [run.time for run in runs if run is not None]
    assert times[0] == times[1] != times[2]


def test_a_mapping_decides_how_long_it_takes() -> None:
    exchange = Exchange.of(mapping_problem(patterns.stripes(32, 10_000.0, 5), ALEWIFE), COSTS)
    snake, random = (
        simulate_exchange(exchange, order)
        for order in (ORDERS["snake"](ALEWIFE), shuffled(ALEWIFE, 0))
    )
    assert snake is not None and random is not None
    assert random.time > 2.0 * snake.time


def test_a_process_that_only_receives_counts() -> None:
    flows = communication("fan-in", 3, [0, 1], [2, 2], [100.0, 100.0])
    costs = replace(COSTS, o_r=1e6)
    found = simulate_exchange(Exchange.of(mapping_problem(flows, Mesh((3,))), costs), (0, 1, 2))
    assert found is not None
    assert found.time == 2e6 + costs.L


def test_messages_of_different_sizes_are_cut_into_packets() -> None:
    flows = communication("two", 3, [0, 0, 1], [1, 2, 2], [1000.0, 3000.0, 2500.0])
    problem = mapping_problem(flows, Mesh((3,)))
    exchange = Exchange.of(problem, COSTS)
    assert (exchange.packets, exchange.size_bytes) == (True, 250.0)
    assert exchange.counts.tolist() == [4, 12, 10]
    found = simulate_exchange(exchange, (0, 1, 2))
    assert found is not None
    assert found.time >= measure(problem, COSTS, (0, 1, 2)).logpc_time
    assert exchange_estimate(exchange, (0, 1, 2)) is None  # processes send different numbers


def test_what_can_not_be_simulated_is_said() -> None:
    silent = mapping_problem(communication("silent", 2, [], [], []), Mesh((2,)))
    with pytest.raises(PlacewiseError, match="no process sends"):
        Exchange.of(silent, COSTS)
    ring = mapping_problem(patterns.ring(4), Mesh((4,)))
    with pytest.raises(PlacewiseError, match="no time on the channels"):
        Exchange.of(ring, replace(COSTS, G=0.0, G_m=0.0))
    many = mapping_problem(patterns.stripes(4, 8.0, 200_000), Mesh((4,)))
    with pytest.raises(PlacewiseError, match="up to 300000"):
        Exchange.of(many, COSTS)


def test_it_can_be_stopped() -> None:
    exchange = Exchange.of(mapping_problem(patterns.all_to_all(32), ALEWIFE), COSTS)
    assert simulate_exchange(exchange, ROWS, should_stop=lambda: True) is None
