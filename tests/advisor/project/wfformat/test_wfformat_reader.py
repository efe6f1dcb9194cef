"""WfFormat 1.0 to 1.6: the same workflow in every schema gives the same workload."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.workload import Flow, Task, Workload
from advisor.commands.inputs import read_question
from advisor.project.wfformat.wfformat_reader import VERSIONS, Instance, recognises, workload_from
from advisor.project.workload_file import read_workload
from machines import InputError, Machine, Platform

Json = dict[str, object]

# id, program, runtime, cores, parents, files read, files written
TASKS = (
    ("split_ID01", "split", 10.5, 1, [], ["in.dat"], ["a.dat", "b.dat", "empty.dat"]),
    ("work_ID02", "work", 20.0, 2.4, ["split_ID01"], ["a.dat", "empty.dat", "d.dat"], ["c.dat"]),
    ("work_ID03", "work", 30.0, 2, ["split_ID01"], ["b.dat", "a.dat"], ["d.dat"]),
    ("join_ID04", "join", 0.0, 1, ["work_ID02", "work_ID03", "split_ID01"], ["c.dat"], []),
)
SIZES = {"in.dat": 5, "a.dat": 100, "b.dat": 200, "c.dat": 300, "d.dat": 400, "empty.dat": 0}


def expected(*kinds: str) -> Workload:
    works, cores = (10.5, 20.0, 30.0, 0.0), (1, 3, 2, 1)
    tasks = tuple(
        Task(name, work, cores=held, kind=kind, reads=tuple(reads), writes=tuple(writes))
        for (name, *_, reads, writes), work, held, kind in zip(
            TASKS, works, cores, kinds, strict=True
        )
    )
    flows = (Flow("work_ID03", "join_ID04"), Flow("split_ID01", "join_ID04"))
    names = ("in.dat", "a.dat", "b.dat", "empty.dat", "c.dat", "d.dat")
    files = tuple(DataFile(name, float(SIZES[name])) for name in names)
    return Workload("wf", tasks, flows, files)


def bare(workload: Workload) -> Workload:
    """Without what tasks run."""
    return replace(workload, tasks=tuple(replace(task, command="") for task in workload.tasks))


def old(version: str) -> Json:
    """The workflow as the schemas up to 1.4 write it."""
    new_names = version == "1.4"
    tasks = []
    for name, program, runtime, cores, parents, reads, writes in TASKS:
        files = [
            {"name": file, "link": link, "sizeInBytes" if new_names else "size": SIZES[file]}
            for link, group in (("input", reads), ("output", writes))
            for file in group
        ]
        task = {
            "name": name,
            "runtimeInSeconds" if new_names else "runtime": runtime,
            "cores": cores,
            "parents": parents,
            "files": files,
        }
        if version >= "1.2":
            task |= {"id": name[-4:], "category": program}
        tasks.append(task)
    machine = {"nodeName": "n1", "cpu": {"count": 4, "speed": 2000}}
    machine |= {"memoryInBytes": 8_000_000_000} if new_names else {"memory": 8_000_000}
    return {
        "name": "wf",
        "schemaVersion": version,
        "workflow": {"tasks" if version >= "1.3" else "jobs": tasks, "machines": [machine]},
    }


def new(version: str) -> Json:
    """The workflow as schema 1.5 and 1.6 write it."""
    specification = [
        {"name": name, "id": name, "parents": parents, "inputFiles": reads, "outputFiles": writes}
        | {"children": [task[0] for task in TASKS if name in task[4]]}
        for name, _, _, _, parents, reads, writes in TASKS
    ]
    execution = [
        {"id": name, "runtimeInSeconds": runtime, "coreCount": cores}
        | {"command": {"program": program}}
        for name, program, runtime, cores, *_ in TASKS
    ]
    files = [{"id": file, "sizeInBytes": size} for file, size in SIZES.items()]
    machine = {"nodeName": "n1", "cpu": {"coreCount": 4, "speedInMHz": 2000}}
    machine |= {"memoryInBytes": 8_000_000_000}
    return {
        "name": "wf",
        "schemaVersion": version,
        "workflow": {
            "specification": {"tasks": specification, "files": files},
            "execution": {"tasks": execution, "machines": [machine]},
        },
    }


def document(version: str) -> Json:
    return new(version) if version >= "1.5" else old(version)


def tasks_of(source: Json) -> list[Json]:
    return source["workflow"]["specification"]["tasks"]  # type: ignore[index]


def runs_of(source: Json) -> list[Json]:
    return source["workflow"]["execution"]["tasks"]  # type: ignore[index]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_schema_gives_the_same_workload(version: str) -> None:
    workload, platform, warnings, *_ = workload_from(document(version))
    kinds = ("",) * 4 if version < "1.2" else ("split", "work", "work", "join")
    assert bare(workload) == expected(*kinds)
    programs = ["split", "work", "work", "join"] if version >= "1.5" else [""] * 4
    assert [task.command for task in workload.tasks] == programs
    assert [task.group for task in workload.tasks] == ["split", "work", "work", "join"]
    assert platform == Platform("machines of the workflow", (Machine("n1", 4, 1.0, 8_000_000_000),))
    assert warnings == (
        "Runtimes are missing: 1 of 0 or less of 4 tasks; kept as 0 s",
        "1 file read by tasks that do not name the writer among their parents (d.dat): they wait "
        "for it all the same",
    )


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_recognised_by_its_content(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "instance.dat"
    path.write_bytes(pack(json.dumps(document("1.5")).encode()))
    found = read_workload(path)
    assert bare(found.workload) == expected("split", "work", "work", "join")
    assert found.platform is not None
    assert len(found.warnings) == 2


def test_other_documents_are_not_recognised() -> None:
    assert not recognises([])
    assert not recognises({"format": "placewise-workload", "workflow": {}})
    assert not recognises({"a": 1})


def test_a_name_that_several_tasks_share_becomes_their_kind() -> None:
    source = document("1.6")
    for task in tasks_of(source):
        task["name"] = task["id"][:-5]  # type: ignore[index]
    workload, *_ = workload_from(source)
    assert [task.name for task in workload.tasks] == ["split", "work_ID02", "work_ID03", "join"]
    assert [task.kind for task in workload.tasks] == ["split", "work", "work", "join"]


def test_a_name_that_is_another_tasks_id_gives_way_to_the_ids() -> None:
    source = document("1.6")
    for task, name in zip(tasks_of(source), ("x", "x", "work_ID02", "y"), strict=True):
        task["name"] = name
    workload, *_ = workload_from(source)
    assert [task.name for task in workload.tasks] == [task[0] for task in TASKS]


def test_edges_told_by_children_alone_are_kept() -> None:
    source = document("1.5")
    for task in tasks_of(source):
        task["parents"] = []
    workload, *_ = workload_from(source)
    assert set(workload.flows) == set(expected(*["k"] * 4).flows)
    assert workload.edges[2:] == expected(*["k"] * 4).edges[2:]


def test_missing_runtimes_and_sizes_are_counted_in_one_warning_each() -> None:
    source = document("1.5")
    for run in runs_of(source)[:2]:
        del run["runtimeInSeconds"]
    runs_of(source)[2]["runtimeInSeconds"] = -3
    source["workflow"]["specification"]["files"] = []  # type: ignore[index]
    workload, _, warnings, *_ = workload_from(source)
    assert [task.work for task in workload.tasks] == [0.0] * 4
    assert warnings == (
        "Runtimes are missing: 2 of 0 or less and 2 without any of 4 tasks; kept as 0 s",
        "1 file read by tasks that do not name the writer among their parents (d.dat): they wait "
        "for it all the same",
        "6 files that tasks read have no size in the file; taken as empty",
    )
    assert [edge.data_sets for edge in workload.edges] == [()] * 6


def test_a_workflow_without_execution_is_read() -> None:
    source = document("1.5")
    del source["workflow"]["execution"]  # type: ignore[attr-defined]
    workload, platform, warnings, *_ = workload_from(source)
    assert platform is None
    assert len(workload.edges) == 6
    assert len(warnings) == 2


def clocked(*clocks: tuple[str, int, int | None]) -> Json:
    """The workflow on machines of (name, cores, momentary clock), of one vendor."""
    machines: list[Json] = []
    for name, cores, clock in clocks:
        cpu: Json = {"vendor": "v", "coreCount": cores}
        machines.append({"nodeName": name, "cpu": cpu | ({"speedInMHz": clock} if clock else {})})
    source = document("1.5")
    source["workflow"]["execution"]["machines"] = machines  # type: ignore[index]
    return source


def test_equal_machines_are_equally_fast_whatever_their_momentary_clocks() -> None:
    source = clocked(("a", 48, 1200), ("b", 48, 2757), ("c", 48, None), ("d", 8, 1000))
    _, platform, _, doubts, _ = workload_from(source)
    assert platform is not None
    speeds = [machine.speed for machine in platform.machines]
    assert speeds == pytest.approx([2.757, 2.757, 2.757, 1.0])
    assert "those of one moment (1000 to 2757 MHz)" in doubts[0]
    assert any("lists 4 machines but no network" in text for text in doubts)


def test_a_kind_of_machine_without_a_clock_is_taken_as_slow_as_the_slowest() -> None:
    _, platform, _, doubts, _ = workload_from(clocked(("a", 8, 3000), ("b", 4, None)))
    assert platform is not None
    assert [machine.speed for machine in platform.machines] == [1.0, 1.0]
    assert doubts[0] == "1 machines have no clock rate; taken as fast as the slowest"


@pytest.mark.parametrize(
    ("told", "placed"),
    [
        (("a", "b", "b", ""), ("a", "b", "b", "b")),
        (("a", "b", "", ""), ("a", "b", "", "")),  # too few
    ],
)
def test_few_tasks_that_tell_no_machine_are_where_most_ran(
    told: tuple[str, ...], placed: tuple[str, ...]
) -> None:
    source = clocked(("a", 8, None), ("b", 8, None))
    for run, name in zip(runs_of(source), told, strict=True):
        run.pop("machines", None)
        run.update({"machines": [name]} if name else {})
    found = workload_from(source)
    assert found.ran_on == placed
    noted = [one for one in found.platform_warnings if "ran is not told" in one]
    assert bool(noted) == (placed != told)


def test_run_times_of_machines_that_differ_are_told_with_how_many_and_how_much() -> None:
    source = clocked(("fast", 8, 3000), ("slow", 4, 1500))
    for run, name in zip(runs_of(source), ("fast", "slow", "slow", "fast"), strict=True):
        run["machines"] = [name]
    warnings = workload_from(source).warnings
    (text,) = [one for one in warnings if "different speed" in one]
    assert "2 of 4 tasks" in text
    assert "2 times as fast" in text
    for run in runs_of(source):
        run["machines"] = ["fast"]
    assert not any("different speed" in one for one in workload_from(source).warnings)


def test_tasks_that_ran_twice_or_are_unknown_are_told() -> None:
    source = document("1.5")
    runs_of(source).append(dict(runs_of(source)[1], runtimeInSeconds=25.0))
    runs_of(source).append({"id": "stranger", "runtimeInSeconds": 1.0})
    workload, _, warnings, *_ = workload_from(source)
    assert workload.tasks[1].work == 25.0
    assert any("1 task ran more than once (work_ID02)" in text for text in warnings)
    assert any("stranger" in text for text in warnings)


def test_one_file_with_two_sizes_counts_as_the_largest_and_is_told() -> None:
    source = document("1.5")
    source["workflow"]["specification"]["files"].append(  # type: ignore[index]
        {"id": "a.dat", "sizeInBytes": 900}
    )
    workload, _, warnings, *_ = workload_from(source)
    assert workload.edges[2].data_sets == ((1, 900.0),)
    assert any("a.dat" in text and "several sizes" in text for text in warnings)


def test_the_network_is_not_missed_where_a_platform_is_given(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(clocked(("a", 8, 3000), ("b", 8, 3000))))
    given = read_question(str(path), "lab")
    assert not any("no network" in text for text in given.warnings)
    assert any("no network" in text for text in read_workload(path).platform_warnings)


def _set(key: str, value: object, position: int = 1) -> Callable[[Json], None]:
    def change(source: Json) -> None:
        tasks_of(source)[position][key] = value

    return change


def _run(key: str, value: object) -> Callable[[Json], None]:
    def change(source: Json) -> None:
        runs_of(source)[1][key] = value

    return change


def _machines(*machines: object) -> Callable[[Json], None]:
    def change(source: Json) -> None:
        source["workflow"]["execution"]["machines"] = list(machines)  # type: ignore[index]

    return change


def _files(value: object) -> Callable[[Json], None]:
    def change(source: Json) -> None:
        source["workflow"]["specification"]["files"] = value  # type: ignore[index]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda source: source.update(schemaVersion="2.0"), "unknown schemaVersion.*1.0, 1.1"),
        (lambda source: source.update(workflow=[]), "workflow must be a JSON object"),
        (
            lambda source: source["workflow"]["specification"].update(tasks=[]),
            "workflow: the workflow has no tasks",
        ),
        (
            lambda source: source["workflow"]["specification"].update(tasks=3),
            "tasks must be a list",
        ),
        (
            lambda source: source["workflow"]["specification"].update(tasks=[3]),
            "tasks must be JSON objects",
        ),
        (_set("id", "split_ID01"), "two tasks have one id.*'split_ID01'"),
        (_set("id", None), "the id of task 2 must be a non-empty text"),
        (_set("name", ""), "the name of task 2 must be a non-empty text"),
        (_set("parents", ["split_ID1"]), 'task "work_ID02": unknown parent.*mean "split_ID01"'),
        (_set("parents", "split_ID01"), 'task "work_ID02": parents must be a list'),
        (_set("parents", [None]), "an entry of parents must be a non-empty text"),
        (_set("children", ["zzzz"]), 'task "work_ID02": unknown child'),
        (_set("children", ["work_ID02"]), "a task can't feed itself"),
        (_set("children", ["split_ID01"]), "the files form a cycle"),
        (_run("runtimeInSeconds", "1"), 'task "work_ID02": runtimeInSeconds must be a finite'),
        (_run("runtimeInSeconds", 1e300), "runtimeInSeconds must be a finite"),
        (_run("runtimeInSeconds", True), "runtimeInSeconds must be a finite"),
        (_run("coreCount", -1), 'task "work_ID02": coreCount must not be negative'),
        (_files([{"id": "a.dat", "sizeInBytes": -1}]), 'file "a.dat": sizeInBytes must not be'),
        (_files([{"id": "a.dat", "sizeInBytes": "big"}]), "sizeInBytes must be a finite number"),
        (_files([{"sizeInBytes": 1}]), "a file's id must be a non-empty text"),
        (_machines({"cpu": {}}), "nodeName must be a non-empty text"),
        (_machines({"nodeName": "a", "cpu": 3}), "cpu must be a JSON object"),
        (_machines({"nodeName": "a", "cpu": {"coreCount": -1}}), "coreCount of a machine"),
        (
            _machines({"nodeName": "a"}, {"nodeName": "a", "cpu": {"coreCount": 2}}),
            "described twice",
        ),
    ],
)
def test_every_defect_is_refused_with_its_place(
    change: Callable[[Json], None], message: str
) -> None:
    source = document("1.5")
    change(source)
    with pytest.raises(InputError, match=message):
        workload_from(source)


def test_numbers_as_ids_are_their_digits() -> None:
    source = document("1.2")
    for position, task in enumerate(source["workflow"]["jobs"]):  # type: ignore[index]
        task["id"] = position
    source["workflow"]["jobs"][3]["parents"] = [1, 2, 0]  # type: ignore[index]
    workload, *_ = workload_from(source)
    assert len(workload.edges) == 6


def test_a_cut_instance_is_told_with_its_position(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(document("1.5"))[:-40])
    with pytest.raises(InputError, match=r"cut\.json: not valid JSON.*line 1, column.*cut off"):
        read_workload(path)


def test_cores_of_zero_are_one() -> None:
    source = document("1.5")
    runs_of(source)[1]["coreCount"] = 0
    assert workload_from(source)[0].tasks[1].cores == 1


def test_programs_and_arguments_become_commands() -> None:
    source = document("1.6")
    runs_of(source)[1]["command"] = {"program": "bwa", "arguments": ["mem -t 3", "ref.fa"]}
    assert workload_from(source).workload.tasks[1].command == "bwa mem -t 3 ref.fa"


def _with_memory(version: str, amounts: list[float]) -> Instance:
    """Bytes by task; before 1.4 they are told in kB."""
    source = document(version)
    workflow = source["workflow"]
    tasks = runs_of(source) if version == "1.5" else workflow["tasks"]  # type: ignore[index]
    for task, amount in zip(tasks, amounts, strict=False):
        told = {"memoryInBytes": amount, "machines": ["n1"]}
        task.update(told if version == "1.5" else {"memory": amount / 1000.0})
    return workload_from(source)


@pytest.mark.parametrize("version", ["1.3", "1.5"])
def test_memory_that_tasks_state_is_taken(version: str) -> None:
    found = _with_memory(version, [2e9, 0.0])
    assert [task.memory_bytes for task in found.workload.tasks] == [2_000_000_000, None, None, None]
    (note,) = [one for one in found.warnings if "memory" in one]
    assert note == "The memory that the file states for 1 task is taken, up to 2.00 GB a task"


def test_task_memory_told_in_kib_is_left_out() -> None:
    found = _with_memory("1.5", [2_100_000.0, 12_936.0])
    assert not any(task.memory_bytes for task in found.workload.tasks)
    (note,) = [one for one in found.warnings if "memory" in one]
    assert note.startswith("The file states 12.9 kB of memory for work_ID02")


def test_more_memory_than_the_machine_of_a_task_has_is_left_out() -> None:
    found = _with_memory("1.5", [28e9, 1e9])
    assert [task.memory_bytes for task in found.workload.tasks[:2]] == [None, 1_000_000_000]
    note = next(one for one in found.warnings if "implausible" in one)
    assert note.startswith("1 task held more memory than the machine has, split")


def test_a_workflow_without_any_dependency_is_said_first() -> None:
    source = document("1.5")
    for task in tasks_of(source):
        task |= {"parents": [], "children": [], "inputFiles": []}
    assert workload_from(source).warnings[0].startswith("None of the 4 tasks waits for another")


def test_one_run_time_a_thousand_times_its_kind_is_named() -> None:
    source = document("1.5")
    for number in range(4):
        name = f"work_extra{number}"
        tasks_of(source).append({"name": name, "id": name})
        run = {"id": name, "runtimeInSeconds": 20.0 if number else 25_000.0}
        runs_of(source).append(run | {"command": {"program": "work"}})
    (note,) = [one for one in workload_from(source).warnings if "implausible" in one]
    assert note.startswith("work_extra0 took 6 h 56 min 40 s, the median of its kind is 20.0 s")


def test_memory_of_machines_that_was_told_in_kib_is_named() -> None:
    source = document("1.5")
    machine = source["workflow"]["execution"]["machines"][0]  # type: ignore[index]
    machine |= {"cpu": {"coreCount": 24, "speedInMHz": 2000}, "memoryInBytes": 65_000_000}
    _, platform, _, (note,), _ = workload_from(source)
    assert note.startswith("n1 has 24 cores and 65.0 MB of memory in the file: probably KiB")
    assert platform is not None and platform.machines[0].memory_bytes is None
