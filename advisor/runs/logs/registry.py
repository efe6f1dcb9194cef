"""Every kind of log, in the order in which a file is looked at: a new one is a file and a line."""

from __future__ import annotations

from advisor.runs.logs import (
    chrome_trace,
    dask_report,
    dask_stream,
    nextflow,
    parsl,
    run_record,
    slurm_accounting,
    slurm_jobcomp,
    snakemake,
    wfformat,
)
from advisor.runs.logs.reader import LogReader

READERS: tuple[LogReader, ...] = (
    run_record.READER,
    dask_stream.READER,
    dask_report.READER,
    chrome_trace.READER,
    parsl.READER,
    snakemake.READER,
    slurm_accounting.READER,
    slurm_jobcomp.READER,
    nextflow.READER,
    wfformat.READER,
)
