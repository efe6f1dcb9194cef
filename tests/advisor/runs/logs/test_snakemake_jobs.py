"""What tasks of Snakemake are called and where they ran, as far as jobs tell."""

from __future__ import annotations

import shlex

import pytest

from advisor.runs.logs.snakemake_jobs import SnakemakeJob, machines, names


def job(rule: str = "r", *outputs: str, **more: object) -> SnakemakeJob:
    return SnakemakeJob(rule, outputs, 0.0, 1.0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outputs", "apart"),
    [
        (("out/A.bam", "out/B.bam"), ("A", "B")),
        (("out/sample1.bam", "out/sample12.bam"), ("sample1", "sample12")),
        (("a/x/1.txt", "a/y/1.txt", "a/x/2.txt"), ("x_1", "y_1", "x_2")),
        (("a/x", "a/b/x"), ("a_x", "a_b_x")),
    ],
)
def test_outputs_tell_jobs_apart_by_whole_words(
    outputs: tuple[str, ...], apart: tuple[str, ...]
) -> None:
    jobs = [job("r", output) for output in outputs]
    assert names(jobs) == [f"r_{one}" for one in apart]


@pytest.mark.parametrize("name", ["a", "it's", 'say "x"', "$(rm)", "a b;c", "é=1"])
def test_a_name_comes_back_through_every_shell(name: str) -> None:
    inner = shlex.join(["env", f"PLACEWISE_TASK={name}", "sh", "-c", "--", "make it"])
    for command in (inner, shlex.join(["bash", "-c", inner]), shlex.join(["ssh", "h", inner])):
        assert names([job(command=command)]) == [name]


def test_a_command_that_no_shell_takes_names_nothing() -> None:
    assert names([job(command="PLACEWISE_TASK='a")]) == ["r"]


def test_several_resources_in_one_job_are_no_machines() -> None:
    one = job("a", resources=(("m1", 1.0), ("m2", 1.0)))
    assert machines([one, job("b", resources=(("m1", 1.0), ("m2", 0.0)))])[0] == ["", ""]


def test_resources_of_snakemake_itself_are_no_machines() -> None:
    told = (("mem_mb", 100.0), ("_cores", 2.0), ("disk_mib", 5.0), ("gpu", 0.0))
    assert machines([job("a", resources=told)])[0] == [""]


def test_params_that_all_jobs_share_are_no_machines() -> None:
    jobs = [job(one, params=("'--fast'", "'fast'", f"'{one}'")) for one in "abc"]
    assert machines(jobs)[0] == ["", "", ""]
