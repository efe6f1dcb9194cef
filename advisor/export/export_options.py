"""What an export can be told beside its subject: hosts, and how processes use them.

An option is declared once: the command line makes its argument of it, the window its field. A kind
of subject gives the field words of its own (`dataclasses.replace`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Capacity = tuple[str, int]
ReadHosts = Callable[["Option", str, int], tuple[Capacity, ...]]

HOST_LIST, CORES_EACH, NAME, INDEX, FLAG = "host list", "cores", "name", "index", "flag"
EVEN = -1  # as first index: the least with which all indices of a host have as many digits


def _always(_source: object) -> bool:
    return True


@dataclass(frozen=True)
class Option:
    """One thing that an export can be told.

    Attributes
    ----------
    name : str
        Of the attribute of `Options`; on the command line with hyphens.
    kind : str
        "host list", "cores", "name", "index" or "flag".
    help, metavar : str
        What the command line says.
    beside : str
        Name of the option without which this one says too little on the command line.
    title, hint, example : str
        Of the field in the window.
    needed : str
        What the window says while the field is empty; empty: it may be.
    unset : str
        Of a number that the subject knows itself: what the window shows while it is not given.
    label : callable
        source → the field's label; default the title.
    fits : callable
        source → whether the option has a meaning for it.
    asked : callable
        source → whether the window waits for it while it is empty.
    """

    name: str
    kind: str
    help: str
    metavar: str = ""
    beside: str = ""
    title: str = ""
    hint: str = ""
    example: str = ""
    needed: str = ""
    unset: str = ""
    label: Callable[[Any], str] | None = None
    fits: Callable[[Any], bool] = _always
    asked: Callable[[Any], bool] = _always

    @property
    def flag(self) -> str:
        """The argument on the command line."""
        return f"--{self.name.replace('_', '-')}"


HOSTS = Option("hosts", HOST_LIST, "of a mapping or tree: one host a line", "FILE")
CORES = Option("cores", CORES_EACH, "of a host whose line says none", "N")
THREADS = Option(
    "threads",
    CORES_EACH,
    "of a mapping: threads of a process, each on a core of its own (default: as it was mapped)",
    "N",
    unset="as mapped",
)
INTERNAL_HOSTS = Option(
    "internal_hosts",
    HOST_LIST,
    "of a tree: for its internal processes alone (default: they share the hosts)",
    "FILE",
    beside="hosts",
)
FRONT_END = Option(
    "front_end", NAME, "of a tree (default: the first of the hosts)", "HOST", beside="hosts"
)
FIRST_INDEX = Option(
    "first_index",
    INDEX,
    'of a tree: index of the first process on each host (default: 0), or "even": as many digits '
    "for all",
    "N",
)
ATTACH = Option("attach", FLAG, "of a tree: leave its back-ends out; they attach")
OPTIONS = (HOSTS, CORES, THREADS, INTERNAL_HOSTS, FRONT_END, FIRST_INDEX, ATTACH)


@dataclass(frozen=True)
class Options:
    """What one export is told.

    Attributes
    ----------
    hosts : tuple of (host, cores)
        Where processes run.
    threads : int
        Of a process of a mapping, each on a core of its own; 0: as the mapping says.
    internal_hosts : tuple of (host, cores)
        For the internal processes of a tree alone; empty: they share `hosts`.
    front_end : str
        Host of a tree's front-end; empty: the first of the hosts.
    first_index : int
        Of the processes on each host; `EVEN`: the least with which MRNet keeps their order.
    attach : bool
        Leave the back-ends of a tree out.
    """

    hosts: tuple[Capacity, ...] = ()
    threads: int = 0
    internal_hosts: tuple[Capacity, ...] = ()
    front_end: str = ""
    first_index: int = 0
    attach: bool = False


def options_from(taken: Iterable[Option], values: Mapping[str, object], read: ReadHosts) -> Options:
    """The options that arguments or fields give.

    Parameters
    ----------
    taken : iterable of Option
        Those that the export takes.
    values : mapping
        By name; None and "" are not given.
    read : callable
        (option, what was given, cores of a host whose line says none) → hosts.

    Raises
    ------
    InputError
        A host that is none.
    """
    cores = values.get(CORES.name)
    found: dict[str, Any] = {}
    for option in taken:
        value = values.get(option.name)
        if option.kind == HOST_LIST and value:
            found[option.name] = read(option, str(value), cores if isinstance(cores, int) else 1)
        elif option.name != CORES.name and value not in {None, ""}:
            found[option.name] = value
    return Options(**found)
