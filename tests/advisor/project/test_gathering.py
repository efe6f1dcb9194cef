"""Several files make one project by stated rules; a log alone makes one with its run beside it."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from advisor.project.better import better
from advisor.project.opening import PLATFORM, PROJECT, WORKLOAD, Opened, open_files
from advisor.project.project_file import read_project, write_project
from advisor.runs.run_record import Run, TaskRun, render
from advisor.search import advise
from machines import InputError, catalogue
from machines.uncertain import Uncertain
from tests.advisor.project.sources.site_files import GRES, HOSTS, PIDSTAT, SLURM_CONF, TOPOLOGY
from tests.advisor.project.sources.small_files import DAX, MERMAID, SNAKEMAKE
from tests.conftest import two_machines

RUN = Run("monday", (
    TaskRun("cut_1", "n01", 0.0, 10.0), TaskRun("cut_2", "n01", 10.0, 20.0),
    TaskRun("cut_3", "n01", 20.0, 30.0), TaskRun("cut_4", "n02", 0.0, 5.0),
    TaskRun("cut_5", "n02", 5.0, 10.0), TaskRun("cut_6", "n02", 10.0, 15.1),
    TaskRun("cut_7", "n02", 15.0, 16.0, status="failed"),
))  # fmt: skip
SACCT = """JobID|JobName|State|Submit|Start|End|NodeList|SubmitLine
1|prep|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:00|2026-11-28T05:00:10|M1|sbatch a | tee
2_1|part|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:10|2026-11-28T05:00:20|M1|sbatch -d afterok:1 b
2_2|part|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:20|2026-11-28T05:00:30|M1|sbatch -d afterok:1 b
3|end|COMPLETED|2026-11-28T05:00:00|2026-11-28T05:00:30|2026-11-28T05:00:31|M1|sbatch --dependency=afterok:2 c
"""  # noqa: E501 - as sacct prints it
TRACE = (
    "task_id\thash\tnative_id\tname\tstatus\texit\tsubmit\tduration\trealtime\n"
    "1\tab/1\t1\tWF:CUT (a)\tCOMPLETED\t0\t2024-02-09 14:00:00.000\t11s\t10s\n"
    "2\tab/2\t2\tWF:JOIN (all)\tCOMPLETED\t0\t2024-02-09 14:00:12.000\t6s\t5s\n"
)


def opened(folder: Path, answers: dict[str, str] | None = None, **texts: str) -> Opened:
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return open_files(paths, answers)


def test_a_workflow_and_a_site_make_one_project(tmp_path: Path) -> None:
    found = opened(tmp_path, dax=DAX, conf=SLURM_CONF, topo=TOPOLOGY)
    assert found.kind == WORKLOAD
    assert [one.name for one in found.project.platform.machines] == ["n01", "n02", "g1"]
    assert [task.work for task in found.project.workload.tasks] == [4.5, 0.0]
    assert [one.key for one in found.questions] == ["network"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"a": DAX, "b": DAX}, "a, b: two files give the tasks"),
        ({"a": DAX, "b": GRES}, "Open it with slurm.conf"),
        ({"a": DAX, "b": "nothing\n"}, "b: this looks like text of no known kind"),
    ],
)
def test_nothing_is_taken_by_halves(tmp_path: Path, texts: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        opened(tmp_path, **texts)


def test_two_sites_files_without_tasks_are_machines(tmp_path: Path) -> None:
    found = opened(tmp_path, hosts=HOSTS, conf=SLURM_CONF)
    assert found.kind == PLATFORM
    assert "add a workload, a workflow or a log" in found.notes[-1]


def test_a_project_takes_the_machines_of_a_site(tmp_path: Path) -> None:
    write_project(two_machines(), tmp_path / "p")
    (tmp_path / "hosts").write_text("M1 slots=2\nM2 slots=3\n")
    found = open_files([tmp_path / "p", tmp_path / "hosts"])
    assert found.kind == PROJECT
    assert [one.cores for one in found.project.platform.machines] == [2, 3]
    assert found.project.workload == two_machines().workload


def test_a_project_that_other_machines_cannot_run_is_named(tmp_path: Path) -> None:
    project = tmp_path / "case.placewise"
    write_project(two_machines(2), project)
    (tmp_path / "hosts").write_text("n01 slots=4\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"case\.placewise: task"):
        open_files([project, tmp_path / "hosts"])


def test_a_workflow_without_machines_and_times_asks_for_both(tmp_path: Path) -> None:
    found = opened(tmp_path, {"machines": "star", "task_time": "5 min"}, dag=SNAKEMAKE)
    assert {task.work for task in found.project.workload.tasks} == {300.0}
    assert len(found.project.platform.machines) == 8
    assert [(one.key, one.answered) for one in found.questions] == [
        ("task_time", True), ("machines", True)]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"machines": "moon"}, "answer machines: .*unknown platform"),
        ({"task_time": "soon"}, "answer task_time"),
        ({"colour": "red"}, "this answers no question"),
    ],
)
def test_an_answer_that_fits_not_is_refused(
    tmp_path: Path, answers: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        opened(tmp_path, answers, dag=SNAKEMAKE)


def test_a_log_alone_is_a_project_with_its_run_and_the_speeds_it_shows(tmp_path: Path) -> None:
    found = opened(tmp_path, log=render([RUN]))
    project = found.project
    speeds = [float(one.speed) for one in project.platform.machines]
    assert speeds == pytest.approx([1.0, 2.0], rel=0.02)
    assert [one.cores for one in project.platform.machines] == [1, 1]
    assert [task.work for task in project.workload.tasks] == pytest.approx([10.0] * 6, rel=0.02)
    assert project.plan.named(project.workload, project.platform)["cut_4"] == "n02"
    assert [run.name for run in project.runs] == ["monday"]
    assert any("taken as independent" in note for note in found.notes)
    assert any("1 task never ended well: left out (cut_7)" in note for note in found.notes)


def test_speeds_of_tasks_that_differ_much_are_called_rough(tmp_path: Path) -> None:
    times = {"n01": (10.0, 1.0, 30.0), "n02": (5.0, 20.0, 2.0)}
    tasks = [
        TaskRun(f"cut_{machine}_{at}", machine, 100.0 * at, 100.0 * at + seconds)
        for machine, some in times.items() for at, seconds in enumerate(some)
    ]  # fmt: skip
    found = opened(tmp_path, log=render([Run("r", tuple(tasks))]))
    assert any("These speeds are rough" in note for note in found.notes)
    speed = found.project.platform.machines[1].speed
    assert isinstance(speed, Uncertain)  # so that answers know how rough
    assert speed.range_90[0] < float(speed) / 3 < 3 * float(speed) < speed.range_90[1]
    assert f"n02 {speed:.3g} ({speed.range_90[0]:.2g} to" in " ".join(found.notes)


def test_a_log_tells_the_speeds_of_a_sites_nodes(tmp_path: Path) -> None:
    project = opened(tmp_path, log=render([RUN]), conf=SLURM_CONF).project
    found = [(one.name, one.cores, float(one.speed)) for one in project.platform.machines]
    assert found == [("n01", 16, 1.0), ("n02", 16, pytest.approx(2.0, rel=0.02)), ("g1", 6, 1.0)]
    assert project.plan.strategy == "as run"


def test_the_load_of_a_host_is_its_contenders_as_they_would_be_alone(tmp_path: Path) -> None:
    found = opened(tmp_path, hosts=HOSTS, load=PIDSTAT)
    busy, idle = found.project.platform.machines
    assert [(one.name, one.compute) for one in busy.contenders] == [("render a 10", 0.75)]
    assert not idle.contenders
    assert any("1 process of 0.25 % of a processor" in note for note in found.notes)
    with pytest.raises(InputError, match="this load is of no node"):
        opened(tmp_path, hosts=HOSTS.replace("n1", "n3"), load=PIDSTAT)


def test_what_would_have_been_better_is_predicted_for_both_plans(tmp_path: Path) -> None:
    project = opened(tmp_path, log=render([RUN])).project
    problem = project.problem()
    told = better(project, problem, advise(problem, seconds=0.2).value_s)
    assert told is not None
    assert told.predicted_s == pytest.approx(30.0, rel=0.01)
    assert told.found_s == pytest.approx(20.0, rel=0.02)
    assert told.sentence == (
        "With these machines 20.1 s instead of 30.0 s, both predicted; the run took 30.0 s."
    )
    assert better(two_machines(), two_machines().problem(), 1.0) is None


def test_accounting_of_slurm_tells_dependencies_by_its_submit_lines(tmp_path: Path) -> None:
    project = opened(tmp_path, log=SACCT).project
    assert {(edge.source, edge.target) for edge in project.workload.edges} == {
        ("prep", "part_1"), ("prep", "part_2"), ("part_1", "end"), ("part_2", "end")}  # fmt: skip
    assert [one.cores for one in project.platform.machines] == [1]


def test_a_trace_without_hosts_has_one_machine_and_asks_for_its_cores(tmp_path: Path) -> None:
    found = opened(tmp_path, {"cores": "4"}, trace=TRACE)
    assert [(one.name, one.cores) for one in found.project.platform.machines] == [
        ("this machine", 4)]  # fmt: skip
    assert [one.text[:14] for one in found.questions] == ["How many tasks"]


def test_a_workflow_takes_the_times_that_it_lacks_from_its_log(tmp_path: Path) -> None:
    graph = 'digraph g { "CUT (a)" -> "JOIN (all)"; }\n'
    found = opened(tmp_path, trace=TRACE, dot=graph)
    assert [task.work for task in found.project.workload.tasks] == [10.0, 5.0]
    assert len(found.project.workload.edges) == 1
    assert found.notes[0] == "The log tells the run time of 2 of 2 tasks without one"
    assert len(found.project.runs) == 1


def test_a_graph_of_processes_gives_the_tasks_of_a_trace_their_order(tmp_path: Path) -> None:
    more = TRACE + TRACE.splitlines()[1].replace("(a)", "(b)").replace("1\tab/1", "3\tab/3") + "\n"
    project = opened(tmp_path, trace=more, dag=MERMAID).project
    edges = {(edge.source, edge.target) for edge in project.workload.edges}
    assert edges == {("WF:CUT (a)", "WF:JOIN (all)"), ("WF:CUT (b)", "WF:JOIN (all)")}
    tagged = more.replace("(all)", "(a)")
    project = opened(tmp_path, trace=tagged, dag=MERMAID).project
    assert {(edge.source, edge.target) for edge in project.workload.edges} == {
        ("WF:CUT (a)", "WF:JOIN (a)")}  # fmt: skip


def test_a_project_from_a_log_is_saved_and_read_back(tmp_path: Path) -> None:
    project = opened(tmp_path, log=render([RUN])).project
    write_project(project, tmp_path / "p.placewise")
    assert read_project(tmp_path / "p.placewise") == project


def _executed(**changes: object) -> str:
    began = "2026-01-01T00:00:{:02d}+00:00"
    tasks = [
        {
            "id": name,
            "runtimeInSeconds": 10.0,
            "executedAt": began.format(at),
            "machines": [machine],
        }
        for name, at, machine in (("a", 0, "m1"), ("b", 10, "m2"))
    ]
    execution = {
        "makespanInSeconds": 20.0, "executedAt": began.format(0), "tasks": tasks,
        "machines": [{"nodeName": name, "cpu": {"coreCount": 2}} for name in ("m1", "m2")],
    }  # fmt: skip
    specification = {
        "tasks": [
            {"id": "a", "name": "a", "parents": [], "children": ["b"]},
            {"id": "b", "name": "b", "parents": ["a"], "children": []},
        ],
        "files": [],
    }
    workflow = {"specification": specification, "execution": execution}
    return json.dumps({"name": "w", "schemaVersion": "1.5", "workflow": workflow} | changes)


def test_an_execution_of_wfcommons_has_its_run_and_offers_a_network(tmp_path: Path) -> None:
    found = opened(tmp_path, {"network": "10-gigabit"}, wf=_executed())
    project = found.project
    assert project.plan.named(project.workload, project.platform) == {"a": "m1", "b": "m2"}
    assert [round(run.makespan_s) for run in project.runs] == [20]
    assert len(project.platform.links) == 2
    assert not any("can't exchange" in note for note in found.notes)
    predicted = opened(tmp_path, wf=_executed(description="A plan by Placewise: the execution is "
                                              "predicted")).project  # fmt: skip
    assert not predicted.runs


def test_a_recorded_placement_without_starts_is_the_present_plan(tmp_path: Path) -> None:
    project = opened(tmp_path, wf=_executed().replace("executedAt", "unknown")).project
    assert project.plan.named(project.workload, project.platform) == {"a": "m1", "b": "m2"}
    assert not project.runs


def test_a_folder_of_snakemake_tells_dependencies_by_inputs_and_outputs(tmp_path: Path) -> None:
    folder = tmp_path / ".snakemake" / "metadata"
    folder.mkdir(parents=True)
    jobs = (("cut", "a.txt", [], 0.0), ("join", "b.txt", ["a.txt"], 5.0))
    for rule, output, inputs, at in jobs:
        told = {"rule": rule, "input": inputs, "shellcmd": "true", "incomplete": False,
                "starttime": 1.7e9 + at, "endtime": 1.7e9 + at + 4.0}  # fmt: skip
        name = base64.urlsafe_b64encode(output.encode()).decode()
        (folder / name).write_text(json.dumps(told))
    found = open_files([tmp_path / ".snakemake"])
    assert [task.work for task in found.project.workload.tasks] == pytest.approx([4.0, 4.0])
    assert {(edge.source, edge.target) for edge in found.project.workload.edges} == {
        ("cut", "join")}  # fmt: skip
    assert found.project.name == "snakemake"
    assert [one.key for one in found.questions] == ["cores"]


def test_machines_that_only_tasks_name_are_those_of_a_preset_or_large_enough(
    tmp_path: Path,
) -> None:
    head = 'format = "placewise-workload"\nversion = 1\nname = "w"\n[[task]]\nname = "a"\n'
    found = opened(tmp_path, w=f'{head}work = 1.0\ncores = 4\nallowed = ["cloud-1", "cpu-2"]\n')
    assert found.project.platform.name == catalogue.load("cluster").name
    assert "those of a preset: cluster" in found.notes[0]
    found = opened(tmp_path, w=f"{head}cores = 4\nseconds = {{ x = 1.0, y = 2.0 }}\n")
    assert [(one.name, one.cores) for one in found.project.platform.machines] == [
        ("x", 4),
        ("y", 4),
    ]
    assert "as many cores as its largest task" in found.notes[0]
