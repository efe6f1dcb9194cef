"""The Slurm script on a Slurm of four nodes on this machine; cores of ranks as srun binds them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.engines import slurm
from advisor.engines.shell_words import statement
from advisor.engines.slurm import units_of
from machines import Direction, Link, Machine, Platform
from tests.advisor.engines.dozen import jobs
from tests.advisor.engines.scripted import check_dozen, runs, written
from tests.slurm_cluster import NODES, Cluster, cluster

pytestmark = pytest.mark.engines
_SAY = 'echo "$PLACEWISE_TASK $PLACEWISE_CORES $SLURMD_NODENAME $SLURM_JOB_NUM_NODES" >>said\n'


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("slurm") / "cluster", cores=4) as found:
        yield found


def planned(commands: dict[str, str]) -> Jobs:
    """Four alike tasks on n01, short ones on n02, long ones on n03 and n04; one needs them all."""
    both = Direction(0.0, 1e9)
    machines = tuple(Machine(node, cores=4) for node in NODES)
    links = tuple(Link(one, other, both, both) for at, one in enumerate(NODES)
                  for other in NODES[at + 1 :])  # fmt: skip
    seconds = {**{f"alike {at}": 3.0 for at in range(4)}, "short a": 0.2, "short b": 0.2, "c": 2.0,
               "d": 2.0, "e": 3.0, "sum": 2.0}  # fmt: skip
    cores = {"short a": 4, "short b": 4, "c": 4, "d": 4, "sum": 2}
    tasks = tuple(
        Task(name, work=work, cores=cores.get(name, 1), kind=name[:5],
             command=_SAY + commands.get(name, "sleep 0.1"))
        for name, work in seconds.items()
    )  # fmt: skip
    pairs = [("short a", "short b"), ("short b", "d"), ("alike 2", "e"), ("c", "sum"), ("d", "sum"),
             ("e", "sum"), *((f"alike {at}", "sum") for at in range(4))]  # fmt: skip
    flows = tuple(Flow(one, other, ((1, 1000.0),)) for one, other in pairs)
    problem = Problem.of(Platform("four", machines, links), Workload("four nodes", tasks, flows))
    plan = Plan((0, 0, 0, 0, 1, 1, 2, 2, 3, 0))
    return jobs_of(problem, plan, predict(problem, plan))


def test_a_plan_is_carried_out_on_its_nodes_and_in_its_order(four: Cluster, tmp_path: Path) -> None:
    plan = planned({})
    found = four.run(["bash", written(slurm.ENGINE, tmp_path, plan).name], tmp_path)
    assert found.returncode == 0, found.stderr
    units = units_of(plan)
    assert sorted(len(unit.jobs) for unit in units) == [1, 1, 1, 1, 2, 4]
    assert f"{len(units)} jobs are submitted" in found.stdout
    four.ended(tmp_path)
    (run,) = runs(tmp_path)
    done = {one.task: one for one in run.tasks}
    assert {one.status for one in run.tasks} == {"ok"}
    assert {one.task: one.machine for one in run.tasks} == {
        job.name: job.machine for job in plan.jobs
    }
    said = {line.rsplit(" ", 3)[0]: line.rsplit(" ", 3)[1:]
            for line in (tmp_path / "said").read_text().splitlines()}  # fmt: skip
    assert said == {job.name: [str(job.cores), job.machine, "1"] for job in plan.jobs}
    for job in plan.jobs:
        for one in {*job.after, *job.over}:
            assert done[plan.jobs[one].name].end_s <= done[job.name].start_s
    assert all(0.09 < done[name].end_s - done[name].start_s < 60.0 for name in done)
    assert any(one.start_s % 1.0 for one in run.tasks)


def test_names_and_commands_arrive_as_they_are(four: Cluster, tmp_path: Path) -> None:
    plan = jobs(work="")
    file = written(slurm.ENGINE, tmp_path, plan)
    text = file.read_text()
    for (name, slug, _), node in zip(plan.machines, NODES, strict=False):
        text = text.replace(
            statement("node", slug, name, name), statement("node", slug, name, node)
        )
    file.write_text(text)
    found = four.run(["bash", file.name], tmp_path, OUT=str(tmp_path))
    assert found.returncode == 0, found.stderr
    four.ended(tmp_path)
    (run,) = runs(tmp_path)
    check_dozen(run, plan, tmp_path)


def test_a_failure_ends_what_needs_it_and_nothing_else(four: Cluster, tmp_path: Path) -> None:
    plan = planned({"short a": "exit 3", "e": "echo e"})
    assert four.run(["bash", written(slurm.ENGINE, tmp_path, plan).name], tmp_path).returncode == 0
    four.ended(tmp_path)
    (run,) = runs(tmp_path)
    status = {one.task: one.status for one in run.tasks}
    assert status["short a"] == "failed"
    assert set(status) == {job.name for job in plan.jobs} - {"short b", "d", "sum"}


def test_a_submission_that_fails_leaves_nothing_behind(four: Cluster, tmp_path: Path) -> None:
    file = written(slurm.ENGINE, tmp_path, planned({}))
    file.write_text(file.read_text().replace("node n04 n04 n04", "node n04 n04 n05"))
    found = four.run(["bash", file.name], tmp_path)
    assert found.returncode != 0
    assert "Invalid node name" in found.stderr
    assert "what was submitted is cancelled" in found.stderr
    four.ended(tmp_path)
    assert not (tmp_path / "said").exists()
