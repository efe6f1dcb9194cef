"""Logs of engines that are read as they are, small: Snakemake, Slurm, Nextflow, WfFormat."""

from __future__ import annotations

import json
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path

from advisor.runs.logs.snakemake_log import READER as SNAKEMAKE
from tests.fuzzing.seeds import WFFORMAT

_RULE = {
    "rule": "make", "input": ["a"], "log": [], "shellcmd": "env PLACEWISE_TASK=a sh -c 'make b'",
    "params": ["'M1'", "1"], "record_format_version": 6, "job_hash": 12345,
    "starttime": 1800000000.25, "endtime": 1800000003.5, "incomplete": False,
}  # fmt: skip
METADATA = (json.dumps(_RULE).encode(), json.dumps(_RULE | {"shellcmd": None}).encode())
BENCHMARKS = (
    b"s\th:m:s\tmax_rss\n1.25\t0:00:01\tNA\n0.75\t0:00:00\t3.5\n",
    b"s\th:m:s\trule_name\twildcards\n1.25\t0:00:01\tmake\t{'s': 'A'}\n",
    b'{"h:m:s": "0:00:01", "rule_name": ["make"], "s": 1.25, "wildcards": {"s": "A"}}\n',
)
ACCOUNTING = (
    b"JobID|JobName|State|Submit|Eligible|Start|End|ElapsedRaw|NodeList\n"
    b"7_1|map|COMPLETED|2026-11-22T07:00:00|2026-11-22T07:00:01|2026-11-22T07:00:01|"
    b"2026-11-22T07:00:05|4|n[01-03]\n"
    b"7_1.batch|batch|COMPLETED|2026-11-22T07:00:00|2026-11-22T07:00:01|2026-11-22T07:00:01|"
    b"2026-11-22T07:00:05|4|n01\n"
    b"8|b|CANCELLED by 0|2026-11-22T07:00:00|Unknown|Unknown|2026-11-22T07:00:05|0|None assigned\n",
    b"JOBID|NAME|STATE|NODELIST|START_TIME|END_TIME|TIME|\n"
    b"1|a|COMPLETED|M2|2026-11-22T07:00:01|2026-11-22T07:00:05|0:04|\n"
    b"2+0|b|FAILED|M[1,4]|2026-11-22T07:00:05|2026-11-22T06:00:09|0:04|\n",
)
JOBCOMP = (
    b"JobId=1 UserId=u(0) Name=a JobState=COMPLETED StartTime=2026-11-22T07:00:01 "
    b"EndTime=2026-11-22T07:00:05 NodeList=M1 SubmitTime=2026-11-22T07:00:00 "
    b"EligibleTime=2026-11-22T07:00:00 ArrayJobId=1 ArrayTaskId=2 ExitCode=0:0 \n"
    b"JobId=2 UserId=u(0) Name=b JobState=TIMEOUT StartTime=2026-11-22T07:00:05 "
    b"EndTime=2026-11-22T07:10:05 NodeList=M[1-2] SubmitTime=1800000000 ExitCode=0:0 \n",
    b"JobId=1 JobName=a\n   JobState=COMPLETED Reason=None\n   StartTime=2026-11-22T07:00:01 "
    b"EndTime=2026-11-22T07:00:05 Deadline=N/A\n   NodeList=M1\n\n",
)
TRACES = (
    b"task_id\thash\tnative_id\tname\tstatus\texit\tsubmit\tduration\trealtime\n"
    b"1\tab/12\t77\tMAP (a)\tCOMPLETED\t0\t2026-11-22 07:00:00.125\t1m 2s\t59.5s\n"
    b"2\tab/13\t78\tMAP (b)\tCACHED\t0\t2026-11-22 07:00:00.125\t350ms\t-\n",
    b"hash\tprocess\ttag\tstatus\tsubmit\tstart\tcomplete\trealtime\thostname\n"
    b"ab/12\tMAP\ta\tFAILED\t1800000000000\t1800000000500\t1800000004500\t3500\tn1\n",
)
_TIMED = json.loads(WFFORMAT[0])
for _task in _TIMED["workflow"]["execution"]["tasks"]:
    _task["executedAt"] = "2026-11-22T07:00:00.5+01:00"
EXECUTIONS = (*WFFORMAT, json.dumps(_TIMED).encode())


def databases() -> tuple[bytes, ...]:
    """A database of Snakemake's logger."""
    tables = (
        "CREATE TABLE workflows (id TEXT, started_at TEXT, status TEXT, dryrun INT)",
        "CREATE TABLE rules (id INT, name TEXT, workflow_id TEXT)",
        "CREATE TABLE jobs (id INT, workflow_id TEXT, rule_id INT, wildcards TEXT, resources TEXT,"
        " shellcmd TEXT, status TEXT, started_at TEXT, end_time TEXT)",
        "CREATE TABLE files (id INT, path TEXT, file_type TEXT, job_id INT)",
    )
    rows = (
        "INSERT INTO workflows VALUES ('w', '2026-11-22 07:00:00.5', 'SUCCESS', 0)",
        "INSERT INTO rules VALUES (1, 'make', 'w')",
        """INSERT INTO jobs VALUES (1, 'w', 1, '{"s": "A"}', '{"m1": 1, "m2": 0}', 'make it',"""
        " 'SUCCESS', '2026-11-22 07:00:00.5', '2026-11-22 07:00:02.5')",
        """INSERT INTO jobs VALUES (2, 'w', 1, '{"s": "B"}', '{"m1": 0, "m2": 1}', 'make it',"""
        " 'ERROR', '2026-11-22 07:00:00.5', '2026-11-22 07:00:03')",
        "INSERT INTO files VALUES (1, '/w/A', 'OUTPUT', 1)",
    )
    with sqlite3.connect(":memory:") as connection:
        _all(connection, ("PRAGMA page_size = 512", *tables, *rows))
        connection.commit()
        content = connection.serialize()
    connection.close()
    return (content,)


def _all(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        connection.execute(statement)


def read_metadata(path: Path) -> object:
    """A file as Snakemake's metadata of an output, beside a whole one."""
    folder = path.parent / "metadata"
    folder.mkdir(exist_ok=True)
    for output, content in (("b", path.read_bytes()), ("a", METADATA[0])):
        (folder / urlsafe_b64encode(output.encode()).decode()).write_bytes(content)
    return SNAKEMAKE.read(folder)
