"""The parameters of the mapping study, and the communication that they describe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.allocation.task_communication import from_workload
from advisor.allocation.workload import Workload
from advisor.basics.host_list import read_capacities
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.communication_file import read_communication
from advisor.messages.mapping.mapping_measures import LOGPC, OBJECTIVES
from advisor.messages.mapping.process_communication import (
    MOST_PROCESSES,
    Communication,
    communication,
)
from advisor.messages.patterns import NEIGHBOURS, destinations
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.message_program import StyledProgram
from advisor.project.kinds import named_by_content
from advisor.project.workload_file import read_workload
from advisor.studies.network_settings import ShapedNetworkSettings
from advisor.studies.parameters import number_list, parameter
from machines import InputError
from machines.arrays import Floats
from machines.formats.fields import suggestion

DIAMOND, RING, STENCIL_2, STENCIL_3 = "diamond", "ring", "stencil-2d", "stencil-3d"
TRANSPOSE, RANDOM, ALL_TO_ALL = "transpose", "random", "all-to-all"
FILE, WORKLOAD, TASK = "file", "workload", "task"
PATTERNS = (
    DIAMOND, RING, STENCIL_2, STENCIL_3, TRANSPOSE, RANDOM, ALL_TO_ALL, FILE, WORKLOAD, TASK,
)  # fmt: skip
IN_ORDER, REVERSED = "in order", "reversed"
OPTIMISED, OWN = "optimised", "own"
_MOST_CORES, _MOST_NODES = 1024, MOST_PROCESSES


@dataclass(frozen=True)
class MappingParameters(ShapedNetworkSettings):
    """What the mapping study asks for."""

    cores: str = parameter(
        "1",
        example="8, or of each: 8, 8, 4",
        help="Cores of a node: its processes share them and its memory. Of unequal nodes those of "
        "each, e.g. 4x8, 2x4, or a file of hosts.",
    )
    threads: int = parameter(
        1,
        title="threads a process",
        low=1,
        high=1024,
        help="Cores that each process takes; of a node that many fewer processes share it.",
    )
    per_core: int = parameter(
        1,
        title="processes a core",
        low=1,
        high=64,
        help="Processes that a core may take; those that share one take turns.",
    )
    work: str = parameter(
        "",
        title="work a process",
        example="none",
        help="What each process computes before the exchange, on a core of speed 1: one time for "
        "all, e.g. 1 ms, 8x400, 8x200 of each, or a file of them; numbers are µs; empty: nothing.",
    )
    speeds: str = parameter(
        "",
        title="speeds of nodes",
        example="1",
        help="Speed of the nodes in turn, e.g. 8x1, 8x0.5, or a file; empty: all 1.",
    )
    core_speeds: str = parameter(
        "",
        title="speeds of cores",
        example="1",
        help="Speed of the cores of each node in turn, e.g. 8x1, 16x0.6 of P and E cores, beside "
        "that of the node; empty: all 1.",
    )
    memory: str = parameter(
        "",
        title="messages in memory",
        example="assumed",
        help="L, o and G between cores of a node, in µs, µs and ns per byte, e.g. 0.1, 0.1, 0.1; "
        "empty: these, assumed.",
    )
    sockets: int = parameter(
        1, low=1, high=64, help="Sockets of a node, or NUMA domains, among which its cores lie."
    )
    across: str = parameter(
        "",
        title="messages between sockets",
        example="assumed",
        help="L, o and G between sockets of a node, in µs, µs and ns per byte, e.g. 0.2, 0.1, "
        "0.2; empty: these, assumed.",
    )
    pattern: str = parameter(DIAMOND, choices=PATTERNS, help="Communication pattern.")
    file: str = parameter(
        "",
        path=True,
        help="Of pattern file: a matrix or list of edges (CSV), Matrix Market, METIS, Scotch; of "
        "pattern workload a workload.",
        only={"pattern": (FILE, WORKLOAD)},
    )
    rows: str = parameter(
        IN_ORDER,
        choices=(IN_ORDER, REVERSED),
        help="Whether the first row of a matrix is that of the first process or of the last.",
        only={"pattern": (FILE,)},
    )
    task: str = parameter(
        "",
        only={"pattern": (TASK,)},
        help="The task of the open project whose program's messages they are.",
    )
    open_workload: Workload | None = parameter(  # noqa: RUF009 - as all the others
        None, help="The open project's workload."
    )
    processes: int | None = parameter(
        None, low=2, high=MOST_PROCESSES, help="Processes; auto: one on each core of each node."
    )
    grid: str = parameter(
        "",
        help="Processes of stencil or transpose, e.g. 16x32; empty: cubic.",
        only={"pattern": (STENCIL_2, STENCIL_3, TRANSPOSE)},
    )
    periodic: bool = parameter(
        False,
        help="Whether a stencil closes to a torus.",
        only={"pattern": (STENCIL_2, STENCIL_3)},
    )
    size_bytes: float = parameter(
        1024.0, title="message size", unit="B", low=1.0, high=1e12, help="Bytes of a message."
    )
    messages: int = parameter(
        4096,
        low=1,
        high=10**6,
        help="Messages of pattern random, in all.",
        only={"pattern": (RANDOM,)},
    )
    objective: str = parameter(
        LOGPC, choices=OBJECTIVES, help="What is to be smallest; the headline gives it."
    )
    own: str = parameter(
        "",
        title="own mapping",
        example="none",
        help="Nodes of processes 0, 1, …, separated by commas; with "
        "several cores a node is taken as often. All with their cores: 0:0, 0:3, 1:0.",
    )
    seconds: float = parameter(
        2.0, unit="s", low=0.01, high=3600.0, help="Search budget, spent in steps."
    )
    seed: int = parameter(0, low=0, high=2**31 - 1, help="Of random messages, order and search.")
    restarts: int = parameter(
        1,
        title="starts",
        low=1,
        high=1000,
        help="Starts of the search, from as many seeds, each with the whole budget; the best is "
        "taken.",
    )

    def __post_init__(self) -> None:
        """Take numbers, too: ``cores=8``, ``cores=[8, 4]``, ``work=400``."""
        for field in ("cores", "work", "speeds", "core_speeds"):
            if not isinstance(value := getattr(self, field), str):
                object.__setattr__(self, field, str(value).strip("[]()"))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Cores of each node in turn; one number: of all."""
        return node_cores(self.cores)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Processes that each node takes; one number: all."""
        most = max(self.counts)
        if self.threads > most:
            raise InputError(
                f"no node has {self.threads} cores for the threads of a process",
                where="setting threads", value=self.threads,
                remedy=f"Give fewer, or more cores than {most}",
            )  # fmt: skip
        return tuple(cores // self.threads * self.per_core for cores in self.counts)

    @property
    def by_levels(self) -> bool:
        """Whether large fat trees need no tables here."""
        return True

    @property
    def seeds(self) -> range:
        """Of the starts of the search."""
        return range(self.seed, self.seed + self.restarts)

    @property
    def message_sizes(self) -> tuple[float, float]:
        """Bytes of a short message and of a long one: here they are the same."""
        return self.size_bytes, self.size_bytes


def node_cores(text: str) -> tuple[int, ...]:
    """Cores of each node: one number for all, a list such as 4x8, 2x4, or a file of hosts."""
    where = "setting cores"
    if re.fullmatch(r"[\s0-9x×*,;.\[\]()]*", text):
        found = number_list(text.strip(" []()"), where, _MOST_NODES)
    else:
        found = tuple(float(cores) for _, cores in read_capacities(text.strip()))
    for cores in found:
        if not cores.is_integer() or not 1 <= cores <= _MOST_CORES:
            raise InputError(
                "cores must be a whole number", where=where, value=cores,
                remedy=f"Allowed: 1 to {_MOST_CORES}",
            )  # fmt: skip
    return tuple(map(int, found))


def communication_of(parameters: MappingParameters, nodes: int) -> Communication:
    """The communication that the parameters describe; InputError if it can't be."""
    pattern, each = parameters.pattern, parameters.size_bytes
    if pattern == WORKLOAD:
        return from_workload(read_workload(_file(parameters)).workload)
    if pattern == FILE:
        backwards = parameters.rows == REVERSED
        with named_by_content(_file(parameters), "bytes between processes"):
            return read_communication(_file(parameters), parameters.processes, each, backwards)
    processes = parameters.processes or nodes
    if pattern == TASK:
        return task_traffic(parameters.open_workload, parameters.task, processes)
    return _usual(parameters, processes)


