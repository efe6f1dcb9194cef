"""WfFormat up to schema 1.4: one list of tasks with their files, run times and machines inside.

Keys changed their names on the way (1.3: jobs → tasks; 1.4: runtime → runtimeInSeconds,
size → sizeInBytes, memory in kB → memoryInBytes); every name is accepted whatever the version.
"""

from __future__ import annotations

from advisor.project.wfformat.workflow_record import (
    Json,
    Record,
    Sizes,
    as_number,
    as_objects,
    as_text,
    as_texts,
    command_of,
    program_kind,
)


def records(workflow: Json, sizes: Sizes) -> tuple[list[Record], list[Json]]:
    """The tasks and the machines of a workflow.

    Parameters
    ----------
    workflow : dict
        The document's `workflow` object.
    sizes : Sizes
        Gets the size of every file.

    Returns
    -------
    records : list of Record
    machines : list of dict
        As in the file; `machines.platform_from` reads them.
    """
    tasks = as_objects(workflow.get("tasks", workflow.get("jobs")), "tasks")
    found = [_record(task, position, sizes) for position, task in enumerate(tasks)]
    return found, as_objects(workflow.get("machines"), "machines")


def _record(task: Json, position: int, sizes: Sizes) -> Record:
    name = as_text(task.get("name", task.get("id")), f"the name of task {position + 1}")
    ident = as_text(task.get("id", name), f"the id of task {position + 1}")
    inputs: list[str] = []
    outputs: dict[str, float | None] = {}
    for file in as_objects(task.get("files"), f'the files of task "{name}"'):
        file_name = as_text(file.get("name"), f'a file\'s name in task "{name}"')
        path = f"{file.get('path') or ''}{file_name}"
        given = file.get("sizeInBytes", file.get("size"))
        size = as_number(given, f'size of file "{path}"', name)
        sizes.add(path, size)
        if str(file.get("link", "")).lower() == "input":
            inputs.append(path)
        else:
            outputs[path] = size
    runtime = task.get("runtimeInSeconds", task.get("runtime"))
    return Record(
        ident=ident,
        name=name,
        kind=str(task.get("category") or "") or program_kind(task, task),
        runtime_s=as_number(runtime, "runtime", name),
        cores=as_number(task.get("coreCount", task.get("cores")), "cores", name),
        parents=as_texts(task.get("parents"), name, "parents"),
        children=as_texts(task.get("children"), name, "children"),
        inputs=tuple(inputs),
        outputs=outputs,
        ran_on=as_texts([task["machine"]] if task.get("machine") else None, name, "machine"),
        began=task.get("executedAt"),
        memory_bytes=_memory(task, name),
        command=command_of(task),
    )


def _memory(task: Json, name: str) -> float | None:
    if "memoryInBytes" in task:
        return as_number(task["memoryInBytes"], "memoryInBytes", name)
    kilobytes = as_number(task.get("memory"), "memory", name)
    return None if kilobytes is None else 1000.0 * kilobytes
