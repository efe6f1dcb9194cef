"""How good mappings are: ``python -m tests.benchmarks.bench_mapping [seconds]``.

Reads the communication graphs in ``../shared/corpus/mapping`` or ``$PLACEWISE_CORPUS`` and prints
hop-bytes against Scotch's and against the best known, the busiest channel, and the processor time
of the search, which is to be the effort within 30 %. Generated cases follow, whose answer is known
or which are told against row-major order, and whether more effort was ever worse.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from advisor.kernels import load
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.communication_file import read_communication
from advisor.messages.mapping.mapping_measures import BUSIEST, HOP_BYTES, measure
from advisor.messages.mapping.mapping_problem import mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import row_major
from advisor.messages.mapping.process_communication import Communication, communication
from machines.catalogue import interconnect
from machines.network import Hypercube, Mesh

COSTS = interconnect("alewife").long
TORUS, FLAT = Mesh((8, 8, 8), wrap=True), Mesh((16, 16), wrap=True)
EFFORTS = (0.02, 0.05, 0.1, 0.3)
_OFF = 0.3  # how far processor time may be from the effort


@dataclass(frozen=True)
class Case:
    """What is mapped where; `scotch` and `known` hop-bytes and the least busiest known, or 0."""

    name: str
    flows: Communication
    network: Mesh | Hypercube
    scotch: float = 0.0
    known: float = 0.0
    busiest: float = 0.0


def corpus() -> Iterator[Case]:
    """The graphs with references, none where the folder is not there."""
    beside = Path(__file__).parents[3] / "shared" / "corpus" / "mapping"
    folder = Path(os.environ.get("PLACEWISE_CORPUS") or beside)
    references = folder / "reference.json"
    if not references.is_file():
        print(f"no references in {folder}; set PLACEWISE_CORPUS to the folder of the graphs")
        return
    for file, known in json.loads(references.read_text(encoding="utf-8")).items():
        dims = [int(side) for side in known["dims"].split()[0].split("x")]
        network = Mesh(dims, wrap="torus" in known["dims"])
        yield Case(
            file.removesuffix(".csv").replace("_", " "),
            read_communication(folder / file, known["processes"]),
            Hypercube(len(dims)) if "hypercube" in file else network,
            known["scotch_hop_bytes"],
            known["best_known_hop_bytes"],
            known["best_known_busiest"],
        )


def generated() -> Iterator[Case]:
    """Grids whose best mapping is known, and what is compared with row-major order."""
    for seed in range(3):
        torus = patterns.stencil((8, 8, 8), wrap=True)
        yield optimal(f"torus 8×8×8 renamed {seed} on itself", torus, TORUS, seed)
    yield optimal("ring 512 renamed on torus 8×8×8", patterns.ring(512), TORUS, 0)
    yield optimal("torus 16×16 renamed on itself", patterns.stencil((16, 16), wrap=True), FLAT, 1)
    for name, flows, network in (
        ("diamond on mesh 8×4", patterns.stripes(32), Mesh((8, 4))),
        ("transpose 8×8 on mesh 8×8", patterns.transpose(8, 8), Mesh((8, 8))),
        ("stencil 8×8×8 on mesh 16×32", patterns.stencil((8, 8, 8)), Mesh((16, 32))),
        ("stencil 32×32 on torus 8×8×16", patterns.stencil((32, 32)), Mesh((8, 8, 16), wrap=True)),
        ("torus 8×8×8 on torus 16×32", patterns.stencil((8, 8, 8), wrap=True),
         Mesh((16, 32), wrap=True)),
        ("stencil 7×9 on mesh 8×8", patterns.stencil((7, 9)), Mesh((8, 8))),
        ("stencil 20×20 on torus 8×8×8", patterns.stencil((20, 20)), TORUS),
        ("9 points 16×16 on torus 8×8×4", nine_points(16), Mesh((8, 8, 4), wrap=True)),
    ):  # fmt: skip
        yield Case(name, flows, network)


def optimal(name: str, flows: Communication, network: Mesh, seed: int) -> Case:
    """A renamed grid that fits its network: one hop a byte, and nothing shared."""
    names = np.random.default_rng(seed).permutation(flows.processes)
    sources, targets = names[flows.sources], names[flows.targets]
    renamed = communication(name, flows.processes, sources, targets, flows.size_bytes)
    return Case(name, renamed, network, 0.0, flows.total_bytes, float(flows.size_bytes.max()))


def nine_points(side: int) -> Communication:
    """A grid with small messages to the diagonal neighbours, too: no pure grid."""
    edges = [
        (x + side * y, x + dx + side * (y + dy), 1024.0 if not dx or not dy else 128.0)
        for y in range(side)
        for x in range(side)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy) and 0 <= x + dx < side and 0 <= y + dy < side
    ]
    sources, targets, sizes = zip(*edges, strict=True)
    return communication("9 points", side * side, sources, targets, sizes)


def show(case: Case, seconds: float) -> None:
    """Search for hop-bytes and for the busiest channel, and print a row each."""
    problem = mapping_problem(case.flows, case.network)
    default = measure(problem, COSTS, row_major(case.network)[: case.flows.processes])
    busiest = float("inf")
    for objective in (HOP_BYTES, BUSIEST):
        before = process_time()
        found = optimise(problem, COSTS, objective, seconds)
        spent, now = process_time() - before, found.measures
        against = [f"{now.hop_bytes / default.hop_bytes - 1:+8.1%}"]
        against += [
            f"{now.hop_bytes / one - 1:+8.2%}" if one else " " * 8
            for one in (case.scotch, case.known)
        ]
        proved = now.value(objective) <= found.bound * (1 + 1e-9)
        marks = "  proved" if proved else ""
        off = abs(spent / seconds - 1.0) > _OFF
        marks += "  missed: time" if off and not proved else ""
        marks += (
            "  missed: hop-bytes" if objective == HOP_BYTES and _worse(case, now.hop_bytes) else ""
        )
        marks += "  missed: busier than with hop-bytes" if now.busiest_bytes > busiest else ""
        busiest = now.busiest_bytes
        known = f"of {case.busiest:6.0f}" if case.busiest else " " * 9
        print(f"{case.name[:38]:38} {objective:9} {now.hop_bytes:10.0f} {' '.join(against)}"
              f"  {busiest:7.0f} {known}  {spent:6.2f} s{marks}", flush=True)  # fmt: skip


def _worse(case: Case, hop_bytes: float) -> bool:
    above_scotch = bool(case.scotch) and hop_bytes > case.scotch
    return above_scotch or (bool(case.known) and hop_bytes > 1.03 * case.known)


def more_effort(cases: list[Case], seeds: int = 3) -> int:
    """How often more effort was worse, on cases of up to 64 processes."""
    worse = 0
    for case in cases:
        if case.flows.processes > 64:
            continue
        problem = mapping_problem(case.flows, case.network)
        for objective in (HOP_BYTES, BUSIEST):
            for seed in range(seeds):
                ranks = [
                    optimise(problem, COSTS, objective, each, seed).measures.rank(objective)
                    for each in EFFORTS
                ]
                worse += sum(after > before for before, after in itertools.pairwise(ranks))
    return worse


def main() -> None:
    """Search every case, and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    load()
    cases = [*corpus(), *generated()]
    print(f"\nMappings, effort {seconds:g} s of processor time")
    print(f"{'':48} {'hop-bytes':>10} {'row-maj.':>8} {'Scotch':>8} {'known':>8}  {'busiest':>17}")
    for case in cases:
        show(case, seconds)
    print(f"\nmore effort was worse {more_effort(cases)} times, efforts {EFFORTS} s")


if __name__ == "__main__":
    main()
