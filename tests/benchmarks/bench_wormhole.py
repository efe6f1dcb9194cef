"""How near the estimates of network contention come to the simulation, and how fast both are.

``python -m tests.benchmarks.bench_wormhole`` prints time per message, T_c/occ, as simulated with
its 95 % interval of confidence, and the deviations of the published closed model in both readings
of its unit and of the route-aware estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

import numpy as np

from advisor import kernels
from advisor.messages.network_load import ROUTE_AWARE, network_load
from advisor.messages.patterns import (
    ALL_TO_ALL,
    EM3D,
    HOTSPOT,
    NEIGHBOURS,
    PERMUTATION,
    SHIFT,
    Pattern,
    all_to_all,
    destinations,
    hotspot,
    permutation,
)
from advisor.messages.simulation.simulated_traffic import simulate
from advisor.models.logpc import contention_closed
from advisor.models.wormhole import demand_of, estimate, estimate_open
from machines import Dragonfly, FatTree
from machines.interconnect import switched
from machines.network import Crossbar, Hypercube, Mesh, Network
from machines.traffic import Routes, routes_of
from tests.benchmarks.table import Row, least_seconds, show

ALEWIFE = routes_of(Mesh((8, 4)))
INTERVALS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0)
MESSAGES = 400_000


def published(T: float, k_d: float, dimensions: int, unit: float) -> float:
    """T_c/occ of Moritz & Frank 2001, Eq. (7).

    `unit` is the occupancy that the model sees: 1 "physical", 2 "bytes" at half a cycle a byte.
    """
    return T + contention_closed(T, unit, k_d, dimensions)


def compare(name: str, routes: Routes, pattern: np.ndarray, intervals: Sequence[float]) -> None:
    """Print a table over the intervals."""
    network = routes.network
    dimensions = max(1, sum(k > 1 for k in network.dims))
    k_d = round(float((pattern * routes.hops).sum() / pattern.any(axis=1).sum()) / dimensions, 9)
    demand = demand_of(routes, pattern)
    print(f"\n{name}: k_d {k_d:.2f}, busiest load {demand.bound:.2f}")
    print(f"{'T/occ':>7} {'simulated':>16} {'physical':>9} {'bytes':>9} {'route-aware':>13}")
    for T in intervals:
        found = simulate(routes, pattern, T, 1.0, messages=MESSAGES)
        models = [published(T, k_d, dimensions, unit) if k_d >= 1 else 0.0 for unit in (1, 2)]
        ours = estimate(demand, T, 1.0)
        deviations = [
            f"{value / found.T_c - 1:+9.1%}" if value else f"{'–':>9}"
            for value in (*models, ours.T_c)
        ]
        print(f"{T:7g} {found.T_c:8.3f} ± {found.half_width:5.3f} {deviations[0]} {deviations[1]}"
              f"  {deviations[2]}{' saturated' if ours.saturated else ''}", flush=True)  # fmt: skip


def hotspots() -> None:
    """Deviations over shares, intervals and places of the hotspot."""
    print("\n8 × 4, a share of all messages to one node: simulated T_c/occ, physical, route-aware")
    for node, place in ((0, "corner"), (12, "middle")):
        for share in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5):
            pattern = hotspot(32, share, node)
            demand = demand_of(ALEWIFE, pattern)
            cells = []
            for T in (1.0, 2.0, 4.0, 8.0, 20.0):
                found = simulate(ALEWIFE, pattern, T, 1.0, messages=MESSAGES)
                ours, theirs = estimate(demand, T, 1.0).T_c, published(T, 2.0, 2, 1)
                cells.append(f"{found.T_c:6.2f} {theirs / found.T_c - 1:+5.0%}"
                             f" {ours / found.T_c - 1:+6.1%}")  # fmt: skip
            print(f"{place} {share:4.2f}  " + "   ".join(cells), flush=True)


def permutations() -> None:
    """Random permutations: fixed pauses, where messages may fall into step, and random ones."""
    print("\n8 × 4, random permutations: route-aware against fixed pauses / exponential pauses")
    for seed in range(6):
        pattern = permutation(32, seed)
        demand = demand_of(ALEWIFE, pattern)
        cells = []
        for T in (1.0, 2.0, 4.0, 8.0):
            ours = estimate(demand, T, 1.0).T_c
            for kind in ("fixed", "exponential"):
                found = simulate(ALEWIFE, pattern, T, 1.0, messages=MESSAGES, variability=kind)
                cells.append(f"{found.T_c:5.2f} {ours / found.T_c - 1:+5.0%}")
        print(f"seed {seed}  " + "  ".join(cells), flush=True)


def open_waits() -> None:
    """Waits of messages that come at random, with what flit-level simulation measured."""
    print("\n8 × 4, open: C_n/occ measured, simulated, and deviations of Eq. (6) and route-aware")
    demand = demand_of(ALEWIFE, all_to_all(32))
    for m, measured in ((.02, .030), (.05, .080), (.10, .187), (.15, .346), (.20, .591),
                        (.25, 1.045)):  # fmt: skip
        found = simulate(ALEWIFE, all_to_all(32), 1 / m, 1.0, mode="open", messages=MESSAGES)
        theirs = 1.5 * m / (1 - m)
        ours = estimate_open(demand, 1 / m, 1.0).C_n
        print(f"{m:5.2f}  {measured:6.3f}  {found.C_n:6.3f} ± {found.C_n_half_width:5.3f}"
              f"  {theirs / found.C_n - 1:+5.0%}  {ours / found.C_n - 1:+5.0%}")  # fmt: skip


def speed_rows() -> list[Row]:
    """A second of simulation at the wanted speed, and estimates."""
    rows = []
    for T in (1.0, 4.0):
        seconds = least_seconds(
            lambda T=T: simulate(ALEWIFE, all_to_all(32), T, 1.0, messages=200_000)
        )
        name = f"200,000 messages on 8 × 4 at T = {T:g} occ ({0.2 / seconds:.1f} million a second)"
        rows.append(Row(name, seconds, 1.0))
    large = routes_of(Mesh((8, 8, 8), wrap=True))
    for routes, limit_s in ((ALEWIFE, 5e-3), (large, 0.5)):
        pattern = all_to_all(routes.network.size)
        demand = demand_of(routes, pattern)
        size = f"{routes.network.size} nodes"
        solve = least_seconds(lambda d=demand: estimate(replace(d, solved={}), 2.0, 1.0))
        prepare = least_seconds(lambda r=routes, p=pattern: demand_of(r, p))
        rows += [
            Row(f"estimate, {size}", solve, limit_s),
            Row(f"its preparation for a pattern, {size}", prepare, limit_s),
        ]
    return rows


LARGE: tuple[Network, ...] = (
    Mesh((16, 16, 16), wrap=True),
    Mesh((16, 16, 16)),
    Mesh((8, 8, 8, 8), wrap=True),
    Mesh((64, 64), wrap=True),
    Mesh((64, 64)),
    Mesh((4096,), wrap=True),
    Mesh((4096,)),
    Mesh((2048, 2), wrap=True),
    Mesh((2048, 2)),
    Mesh((2, 2048), wrap=True),
    Mesh((4,) * 6, wrap=True),
    Hypercube(12),
    FatTree((4096,)),
    FatTree((2,) * 12),
    FatTree((2,) * 12, taper=2),
    FatTree((4,) * 6),
    FatTree((16, 16, 16)),
    FatTree((64, 64)),
    FatTree((64, 64), taper=2),
    FatTree((64, 64), taper=64),
    FatTree((2, 2048)),
    FatTree((1024, 4)),
    Dragonfly((4, 8, 128)),
    Dragonfly((8, 16, 32)),
    Dragonfly((4, 32, 32)),
    Dragonfly((16, 16, 16)),
    Dragonfly((64, 64, 1)),
    Dragonfly((64, 1, 64)),
    Dragonfly((1024, 2, 2)),
)
"""Of 4,096 nodes: of each kind few long and many short dimensions, narrow and wide routers."""


def large_rows() -> Iterator[Row]:
    """Seconds that routes of large networks take, and prices on them."""
    for network in LARGE:
        _ = network.channels  # kept from then on
        name = f"{' × '.join(map(str, network.dims))} {network.kind}"
        yield Row(f"{name}: routes", _taken(lambda one=network: routes_of(one)), 2.0)
        routes = routes_of(network)
        reach = 1 + switched(network)  # hosts are two hops from their neighbours
        for kind in (NEIGHBOURS, EM3D, PERMUTATION, SHIFT, ALL_TO_ALL, HOTSPOT):
            pattern = Pattern(kind, reach=reach, share=0.1)
            yield Row(f"{name}: {kind}", _taken(lambda r=routes, p=pattern: _priced(r, p)), 2.0)
        wide = Pattern(EM3D, reach=100)
        yield Row(f"{name}: em3d of 100", _taken(lambda r=routes, p=wide: _priced(r, p)), 2.0)
        every = range(network.size)
        half = network.size // 2
        some = np.random.default_rng(0).permutation(every)[:half].tolist()
        traffic = all_to_all(half)
        yield Row(
            f"{name}: half of the nodes to each other",
            _taken(lambda r=routes, t=traffic, m=some: network_load(r, t, m, ROUTE_AWARE)),
            2.0,
        )


def _priced(routes: Routes, pattern: Pattern) -> None:
    traffic = destinations(pattern, routes.hops)
    network_load(routes, traffic, range(routes.network.size), ROUTE_AWARE)


def _taken(call: Callable[[], object]) -> float:
    begin = perf_counter()
    call()
    return perf_counter() - begin


def networks() -> tuple[tuple[str, Network], ...]:
    """Other networks, by name."""
    return (
        ("4 × 4", Mesh((4, 4))),
        ("8 × 8", Mesh((8, 8))),
        ("12 × 12", Mesh((12, 12))),
        ("16 × 1", Mesh((16, 1))),
        ("hypercube of 32", Hypercube(5)),
        ("crossbar of 16", Crossbar(16)),
        ("torus 8 × 4", Mesh((8, 4), wrap=True)),
        ("torus 8 × 8", Mesh((8, 8), wrap=True)),
        ("torus 8 × 8 × 8", Mesh((8, 8, 8), wrap=True)),
    )


def main() -> None:
    """Measure and print."""
    kernels.load()
    show("Speed", speed_rows())
    show("Networks of 4,096 nodes", list(large_rows()))
    print(f"peak of memory {getrusage(RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    compare("8 × 4, uniform", ALEWIFE, all_to_all(32), INTERVALS)
    hotspots()
    open_waits()
    for name, network in networks():
        pattern = all_to_all(network.size)
        compare(f"{name}, uniform", routes_of(network), pattern, (1.0, 2.0, 4.0, 8.0))
    permutations()


if __name__ == "__main__":
    main()
