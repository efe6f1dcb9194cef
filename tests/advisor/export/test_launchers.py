"""Files for launchers: what they say, what they refuse, and that a real mpirun takes them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.host_list import Slot, parse_hosts, read_hosts
from advisor.export import mpich, mpich_rank_order, openmpi
from advisor.export import slurm_hostlist as slurm
from advisor.export.export_options import Options
from advisor.export.process_placement import MAPPING, Placement, place
from advisor.export.registry import export, exports_of
from advisor.messages.mapping.mapping_file import NamedMapping
from machines import Crossbar, InputError, Mesh, MultiCore, PlacewiseError
from machines.multicore import with_cores

LAUNCHERS = exports_of(MAPPING)
EXACT = sorted(set(LAUNCHERS) - {"mpich-rank-order"})  # they name the host of each rank
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
REMOTE = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1; shift
exec unshare --uts sh -c "hostname $host; $*"
"""


def placed(
    nodes: tuple[int, ...] = (5, 0, 4, 2), hosts: str = "n02:2\nn00:2\nn01:2\n"
) -> Placement:
    return place(NamedMapping(Mesh((3, 2)), nodes), parse_hosts(hosts))


def test_a_list_of_hosts_gives_slots_in_its_order() -> None:
    text = "# rack 1\nnode-b\n\nnode.a:2  # two\nnode-b slots=2\nn3 1\n"
    expected = [
        ("node-b", 0),
        ("node.a", 0),
        ("node.a", 1),
        ("node-b", 1),
        ("node-b", 2),
        ("n3", 0),
    ]
    assert parse_hosts(text) == tuple(Slot(*one) for one in expected)
    assert parse_hosts("a\r\nb:1\r\n", cores=2) == (Slot("a", 0), Slot("a", 1), Slot("b", 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nn[01-03\n", r"hosts: line 2: this is no host \(got 'n\[01-03'\)"),
        ("a,,b", "this is no host"),
        ("-a", "this is no host"),
        ("a b", "this is no host"),
        ("a slots=-1", "this is no host"),
        ("a:0", r"line 1: the cores are out of range \(got 0\)"),
        ("a:99999999999", "out of range"),
        ("# none\n", "no host in it"),
    ],
)
def test_what_is_no_host_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_hosts(text)


def test_hosts_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("a\nb\n")
    assert len(read_hosts(tmp_path / "h", cores=3)) == 6
    with pytest.raises(InputError, match="can't be read"):
        read_hosts(tmp_path / "gone")


def test_node_k_is_slot_k() -> None:
    placement = placed()
    assert [(slot.host, slot.core) for slot in placement.slots] == [
        ("n01", 1),
        ("n02", 0),
        ("n01", 0),
        ("n00", 0),
    ]


def test_a_list_too_short_says_what_is_there_and_what_is_wanted() -> None:
    with pytest.raises(InputError, match="too short: 5 cores on 2 hosts for 6 nodes"):
        placed(hosts="a:3\nb:2\n")
    with pytest.raises(InputError, match="too short: 1 core on 1 host for 6 nodes"):
        placed(hosts="a")


def test_a_rankfile_ascends_from_rank_0() -> None:
    assert openmpi.rankfile(placed()) == (
        "rank 0=n01 slot=1\nrank 1=n02 slot=0\nrank 2=n01 slot=0\nrank 3=n00 slot=0\n"
    )
    assert openmpi.hostfile(placed()) == "n01 slots=2\nn02 slots=1\nn00 slots=1\n"
    assert openmpi.sequence(placed()) == "n01\nn02\nn01\nn00\n"


def test_a_hydra_file_joins_neighbouring_ranks_of_one_host() -> None:
    assert mpich.hostfile(placed((5, 4, 0, 1, 2))) == (
        "n01:2 binding=user:1,0\nn02:2 binding=user:0,1\nn00:1 binding=user:0\n"
    )


def test_a_slurm_list_has_one_name_a_task() -> None:
    assert slurm.hostlist(placed()) == "n01\nn02\nn01\nn00\n"


@given(st.permutations(range(6)), st.integers(1, 6), st.sampled_from(EXACT))
def test_every_file_says_what_the_mapping_says(nodes: list[int], count: int, name: str) -> None:
    placement = placed(tuple(nodes[:count]))
    launcher = LAUNCHERS[name]
    text = launcher.text(placement)
    assert launcher.parse(text) == launcher.says(placement)
    assert "\r" not in text
    assert text.isascii()
    other = placed((*nodes[1:count], nodes[0]), hosts="a:3\nb:1\nc:2\n")
    assert launcher.parse(launcher.render(other)) != launcher.says(placement)


def test_a_file_that_says_something_else_is_not_written(tmp_path: Path) -> None:
    honest = LAUNCHERS["slurm-hostlist"]
    lying = replace(honest, render=lambda placement: honest.render(placement) + "n09\n")
    with pytest.raises(PlacewiseError, match="does not hold this mapping"):
        lying.write(placed(), tmp_path / "x")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (openmpi.parse_rankfile, "rank 1=a slot=0\nrank 0=a slot=1\n"),
        (openmpi.parse_rankfile, "RANK 0=a slot=0\n"),
        (openmpi.parse_rankfile, "rank 0=a slot=p1\n"),
        (openmpi.parse_rankfile, "rank 0=a slot=0\r\n"),
        (openmpi.parse_hostfile, "a slots=-1\n"),
        (openmpi.parse_hostfile, "a slots=1\na slots=2\n"),
        (openmpi.parse_sequence, "a b\n"),
        (mpich.parse_hostfile, "a:1 binding=user:0\na:1 binding=user:1\n"),
        (mpich.parse_hostfile, "a:0 binding=user:0\n"),
        (mpich.parse_hostfile, "a:2 binding=user:0\n"),
        (mpich.parse_hostfile, "a slots=2\n"),
        (slurm.parse_hostlist, "n[01-03]\n"),
        (slurm.parse_hostlist, "a\r\n"),
    ],
)
def test_our_parsers_refuse_what_the_launchers_refuse(parse: object, text: str) -> None:
    assert callable(parse)
    with pytest.raises(InputError):
        parse(text)


