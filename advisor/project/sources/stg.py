"""Standard Task Graphs (Kasahara): a number of tasks, then a line each: id, time, predecessors."""

from __future__ import annotations

import re

from advisor.project.sources.source import Graph, Source, Step, Steps, quantity
from machines import InputError

# the number of tasks alone, then the entry task: 0, no time, no predecessors
_HEAD = re.compile(rb"\A\s*+\d{1,7}[ \t\r]*+\n\s*+0[ \t]+\d{1,7}[ \t]+\d{1,3}[ \t]*\r?\n")


def _read(text: str, where: str) -> Graph:
    steps = Steps()
    told: list[tuple[str, list[str], str]] = []
    lines = [line.split() for line in text.split("#", 1)[0].splitlines() if line.strip()]
    for number, words in enumerate(lines[1:], start=2):
        place = f"{where}, row {number}"
        if len(words) < 3 or not words[2].isdigit() or len(words) < 3 + int(words[2]):
            raise InputError("a task needs its id, time and predecessors", where=place,
                             value=" ".join(words[:8]))  # fmt: skip
        steps.step(words[0], Step(f"t{words[0]}", quantity(words[1], "time", place)), place)
        told.append((words[0], words[3 : 3 + int(words[2])], place))
    expected = int(lines[0][0])
    if len(told) not in {expected, expected + 2}:
        raise InputError(f"the file holds {len(told)} of {expected} tasks", where=where,
                         remedy="It may be cut off; fetch it again")  # fmt: skip
    for ident, before, place in told:
        for one in before:
            steps.edge(one, ident, 0.0, place)
    note = "Units of time are taken as seconds; edges carry no data"
    return steps.graph("standard task graph", where, [note])


SOURCE = Source(
    "stg", "Standard Task Graph", (".stg",), lambda head: bool(_HEAD.match(head)), _read
)