def _usual(parameters: MappingParameters, processes: int) -> Communication:
    """One of the usual patterns."""
    pattern, each = parameters.pattern, parameters.size_bytes
    if pattern in {STENCIL_2, STENCIL_3, TRANSPOSE}:
        dims = _grid(parameters, processes, 3 if pattern == STENCIL_3 else 2)
        if pattern == TRANSPOSE:
            return patterns.transpose(dims[1], dims[0], each)
        return patterns.stencil(dims, each, parameters.periodic)
    if pattern == RANDOM:
        return patterns.random_messages(processes, parameters.messages, each, parameters.seed)
    plain = {DIAMOND: patterns.stripes, RING: patterns.ring, ALL_TO_ALL: patterns.all_to_all}
    return plain[pattern](processes, each)


def _file(parameters: MappingParameters) -> str:
    if not parameters.file:
        raise InputError(
            f"pattern {parameters.pattern} needs a file", where="setting file", remedy="Give file="
        )
    return parameters.file


def _grid(parameters: MappingParameters, processes: int, dimensions: int) -> tuple[int, ...]:
    """The processes along each dimension, as given or as cubic as can be."""
    if not parameters.grid.strip():
        return patterns.grid_of(processes, dimensions)
    sides = re.split(r"\s*[x×*,]\s*", parameters.grid.strip())
    if len(sides) != dimensions or not all(
        re.fullmatch(r"[1-9][0-9]{0,3}", side) for side in sides
    ):
        example = "x".join(("16", "8", "4")[:dimensions])
        raise InputError(
            f"the grid needs {dimensions} sides",
            where="setting grid",
            value=parameters.grid,
            remedy=f"For example {example}",
        )
    return tuple(map(int, sides))


