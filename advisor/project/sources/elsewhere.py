"""Files that are neither workload nor platform here: what they look like, and what takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from machines import InputError

_LOG = "Open it as a run: placewise learn, or Run › Add logs beside its workload and plan"
_PLATFORM = "Write its machines as a Placewise platform (docs/files.md)"
_NETWORK = "Give a link its startup and bandwidth by hand, or fit them with placewise study styles"

_LOOKS: tuple[tuple[re.Pattern[bytes], str, str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), name, remedy)
    for pattern, name, remedy in (
        (rb"<topology[\s>]", "hwloc's XML", _PLATFORM),
        (rb"<platform[\s>]", "a platform of SimGrid", _PLATFORM),
        (rb"^Architecture:\s|^\s*\"lscpu\"\s*:", "the output of lscpu", _PLATFORM),
        (rb"^processor\s*:\s*\d", "/proc/cpuinfo", _PLATFORM),
        (rb"^\s*(?:NodeName|SlurmctldHost|ClusterName|PartitionName|SwitchName)=|\"slurm\"\s*:",
         "a configuration of Slurm", _PLATFORM),
        (rb"^NODELIST\b|^PARTITION\s+AVAIL", "the output of sinfo", _PLATFORM),
        (rb"\"kind\"\s*:\s*\"(?:NodeList|List|Node)\"", "a list of Kubernetes", _PLATFORM),
        (rb"\"pbs_version\"\s*:", "the output of pbsnodes", _PLATFORM),
        (rb"\"nthreads\"\s*:", "machines of Dask", _PLATFORM),
        (rb"^# HELP node_|^Linux .*CPU\)|\"sysstat\"|load average:|^cpu\s+\d+ \d+",
         "a measurement of load", "State contenders of a machine instead (docs/files.md)"),
        (rb"sysbench|\"fio version\"|HPCC", "a benchmark", _PLATFORM),
        (rb"^# OSU |^# MPI (?:Latency|Bandwidth)|^\w+_(?:bw|lat):|^#\s*Intel\(R\) MPI Bench"
         rb"|Now starting the main loop|NetPIPE|netgauge|\"iperf|sockperf",
         "a network benchmark", _NETWORK),
        (rb"^task_id\thash\t", "a trace of Nextflow", _LOG),
        (rb"^JobID(?:Raw)?[|\s]", "the output of sacct", _LOG),
        (rb"<html[\s>]|<!DOCTYPE html", "a page of HTML", f"Reports of Dask are logs. {_LOG}"),
        (rb"\A\s*<(?:\?xml|\w)", "XML of no known kind",
         "Workflows in XML: Pegasus DAX, GraphML"),
    )
)  # fmt: skip


@contextmanager
def known_by_its_looks(head: bytes, where: str) -> Iterator[None]:
    """Where the block refuses a file, say what it looks like, if known, and what takes it."""
    try:
        yield
    except InputError:
        for pattern, name, remedy in _LOOKS:
            if pattern.search(head):
                raise InputError(
                    f"this looks like {name}, which is no workload and no platform here",
                    where=where,
                    remedy=remedy,
                ) from None
        raise