def threaded(threads: int = 3) -> Placement:
    """Four ranks with threads on hosts of 7, 6 and 6 cores; one core of the first stays free."""
    hosts = Options(hosts=(("n02", 7), ("n00", 6), ("n01", 6)), threads=threads)
    return MAPPING.place(NamedMapping(Mesh((3, 2)), (5, 0, 4, 1)), hosts)


def test_a_rank_with_threads_gets_as_many_cores_one_after_the_other() -> None:
    placement = threaded()
    assert openmpi.rankfile(placement) == (
        "rank 0=n01 slot=3-5\nrank 1=n02 slot=0-2\nrank 2=n01 slot=0-2\nrank 3=n02 slot=3-5\n"
    )
    assert openmpi.hostfile(placement) == "n01 slots=6\nn02 slots=6\n"
    assert mpich.hostfile(placement).splitlines()[0] == "n01:1 binding=user:3+4+5"
    assert MAPPING.sentence(placement) == "4 processes on 2 hosts, 3 cores each."
    for launcher in LAUNCHERS.values():
        assert launcher.parse is not None
        assert launcher.says is not None
        assert launcher.parse(launcher.text(placement)) == launcher.says(placement)


def test_a_rank_order_lists_the_ranks_of_each_node_in_the_order_of_its_cores() -> None:
    placement = placed((5, 0, 4, 2, 1))
    text = mpich_rank_order.rank_order(placement)
    assert text == "2,0\n1,4\n3\n"
    assert mpich_rank_order.parse_rank_order(text) == ((2, 0), (1, 4), (3,))
    (line,) = LAUNCHERS["mpich-rank-order"].commands(placement, "f")
    assert "--ntasks=5 --ntasks-per-node=2 PROGRAM" in line
    assert line.endswith("(nodes in this order: n01,n02,n00)")
    (line,) = LAUNCHERS["mpich-rank-order"].commands(threaded(), "f")
    assert "OMP_NUM_THREADS=3 srun --ntasks=4 --ntasks-per-node=2 --cpus-per-task=3" in line


