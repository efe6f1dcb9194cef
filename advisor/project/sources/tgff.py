"""TGFF (Task Graphs For Free): graphs of typed tasks, and tables of times by processor."""

from __future__ import annotations

import re

from advisor.basics.quantities import count
from advisor.project.sources.source import Graph, Source, Step, Steps, quantity
from machines import InputError

_HEAD = re.compile(rb"^@TASK_GRAPH\s+\d+\s*\{", re.MULTILINE)
_BLOCK = re.compile(r"^@(\w+)\s+(\d+)\s*\{([^}]*)\}", re.MULTILINE)
_TASK = re.compile(r"^\s*TASK\s+(\S+)\s+TYPE\s+(\d+)", re.MULTILINE)
_ARC = re.compile(r"^\s*ARC\s+\S+\s+FROM\s+(\S+)\s+TO\s+(\S+)\s+TYPE\s+(\d+)", re.MULTILINE)


def _read(text: str, where: str) -> Graph:
    blocks = _BLOCK.findall(text)
    graphs = [(number, body) for kind, number, body in blocks if kind == "TASK_GRAPH"]
    tables = [
        (f"{kind} {number}", of_types)
        for kind, number, body in blocks
        if kind != "TASK_GRAPH" and (of_types := _times(body, where))
    ]
    if not graphs:
        raise InputError("no graph ends", where=where, remedy="The file may be cut off")
    steps, body = Steps(), graphs[0][1]
    for name, kind in _TASK.findall(body):
        timed = tuple((machine, of[kind]) for machine, of in tables if kind in of)
        steps.step(name, Step(name, by_machine=timed, kind=f"type {kind}"), where)
    for source, target, _ in _ARC.findall(body):
        steps.edge(source, target, 0.0, where)
    notes = ["Times are taken as seconds; arcs carry no data, since TGFF gives them types alone"]
    if len(graphs) > 1:
        notes.append(f"The first of {count(len(graphs), 'graph')} is read")
    return steps.graph(f"task graph {graphs[0][0]}", where, notes)


def _times(body: str, where: str) -> dict[str, float]:
    """Type → time, of a table whose titles have a time; empty: it is about something else."""
    titles: list[str] = []
    found: dict[str, float] = {}
    for line in body.splitlines():
        words = line.replace("#", " ").split()
        if line.lstrip().startswith("#"):
            titles = [word.lower() for word in words] if "type" in line.lower() else titles
        elif words and {"type", "exec_time"} <= {*titles} and len(words) >= len(titles):
            cells = dict(zip(titles, words, strict=False))
            found[cells["type"]] = quantity(cells["exec_time"], "exec_time", where)
    return found


SOURCE = Source("tgff", "TGFF", (".tgff",), lambda head: bool(_HEAD.search(head)), _read)
