"""Two tables without a word of Placewise: times of tasks by machine, and Alibaba's batch tasks."""

from __future__ import annotations

import csv
import io
import re

from advisor.basics.quantities import count
from advisor.project.sources.source import Graph, Source, Step, Steps, plain, quantity
from machines import InputError

_MATRIX = re.compile(
    rb"\A(?:T|tasks?|jobs?|name|)[,;\t] *+([A-Za-z]+)[_ -]?\d++ *+"
    rb"(?:[,;\t] *+\1[_ -]?\d++ *+)*+[ \t]*+\r?\n"
    rb"[^,;\t\r\n]{1,200}[,;\t][ \t]*[0-9.]",
    re.IGNORECASE,
)
_BATCH = re.compile(
    rb"\A[A-Za-z]\w*+,\d*+,j_\w++,\w*+,(?:Terminated|Failed|Running|Waiting|Interrupted|Cancelled),"
)
_DAG = re.compile(r"([A-Za-z]+)(\d+)((?:_\d+)*)\Z")
_MOST_JOBS = 3


def _matrix(text: str, where: str) -> Graph:
    sign = next(one for one in ",;\t" if one in text.split("\n", 1)[0])
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=sign) if any(row)]
    machines, steps = [plain(one) for one in rows[0][1:]], Steps()
    for number, row in enumerate(rows[1:], start=2):
        place = f"{where}, line {number}"
        if len(row) != len(rows[0]):
            raise InputError(f"{count(len(row), 'cell')} beside {len(rows[0])} titles", where=place)
        times = tuple((machine, quantity(cell.strip(), f"time on {machine}", place))
                      for machine, cell in zip(machines, row[1:], strict=True))  # fmt: skip
        steps.step(row[0], Step(row[0], by_machine=times), place)
    note = "Times of tasks by machine, in seconds; the table tells no order and no data"
    return steps.graph("times by machine", where, [note])


def _batch(text: str, where: str) -> Graph:
    """Of Alibaba's cluster trace of 2018, the first job whose task names tell a graph."""
    jobs: dict[str, list[list[str]]] = {}
    for number, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        if row and len(row) < 7:
            raise InputError("a batch task has 9 cells, a last one may be cut",
                             where=f"{where}, line {number}", value=",".join(row))  # fmt: skip
        if row:
            jobs.setdefault(row[2], []).append(row)

    def graphs(rows: list[list[str]]) -> int:
        return sum(bool(_DAG.match(row[0])) for row in rows)

    job = max(jobs, key=lambda one: graphs(jobs[one]))
    steps, before = Steps(), []
    for row in jobs[job]:
        place = f'{where}, job {job}, task "{row[0]}"'
        seconds = quantity(row[6], "end", place) - quantity(row[5], "start", place)
        found = _DAG.match(row[0])
        ident = found[2] if found else row[0]
        name = f"{found[1]}{found[2]}" if found else row[0]
        steps.step(ident, Step(name, max(seconds, 0.0) if row[4] == "Terminated" else None), place)
        after = found[3].split("_")[1:] if found else []
        before.append((ident, after, place))
    for ident, after, place in before:
        for one in after:
            steps.edge(one, ident, 0.0, place)
    others = [one for one in jobs if one != job]
    notes = ["Seconds are from start to end of a task, with all its instances"]
    if others:
        named = ", ".join(others[:_MOST_JOBS]) + (" …" if len(others) > _MOST_JOBS else "")
        notes.append(f"The file holds {len(jobs)} jobs: {job} is read, {named} left out")
    return steps.graph(job, where, notes)


SOURCES = (
    Source("times", "Times by machine", (".csv", ".tsv"),
           lambda head: bool(_MATRIX.match(head)), _matrix),
    Source("alibaba", "Alibaba batch tasks", (".csv",),
           lambda head: bool(_BATCH.match(head)), _batch),
)  # fmt: skip