@given(st.permutations(range(6)))
def test_a_rank_order_puts_every_rank_on_the_node_of_the_mapping(nodes: list[int]) -> None:
    placement = placed(tuple(nodes))
    found = mpich_rank_order.parse_rank_order(mpich_rank_order.rank_order(placement))
    slots = [placement.slots[rank] for ranks in found for rank in ranks]
    assert [slot.core for slot in slots] == [0, 1] * 3
    assert all(one.host == two.host for one, two in zip(slots[::2], slots[1::2], strict=True))


def test_a_rank_order_that_no_launcher_could_fill_is_refused() -> None:
    with pytest.raises(InputError, match=r"n02 and n00 get fewer than 2 ranks.*slurm-hostlist"):
        LAUNCHERS["mpich-rank-order"].text(placed((5, 4, 0, 2)))
    for text in ("0,1\n1\n", "1,2\n", "0-3\n"):
        with pytest.raises(InputError):
            mpich_rank_order.parse_rank_order(text)


def test_commands_name_the_threads_of_a_rank() -> None:
    placement = threaded()
    for line in (
        *openmpi.rankfile_command(placement, "f"),
        *openmpi.hostfile_command(placement, "f"),
        *openmpi.sequence_command(placement, "f"),
        *mpich.command(placement, "f"),
        *slurm.command(placement, "f"),
    ):
        assert "OMP_NUM_THREADS=3 " in line.replace("OMP_NUM_THREADS 3", "OMP_NUM_THREADS=3")
    assert "--cpus-per-task=3 --exclusive --cpu-bind=cores" in slurm.command(placement, "f")[0]
    assert "--bind-to none" in openmpi.sequence_command(placement, "f")[0]
    assert "OMP" not in "".join(openmpi.rankfile_command(placed(), "f"))


def test_ranks_in_turn_need_no_rankfile() -> None:
    def commands(mapping: tuple[int, ...]) -> tuple[str, ...]:
        named = NamedMapping(Mesh((4,)), mapping)
        return openmpi.hostfile_command(
            MAPPING.place(named, Options(hosts=(("a", 6), ("b", 6)), threads=3)), "f"
        )

    assert commands((0, 1, 2, 3)) == (
        "Open MPI: mpirun -np 4 --hostfile f --map-by ppr:2:node:PE=3 --bind-to core "
        "-x OMP_NUM_THREADS=3 PROGRAM",
    )
    # b gets fewer than a; ranks alternate; the second place of a comes first
    for mapping in ((0, 1, 2), (0, 2, 1, 3), (1, 0, 2, 3)):
        assert all("-rf RANKFILE" in line or "rankfile" in line for line in commands(mapping))


def test_hosts_with_too_few_cores_for_the_threads_are_refused() -> None:
    with pytest.raises(InputError, match="5 places of 4 cores on 3 hosts for 6 nodes"):
        MAPPING.place(
            NamedMapping(Mesh((3, 2)), (0, 1)),
            Options(hosts=(("a", 9), ("b", 9), ("c", 5)), threads=4),
        )
    with pytest.raises(InputError, match=r"no host has 8 cores.*got 7"):
        threaded(8)
    with pytest.raises(InputError, match="cores of a rank follow each other"):
        mpich.parse_hostfile("a:1 binding=user:0+2\n")


def test_comments_are_read_over() -> None:
    text = "# by Placewise\n\nrank 0 = a slots=0  # first\n".replace("slots", "slot")
    assert openmpi.parse_rankfile(text) == (Slot("a", 0),)
    assert slurm.parse_hostlist("# x\na\n") == ("a",)
    assert mpich.parse_hostfile("# x\na:1 binding=user:3\n") == (Slot("a", 3),)


def test_an_export_tells_the_command_that_uses_it(tmp_path: Path) -> None:
    path = tmp_path / "my ranks"
    four, five = LAUNCHERS["openmpi-rankfile"].write(placed(), path)
    assert four == f"Open MPI 4.x: mpirun -np 4 -rf '{path}' PROGRAM"
    assert f"--map-by rankfile:file='{path}'" in five
    assert path.read_text() == openmpi.rankfile(placed())
    (slurm_line,) = LAUNCHERS["slurm-hostlist"].write(placed(), tmp_path / "s")
    assert f"SLURM_HOSTFILE={tmp_path}/s srun --ntasks=4 --distribution=arbitrary" in slurm_line
    assert slurm.command(placed(), "hosts")[0].startswith("Slurm: SLURM_HOSTFILE=./hosts ")
    (hydra,) = LAUNCHERS["mpich-hostfile"].write(placed(), tmp_path / "m")
    assert hydra == f"MPICH: mpiexec.hydra -n 4 -f {tmp_path}/m PROGRAM"
    assert LAUNCHERS["mapping-csv"].write(placed(), tmp_path / "c") == ()
    with pytest.raises(InputError, match=r"unknown export format.*slurm-hostlist"):
        export("slurm-hostlst", placed(), tmp_path / "x")


