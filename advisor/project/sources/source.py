"""What a reader of somebody else's file is, and what all of them build from: steps and edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.quantities import count
from advisor.project.sources.site import Site
from machines import InputError, Platform
from machines.errors import visible


class Graph(NamedTuple):
    """What a file became: tasks, machines, or both; a site is machines that other files add to."""

    workload: Workload | None
    platform: Platform | None = None
    warnings: tuple[str, ...] = ()
    site: Site | None = None


@dataclass(frozen=True)
class Source:
    """One kind of file.

    `recognises`: whether the first bytes of a file, unpacked, are of this kind.
    `read`: the whole text and its name in errors → a graph; InputError names place and value.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[str, str], Graph]
    tasks: bool = True  # whether such a file holds tasks, and machines
    machines: bool = False


@dataclass
class Step:
    """A task as a graph file tells it; `seconds` None: not told."""

    name: str
    seconds: float | None = None
    by_machine: tuple[tuple[str, float], ...] = ()
    cores: int = 1
    kind: str = ""


@dataclass
class Steps:
    """Tasks and edges while a file is read; names are those of the file until the end."""

    steps: dict[str, Step] = field(default_factory=dict)
    edges: dict[tuple[str, str], float] = field(default_factory=dict)

    def step(self, ident: str, step: Step, where: str) -> None:
        """Take a task in; an id given twice is refused."""
        if ident in self.steps:
            raise InputError("two tasks have one id", where=where, value=ident)
        self.steps[ident] = step

    def edge(self, source: str, target: str, size_bytes: float, where: str) -> None:
        """Take an edge in; several between two tasks add up."""
        for ident in (source, target):
            if ident not in self.steps:
                raise InputError("an edge names an unknown task", where=where, value=ident)
        key = source, target
        self.edges[key] = self.edges.get(key, 0.0) + size_bytes

    def graph(self, name: str, where: str, warnings: Iterable[str] = ()) -> Graph:
        """The workload; run times that are not told are 0 s, and that is said."""
        if not self.steps:
            raise InputError("the file has no tasks", where=where)
        names = _named(self.steps)
        tasks = tuple(
            Task(
                names[ident],
                work=None if step.by_machine else step.seconds or 0.0,
                seconds=step.by_machine,
                cores=step.cores,
                kind=plain(step.kind),
            )
            for ident, step in self.steps.items()
        )
        flows = tuple(
            Flow(names[one], names[other], ((1, size),) if size > 0.0 else ())
            for (one, other), size in self.edges.items()
        )
        return Graph(Workload(plain(name), tasks, flows), None, (*self._missing(), *warnings))

    def _missing(self) -> list[str]:
        steps = self.steps.values()
        missing = sum(one.seconds is None and not one.by_machine for one in steps)
        if not missing:
            return []
        whole = f"{missing} of {count(len(steps), 'task')}" if missing < len(steps) else "all tasks"
        return [f"The file tells no run time of {whole}: 0 s until you give one"]


def plain(text: str) -> str:
    """A text as a name: seen, on one line, single blanks."""
    return " ".join(visible(text).split())


def _named(steps: Mapping[str, Step]) -> dict[str, str]:
    """A unique name for every id: the step's own where no other has it, else with the id."""
    own = {ident: plain(step.name) or plain(ident) for ident, step in steps.items()}
    uses: dict[str, int] = {}
    for name in own.values():
        uses[name] = uses.get(name, 0) + 1
    named = {ident: name if uses[name] == 1 else f"{name} {plain(ident)}"
             for ident, name in own.items()}  # fmt: skip
    if len({*named.values()}) < len(named):
        named = {ident: plain(ident) or f"task {place}" for place, ident in enumerate(named)}
    return named


def quantity(value: object, what: str, where: str) -> float:
    """A finite number of at least 0."""
    try:
        found = float(str(value))
    except ValueError:
        raise InputError(f"{what} is no number", where=where, value=value) from None
    if not 0.0 <= found < float("inf"):
        raise InputError(f"{what} must be a finite number, 0 or more", where=where, value=value)
    return found
