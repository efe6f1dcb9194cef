"""Files of others become workloads and platforms with the facts that they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.project.opening import open_file, open_files
from advisor.project.platforms import read_machines
from advisor.project.registry import SOURCES, source_of
from advisor.project.workload_file import WorkloadFile, read_workload
from advisor.search import advise
from machines import InputError
from tests.advisor.project.sources import small_files as small
from tests.advisor.project.sources.site_files import SITES as SITE_FILES

ALL = small.FILES | SITE_FILES


def read(tmp_path: Path, text: str) -> WorkloadFile:
    (tmp_path / "file").write_text(text, encoding="utf-8")
    return read_workload(tmp_path / "file")


def times(workload: Workload) -> dict[str, float | None]:
    return {task.name: task.work for task in workload.tasks}


def edges(workload: Workload) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in workload.edges}


def sizes(workload: Workload) -> dict[tuple[str, str], float]:
    return {
        (flow.source, flow.target): sum(many * size for many, size in flow.data_sets)
        for flow in workload.flows
    }


@pytest.mark.parametrize("name", ALL)
def test_a_file_is_told_by_its_content_and_by_one_source(name: str) -> None:
    head = ALL[name].encode()
    assert [one.name for one in SOURCES if one.recognises(head)] == [name]
    found = source_of(head)
    assert found is not None
    assert found.name == name


def test_every_source_has_a_small_file() -> None:
    assert {one.name for one in SOURCES} == ALL.keys()


@pytest.mark.parametrize("text", [small.DAX, small.PEGASUS], ids=["dax", "pegasus"])
def test_jobs_of_pegasus_keep_their_times_cores_and_files(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    first, second = found.workload.tasks
    assert (first.work, first.cores, second.work) == (4.5, 2, 0.0)
    assert [task.group for task in (first, second)] == ["cut", "join"]
    assert edges(found.workload) == {(first.name, second.name)}
    assert {file.name: file.size_bytes for file in found.workload.files}["a.dat"] == 2000.0
    assert any("Runtimes are missing" in one for one in found.warnings)


def test_a_pegasus_job_keeps_its_command(tmp_path: Path) -> None:
    assert read(tmp_path, small.PEGASUS).workload.tasks[0].command == "cut -n 2"


def test_snakemakes_graph_has_rules_as_kinds_and_asks_for_times(tmp_path: Path) -> None:
    found = read(tmp_path, small.SNAKEMAKE)
    assert times(found.workload) == {"all": 0.0, "sort A": 0.0, "sort B": 0.0}
    assert [task.kind for task in found.workload.tasks] == ["all", "sort", "sort"]
    assert edges(found.workload) == {("sort A", "all"), ("sort B", "all")}
    assert found.warnings[0] == "The file tells no run time of all tasks: 0 s until you give one"
    assert found.warnings[1].startswith("1 job drawn dashed")


def test_nodes_of_empty_label_are_passed_through(tmp_path: Path) -> None:
    text = 'digraph { -1 [label=a]; r [label="", shape=box]; s [label=""]; 2 [label=b]; -1 -> r; '
    found = read(tmp_path, text + "r -> s; s -> 2; r -> 2 }")
    assert edges(found.workload) == {("a", "b")}


def test_a_generators_graph_counts_operations_and_bytes(tmp_path: Path) -> None:
    found = read(tmp_path, small.GENERATED)
    assert times(found.workload) == {"a": 3.0, "b": 1.0, "the end": 0.0}
    assert sizes(found.workload) == {("a", "b"): 4e6, ("b", "the end"): 4e6}
    assert "1 Gflop/s" in found.warnings[0]


@pytest.mark.parametrize("text", [small.GRAPHML, small.NODE_LINK], ids=["graphml", "node-link"])
def test_graphs_that_networkx_reads_take_named_attributes(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert times(found.workload) == {"A": 3.0, "B": 5.0}
    assert sizes(found.workload) == {("A", "B"): 40.0}


def test_a_standard_task_graph_has_its_times_and_predecessors(tmp_path: Path) -> None:
    found = read(tmp_path, small.STG).workload
    assert times(found) == {"t0": 0.0, "t1": 4.0, "t2": 5.0, "t3": 2.0, "t4": 0.0}
    assert edges(found) == {("t0", "t1"), ("t1", "t2"), ("t1", "t3"), ("t2", "t4"), ("t3", "t4")}


def test_types_of_tgff_have_times_by_processor(tmp_path: Path) -> None:
    found = read(tmp_path, small.TGFF).workload
    assert [task.seconds for task in found.tasks] == [(("PE 0", 31.0),), (("PE 0", 12.5),)]
    assert edges(found) == {("t0", "t1")}


def test_an_instance_of_saga_is_workload_and_platform(tmp_path: Path) -> None:
    found = read(tmp_path, small.SAGA)
    assert times(found.workload) == {"A": 1.0, "B": 4.0}
    assert found.platform is not None
    assert [machine.speed for machine in found.platform.machines] == [1.0, 2.0]
    assert [link.to_first.bandwidth for link in found.platform.links] == [10.0]
    assert read_machines(tmp_path / "file").platform == found.platform


def test_a_graph_and_a_system_of_dslab_make_a_project(tmp_path: Path) -> None:
    (tmp_path / "graph.yaml").write_text(small.DSLAB_GRAPH)
    (tmp_path / "system.yaml").write_text(small.DSLAB_SYSTEM)
    project = open_files([tmp_path / "system.yaml", tmp_path / "graph.yaml"]).project
    assert [(one.name, one.cores, one.speed) for one in project.platform.machines] == [
        ("node-1", 4, 10.0), ("node-2", 4, 10.0), ("big", 8, 20.0),
    ]  # fmt: skip
    first, second = project.workload.tasks
    assert (first.work, second.work) == (100.0, 200.0)
    assert second.scaling is not None
    assert second.scaling.most == 4
    assert edges(project.workload) == {("A", "B")}
    with pytest.raises(InputError, match="describes machines, no tasks"):
        read_workload(tmp_path / "system.yaml")
    assert open_file(tmp_path / "system.yaml").kind == "platform"


def test_times_by_machine_and_batch_tasks_are_tables(tmp_path: Path) -> None:
    found = read(tmp_path, small.TIMES).workload
    assert found.tasks[1].seconds == (("P_0", 13.0), ("P_1", 19.5))
    batch = read(tmp_path, small.ALIBABA)
    assert times(batch.workload) == {"M1": 82.0, "R2": 35.0, "J3": 24.0}
    assert edges(batch.workload) == {("M1", "R2"), ("M1", "J3"), ("R2", "J3")}
    assert "j_7 is read, j_8 left out" in batch.warnings[-1]


BOMB = """<?xml version="1.0"?><!DOCTYPE adag [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<adag name="&b;"><job id="J" name="&b;" runtime="1"/></adag>"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "declares what is not read"),
        (small.DAX[:-20], "not valid XML"),
        (small.DAX.replace('runtime="4.5"', 'runtime="soon"'), 'job "J1": runtime is no number'),
        (small.DAX.replace('parent ref="J1"', 'parent ref="J9"'), "unknown parent"),
        (small.PEGASUS + "x: &a [1]\ny: *a\n", "aliases of YAML"),
        (small.SNAKEMAKE[:-3], "the graph has no end"),
        (small.STG.replace("  3 2 1 1\n", ""), "holds 4 of 3 tasks"),
        (small.STG.replace("4 0 2 2 3", "4 0 2 2 7"), "unknown task"),
        (small.GRAPHML.replace("directed", "undirected"), "not directed"),
        (small.TIMES + "T_2,1\n", "2 cells beside 3 titles"),
        (small.SAGA.replace('"cost": 1', '"cost": -1'), "cost must be a finite number"),
    ],
)
def test_what_contradicts_itself_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PartitionName=batch Nodes=n[1-4]\n", "output of Slurm"),
        ("13.27 12.87 9.09 18/238 7241\n", "a measurement of load"),
        ("netgauge: L=0.28\n", "a network benchmark"),
        ('{"kind": "List", "items": []}', "a list of Kubernetes"),
        ("task_id\thash\tstatus\n1\tab/12\tCOMPLETED\n", "a trace of Nextflow"),
        ("<notes/>", "XML of no known kind"),
        ("# a tree\nfe:0 =>\n a:0\n b:0 ;\n", "a topology of MRNet"),
        ('[bootstrap]\nhosts = [{ host = "a" }]\n', "the configuration of Flux's brokers"),
        ('{"parameters":{"x":2};"metric":"time";"value":8}\n', "measurements of Extra-P"),
        ("from rank | to rank | bytes\n0 | 1 | 64\n", "a list of messages between processes"),
        ("3 2\n2\n1 3\n2\n", "a graph of METIS"),
        ("0\n2\t2\n0\t000\n1\t1\n1\t0\n", "a graph of Scotch"),
        ("Assuming a shared filesystem.\n\nSNAKEMAKE\n===\n", "what Snakemake prints"),
        ("# Notes\n\nOn Monday (rain).\n- a list [of, two]\n", "text of no known kind"),
        ("Dear all,\n\nthe run failed.\n", "text of no known kind"),
    ],
)
def test_other_files_are_named_for_what_they_look_like(
    tmp_path: Path, text: str, name: str
) -> None:
    with pytest.raises(InputError, match=f"looks like {name}, which is no workload"):
        read(tmp_path, text)
    with pytest.raises(InputError, match=f"looks like {name}"):
        read_machines(tmp_path / "file")