def test_a_mapping_and_hosts_are_exported_by_name(tmp_path: Path) -> None:
    named = NamedMapping(Mesh((3, 2)), (5, 0, 4, 2))
    hosts = Options(hosts=(("n02", 2), ("n00", 2), ("n01", 3)))
    (line,) = export("slurm-hostlist", named, tmp_path / "s", hosts)
    assert "srun --ntasks=4" in line
    assert (tmp_path / "s").read_text() == slurm.hostlist(placed())
    assert MAPPING.sentence(MAPPING.place(named, hosts)) == (
        "4 processes on 3 hosts; 1 core more than the network has nodes stay unused."
    )
    with pytest.raises(InputError, match="needs the hosts"):
        export("slurm-hostlist", named, tmp_path / "t")


def test_slurm_is_told_the_cores_of_ranks_where_it_can_be() -> None:
    own = "--exclusive --cpu-bind=cores PROGRAM"
    hosts = "n03:2\nn01:2\nn02:2\n"
    (in_order,) = slurm.command(placed((0, 2, 1, 3, 4), hosts), "f")
    assert own in in_order
    first, second = slurm.command(placed((1, 3, 0, 2, 5), hosts), "f")
    assert own in first
    assert "inside salloc --exclusive: SLURM_HOSTFILE=./f srun --ntasks=5" in second
    assert second.endswith("--distribution=arbitrary --cpu-bind=map_cpu:1,0 PROGRAM")
    assert len(slurm.command(placed((1, 2, 0, 3, 5), hosts), "f")) == 1  # no list is of all hosts


def test_names_with_dots_are_kept_whole_by_an_option() -> None:
    dotted = placed(hosts="a.x:3\nb.x:3\n")
    assert "--mca orte_keep_fqdn_hostnames 1" in openmpi.rankfile_command(dotted, "f")[0]
    assert "orte" not in openmpi.rankfile_command(placed(), "f")[0]


def mpirun() -> str:
    """The path of Open MPI's mpirun of series 4; skips without."""
    for name in ("mpirun.openmpi", "mpirun"):
        path = shutil.which(name)
        if path is not None:
            about = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if "4." in about.stdout and ("OpenRTE" in about.stdout or "Open MPI" in about.stdout):
                return path
    pytest.skip("no Open MPI 4 here")


