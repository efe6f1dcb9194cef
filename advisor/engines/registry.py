"""Every engine that carries plans out, in the order in which they are offered."""

from __future__ import annotations

from advisor.engines import (
    bash,
    dask,
    makefile,
    nextflow,
    parsl,
    pegasus,
    slurm,
    snakemake,
    snakemake_profile,
)
from advisor.engines import (
    wfformat_engine as wfformat,
)
from advisor.engines.engine import Engine

_ALL: tuple[Engine, ...] = (
    dask.ENGINE,
    dask.LEFT_OPEN,
    slurm.ENGINE,
    snakemake.ENGINE,
    snakemake_profile.ENGINE,
    parsl.ENGINE,
    nextflow.ENGINE,
    pegasus.ENGINE,
    wfformat.ENGINE,
    makefile.ENGINE,
    bash.ENGINE,
)
ENGINES = {each.name: each for each in _ALL}
