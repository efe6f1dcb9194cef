"""The families of random instances, one line each, in the order in which they are offered."""

from __future__ import annotations

from advisor.campaigns.generators import (
    cholesky,
    fft,
    fork_join,
    gaussian,
    genome,
    layered,
    trees,
)
from advisor.campaigns.generators import (
    mosaic_family as mosaic,
)
from advisor.campaigns.generators import (
    parallel_chains as chains,
)
from advisor.campaigns.generators.family import Generator

_ALL = (
    layered.GENERATOR,
    trees.IN_TREE,
    trees.OUT_TREE,
    chains.GENERATOR,
    fork_join.GENERATOR,
    gaussian.GENERATOR,
    fft.GENERATOR,
    cholesky.GENERATOR,
    mosaic.GENERATOR,
    genome.GENERATOR,
)

GENERATORS: dict[str, Generator] = {one.name: one for one in _ALL}