def ran(*words: object) -> subprocess.CompletedProcess[str]:
    command = [str(word) for word in words]
    return subprocess.run(
        command, env=os.environ | ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_real_mpirun_takes_the_rankfile(tmp_path: Path) -> None:
    program = mpirun()
    placement = place(NamedMapping(Mesh((1,)), (0,)), parse_hosts("localhost"))
    LAUNCHERS["openmpi-rankfile"].write(placement, tmp_path / "rf")
    found = ran(program, "-np", 1, "-rf", tmp_path / "rf", "printenv", "OMPI_COMM_WORLD_RANK")
    assert (found.returncode, found.stdout) == (0, "0\n"), found.stderr


@pytest.mark.parametrize("name", ["openmpi-rankfile", "openmpi-sequence"])
def test_a_real_mpirun_puts_every_rank_on_its_host(name: str, tmp_path: Path) -> None:
    program = mpirun()
    if shutil.which("unshare") is None or ran("unshare", "--uts", "hostname", "n00").returncode:
        pytest.skip("no host names of one's own here")
    remote = tmp_path / "remote"
    remote.write_text(REMOTE)
    remote.chmod(0o755)
    placement = placed((4, 0, 2, 5), "n02:1\nn00:1\nn01:1\nn04:1\nn03:1\nn05:1\n")
    LAUNCHERS[name].write(placement, tmp_path / "file")
    use = ["-rf", tmp_path / "file"]
    if name == "openmpi-sequence":
        use = ["--hostfile", tmp_path / "file", "--map-by", "seq"]
    nearby = [word for name in ("oob", "btl") for word in ("--mca", f"{name}_tcp_if_include", "lo")]
    say = 'echo "$OMPI_COMM_WORLD_RANK $(hostname)"'
    found = ran(program, "--mca", "plm_rsh_agent", remote, *nearby, "-np", 4, *use, "sh", "-c", say)
    assert found.returncode == 0, found.stderr
    assert sorted(found.stdout.split("\n")[:-1]) == ["0 n03", "1 n02", "2 n01", "3 n05"]


CORES = "import os; print(sorted(os.sched_getaffinity(0)))"


def lone(threads: int) -> Placement:
    """One rank of some threads on this host."""
    hosts = Options(hosts=(("localhost", threads),), threads=threads)
    return MAPPING.place(NamedMapping(Mesh((1,)), (0,)), hosts)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
@pytest.mark.parametrize("name", ["openmpi-rankfile", "openmpi-hostfile"])
def test_a_real_mpirun_gives_a_rank_a_core_for_each_thread(name: str, tmp_path: Path) -> None:
    program = mpirun()
    launcher, file = LAUNCHERS[name], tmp_path / "file"
    launcher.write(lone(2), file)
    line = next(one for one in launcher.commands(lone(2), str(file)) if "5.x" not in one)
    words = shlex.split(line.partition(": ")[2])
    assert words[0] == "mpirun" and words[-1] == "PROGRAM"
    found = ran(program, *words[1:-1], sys.executable, "-c", CORES)
    assert (found.returncode, found.stdout) == (0, "[0, 1]\n"), found.stderr


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
def test_a_real_hydra_binds_ranks_to_their_cores(tmp_path: Path) -> None:
    program = shutil.which("mpiexec.hydra")
    if program is None:
        pytest.skip("no MPICH here")
    slots = parse_hosts("localhost:2")
    plain = place(NamedMapping(MultiCore(Crossbar(1), 2), (1, 0)), slots)
    # in one piece: Hydra merges what ranks write
    say = (
        "import os; said = os.environ['PMI_RANK'], sorted(os.sched_getaffinity(0))\n"
        "os.write(1, '{} {}\\n'.format(*said).encode())"
    )
    for placement, cores in ((plain, "0 [1]\n1 [0]"), (lone(2), "0 [0, 1]")):
        file = tmp_path / f"hosts{placement.threads}"
        LAUNCHERS["mpich-hostfile"].write(placement, file)
        (line,) = LAUNCHERS["mpich-hostfile"].commands(placement, str(file))
        words = shlex.split(line.partition(": ")[2])
        found = ran(program, *words[1:-1], sys.executable, "-c", say)
        assert "\n".join(sorted(found.stdout.splitlines())) == cores, found.stderr


def test_a_real_mpirun_fills_hosts_of_unequal_cores(tmp_path: Path) -> None:
    program = mpirun()
    if shutil.which("unshare") is None or ran("unshare", "--uts", "hostname", "n00").returncode:
        pytest.skip("no host names of one's own here")
    remote = tmp_path / "remote"
    remote.write_text(REMOTE)
    remote.chmod(0o755)
    named = NamedMapping(with_cores(Crossbar(2), (1, 2)), (2, 0, 1))
    placement = place(named, parse_hosts("n07:1\nn08:2\n"))
    assert placement.advice == ()
    LAUNCHERS["openmpi-sequence"].write(placement, tmp_path / "file")
    nearby = [word for name in ("oob", "btl") for word in ("--mca", f"{name}_tcp_if_include", "lo")]
    say = 'echo "$OMPI_COMM_WORLD_RANK $(hostname)"'
    use = ["--hostfile", tmp_path / "file", "--map-by", "seq", "--bind-to", "none"]
    found = ran(program, "--mca", "plm_rsh_agent", remote, *nearby, "-np", 3, *use, "sh", "-c", say)
    assert found.returncode == 0, found.stderr
    assert sorted(found.stdout.split("\n")[:-1]) == ["0 n08", "1 n07", "2 n08"]
