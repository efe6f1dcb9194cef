"""What is to run: a task, the ways in which it may run (variants), and the data of a flow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.allocation.data_files import check_names
from advisor.programs.program import Program
from advisor.scaling.law import MOST_TASK_PROCESSORS, Scaling, speedups
from machines.checks import number, plain_name, repeated, whole
from machines.errors import InputError
from machines.resources import check_held

Held = tuple[tuple[str, int], ...]  # ((kind of resource, units), ...)
_DIGITS = "0123456789"
MOST_VARIANTS = 16  # of a task: a search prices the whole workload in each


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run a task: on cores alone, on a GPU.

    Attributes
    ----------
    work, seconds, cores
        As of a task.
    memory_bytes : int or None
        Working set; ``None``: that of the task.
    resources : tuple of (kind, units)
        What it holds, beside what its task holds anyway.
    memory_bandwidth : float or None
        As of a task; ``None``: that of the task.
    unit_memory : tuple of (kind, bytes)
        As of a task; of a kind that both state, the larger counts.
    """

    name: str
    work: float | None = None
    seconds: tuple[tuple[str, float], ...] = ()
    cores: int = 1
    memory_bytes: int | None = None
    resources: Held = ()
    memory_bandwidth: float | None = None
    unit_memory: Held = ()

    def __post_init__(self) -> None:
        where = f'variant "{self.name}"'
        plain_name("name", self.name, where="variant")
        _check_time(self.work, self.seconds, bool(self.seconds), where)
        whole("cores", self.cores, low=1, where=where)
        if self.memory_bytes is not None:
            whole("memory_bytes", self.memory_bytes, where=where)
        if self.memory_bandwidth is not None:
            number("memory_bandwidth", self.memory_bandwidth, where=where)
        check_held(where, self.resources, self.unit_memory)

    @property
    def holds(self) -> tuple[Held, Held]:
        """Units of resources, and what it needs of the memory of each."""
        return self.resources, self.unit_memory


@dataclass(frozen=True, slots=True)
class Task:
    """One task; runs once started, without interruption, on `cores` cores of one machine.

    Attributes
    ----------
    work : float or None
        Reference seconds, divided by the machine's speed; any machine.
    seconds : tuple of (machine name, seconds)
        Or dedicated seconds by machine; a machine not named can't run it.
    program : Program or None
        Or what runs inside it, on machines that have what it needs; stated `seconds` take
        precedence.
    cores : int
        Cores that it holds.
    memory_bytes : int or None
        Working set.
    allowed : tuple of str or None
        Names of the machines that may run it; ``None``: any.
    kind : str
        Group for display ("mProject"); empty: derived from the name.
    scaling : Scaling or None
        How its time falls with the processors that it takes: `work` and `seconds` are then those
        on one processor, and `cores` what it takes unless a plan says otherwise.
    reads, writes : tuple of str
        Names of the workload's files; it starts when those that it reads are there.
    command : str
        What a runner executes; empty: not stated.
    resources : tuple of (kind, units)
        What it holds beside cores and memory: ("gpu", 1).
    unit_memory : tuple of (kind, bytes)
        Memory that each of these units must have; a kind that is left out may have any.
    memory_bandwidth : float or None
        Bytes/s that it moves to and from memory while it computes alone, by `work` on a machine of
        speed 1; ``None``: not counted.
    variants : tuple of Variant
        Ways to run it, of which a plan chooses one; `work`, `seconds`, `cores` and `program` are
        then theirs to state.
    """

    name: str
    work: float | None = None
    seconds: tuple[tuple[str, float], ...] = ()
    cores: int = 1
    memory_bytes: int | None = None
    allowed: tuple[str, ...] | None = None
    kind: str = ""
    program: Program | None = None
    scaling: Scaling | None = None
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    command: str = ""
    resources: Held = ()
    variants: tuple[Variant, ...] = ()
    memory_bandwidth: float | None = None
    unit_memory: Held = ()

    def __post_init__(self) -> None:
        where = f'task "{self.name}"'
        plain_name("name", self.name, where="task")
        plain_name("kind", self.kind, where=where, empty=True)
        if self.variants:
            self._check_variants(where)
        else:
            stated = bool(self.seconds) or self.program is not None
            _check_time(self.work, self.seconds, stated, where)
        check_held(where, self.resources, self.unit_memory)
        whole("cores", self.cores, low=1, where=where)
        if self.memory_bytes is not None:
            whole("memory_bytes", self.memory_bytes, where=where)
        if self.memory_bandwidth is not None:
            number("memory_bandwidth", self.memory_bandwidth, where=where)
        if self.scaling is not None:
            self._check_scaling(self.scaling, where)
        if self.reads or self.writes:
            check_names(where, self.reads, self.writes)

    def _check_variants(self, where: str) -> None:
        own = (self.work, self.program, self.scaling, self.seconds or None)
        if any(one is not None for one in own) or self.cores != 1:
            remedy = "Leave work, seconds, cores, program and scaling to its variants"
            raise InputError("its variants say how it runs", where=where, remedy=remedy)
        check_few_variants(where, len(self.variants))
        twice = repeated(one.name for one in self.variants)
        if twice is not None:
            raise InputError("two variants have one name", where=where, value=twice,
                             remedy="Name each otherwise: cpu, gpu")  # fmt: skip

    def _check_scaling(self, scaling: Scaling, where: str) -> None:
        if self.program is not None:
            remedy = "Give work or seconds on one processor instead"
            raise InputError("a program says itself how it scales", where=where, remedy=remedy)
        most = MOST_TASK_PROCESSORS if scaling.most is None else scaling.most
        if not scaling.least <= self.cores <= most:
            raise InputError(
                "cores is out of the range of its scaling",
                where=where,
                value=self.cores,
                remedy=f"Allowed: {scaling.least} to {most:,}",
            )

    def on(self, processors: int) -> Task:
        """The ordinary task that a scalable one is on so many processors."""
        if self.scaling is None:
            return self
        checked = replace(self, cores=processors)  # refuses what the scaling does not allow
        (speedup,) = speedups(self.scaling, [processors]).tolist()
        return replace(
            checked,
            work=None if self.work is None else self.work / speedup,
            seconds=tuple((machine, seconds / speedup) for machine, seconds in self.seconds),
            scaling=None,
        )

    def in_variant(self, place: int) -> Task:
        """The ordinary task that it is in one of its variants; itself if it has none."""
        if not self.variants:
            return self
        chosen = self.variants[place]
        own, moved = chosen.memory_bytes, chosen.memory_bandwidth
        units, memory = dict(self.resources), dict(self.unit_memory)
        for kind, count in chosen.resources:
            units[kind] = units.get(kind, 0) + count
        for kind, size_bytes in chosen.unit_memory:
            memory[kind] = max(memory.get(kind, 0), size_bytes)
        changed = {
            "work": chosen.work,
            "seconds": chosen.seconds,
            "cores": chosen.cores,
            "memory_bytes": self.memory_bytes if own is None else own,
            "memory_bandwidth": self.memory_bandwidth if moved is None else moved,
            "resources": tuple(units.items()),
            "unit_memory": tuple(memory.items()),
            "variants": (),
        }
        twin = object.__new__(Task)  # a search asks for many: `replace` would check all again
        for one in self.__slots__:
            object.__setattr__(twin, one, changed[one] if one in changed else getattr(self, one))
        return twin

    @property
    def holds(self) -> tuple[Held, Held]:
        """Units of resources, and what it needs of the memory of each."""
        return self.resources, self.unit_memory

    @property
    def group(self) -> str:
        """`kind`, or the name without its trailing number ("mProject_ID000012" → "mProject").

        The second task that is called t1, "t1 2", is as that one of the kind "t".
        """
        stem = self.name.rstrip(_DIGITS)
        if stem != self.name and stem.endswith(" "):
            stem = stem.rstrip().rstrip(_DIGITS)
        if not self.kind and stem != self.name:
            stem = stem.removesuffix("ID").rstrip(" _.#-")
        return self.kind or stem or self.name