def test_a_workload_of_ours_may_speak_of_anything(tmp_path: Path) -> None:
    text = 'format = "placewise-workload"\nversion = 1\nname = "NetPIPE"\n'
    text += '[[task]]\nname = "netgauge"\nwork = 1.0\n'
    assert times(read(tmp_path, text).workload) == {"netgauge": 1.0}


def test_a_project_of_psplib_is_bound_by_its_resources_alone(tmp_path: Path) -> None:
    found = read(tmp_path, small.PSPLIB)
    assert times(found.workload) == {"job 2": 3.0, "job 3": 4.0, "job 4": 2.0}
    assert edges(found.workload) == {("job 2", "job 4")}
    assert found.platform is not None
    assert {one.kind: one.count for one in found.platform.resources} == {"R1": 2, "R2": 1}
    best = advise(Problem.of(found.platform, found.workload))
    assert (best.value_s, best.proved_optimal) == (9.0, True)  # no two jobs fit beside one another


def test_modes_of_a_job_are_its_variants(tmp_path: Path) -> None:
    rows = "  3      1     4       1    1\n"
    text = small.PSPLIB.replace(rows, rows + "         2     5       0    1\n")
    found = read(tmp_path, text)
    assert [one.name for one in found.workload.tasks[1].variants] == ["mode 1", "mode 2"]
    assert found.platform is not None
    best = advise(Problem.of(found.platform, found.workload))
    assert best.value_s == 7.0  # job 3 in mode 2 beside job 2, then job 4, which needs R2, too


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("nonrenewable              :  0", "nonrenewable              :  2", "no part of a plan"),
        ("    2    1\n", "    2\n", "1 availabilities for 2 resources"),
        ("  3      1     4       1    1\n", "", "holds 4 of 5 jobs"),
        ("  3      1     4       1    1\n", "  3      1     4       1\n", "its mode, duration and"),
        ("   2        1          1           4", "   2        1          2           4", "succ"),
        ("   3        1          1           5", "   3        1          1           9", "no dur"),
    ],
)  # fmt: skip
def test_a_damaged_project_of_psplib_is_refused(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    assert before in small.PSPLIB
    with pytest.raises(InputError, match=message):
        read(tmp_path, small.PSPLIB.replace(before, after))


def test_a_flexible_job_shop_has_its_operations_in_a_row_and_seconds_by_machine(
    tmp_path: Path,
) -> None:
    found = read(tmp_path, small.JOB_SHOP)
    assert [task.name for task in found.workload.tasks][:3] == [
        "job 1 step 1", "job 1 step 2", "job 2 step 1"
    ]  # fmt: skip
    assert found.workload.tasks[0].seconds == (("machine 1", 4.0), ("machine 2", 6.0))
    assert ("job 2 step 1", "job 2 step 2") in edges(found.workload)
    assert ("job 1 step 2", "job 2 step 1") not in edges(found.workload)
    assert found.platform is not None
    best = advise(Problem.of(found.platform, found.workload))
    # job 2 takes 2 + 1 + 7 s at least, and job 1 is out of its way
    assert (best.value_s, best.proved_optimal) == (10.0, True)


def test_machines_of_a_job_shop_count_from_0_where_a_0_occurs(tmp_path: Path) -> None:
    found = read(tmp_path, "1 2\n2 1 0 3 1 1 4\n")
    assert found.workload.tasks[0].seconds == (("machine 1", 3.0),)
    assert found.workload.tasks[1].seconds == (("machine 2", 4.0),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 3\n1 1 1 4\n", "holds 1 of 2 jobs"),
        ("2 3\n1 1 1 4\n1 1 9 4\n", "not among those announced"),
        ("2 3\n1 1 1 4\n2 1 1 4\n", "number of its operations"),
        ("2 3\n1 1 1 4\n1 1 1 x\n", "whole numbers alone"),
    ],
)
def test_a_damaged_job_shop_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)
