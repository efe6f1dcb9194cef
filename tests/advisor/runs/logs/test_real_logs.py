"""Logs that the real programs wrote a moment ago tell what was carried out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from advisor.runs.actual import Actual
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from tests.advisor.runs.diamond import diamond
from tests.advisor.runs.logs.small_logs import write
from tests.engines import program

pytestmark = pytest.mark.engines

SECONDS = {"split": 0.2, "left": 0.3, "right": 0.4, "join": 0.1}
WHERE = {"split": "M1", "left": "M1", "right": "M2", "join": "M2"}
AFTER = {"split": [], "left": ["split"], "right": ["split"], "join": ["left", "right"]}

_TABLES = f"import json, sys, time\nSECONDS, WHERE, AFTER = {SECONDS!r}, {WHERE!r}, {AFTER!r}\n"
_DASK = (
    _TABLES
    + """
from distributed import Client, Nanny, Scheduler, SpecCluster, get_task_stream
try:
    import bokeh
    from distributed import performance_report
except ImportError:
    from contextlib import nullcontext as performance_report  # without Bokeh there is none


def task(name, *inputs):
    time.sleep(SECONDS[name])
    if name == "broken":
        raise ValueError("boom")
    return bytes(1_000_000)


def plain(value):
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


if __name__ == "__main__":
    SECONDS["broken"] = 0.0
    workers = {name: {"cls": Nanny, "options": {"nthreads": 1}} for name in ("M1", "M2")}
    scheduler = {"cls": Scheduler, "options": {"dashboard": False, "host": "127.0.0.1"}}
    with SpecCluster(workers, scheduler) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        with performance_report("report.html"), get_task_stream() as stream:
            made = {}
            for name in AFTER:
                inputs = [made[one] for one in AFTER[name]]
                made[name] = client.submit(task, name, *inputs, key=name, workers=[WHERE[name]])
            broken = client.submit(task, "broken", key="broken")
            client.gather(list(made.values()))
            broken.exception()
        json.dump(plain(stream.data), open("stream.json", "w"))
        json.dump(plain(client.scheduler_info()), open("workers.json", "w"))
"""
)
_PARSL = (
    _TABLES
    + """
import os
import parsl
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.monitoring import MonitoringHub
from parsl.providers import LocalProvider


def executor(label):
    return HighThroughputExecutor(
        label=label, address="127.0.0.1", max_workers_per_node=1,
        provider=LocalProvider(init_blocks=1, max_blocks=1),
    )


def body(seconds, inputs=()):
    import time
    time.sleep(seconds)


if __name__ == "__main__":
    hub = MonitoringHub(hub_address="127.0.0.1",
                        logging_endpoint="sqlite:///" + os.path.abspath("monitoring.db"))
    parsl.load(Config(executors=[executor("M1"), executor("M2")], monitoring=hub,
                      run_dir="runinfo", strategy="none"))
    made = {}
    for name in AFTER:
        app = parsl.python_app(body, executors=[WHERE[name]])
        made[name] = app(SECONDS[name], inputs=[made[one] for one in AFTER[name]])
    for one in made.values():
        one.result()
    parsl.dfk().cleanup()
"""
)


def carried_out(script: str, command: str, folder: Path) -> None:
    """The script, run by the interpreter that `command` is installed for."""
    home = Path(program(command)).parent
    write(folder, "script.py", script)
    path = f"{home}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [home / "python", "script.py"], cwd=folder, env={**os.environ, "PATH": path},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def check(found: Actual, slack_s: float) -> None:
    """What the script says is what the log says."""
    assert found.complete
    names = [task.name for task in diamond().workload.tasks]
    assert [("M1", "M2")[place] for place in found.machine] == [WHERE[name] for name in names]
    for name, took_s in zip(names, found.task_s, strict=True):
        assert SECONDS[name] - 0.005 <= took_s <= SECONDS[name] + slack_s
    assert found.taken_s[1:].min() >= found.end_s[0] - 0.006
    assert found.makespan_s >= 0.7 - 0.01


def test_dasks_task_stream_and_report_tell_what_ran(tmp_path: Path) -> None:
    carried_out(_DASK, "dask", tmp_path)
    (run,) = read_runs([tmp_path / "stream.json"])
    found = matched(run, diamond())
    check(found, 5.0)
    assert found.unknown == ("broken",)
    assert [one.output for one in run.tasks if one.status != "ok"] == ["ValueError('boom')"]
    if not (tmp_path / "report.html").exists():
        pytest.skip("Bokeh, which writes the report, is not installed there")
    (page,) = read_runs([tmp_path / "report.html"])
    other = matched(page, diamond())
    assert other.start_s == pytest.approx(found.start_s, abs=1e-4)
    assert other.end_s == pytest.approx(found.end_s, abs=1e-4)
    assert [one.status for one in page.tasks] == [one.status for one in run.tasks]


def test_parsls_monitoring_tells_what_ran(tmp_path: Path) -> None:
    carried_out(_PARSL, "parsl-perf", tmp_path)
    (run,) = read_runs([tmp_path / "monitoring.db"])
    check(matched(run, diamond()), 5.0)
