"""WfFormat up to schema 1.4: one list of tasks with their files, run times and machines inside.

Keys changed their names on the way (1.3: jobs → tasks; 1.4: runtime → runtimeInSeconds,
size → sizeInBytes, memory in kB → memoryInBytes); every name is accepted whatever the version.
"""

from __future__ import annotations

from advisor.project.wfformat.record import (
    Json,
    Record,
    as_number,
    as_objects,
    as_text,
    as_texts,
    program_kind,
)


def records(workflow: Json) -> tuple[list[Record], list[Json]]:
    """The tasks and the machines of a workflow.

    Parameters
    ----------
    workflow : dict
        The document's `workflow` object.

    Returns
    -------
    records : list of Record
    machines : list of dict
        As in the file; `wfformat_machines` reads them.
    """
    tasks = as_objects(workflow.get("tasks", workflow.get("jobs")), "tasks")
    found = [_record(task, position) for position, task in enumerate(tasks)]
    return found, as_objects(workflow.get("machines"), "machines")


def _record(task: Json, position: int) -> Record:
    name = as_text(task.get("name", task.get("id")), f"the name of task {position + 1}")
    ident = as_text(task.get("id", name), f"the id of task {position + 1}")
    inputs, outputs = [], {}
    for file in as_objects(task.get("files"), f'the files of task "{name}"'):
        file_name = as_text(file.get("name"), f'a file\'s name in task "{name}"')
        path = f"{file.get('path') or ''}{file_name}"
        if str(file.get("link", "")).lower() == "input":
            inputs.append(path)
        else:
            size = file.get("sizeInBytes", file.get("size"))
            outputs[path] = as_number(size, f'size of file "{path}"', name)
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
    )
