"""Open MPI: a rankfile, which binds each rank to a host and core, and hostfiles.

Facts of mpirun 4.1: ranks ascend from 0, cores are logical numbers, a core that does not exist
ends it without a message. 4.x takes ``-rf FILE``; 5.x only ``--map-by rankfile:file=FILE``, and
its hosts must be in the allocation, which the hostfile with slots states. A rank with threads gets
a range of cores.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter

from advisor.basics.host_list import Slot
from advisor.export.export_record import Export
from advisor.export.process_placement import MAPPING, OPTIONS, Placement, hosts_of, slots_of
from machines.errors import InputError

_RANK = re.compile(r"rank\s+(\d+)\s*=\s*(\S+)\s+slot\s*=\s*(\d+)(?:-(\d+))?")
_SLOTS = re.compile(r"(\S+)\s+slots=(\d+)")


def rankfile(placement: Placement) -> str:
    """The text of a rankfile, ascending ranks from 0."""
    lines = [
        f"rank {rank}={slot.host} slot={_range(slot)}" for rank, slot in enumerate(placement.slots)
    ]
    return "\n".join(lines) + "\n"


def parse_rankfile(text: str) -> tuple[Slot, ...]:
    """Host and core of every rank of a rankfile; InputError: a line that mpirun would refuse."""
    slots: list[Slot] = []
    for number, line in _lines(text):
        found = _RANK.fullmatch(line)
        if found is None or int(found[1]) != len(slots):
            raise InputError(
                f"expected rank {len(slots)}=HOST slot=CORE", where=f"line {number}", value=line
            )
        core = int(found[3])
        slots.append(Slot(found[2], core, int(found[4] or core) - core + 1))
    return tuple(slots)


def _range(slot: Slot) -> str:
    """Its cores: "4", or "4-7"."""
    return f"{slot.core}" if slot.threads == 1 else f"{slot.core}-{slot.cores[-1]}"


def _overload(placement: Placement) -> str:
    """What lets 5.x put several ranks on a core; 4.x does so without."""
    return "--bind-to core:overload-allowed " if placement.shared else ""


def _with_threads(placement: Placement) -> str:
    """What tells the program its threads."""
    return f"-x OMP_NUM_THREADS={placement.threads} " if placement.threads > 1 else ""


def rankfile_command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with the rankfile, by version."""
    name, ranks = shlex.quote(file), len(placement.slots)
    # 4.x cuts names at the first dot otherwise, and then finds no such host
    threads = _with_threads(placement)
    dots = "--mca orte_keep_fqdn_hostnames 1 " if _dotted(placement) else ""
    return (
        f"Open MPI 4.x: mpirun {dots}-np {ranks} -rf {name} {threads}PROGRAM",
        f"Open MPI 5.x: mpirun -np {ranks} --hostfile HOSTFILE "
        f"--map-by rankfile:file={name} {_overload(placement)}{threads}PROGRAM",
    )


def hostfile(placement: Placement) -> str:
    """The text of a hostfile: every host once, with slots up to its highest core in use."""
    return "".join(f"{host} slots={most}\n" for host, most in _cores(placement).items())


def parse_hostfile(text: str) -> dict[str, int]:
    """Slots of every host of a hostfile; InputError: a line that states none."""
    slots: dict[str, int] = {}
    for number, line in _lines(text):
        found = _SLOTS.fullmatch(line)
        if found is None or found[1] in slots:
            raise InputError("expected HOST slots=N", where=f"line {number}", value=line)
        slots[found[1]] = int(found[2])
    return slots


def hostfile_command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with hostfile and rankfile together, or without where ranks are in turn.

    ``ppr:N:node:PE=n`` puts N ranks of n cores on each host, one host after the other.
    """
    name, ranks = shlex.quote(file), len(placement.slots)
    threads = _with_threads(placement)
    if each := _in_turn(placement):
        run = f"mpirun -np {ranks} --hostfile {name} --map-by ppr:{each}:node:PE="
        return (f"Open MPI: {run}{placement.threads} --bind-to core {threads}PROGRAM",)
    return (
        f"Open MPI 4.x: mpirun -np {ranks} --hostfile {name} -rf RANKFILE {threads}PROGRAM",
        f"Open MPI 5.x: mpirun -np {ranks} --hostfile {name} "
        f"--map-by rankfile:file=RANKFILE {_overload(placement)}{threads}PROGRAM",
    )


def sequence(placement: Placement) -> str:
    """The text of a hostfile for the sequential mapper: the host of each rank, line by line."""
    return "".join(f"{host}\n" for host in placement.hosts)


def parse_sequence(text: str) -> tuple[str, ...]:
    """The host of every rank; InputError: a line with more than a name."""
    hosts = []
    for number, line in _lines(text):
        if len(line.split()) != 1:
            raise InputError("expected one host", where=f"line {number}", value=line)
        hosts.append(line)
    return tuple(hosts)


def sequence_command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with the sequential mapper."""
    name, ranks = shlex.quote(file), len(placement.slots)
    # seq gives a rank one core of its own
    free = "--bind-to none " if placement.threads > 1 or placement.shared else ""
    run = f"mpirun -np {ranks} --hostfile {name} --map-by seq {free}{_with_threads(placement)}"
    return (f"Open MPI: {run}PROGRAM",)


def _lines(text: str) -> list[tuple[int, str]]:
    """(number, content) of the lines that hold something; mpirun refuses carriage returns."""
    if "\r" in text:
        raise InputError("lines must end with a line feed alone", where="hosts")
    lines = enumerate(text.split("\n"), 1)
    stripped = ((number, line.partition("#")[0].strip()) for number, line in lines)
    return [(number, line) for number, line in stripped if line]


def _cores(placement: Placement) -> dict[str, int]:
    """One more than the highest core in use of every host, in the order of the ranks."""
    most: Counter[str] = Counter()
    for slot in placement.slots:
        most[slot.host] = max(most[slot.host], slot.core + slot.threads)
    return dict(most)


def _in_turn(placement: Placement) -> int:
    """Ranks a host where the hosts are filled one after the other from core 0 on; else 0."""
    each = Counter(placement.hosts)
    many = next(iter(each.values()))
    n = placement.threads
    turns = [Slot(host, n * one, n) for host in each for one in range(many)]
    return many if tuple(turns) == placement.slots else 0


def _dotted(placement: Placement) -> bool:
    return any("." in host for host in placement.hosts)


RANKFILE = Export(
    "openmpi-rankfile", "Open MPI rankfile", ".rankfile", MAPPING,
    rankfile, parse_rankfile, slots_of, rankfile_command, options=OPTIONS, stem="openmpi",
)  # fmt: skip
HOSTFILE = Export(
    "openmpi-hostfile", "Open MPI hostfile (slots, beside a rankfile)", ".hostfile", MAPPING,
    hostfile, parse_hostfile, _cores, hostfile_command, options=OPTIONS, stem="openmpi",
)  # fmt: skip
SEQUENCE = Export(
    "openmpi-sequence", "Open MPI hostfile (rank by rank)", ".hostfile", MAPPING,
    sequence, parse_sequence, hosts_of, sequence_command, options=OPTIONS,
)  # fmt: skip