# The communication of the processes of a task's program, whatever nodes they are on.


def task_traffic(workload: Workload | None, name: str, processes: int) -> Communication:
    """What the processes of a task's program send each other in its whole run.

    `workload`: of the open project. `name`: of the task.
    """
    program = mapped_program(workload, name, processes)
    if isinstance(program, DiamondDag):
        amount = program.n * program.bytes_per_value * np.eye(processes, k=1)
        return _communication(name, amount, amount / (program.blocks or 1))
    each = program.message(processes, 1.0).size
    amount = destinations(program.traffic, np.zeros((processes, processes), np.int64))
    amount *= program.sent(processes) * each
    return _communication(name, amount, np.full_like(amount, each))


def mapped_program(
    workload: Workload | None, name: str, processes: int
) -> DiamondDag | StyledProgram:
    """The program of a task whose processes send each other the same on any nodes."""
    where = "setting task"
    known = {} if workload is None else {task.name: task.program for task in workload.tasks}
    if name not in known:
        remedy = suggestion(name, known) if known else "Open a project, or choose another pattern"
        raise InputError("no open project has this task", where=where, value=name, remedy=remedy)
    program = known[name]
    if isinstance(program, DiamondDag):
        return program
    if not isinstance(program, StyledProgram):
        raise InputError(
            "the task has no program of messages", where=where, value=name,
            remedy="Choose a task with such a program",
        )  # fmt: skip
    if program.traffic.kind == NEIGHBOURS:
        raise InputError(
            "its processes send to the nodes around them, wherever they are", where=where,
            value=name, remedy="There is nothing to map: choose another task",
        )  # fmt: skip
    if program.sent(processes) <= 0:
        raise InputError("nothing is sent between its processes", where=where, value=name)
    return program


def _communication(name: str, amount: Floats, each: Floats) -> Communication:
    """Of bytes between all pairs, in messages of so many bytes each."""
    sources, targets = np.nonzero(amount)
    sizes = amount[sources, targets]
    messages = np.maximum(1.0, sizes / each[sources, targets])
    return communication(name, len(amount), sources, targets, sizes, messages)
