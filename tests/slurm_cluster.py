"""A Slurm of several nodes on this machine, for tests: in namespaces of its own, nothing is left.

One slurmctld and one slurmd a node, each on a port of its own, all on the address of a loopback
that no other process sees. Needs root, ``unshare`` and Slurm's programs; a test is skipped with the
reason where one lacks. The init of the process namespace waits for the end of its input, a pipe of
the test's process: however that ends, the kernel ends the cluster with it.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engines import program

NODES = ("n01", "n02", "n03", "n04")
_START_S = 60.0
_ADDRESS = "10.9.9.1"  # srun resolves no address of 127.*: getaddrinfo(AI_ADDRCONFIG)
_CONF = """ClusterName=test
SlurmctldHost=localhost({address})
SlurmctldPort=16817
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=50000,defer_batch
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
KillWait=2
MinJobAge=300
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
"""
_INIT = """ip link set lo up && ip addr add {address}/32 dev lo && hostname localhost || exit 1
slurmctld -D >slurmctld.out 2>&1 &
for node in {names}; do slurmd -D -N "$node" >"slurmd.$node.out" 2>&1 & done
echo begun
exec cat >/dev/null
"""


@dataclass(frozen=True)
class Cluster:
    """A Slurm that runs.

    Attributes
    ----------
    nodes : tuple of str
    cores : int
        Of every node.
    pid : int
        Of the init of its namespaces.
    folder : Path
        Of its configuration, state and logs.
    """

    nodes: tuple[str, ...]
    cores: int
    pid: int
    folder: Path

    def run(
        self, words: Sequence[object], folder: Path, timeout_s: float = 120.0, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """A command as a user of the cluster gives it, in a folder."""
        enter = ["nsenter", "-t", str(self.pid), "-n", "-m", "-u", "-p", f"--wd={folder}"]
        return subprocess.run(
            [*enter, *(str(word) for word in words)],
            env=os.environ | {"SLURM_CONF": str(self.folder / "slurm.conf")} | variables,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout_s,
            check=False,
        )  # fmt: skip

    def ended(self, folder: Path, timeout_s: float = 120.0) -> None:
        """Return when no job is left."""
        until = time.monotonic() + timeout_s
        while left := self.run(["squeue", "-h", "-o", "%i %j %T %r"], folder).stdout:
            assert time.monotonic() < until, left
            time.sleep(0.2)


@contextmanager
def cluster(folder: Path, cores: int = 2) -> Iterator[Cluster]:
    """A cluster of `NODES`, whose files are in a folder; it ends with the block."""
    for name in ("unshare", "nsenter", "ip", "slurmctld", "slurmd", "sbatch", "srun", "squeue"):
        program(name)
    if os.geteuid() != 0:
        pytest.skip("a cluster of one's own needs root")
    (folder / "state").mkdir(parents=True)
    nodes = "\n".join(
        f"NodeName={node} NodeHostname=localhost NodeAddr={_ADDRESS} Port={17001 + at} "
        f"CPUs={cores} RealMemory=1000"
        for at, node in enumerate(NODES)
    )
    (folder / "slurm.conf").write_text(
        _CONF.format(address=_ADDRESS, folder=folder, nodes=nodes), encoding="utf-8"
    )
    init = subprocess.Popen(
        ["unshare", "-n", "-m", "-u", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c",
         _INIT.format(address=_ADDRESS, names=" ".join(NODES))],
        cwd=folder, env=os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert init.stdout is not None
        if init.stdout.readline() != "begun\n":
            said = init.communicate()[1].strip()
            pytest.skip(f"no namespaces here: {said}")
        children = Path(f"/proc/{init.pid}/task/{init.pid}/children").read_text(encoding="ascii")
        found = Cluster(NODES, cores, int(children.split()[0]), folder)
        _wait_for_nodes(found)
        yield found
    finally:
        init.kill()
        init.communicate()


def _wait_for_nodes(found: Cluster) -> None:
    until = time.monotonic() + _START_S
    idle = ["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"]
    while set(found.run(idle, found.folder).stdout.split()) != set(found.nodes):
        if time.monotonic() > until:
            logs = "\n".join(one.read_text() for one in found.folder.glob("*.out"))
            pytest.fail(f"the cluster does not start:\n{logs}")
        time.sleep(0.2)
