"""Plans for Pegasus: sites, hints and dependencies as YAML, and jobs that a shell understands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import yaml

from advisor.engines import pegasus
from tests.advisor.engines.dozen import jobs
from tests.advisor.engines.running import check, run

NODE = re.compile(r"[0-9A-Za-z_-]+")  # what the schema of Pegasus 5 takes as an id


def test_every_job_names_a_site_of_the_catalogue_that_has_the_shell() -> None:
    document = yaml.safe_load(pegasus.render(jobs()))
    sites = {site["name"] for site in document["siteCatalog"]["sites"]}
    (shell,) = document["transformationCatalog"]["transformations"]
    told = {job["profiles"]["selector"]["execution.site"] for job in document["jobs"]}
    assert told == {one["name"] for one in shell["sites"]} == sites - {"local"}
    assert {job["name"] for job in document["jobs"]} == {shell["name"]}
    assert document["pegasus"].startswith("5.0")
    for site in document["siteCatalog"]["sites"]:
        assert all(one["fileServers"] for one in site["directories"])


def test_dependencies_and_priorities_are_those_of_the_plan() -> None:
    plan = jobs()
    document = yaml.safe_load(pegasus.render(plan))
    pairs = {(one["id"], child) for one in document["jobDependencies"] for child in one["children"]}
    wanted = {(plan.jobs[one].slug, job.slug) for job in plan.jobs for one in job.after}
    assert pairs == wanted
    assert all(NODE.fullmatch(job["id"]) for job in document["jobs"])
    assert NODE.fullmatch(document["name"])
    order = [job["profiles"]["condor"]["priority"] for job in document["jobs"]]
    assert order == sorted(order, reverse=True)


def test_nothing_is_left_for_pegasus_or_condor_to_expand() -> None:
    assert "$" not in pegasus.render(jobs())


def test_the_arguments_carry_every_job_out(tmp_path: Path) -> None:
    plan = jobs(work=":")
    document = yaml.safe_load(pegasus.render(plan))
    for job in document["jobs"]:
        # joined by blanks, and parted where no quotes are, as the planner and Condor do
        words = shlex.split(" ".join(job["arguments"]))
        assert len(words) == 2
        run(tmp_path, "/bin/sh", *words)
    check(plan, tmp_path)


def test_a_job_without_a_command_fails_and_says_why(tmp_path: Path) -> None:
    document = yaml.safe_load(pegasus.render(jobs(with_commands=False)))
    words = shlex.split(" ".join(document["jobs"][0]["arguments"]))
    assert "FILL IN" in run(tmp_path, "/bin/sh", *words, fails=True)
