"""Every kind of log, in the order in which a file is looked at: a new one is a file and a line."""

from __future__ import annotations

from advisor.runs.logs import nextflow, slurm_accounting, slurm_jobcomp, snakemake, wfformat
from advisor.runs.logs.reader import LogReader

READERS: tuple[LogReader, ...] = (
    snakemake.READER,
    slurm_accounting.READER,
    slurm_jobcomp.READER,
    nextflow.READER,
    wfformat.READER,
)
