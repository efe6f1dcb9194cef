"""What processes compute and how fast cores do it, as the mapping study is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from advisor.basics.quantities import count
from advisor.messages.mapping.computing import Computing
from advisor.messages.networks import Clock
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.parameters import number_list
from advisor.studies.study import EQUATION, STATED, Note
from machines import InputError, Interconnect
from machines.amounts import SECONDS, real
from machines.arrays import Floats
from machines.files import MIB, decoded, is_there, read_bytes
from machines.formats.fields import place
from machines.multicore import counts_of
from machines.network import Network
from machines.traffic import MOST_PLACES

_MICRO = 1e-6
_LIMIT_BYTES = 16 * MIB
_LIST = re.compile(r"[\s0-9.eE+x×*,;-]*")
_PART = r"[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\s*(?:[nuµμm]?s|min|h)\b"
_TIME = re.compile(rf"(?<![0-9.]){_PART}(?:\s*{_PART})*")
_BARE = re.compile(r"(?<![0-9.])[0-9.]+(?![0-9.]|\s*[x×*])")  # neither timed nor a count of times
_WORK = "µs or times with a unit, e.g. 400, 1 ms or 8x400, 8x200"
_SPEEDS = "numbers, e.g. 1 or 8x1, 8x0.5"


def computing_of(
    parameters: MappingParameters, net: Interconnect, network: Network, processes: int
) -> Computing | None:
    """The work of the processes and the speed of the cores; None: no work is stated.

    `network`: with the places that processes may take.
    """
    if not parameters.work.strip():
        for field in ("speeds", "core_speeds"):
            if value := getattr(parameters, field).strip():
                raise InputError(
                    "speeds matter to what processes compute, and no work is given",
                    where=f"setting {field}", value=value,
                    remedy="Give work=, µs of computing of each process on a core of speed 1",
                )  # fmt: skip
        return None
    work = _each(parameters.work, "work", processes, "process", "processes")
    return Computing(work * (_MICRO / net.unit_s), _speeds(parameters, network))


def _speeds(parameters: MappingParameters, network: Network) -> Floats:
    """Of every core of every node; with threads, of every group of cores, on average."""
    groups = np.array(counts_of(network)) // parameters.per_core
    nodes = len(groups)
    of_node = _each(parameters.speeds or "1", "speeds", nodes, "node", "nodes", above=True)
    most = max(parameters.counts)
    of_core = _each(parameters.core_speeds or "1", "core_speeds", most, "core of a node",
                    "cores of a node", above=True)  # fmt: skip
    threads = parameters.threads
    of_group = of_core[: most // threads * threads].reshape(-1, threads).mean(axis=1)
    return np.concatenate(
        [speed * of_group[:many] for speed, many in zip(of_node, groups.tolist(), strict=True)]
    )


def _each(
    text: str, field: str, many: int, one: str, several: str, *, above: bool = False
) -> Floats:
    """A number for each: one for all, a list, or a file of one."""
    where = f"setting {field}"
    listed = _listed(text.strip(" []()"), where, timed=not above)
    found = np.array(number_list(listed, where, MOST_PLACES))
    if above and not found.all():
        raise InputError("a speed must be above 0", where=where, value=0.0)
    if len(found) not in {1, many}:
        raise InputError(
            f"{count(len(found), 'number')} for {count(many, one, several)}",
            where=where, value=len(found), remedy=f"Give one for all, or {many}",
        )  # fmt: skip
    return np.full(many, found[0]) if len(found) == 1 else found


def _listed(text: str, where: str, *, timed: bool) -> str:
    """The list that is written, or is in the file of this name; `timed`: of µs."""
    listed = _in_micros(text, where) if timed else text
    if _LIST.fullmatch(listed):
        return listed
    if not is_there(text):
        raise InputError(
            f"this is no list of {'times' if timed else 'speeds'}, and no file has this name",
            where=where, value=text,
            remedy=f"Write {_WORK if timed else _SPEEDS}, or the name of a file of them",
        )  # fmt: skip
    with place(where):
        written = re.sub(r"#.*", "", decoded(read_bytes(text, _LIMIT_BYTES), text))
    return _in_micros(written, where) if timed else written


def _in_micros(text: str, where: str) -> str:
    """A list with the µs of every time in it that has a unit; then all need one."""
    listed = _TIME.sub(lambda match: repr(real(match[0], SECONDS) / _MICRO), text)
    bare = _BARE.search(_TIME.sub(" ", text))
    if bare is not None and listed != text and _LIST.fullmatch(listed):
        raise InputError(
            "some times have a unit and this one has none", where=where, value=bare[0],
            remedy="Give all of them a unit, or none: then they are in µs",
        )  # fmt: skip
    return listed


def computing_notes(
    parameters: MappingParameters, net: Interconnect, computing: Computing | None
) -> Iterable[Note]:
    """What is taken for the time of a step."""
    if computing is None:
        return
    shown: Callable[[float], str] = Clock.of(net).text
    least, most = float(computing.work.min()), float(computing.work.max())
    work = shown(least) if least == most else f"{shown(least)} to {shown(most)}"
    slow, fast = float(computing.speed.min()), float(computing.speed.max())
    speed = f"{slow:g}" if slow == fast else f"{slow:g} to {fast:g}"
    yield Note(
        True,
        f"Work of a process {work}, speed of a core {speed}, as set; a step takes the longest "
        "computing of a core, Σ work / speed, and then the exchange; messages cost the same on "
        "all cores",
        "Valiant 1990",
        EQUATION,
    )
    if parameters.threads > 1 and parameters.core_speeds.strip():
        yield Note(True, "Threads of a process: the mean speed of its cores", kind=STATED)
