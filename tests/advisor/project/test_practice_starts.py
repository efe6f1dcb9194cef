"""Ten starts that people have reach advice with at most five answers and no number typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.commands import cli
from advisor.project.opening import Opened, open_files
from advisor.search import advise
from machines import InputError
from tests.advisor.project.sources.site_files import HWLOC, OSU_LATENCY, SCONTROL, TOPOLOGY
from tests.advisor.project.sources.small_files import DAX, GENERATED, MERMAID
from tests.advisor.project.test_gathering import TRACE
from tests.advisor.runs.logs.small_logs import dask_map, dask_report, parsl_database
from tests.advisor.runs.logs.snakemake_files import metadata
from tests.dask_cluster import scheduler

TABLE = "Task\tDuration\tAfter\ncut\t10 s\t\npaint\t20 s\tcut\nhang\t5 s\tpaint\n"


def texts(folder: Path, *contents: str | bytes) -> list[Path]:
    paths = []
    for place, content in enumerate(contents):
        path = folder / f"file{place}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return paths


def snakemake(folder: Path) -> list[Path]:
    metadata(folder / ".snakemake", "a.txt", "make", 0.0, 2.0)
    metadata(folder / ".snakemake", "b.txt", "use", 2.0, 5.0, input=["a.txt"])
    return [folder / ".snakemake"]


STARTS: dict[str, Callable[[Path], list[Path]]] = {
    "slurm": lambda folder: texts(folder, SCONTROL, TOPOLOGY, DAX),
    "hwloc and osu": lambda folder: texts(folder, HWLOC, OSU_LATENCY, DAX),
    "nextflow": lambda folder: texts(folder, TRACE, MERMAID),
    "snakemake": snakemake,
    "parsl": lambda folder: texts(folder, parsl_database()),
    "dask report": lambda folder: texts(folder, dask_report(dask_map())),
    "dax": lambda folder: texts(folder, DAX),
    "dot": lambda folder: texts(folder, GENERATED),
    "table": lambda folder: texts(folder, TABLE),
}
EDGES = {"slurm": 1, "hwloc and osu": 1, "nextflow": 1, "snakemake": 1, "parsl": 4,
         "dask report": 0, "dax": 1, "dot": 2, "table": 2}  # fmt: skip


def reaches_advice(opened: Opened) -> None:
    assert len(opened.questions) <= 5
    assert all(one.value and not one.answered for one in opened.questions)
    assert advise(opened.project.problem()).value_s > 0.0


@pytest.mark.parametrize("start", STARTS)
def test_a_start_reaches_advice_by_its_proposals(tmp_path: Path, start: str) -> None:
    opened = open_files(STARTS[start](tmp_path))
    reaches_advice(opened)
    assert len(opened.project.workload.edges) == EDGES[start]


def test_a_scheduler_that_runs_gives_its_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with scheduler() as address:
        opened = open_files([*texts(tmp_path, DAX), Path(address)])
        assert cli.main(["open", address]) == 0
        out, err = capsys.readouterr()
        assert cli.main(["advise", str(tmp_path / "file0"), "--platform", address]) == 0
    reaches_advice(opened)
    cores = {one.name: one.cores for one in opened.project.platform.machines}
    assert cores == {"left": 2, "right": 3}
    assert "has no TLS" in err
    assert f"{address}: Dask scheduler" in out


def test_a_silent_address_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.project.live_dask._PATIENCE_S", 0.1)
    with pytest.raises(InputError, match=r"tcp://127\.0\.0\.1:9: no Dask scheduler answers"):
        open_files([Path("tcp://127.0.0.1:9")])


def test_the_answer_names_the_assumption_that_tips_the_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = texts(tmp_path, SCONTROL.replace("+DRAIN", ""), DAX)
    assert cli.main(["advise", *map(str, paths), "--seconds", "0.1"]) == 0
    assert "Assumed, and decisive: speed of n01" in capsys.readouterr().out


def test_a_graph_without_times_is_asked_for_one_beside_a_platform(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = texts(tmp_path, "digraph G { cut -> paint; }")
    words = ["advise", str(path), "--platform", "cluster", "--seconds", "0.1"]
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert "makespan 2 min" in out
    assert "Taken: 1 min; --answer task_time=" in err
