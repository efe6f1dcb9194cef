"""Mappings with several ranks a core in the files of launchers."""

from __future__ import annotations

from advisor.basics.host_list import parse_capacities, parse_hosts
from advisor.export import mpich, openmpi, slurm_hostlist
from advisor.export.export_options import Options
from advisor.export.process_placement import MAPPING, place
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.mapping.program_patterns import ring
from machines import Crossbar
from machines.multicore import with_cores

# two nodes of two cores, two ranks each: places 0 1 | 2 3 and 4 5 | 6 7
SHARED = NamedMapping(with_cores(Crossbar(2), 4), (4, 5, 0, 2, 3), per_core=2)
PLACED = place(SHARED, parse_hosts("a:2\nb:2"))


def test_ranks_of_a_core_are_bound_to_it() -> None:
    assert openmpi.rankfile(PLACED).splitlines() == [
        "rank 0=b slot=0", "rank 1=b slot=0", "rank 2=a slot=0", "rank 3=a slot=1",
        "rank 4=a slot=1",
    ]  # fmt: skip
    assert openmpi.parse_rankfile(openmpi.rankfile(PLACED)) == PLACED.slots
    assert mpich.hostfile(PLACED) == "b:2 binding=user:0,0\na:3 binding=user:0,1,1\n"
    assert mpich.parse_hostfile(mpich.hostfile(PLACED)) == PLACED.slots


def test_launchers_are_told_that_cores_are_shared() -> None:
    newer = openmpi.rankfile_command(PLACED, "f")[1]
    assert "--bind-to core:overload-allowed" in newer
    (run,) = slurm_hostlist.command(PLACED, "f")
    assert "--overcommit" in run
    alone = place(NamedMapping(Crossbar(2), (0, 1)), parse_hosts("a\nb"))
    assert "overload" not in "".join(openmpi.rankfile_command(alone, "f"))
    assert "--overcommit" not in "".join(slurm_hostlist.command(alone, "f"))
    assert MAPPING.sentence(PLACED) == "5 processes on 2 hosts; 3 cores in all, some shared."


def test_hosts_of_other_cores_are_told_by_cores_not_by_ranks() -> None:
    named = NamedMapping(SHARED.network, tuple(range(8)), (), ring(8), per_core=2)
    placed = MAPPING.place(named, Options(hosts=parse_capacities("a:4")))
    assert placed.advice[0].startswith(
        "The mapping was made for nodes of 2 cores, your hosts have 4"
    )
