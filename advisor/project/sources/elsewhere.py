"""Files that are neither workload nor platform here: what they look like, and what takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from machines import InputError

_LOG = "It is a log: open it alone, or with its workflow (placewise open)"
_PLATFORM = "Its kinds that open are in docs/sources.md; or write a platform (docs/files.md)"
_NETWORK = "Benchmarks that open are in docs/sources.md; they go with the listing of a site"

_LOAD = (
    "It does not say who waits: pidstat -u -h 2 5 or sadf -j -- -u ALL -q does; or state "
    "contenders (docs/files.md)"
)
_TEXT = "text of no known kind"
_OPENS = "What opens is in docs/sources.md and docs/files.md"
_SCALING = "Measurements by processors: placewise study scaling --data FILE"
_MATRIX = "Bytes between processes: placewise study mapping --set pattern=file"
_TREE = "Trees of processes: placewise study trees --set own=FILE"

_LOOKS: tuple[tuple[re.Pattern[bytes], str, str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), name, remedy)
    for pattern, name, remedy in (
        (rb"^[ \t]*+PartitionName=|\"slurm\"\s*:", "output of Slurm", _PLATFORM),
        (rb"\"kind\"\s*:\s*\"(?:NodeList|List|Node)\"", "a list of Kubernetes", _PLATFORM),
        (rb"\"nthreads\"\s*:", "machines of Dask", _PLATFORM),
        (rb"^# HELP node_|^Linux .*CPU\)|\"sysstat\"|load average:|^cpu\s+\d+ \d+"
         rb"|\A[\d.]+ [\d.]+ [\d.]+ \d+/\d+ \d+\s*\Z|\A# hostname;interval;",
         "a measurement of load", _LOAD),
        (rb"sysbench|\"fio version\"|HPCC", "a benchmark", _PLATFORM),
        (rb"^# OSU |^# MPI (?:Latency|Bandwidth)|^\w+_(?:bw|lat):|^#\s*Intel\(R\) MPI Bench"
         rb"|Now starting the main loop|NetPIPE|netgauge|\"iperf|sockperf"
         rb"|\A *\d+ +\d+\.\d+ +0\.\d{6,}$",
         "a network benchmark", _NETWORK),
        (rb"^task_id\thash\t", "a trace of Nextflow", _LOG),
        (rb"^JobID(?:Raw)?[|\s]", "the output of sacct", _LOG),
        (rb"<html[\s>]|<!DOCTYPE html", "a page of HTML", f"Reports of Dask are logs. {_LOG}"),
        (rb"\A\s*<(?:\?xml|\w)", "XML of no known kind",
         "XML that opens: Pegasus DAX, GraphML, hwloc, SimGrid"),
        (rb"\AEXPERIMENT\b|\APARAMETER\b|\A\{ *+\"param(?:s|eters)\"|\APK.{28}experiment\.json",
         "measurements of Extra-P", _SCALING),
        (rb"\A\s*+(?:#[^\n]*\n\s*+)*+[\w.-]++:\d++\s*+(?:=>|;)", "a topology of MRNet", _TREE),
        (rb"^[ \t]*+\[bootstrap\]", "the configuration of Flux's brokers", _TREE),
        (rb"\A%%MatrixMarket", "a matrix of Matrix Market", _MATRIX),
        (rb"\A(?=[^\n]*\brank\b)(?=[^\n]*\bbytes\b)", "a list of messages between processes",
         _MATRIX),
        (rb"\A0\s++\d++\s++\d++\n[01]\s++[01]{3}\n", "a graph of Scotch", _MATRIX),
        (rb"\A(?:%[^\n]*+\n)*+\d++ \d++(?: [01]{1,3}(?: \d++)?)?\n[\d ]++\n",
         "a graph of METIS", _MATRIX),
        (rb"\A(?:[^\n=\[{<]*\n)?[ \t]*+[\d.]++ *+[,;\t][ \t]*+[\d.]++[^\n=\[]*\n",
         "a table of numbers", f"{_SCALING}; {_MATRIX}"),
        (rb"\APK\x03\x04", "a spreadsheet or an archive",
         "Save the sheet as CSV, or copy its cells and paste them; unpack an archive"),
        (rb"\A%PDF", "a PDF", _OPENS),
        (rb"\A(?:---\n|#[^\n]*\n)*+[\w.-]++:(?: [^\n]*)?$", "YAML of no known kind", _OPENS),
        (rb"^SNAKEMAKE$|^Building DAG of jobs", "what Snakemake prints",
         "Open its folder .snakemake, which has the times and files of the jobs"),
        (rb"\A(?:[ \t]*+(?:#[^\n]*+)?\n)*+(?![\s\[{])[^\n=]+"
         rb"(?:\n\s*+(?![\[{])[^\n=]+(?:\n|\Z)|\n?\Z)",
         _TEXT, _OPENS),
    )
)  # fmt: skip


@contextmanager
def known_by_its_looks(head: bytes, where: str, *, table: bool = False) -> Iterator[None]:
    """Where the block refuses a file, say what it looks like, if known, and what takes it.

    `table`: it has titles of a table of tasks, so that its own fault says more than "text", as does
        that of a file which is called TOML.
    """
    try:
        yield
    except InputError:
        if b"\0" in head and not head.startswith(b"PK\3\4"):
            raise InputError(
                "this is no text: a picture or another binary file",
                where=where,
                remedy="Choose a file that Placewise opens (docs/sources.md)",
            ) from None
        for pattern, name, remedy in _LOOKS:
            own = table or where.endswith(".toml")
            if pattern.search(head) and not (own and name == _TEXT):
                raise InputError(
                    f"this looks like {name}, which is no workload and no platform here",
                    where=where,
                    remedy=remedy,
                ) from None
        raise
