"""Lists of machines as WfCommons cuts them out of a workflow: `machines` without tasks."""

from __future__ import annotations

from advisor.basics import json_text
from advisor.project.sources.site import Node, Site
from advisor.project.wfformat.machines import platform_from
from machines import InputError


def read(text: str, where: str) -> Site:
    """The machines; their momentary clock rates give speeds by kind alone."""
    document = json_text.parse(text.encode(), where)
    rows = document.get("machines") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise InputError("machines must be a list of objects", where=where)
    notes: list[str] = []
    found = platform_from(rows, notes)
    if found is None:
        raise InputError("the file lists no machines", where=where)
    nodes = tuple(
        Node(one.name, one.cores, one.memory_bytes, speed=one.speed) for one in found.machines
    )
    kept = tuple(note for note in notes if "no network" not in note)
    return Site("machines of the workflow", nodes, notes=kept)