@dataclass(frozen=True, slots=True)
class Flow:
    """Data that `target` needs from `source`; costs nothing when both are on one machine.

    Attributes
    ----------
    data_sets : tuple of (count, bytes)
        `count` messages of `bytes` each; empty: precedence alone.
    seconds : tuple of ((from machine, to machine), seconds)
        Dedicated seconds by direction; take precedence over `data_sets` where given.
    """

    source: str
    target: str
    data_sets: tuple[tuple[int, float], ...] = ()
    seconds: tuple[tuple[tuple[str, str], float], ...] = ()

    def __post_init__(self) -> None:
        if self.source == self.target:
            raise InputError("a task can't feed itself", where=f"flow {self.name}")
        for count, size in self.data_sets:
            whole("count", count, where=f"flow {self.name}")
            number("bytes", size, above=True, where=f"flow {self.name}")
        for (first, second), seconds in self.seconds:
            number(f"seconds {first}>{second}", seconds, where=f"flow {self.name}")

    @property
    def name(self) -> str:
        """The flow's name in messages and on screen."""
        return f"{self.source} → {self.target}"

    @property
    def size_bytes(self) -> float:
        """All bytes of its data sets."""
        return sum(count * size for count, size in self.data_sets)


def check_few_variants(where: str, count: int) -> None:
    """Refuse more variants of a task than a search can price."""
    if count > MOST_VARIANTS:
        remedy = f"Allowed: {MOST_VARIANTS}; keep those that differ"
        raise InputError("too many variants", where=where, value=count, remedy=remedy)


def _check_time(
    work: float | None, seconds: tuple[tuple[str, float], ...], stated: bool, where: str
) -> None:
    """Refuse what says nothing of its time, or says it twice."""
    if (work is None) == (not stated):
        raise InputError(
            "give either work or seconds, or a program",
            where=where,
            remedy="work: reference seconds; seconds: a table by machine",
        )
    if work is not None:
        number("work", work, where=where)
    for machine, given in seconds:
        number(f"seconds on {machine}", given, where=where)
