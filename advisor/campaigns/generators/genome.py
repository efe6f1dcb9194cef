"""Genome pipelines: the structure of the Epigenomics workflow (Bharathi et al. 2008).

Each lane of a sequencer is split into chunks; each chunk is filtered, converted, packed and
mapped, one after the other; a lane's maps are merged, then those of all lanes, indexed and piled
up. Times and volumes are ours, typical proportions (mapping takes most of the time, data shrink on
the way), within 30 %; the CCR scales the volumes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, family, varied
from advisor.campaigns.generators.generator_settings import Settings, check_count
from machines.parameters import parameter

# of a chunk: kind, work, and what it needs, in MB
_PIPE = (("filter", 2.0, 12.0), ("convert", 0.5, 10.0), ("pack", 0.4, 8.0), ("map", 40.0, 3.0))
_MAPPED, _MERGED, _INDEX = 1.0, 0.8, 0.5  # MB of a chunk


@dataclass(frozen=True)
class Genome(Settings):
    """Settings of genome pipelines."""

    FAMILY: ClassVar[str] = "genome"

    lanes: int = parameter(2, low=1, high=1000, title="Lanes", help="Of the sequencer")
    chunks: int = parameter(
        6,
        low=1,
        high=25_000,
        title="Chunks",
        help="Of each lane: lanes · (4 · chunks + 2) + 3 tasks",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        tasks = self.lanes * (len(_PIPE) * self.chunks + 2) + 3
        check_count(tasks, self.where, "chunks, or fewer lanes")


def shape(settings: Genome, rng: np.random.Generator) -> Shape:
    """Pipes side by side between a split and a merge, lane by lane."""
    found, chunks, lanes = Shape(), settings.chunks, settings.lanes
    flows: list[tuple[int, int, float]] = []
    merges = []
    for lane in range(1, lanes + 1):
        split = found.task("split", f"split-{lane}", 0.5 * chunks)
        ends = []
        for chunk in range(1, chunks + 1):
            before = split
            for kind, work, volume in _PIPE:
                here = found.task(kind, f"{kind}-{lane}-{chunk}", work)
                flows.append((before, here, volume))
                before = here
            ends.append(before)
        merges.append(found.task("merge", f"merge-{lane}", 0.4 * chunks))
        flows += [(end, merges[-1], _MAPPED) for end in ends]
    joined = found.task("join", "join", 0.3 * chunks * lanes)
    index = found.task("index", "index", 0.5 * chunks * lanes)
    piled = found.task("pile-up", "pile-up", 0.6 * chunks * lanes)
    flows += [(merge, joined, _MERGED * chunks) for merge in merges]
    flows += [(joined, index, _MERGED * chunks * lanes), (index, piled, _INDEX * chunks * lanes)]
    found.work = [a * b for a, b in zip(found.work, varied(rng, 1.0, len(found.work)), strict=True)]
    found.varied_flows(rng, flows)
    return found


GENERATOR = family(
    Genome,
    "Genome pipelines",
    "Pipes of four tasks side by side between a split and a merge, lane by lane",
    shape,
    "structure of Epigenomics: S. Bharathi et al., Characterization of scientific workflows, "
    "WORKS 2008; times and volumes are ours",
)
