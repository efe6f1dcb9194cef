"""What Snakemake and Slurm leave behind of jobs that ran a moment ago is read as it was."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from advisor.runs.logs.reading import read_runs
from advisor.runs.run_record import Run
from tests.engines import program
from tests.slurm_cluster import cluster

pytestmark = pytest.mark.engines

SNAKEFILE = """\
rule all:
    input: "sum.txt"
rule make:
    output: "out/{s}/raw.txt", "out/{s}/raw.idx"
    benchmark: "results/benchmarks/make/{s}.tsv"
    params: m=lambda wildcards: "M1" if wildcards.s == "A" else "M2"
    resources: m1=lambda wildcards: int(wildcards.s == "A"),
               m2=lambda wildcards: int(wildcards.s != "A")
    shell: "touch {output}; sleep 0.3"
rule twice:
    input: "out/{s}/raw.txt"
    output: "out/{s}/two.txt"
    benchmark: repeat("results/benchmarks/{s}.twice.tsv", 2)
    params: m="M1"
    resources: m1=1, m2=0
    shell: "sleep 0.1; cp -p {input} {output}"
rule sum:
    input: expand("out/{s}/two.txt", s=["A", "B-1"])
    output: "sum.txt"
    params: m="M2"
    resources: m1=0, m2=1
    run:
        import time
        time.sleep(0.2)
        open(output[0], "w").close()
"""
WHERE = {"make_A": "M1", "make_B-1": "M2", "twice_A": "M1", "twice_B-1": "M1"}
LEAST_S = {"make_A": 0.3, "make_B-1": 0.3, "twice_A": 0.1, "twice_B-1": 0.1, "sum": 0.2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory in which Snakemake ran with the logger snkmt, and once more without."""
    program("snkmt")
    place = tmp_path_factory.mktemp("workflow")
    (place / "Snakefile").write_text(SNAKEFILE)
    words = [program("snakemake"), "-c2", "--resources", "m1=1", "m2=1"]
    logger = ["--logger", "snkmt", "--logger-snkmt-db", "snkmt.sqlite"]
    done = subprocess.run([*words, *logger], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def check(run: Run, tasks: set[str]) -> None:
    """Every task is there, ran at least as long as its command, and after what it needs."""
    assert {one.task for one in run.tasks} == tasks
    last = {one.task: one for one in run.tasks}
    assert all(one.end_s - one.start_s > LEAST_S[name] - 0.05 for name, one in last.items())
    assert {name: one.machine for name, one in last.items() if name != "sum"} == WHERE
    for sample in ("A", "B-1"):
        made, used = last[f"make_{sample}"], last[f"twice_{sample}"]
        assert made.end_s < used.end_s
        assert made.start_s < used.start_s


def test_everything_that_snakemake_knows_is_one_run(folder: Path) -> None:
    (run,) = read_runs([folder])
    check(run, set(LEAST_S))
    assert sum(one.task == "twice_A" for one in run.tasks) == 2  # repeated for its benchmark


def test_the_metadata_alone_lacks_what_its_times_can_not_tell(folder: Path) -> None:
    (run,) = read_runs([folder / ".snakemake" / "metadata"])
    assert {one.task for one in run.tasks} >= {"make_A", "make_B-1"}
    assert "sum" not in {one.task for one in run.tasks}
    assert any("sum" in note and "left out" in note for note in run.notes)


def test_slurm_tells_its_jobs(tmp_path: Path) -> None:
    with cluster(tmp_path / "cluster") as four:
        script = tmp_path / "job.sh"
        script.write_text("#!/bin/sh\nsleep 1\n")
        plain = ["sbatch", "--parsable", "-o", "/dev/null"]
        first = four.run([*plain, "-J", "first", "-w", "n02", script], tmp_path).stdout.strip()
        after = f"--dependency=afterok:{first}"
        four.run([*plain, "-J", "a name", "-w", "n01", after, script], tmp_path)
        four.run([*plain, "-J", "map", "-w", "n03", "--array=1-2", script], tmp_path)
        four.ended(tmp_path)
        shown = tmp_path / "shown.txt"
        shown.write_text(four.run(["scontrol", "show", "job"], tmp_path).stdout)
        queue = tmp_path / "queue.txt"
        columns = "%i|%j|%T|%N|%S|%e"
        queue.write_text(four.run(["squeue", "-t", "all", "-o", columns], tmp_path).stdout)
    for file in (shown, queue):
        (run,) = read_runs([file])
        found = {one.task: one for one in run.tasks}
        assert {name: one.machine for name, one in found.items()} == {
            "first": "n02", "a name": "n01", "map_1": "n03", "map_2": "n03",
        }  # fmt: skip
        assert {one.status for one in run.tasks} == {"ok"}
        assert found["first"].end_s <= found["a name"].start_s
