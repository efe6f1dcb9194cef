"""How much mappings gain: ``python -m tests.benchmarks.bench_mapping [seconds]``.

Prints hop-bytes and the busiest channel against row-major order, and the time that the search
took; the random matrix on the torus is to be done within 10 s.
"""

from __future__ import annotations

import sys
from time import perf_counter

from advisor.kernels import load
from advisor.messages.mapping import patterns
from advisor.messages.mapping.communication import Communication
from advisor.messages.mapping.measures import BUSIEST, HOP_BYTES, measure
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import row_major
from advisor.messages.mapping.problem import mapping_problem
from machines.catalogue import interconnect
from machines.network import Mesh

TORUS = Mesh((8, 8, 8), wrap=True)
WANTED_S = 10.0


def cases() -> list[tuple[Communication, Mesh]]:
    """What is mapped where."""
    return [
        (patterns.stripes(32), Mesh((8, 4))),
        (patterns.stripes(32), Mesh((4, 8))),
        (patterns.transpose(8, 8), Mesh((8, 8))),
        (patterns.stencil((4, 4, 2)), Mesh((8, 4))),
        (patterns.stencil((16, 32)), TORUS),
        (patterns.random_messages(512, 4096), TORUS),
    ]


def main() -> None:
    """Search every case for hop-bytes and for the busiest channel, and print."""
    limit_s = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    costs = interconnect("alewife").long
    load()
    print(f"\nMappings against row-major order, effort {limit_s:g} s")
    print(f"{'':46}  {'hop-bytes':>18}  {'busiest channel':>18}  shared   gap     time")
    for flows, network in cases():
        for objective in (HOP_BYTES, BUSIEST):
            before = perf_counter()
            problem = mapping_problem(flows, network)
            found = optimise(problem, costs, objective, limit_s)
            seconds = perf_counter() - before
            default = measure(problem, costs, row_major(network)[: flows.processes])
            now = found.measures
            shape = f"{network.kind} {'×'.join(map(str, network.dims))}"
            gap = now.value(objective) / found.bound - 1.0
            missed = "  missed" if seconds > WANTED_S else ""
            print(
                f"{f'{flows.name} on {shape}, {objective}':46}"
                f"  {now.hop_bytes:10.4g} {now.hop_bytes / default.hop_bytes - 1:+7.1%}"
                f"  {now.busiest_bytes:10.4g} {now.busiest_bytes / default.busiest_bytes - 1:+7.1%}"
                f"  {now.shared_channels:6} {gap:5.0%}  {seconds:5.2f} s{missed}",
                flush=True,
            )


if __name__ == "__main__":
    main()
