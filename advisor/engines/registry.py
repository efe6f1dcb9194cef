"""Every engine that carries plans out, in the order in which they are offered."""

from __future__ import annotations

from advisor.engines import bash, makefile, parsl, slurm, snakemake, snakemake_profile
from advisor.engines.engine import Engine

_ALL: tuple[Engine, ...] = (
    slurm.ENGINE,
    snakemake.ENGINE,
    snakemake_profile.ENGINE,
    parsl.ENGINE,
    makefile.ENGINE,
    bash.ENGINE,
)
ENGINES = {each.name: each for each in _ALL}
