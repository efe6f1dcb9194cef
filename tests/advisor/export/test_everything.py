"""All files of a plan: each whole, read back, listed with its use; what can't be made is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.predict import predict
from advisor.export import mapping_csv, openmpi
from advisor.export import slurm_hostlist as slurm
from advisor.export.everything import CONTENTS, everything
from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import EXPORTS, exports_of
from tests.advisor.export.decided import BACKWARDS, decided
from tests.conftest import two_machines
from tests.dummies.export import plan_text

OF_TASKS = ("openmpi.rankfile", "openmpi.hostfile", "openmpi-sequence.hostfile", "mpich.hostfile",
            "mpich-rank-order.order", "slurm.hosts", "mapping.csv")  # fmt: skip


def test_every_task_and_overlay_has_its_files_beside_those_of_the_plan() -> None:
    names = list(everything(decided()).texts)
    assert names[:3] == [CONTENTS, "plan.json", "schedule.csv"]
    for task in ("spectra", "align"):
        assert {f"{task}-{name}" for name in OF_TASKS} <= set(names)
    of_tree = {"monitor-mrnet.top", "monitor-stat.txt", "monitor-prrte.txt"}
    assert of_tree | {"decisions.csv", "platform.xml"} <= set(names)
    assert len(names) == 1 + len(exports_of(PLAN)) + 2 * len(OF_TASKS) + len(of_tree)


def test_the_files_say_what_the_plan_decides() -> None:
    texts = everything(decided()).texts
    assert texts["spectra-slurm.hosts"] == "".join(f"alewife-{node}\n" for node in BACKWARDS)
    assert (
        texts["align-mapping.csv"].splitlines()[9] == '8,15,"direct-15",0,1'
    )  # a snake turns back
    assert '"mapping","spectra","own nodes"' in texts["decisions.csv"]


def test_the_list_says_what_is_in_every_file_and_how_it_is_used() -> None:
    found = everything(decided())
    contents = found.texts[CONTENTS]
    assert contents.startswith("The plan of “choosing”: makespan ")
    for one in found.files:
        assert f"\n{one.name} " in contents
    assert "mpirun -np 32 -rf spectra-openmpi.rankfile PROGRAM" in contents
    assert "- The hosts alewife-0, … are made up after the machine" in contents
    (left,) = found.left_out  # its processes share hosts
    assert left.startswith("Flux bootstrap hosts, overlay monitor: hosts: Flux runs one broker")


def test_what_can_not_be_made_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    lying = replace(slurm.EXPORT, render=lambda _placement: "other\n")
    monkeypatch.setitem(EXPORTS, lying.name, lying)
    found = everything(decided())
    assert "spectra-slurm.hosts" not in found.texts
    assert "- Slurm host list (arbitrary distribution), task align: " in found.contents
    assert sum(one.startswith("Slurm host list") for one in found.left_out) == 2


def test_names_that_would_be_one_file_become_two(monkeypatch: pytest.MonkeyPatch) -> None:
    for letter in ("A", "a"):
        twin = replace(plan_text.EXPORT, name=letter, stem=letter, suffix=".txt")
        monkeypatch.setitem(EXPORTS, letter, twin)
    project = two_machines()
    problem = project.problem()
    planned = Planned(problem, project.plan, predict(problem, project.plan))
    assert {"A.txt", "a-2.txt"} <= set(everything(planned).texts)


def test_every_file_that_can_be_read_back_says_the_same() -> None:
    texts = everything(decided()).texts
    assert len(openmpi.parse_rankfile(texts["align-openmpi.rankfile"])) == 32
    placement = mapping_csv.parse(texts["spectra-mapping.csv"])
    assert placement.nodes == BACKWARDS
