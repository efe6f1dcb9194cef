"""DSLab's graphs and platforms in YAML: Gflop, MB, MB/s and microseconds."""

from __future__ import annotations

import re
from dataclasses import replace

from advisor.allocation.workload import Task
from advisor.project.sources.source import Graph, Source, plain, quantity
from advisor.project.sources.yaml_documents import a_list, a_table, document
from advisor.project.wfformat.wfformat_reader import workload_of
from advisor.project.wfformat.workflow_record import Record, Sizes
from advisor.scaling.law import Scaling
from machines import Direction, InputError, Link, Machine, Platform, Switch

_TASKS = re.compile(rb"^tasks\s*:", re.MULTILINE)
_FLOPS = re.compile(rb"\bflops\s*:")
_RESOURCES = re.compile(rb"^resources\s*:", re.MULTILINE)
_NETWORK = re.compile(rb"^network\s*:", re.MULTILINE)
_MB = 1e6
_MICROSECOND = 1e-6


def _workflow(text: str, where: str) -> Graph:
    source, sizes = document(text, where), Sizes()
    for one in a_list(source.get("inputs"), "inputs", where):
        _file(one, sizes, where)
    rows = [a_table(one, "a task", where) for one in a_list(source.get("tasks"), "tasks", where)]
    if not rows:
        raise InputError("the workflow has no tasks", where=where)
    warnings: list[str] = []
    records = [_record(row, sizes, where) for row in rows]
    maker = {file: record.ident for record in records for file in record.outputs}
    records = [
        replace(one, parents=tuple({maker[file]: None for file in one.inputs if file in maker}))
        for one in records
    ]
    workload = workload_of("workflow", records, sizes, warnings)
    tasks = tuple(map(_scaled, workload.tasks, rows))
    if any("cores_dependency" in row for row in rows):
        warnings.append("Laws of cores (cores_dependency) are left out: speedup is taken as linear")
    warnings.append("A task's flops are taken as Gflop, so that a machine's speed is its Gflop/s")
    return Graph(workload.repriced(tasks, workload.flows), None, tuple(warnings))


def _record(row: dict[str, object], sizes: Sizes, where: str) -> Record:
    name = str(row.get("name") or "")
    place = f'{where}, task "{name}"'
    outputs = [_file(one, sizes, place) for one in a_list(row.get("outputs"), "outputs", place)]
    memory = row.get("memory")
    return Record(
        ident=name,
        name=name,
        kind="",
        runtime_s=quantity(row.get("flops"), "flops", place),
        cores=quantity(row.get("min_cores", 1), "min_cores", place),
        parents=(),
        children=(),
        inputs=tuple(map(str, a_list(row.get("inputs"), "inputs", place))),
        outputs=dict(outputs),
        memory_bytes=None if memory is None else quantity(memory, "memory", place) * _MB,
    )


def _file(one: object, sizes: Sizes, where: str) -> tuple[str, float]:
    row = a_table(one, "a file", where)
    name, size = str(row.get("name")), quantity(row.get("size"), "size", where) * _MB
    sizes.add(name, size)
    return name, size


def _scaled(task: Task, row: dict[str, object]) -> Task:
    most = int(quantity(row.get("max_cores", 1), "max_cores", f'task "{task.name}"'))
    if most <= task.cores:
        return task
    return replace(task, scaling=Scaling(sigma=0.0, least=task.cores, most=most))


def _system(text: str, where: str) -> Graph:
    source = document(text, where)
    machines = []
    for one in a_list(source.get("resources"), "resources", where):
        row = a_table(one, "a resource", where)
        place = f'{where}, resource "{row.get("name")}"'
        memory = row.get("memory")
        machine = Machine(
            plain(str(row.get("name"))),
            cores=int(quantity(row.get("cores", 1), "cores", place)),
            speed=quantity(row.get("speed"), "speed", place),
            memory_bytes=None if memory is None else int(quantity(memory, "memory", place) * _MB),
        )
        count = int(quantity(row.get("count", 1), "count", place))
        if not 1 <= count <= _MOST:
            raise InputError(f"count must be 1 to {_MOST:,}", where=place, value=count)
        several = [replace(machine, name=f"{machine.name}-{i}") for i in range(1, count + 1)]
        machines += [machine] if count == 1 else several
    network = a_table(source.get("network") or {}, "network", where)
    way = Direction(
        0.5 * _MICROSECOND * quantity(network.get("latency", 0), "latency", where),
        _MB * quantity(network.get("bandwidth"), "bandwidth", where),
    )
    links = tuple(Link(one.name, _SWITCH, way, way) for one in machines)
    note = f"All machines are linked to one switch; the file's model is {network.get('model')}"
    platform = Platform("system", tuple(machines), links, switches=(Switch(_SWITCH),))
    return Graph(None, platform, (note,))


_MOST = 10_000
_SWITCH = "network"

SOURCES = (
    Source("dslab-dag", "DSLab graph", (".yaml", ".yml"),
           lambda head: bool(_TASKS.search(head) and _FLOPS.search(head)), _workflow),
    Source("dslab-system", "DSLab system", (".yaml", ".yml"),
           lambda head: bool(_RESOURCES.search(head) and _NETWORK.search(head)), _system,
           tasks=False, machines=True),
)  # fmt: skip
