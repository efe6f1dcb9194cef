"""Every kind of log, in the order in which a file is looked at: a new one is a file and a line."""

from __future__ import annotations

from advisor.runs.logs import (
    chrome_trace_log as chrome_trace,
)
from advisor.runs.logs import (
    dask_report,
    dask_stream,
    slurm_accounting,
    slurm_jobcomp,
)
from advisor.runs.logs import (
    nextflow_log as nextflow,
)
from advisor.runs.logs import (
    parsl_log as parsl,
)
from advisor.runs.logs import (
    placewise_log as run_record,
)
from advisor.runs.logs import (
    snakemake_log as snakemake,
)
from advisor.runs.logs import (
    wfformat_log as wfformat,
)
from advisor.runs.logs.log_reader import LogReader

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
