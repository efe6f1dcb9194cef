"""Plans for Snakemake: quoting tried with the shell, the rest with Snakemake itself."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.allocation.plan_jobs import Jobs
from advisor.engines import snakemake, snakemake_profile
from advisor.runs.logs.reading import read_runs
from tests.advisor.engines.dozen import CORES, MACHINES, jobs
from tests.advisor.engines.running import check, logged, most_at_once, run
from tests.engines import program

# a workflow of one's own: one rule a kind, whose wildcard is what follows the kind in the name
OWN = """\
rule all:
    input: expand("raw/{one}", one=[0, 1, 2]), "model"
rule raw:
    output: touch("raw/{one}")
    shell: "echo raw-{wildcards.one} {threads} {resources} >> $OUT/ran"
rule model:
    output: touch("model")
    shell: "echo {rule} {threads} {resources} >> $OUT/ran"
"""


def own_jobs(*, swap: bool = False) -> Jobs:
    """raw0, raw1 and raw2 on the first, the second and the first machine; model on the second."""
    dozen = jobs()
    wanted = (("raw0", 0), ("raw1", 1), ("raw2", 0), ("model", 1))
    rows = [
        replace(job, name=name, slug=name, kind=name.rstrip("012"), machine=MACHINES[machine],
                cores=1 + machine, after=(), priority=place if swap else 4 - place)
        for place, ((name, machine), job) in enumerate(zip(wanted, dozen.jobs, strict=False))
    ]  # fmt: skip
    return replace(dozen, jobs=tuple(rows))


# what ssh does with its words: joined by blanks, and read by the shell of the other machine
SSH = """#!/bin/sh
[ "$1" = HOST ] || exit 9
shift
exec sh -c "$*"
"""


@pytest.mark.parametrize("far", [False, True], ids=["here", "over ssh"])
def test_a_line_reaches_the_shell_as_the_job_states_it(tmp_path: Path, far: bool) -> None:
    ssh, elsewhere = tmp_path / "ssh", tmp_path / "else where"
    ssh.write_text(SSH, "utf-8")
    ssh.chmod(0o755)
    elsewhere.mkdir()
    text = snakemake.render(jobs(work="pwd >> $OUT/folders"))
    names: dict[str, Any] = {}
    exec(text.partition("\nrule _all:")[0], names)  # the table and the functions are plain Python
    if far:
        reach = [str(ssh), "HOST", f"cd {shlex.quote(str(elsewhere))} &&"]
        names["REACH"].update(dict.fromkeys(MACHINES, reach))
    for row in names["JOBS"]:
        run(tmp_path, "/bin/sh", "-c", names["line"](row))
    check_lines(tmp_path)
    folders = set((tmp_path / "folders").read_text("utf-8").splitlines())
    assert folders == {str(elsewhere if far else tmp_path)}


def check_lines(folder: Path) -> None:
    """Every job ran once, in whatever order, with its own name, machine and cores."""
    ran = sorted((one.task, one.machine, one.cores) for one in logged(folder))
    assert ran == sorted((job.name, job.machine, job.cores) for job in jobs().jobs)
    assert not list(folder.glob("**/pwned"))


def test_another_plan_keeps_its_markers_elsewhere() -> None:
    def folder(of: Jobs) -> str:
        found = re.search(r"^FOLDER = (.*)$", snakemake.render(of), re.MULTILINE)
        assert found is not None
        return found[1]

    one = jobs()
    moved = replace(one.jobs[0], machine=next(name for name in MACHINES
                                              if name != one.jobs[0].machine))  # fmt: skip
    assert folder(one) != folder(replace(one, jobs=(moved, *one.jobs[1:])))


def test_a_profile_tells_tasks_of_a_kind_by_their_wildcards() -> None:
    profile = yaml.safe_load(snakemake_profile.render(own_jobs()))
    assert profile["resources"] == {"on_M_1_x": 1, "on_m2_y": 2}
    assert profile["cores"] == 3
    assert profile["set-threads"]["model"] == 2
    assert profile["config"]["placewise"]["raw"] == {"0": 4, "1": 3, "2": 2}
    assert profile["config"]["placewise"]["model"] == {"-": 1}
    expression = profile["set-resources"]["raw"]["on_M_1_x"]
    assert [eval(expression, {"wildcards": [one]}) for one in "0123"] == [1, 0, 1, 0]


def test_names_that_wildcards_can_not_tell_apart_are_said() -> None:
    own = own_jobs()
    twins = (replace(own.jobs[0], name="raw-1", slug="raw_1"), *own.jobs[1:])
    assert not [note for note in snakemake_profile.notes(own) if "do not tell" in note]
    assert [note for note in snakemake_profile.notes(replace(own, jobs=twins))
            if "do not tell raw-1 from another task of raw" in note]  # fmt: skip


def test_commands_use_the_file_that_was_written() -> None:
    (line,) = snakemake.commands(jobs(), "it's.smk")
    assert shlex.split(line)[:3] == ["snakemake", "--snakefile", "it's.smk"]
    assert snakemake_profile.commands(jobs(), "p/config.yaml") == ("snakemake --profile p",)
    assert snakemake_profile.commands(jobs(), "p.yaml")[-1] == "snakemake --profile p"


@pytest.mark.engines
def test_snakemake_carries_a_plan_out(tmp_path: Path) -> None:
    plan = jobs()
    (tmp_path / "Snakefile").write_text(snakemake.render(plan), "utf-8")
    words = shlex.split(snakemake.commands(plan, "Snakefile")[0])
    run(tmp_path, program(words[0]), *words[1:])
    found = check(plan, tmp_path)
    for machine, cores in zip(MACHINES, CORES, strict=True):
        assert most_at_once(found, machine) <= cores
    benchmarks = {path.stem for path in tmp_path.glob("placewise-*/benchmarks/*.tsv")}
    assert benchmarks == {job.slug for job in plan.jobs}
    (told,) = read_runs([tmp_path])  # from benchmarks and what Snakemake keeps of each job
    assert {one.task: one.machine for one in told.tasks} == {
        job.name: job.machine for job in plan.jobs
    }
    # of those that were ready from the start each machine took the plan's first ones first
    for machine, cores in zip(MACHINES, CORES, strict=True):
        ready = [job.name for job in plan.jobs if not job.after and job.machine == machine]
        ran = [one.task for one in found if one.task in ready]
        assert set(ran[:cores]) == set(ready[:cores])


@pytest.mark.engines
def test_a_snakefile_without_commands_says_which_lack(tmp_path: Path) -> None:
    plan = jobs(with_commands=False)
    (tmp_path / "Snakefile").write_text(snakemake.render(plan), "utf-8")
    words = shlex.split(snakemake.commands(plan, "Snakefile")[0])
    assert "fill in the commands of it's" in run(tmp_path, program(words[0]), *words[1:],
                                                 fails=True)  # fmt: skip


@pytest.mark.engines
@pytest.mark.parametrize("swap", [False, True])
def test_snakemake_takes_a_profile_over(tmp_path: Path, swap: bool) -> None:
    own = own_jobs(swap=swap)
    profile = snakemake_profile.render(own)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "config.yaml").write_text(profile, "utf-8")
    lines = (line.removeprefix("#     ") for line in profile.splitlines()
             if line.startswith("#     "))  # fmt: skip
    pasted = "\n".join(line for line in lines if not line.startswith("snakemake"))
    (tmp_path / "Snakefile").write_text(f"{OWN}\n{pasted}\n", "utf-8")
    told = run(tmp_path, program("snakemake"), "--profile", "p", "--dry-run")
    assert re.search(r"priority: 3\n(?:    .*\n)*?    threads: 2\n    resources: .*on_m2_y=2", told)
    run(tmp_path, program("snakemake"), "--profile", "p")
    ran = [line.split()[0] for line in (tmp_path / "ran").read_text("utf-8").splitlines()]
    first = [one for one in ran if one in {"raw-0", "raw-2"}]  # one at a time on their machine
    second = [one for one in ran if one in {"raw-1", "model"}]
    assert first == (["raw-2", "raw-0"] if swap else ["raw-0", "raw-2"])
    assert second == (["model", "raw-1"] if swap else ["raw-1", "model"])
