"""Cray MPICH: a file MPICH_RANK_ORDER, which says which ranks share a node, node after node.

With MPICH_RANK_REORDER_METHOD=3 the launcher fills the nodes in blocks of its tasks a node, and the
k-th number in the file is the rank in the k-th of these places. So every node but the last takes
equally many ranks, and the hosts are named to the launcher, not in the file.
"""

from __future__ import annotations

import re

from advisor.export.export_record import Export
from advisor.export.process_placement import MAPPING, OPTIONS, Placement
from machines.errors import InputError

_LINE = re.compile(r"\d+(?:,\d+)*")
Nodes = tuple[tuple[int, ...], ...]


def rank_order(placement: Placement) -> str:
    """The text: a line of ranks for each host, in the order of their cores."""
    return "".join(",".join(map(str, ranks)) + "\n" for ranks in ranks_by_host(placement))


def parse_rank_order(text: str) -> Nodes:
    """The ranks of each line; InputError: not every rank once."""
    nodes: list[tuple[int, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if not _LINE.fullmatch(line):
            raise InputError("expected RANK,RANK,…", where=f"line {number}", value=line)
        nodes.append(tuple(map(int, line.split(","))))
    ranks = sorted(rank for node in nodes for rank in node)
    if ranks != list(range(len(ranks))):
        raise InputError("every rank comes once, from 0", where="MPICH_RANK_ORDER")
    return tuple(nodes)


def ranks_by_host(placement: Placement) -> Nodes:
    """The ranks of each host that has some; InputError: others than the last have fewer."""
    found: dict[str, list[tuple[int, int]]] = {}
    for rank, slot in enumerate(placement.slots):
        found.setdefault(slot.host, []).append((slot.core, rank))
    # the fullest first, so that the one with fewer is the last; in their order otherwise
    hosts = sorted(found, key=lambda host: -len(found[host]))
    most = len(found[hosts[0]])
    few = [host for host in hosts if len(found[host]) < most]
    if len(few) > 1:
        raise InputError(
            f"{few[0]} and {few[1]} get fewer than {most} ranks: the launcher fills all nodes but "
            "the last", where="hosts", value=len(found[few[0]]),
            remedy="Take a mapping that fills its nodes, or mpich-hostfile or slurm-hostlist",
        )  # fmt: skip
    return tuple(tuple(rank for _, rank in sorted(found[host])) for host in hosts)


def command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with the file, which has a fixed name in the folder of the run."""
    nodes = ranks_by_host(placement)
    first = {ranks[0]: placement.slots[ranks[0]].host for ranks in nodes}
    threads = placement.threads
    told = f"OMP_NUM_THREADS={threads} " if threads > 1 else ""
    cores = f" --cpus-per-task={threads}" if threads > 1 else ""
    return (
        f"Cray MPICH: cp {file} MPICH_RANK_ORDER; MPICH_RANK_REORDER_METHOD=3 {told}srun "
        f"--ntasks={len(placement.slots)} --ntasks-per-node={len(nodes[0])}{cores} PROGRAM   "
        f"(nodes in this order: {','.join(first.values())})",
    )


EXPORT = Export(
    "mpich-rank-order", "MPICH_RANK_ORDER (Cray)", ".order", MAPPING,
    rank_order, parse_rank_order, ranks_by_host, command, options=OPTIONS, stem="mpich-rank-order",
)  # fmt: skip
