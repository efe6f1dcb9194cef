"""Ranks on a Slurm of several nodes: every rank on its host, and bound to its core."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.basics.host_list import parse_hosts, slots_on
from advisor.export import slurm_hostlist as slurm
from advisor.export.process_placement import Placement, place
from advisor.messages.mapping.mapping_file import NamedMapping
from machines import Mesh
from tests.slurm_cluster import Cluster, cluster

pytestmark = pytest.mark.engines
_CORES = 2  # a rank can be bound to cores that there are
_SAY = """import os
print(os.environ["SLURM_PROCID"], os.environ["SLURMD_NODENAME"], *os.sched_getaffinity(0))
"""


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if not set(range(_CORES)) <= os.sched_getaffinity(0):
        pytest.skip(f"cores 0 to {_CORES - 1} are not ours here")
    with cluster(tmp_path_factory.mktemp("slurm") / "cluster", cores=_CORES) as found:
        yield found


def ran(four: Cluster, folder: Path, line: str, *before: str) -> list[tuple[int, str, list[int]]]:
    """What ranks say of where they are, run as a line of the export tells."""
    (folder / "say.py").write_text(_SAY)
    command = line.partition(": ")[2].partition(" PROGRAM")[0]
    found = four.run([*before, "bash", "-c", f"{command} {sys.executable} say.py"], folder)
    assert found.returncode == 0, found.stderr
    said = [line.split() for line in found.stdout.splitlines()]
    return sorted((int(rank), host, [int(core) for core in cores]) for rank, host, *cores in said)


def placed(nodes: tuple[int, ...], folder: Path) -> Placement:
    """Ranks on hosts that do not come in sorted order."""
    placement = place(NamedMapping(Mesh((3, 2)), nodes), parse_hosts("n03:2\nn01:2\nn02:2\n"))
    (folder / "hosts").write_text(slurm.hostlist(placement))
    return placement


def wanted(placement: Placement) -> list[tuple[int, str, list[int]]]:
    return [(rank, slot.host, [slot.core]) for rank, slot in enumerate(placement.slots)]


def test_ranks_get_the_cores_of_the_mapping_in_their_order(four: Cluster, tmp_path: Path) -> None:
    placement = placed((0, 2, 1, 3, 4), tmp_path)
    (line,) = slurm.command(placement, "hosts")
    assert ran(four, tmp_path, line) == wanted(placement)
    inside = ("salloc", "-Q", "-N", "4", "--exclusive")
    assert ran(four, tmp_path, line, *inside) == wanted(placement)


def test_ranks_get_the_cores_that_they_are_told(four: Cluster, tmp_path: Path) -> None:
    placement = placed((1, 3, 0, 2, 5), tmp_path)
    own, told = slurm.command(placement, "hosts")
    assert ran(four, tmp_path, told, "salloc", "-Q", "-N", "4", "--exclusive") == wanted(placement)
    assert [host for _, host, _ in ran(four, tmp_path, own)] == list(placement.hosts)


def test_every_rank_has_a_core_of_its_own_on_its_host(four: Cluster, tmp_path: Path) -> None:
    placement = placed((1, 2, 0, 3, 5), tmp_path)
    (line,) = slurm.command(placement, "hosts")
    found = ran(four, tmp_path, line)
    assert [host for _, host, _ in found] == list(placement.hosts)
    assert all(len(cores) == 1 for _, _, cores in found)
    assert len({(host, *cores) for _, host, cores in found}) == len(found)


def test_a_rank_with_threads_gets_all_its_cores(four: Cluster, tmp_path: Path) -> None:
    hosts = slots_on((("n03", 2), ("n01", 2), ("n02", 2)), threads=2)
    placement = place(NamedMapping(Mesh((3,)), (1, 0, 2)), hosts)
    (tmp_path / "hosts").write_text(slurm.hostlist(placement))
    (line,) = slurm.command(placement, "hosts")
    found = ran(four, tmp_path, line)
    assert found == [(rank, host, [0, 1]) for rank, host in enumerate(("n01", "n03", "n02"))]
