"""Files of sites become machines with the facts that they hold, and their traps are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.project.opening import open_files
from advisor.project.platforms import PlatformFile, read_machines
from advisor.project.sources.site import MOST_MACHINES
from machines import InputError, Resource
from machines.routes import routes
from tests.advisor.project.sources import site_files as small

MIB = 1 << 20


def read(folder: Path, text: str) -> PlatformFile:
    (folder / "site").write_text(text, encoding="utf-8")
    return read_machines(folder / "site")


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


@pytest.mark.parametrize(
    ("name", "machines"),
    [
        ("slurm-conf", [("n01", 16, 800 * MIB), ("n02", 16, 800 * MIB), ("g1", 6, None)]),
        ("slurm-nodes", [("n01", 16, 800 * MIB)]),
        ("sinfo", [("n01", 16, 1000 * MIB), ("n03", 4, 500 * MIB)]),
        ("sinfo-json", [("n01", 16, 1000 * MIB)]),
        ("hwloc", [("box", 2, 5000)]),
        ("lscpu", [("this host", 8, None)]),
        ("lscpu-json", [("this host", 8, None)]),
        ("cpuinfo", [("this host", 2, None)]),
        ("kubernetes", [("k1", 7, 2048)]),
        ("openpbs", [("x1", 32, 4096)]),
        ("dask-workers", [("w1", 2, 500), ("worker 0", 4, 500)]),
        ("hosts-file", [("n1", 5, None), ("n2", 2, None)]),
    ],
)
def test_machines_have_the_cores_and_memory_that_a_task_may_have(
    tmp_path: Path, name: str, machines: list[tuple[str, int, int | None]]
) -> None:
    found = read(tmp_path, small.SITES[name]).platform
    assert [(one.name, one.cores, one.memory_bytes) for one in found.machines] == machines
    assert {one.speed for one in found.machines} == {1.0}
    assert bool(found.links) == (len(machines) > 1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("slurm-conf", "Left out, as down: old"),
        ("slurm-conf", "GPUs, for tasks that hold some (resources = gpu): g1"),
        ("slurm-nodes", "Left out, as idle+drain: n02"),
        ("sinfo", "No file tells the network"),
        ("hwloc", "Of 3 cores, 2 may be used"),
        ("hwloc", "1 and 1 of them are of different kinds"),
        ("hwloc", "several kinds counts together: HBM, other"),
        ("kubernetes", "unschedulable: k2"),
        ("dask-workers", "lists 2 of 3 workers"),
        ("dask-workers", "Dask's default, no measurement"),
        ("wfformat-machines", "those of one moment"),
    ],
)
def test_what_is_left_out_or_assumed_is_said(tmp_path: Path, name: str, said: str) -> None:
    assert any(said in note for note in read(tmp_path, small.SITES[name]).warnings)


def test_momentary_clocks_tell_speeds_by_kind_alone(tmp_path: Path) -> None:
    found = read(tmp_path, small.WFCOMMONS).platform
    assert [one.speed for one in found.machines] == [1.0, 1.0, 2.0]


@pytest.mark.parametrize("name", ["slurm-gres", "slurm-topology", "slurm-partitions"])
def test_a_part_of_a_site_asks_for_the_nodes(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"site: this tells of .* Open it with slurm.conf"):
        read(tmp_path, small.SITES[name])


@pytest.mark.parametrize("topology", [small.TOPOLOGY, small.TOPOLOGY_YAML])
def test_files_of_one_site_join_by_name(tmp_path: Path, topology: str) -> None:
    paths = written(tmp_path, conf=small.SLURM_CONF, topo=topology, gres=small.GRES)
    opened = open_files(paths, {"network": "infiniband"})
    platform = opened.project.platform
    ends = {(link.first, link.second) for link in platform.links}
    assert ends == {("n01", "leaf1"), ("g1", "leaf1"), ("n02", "leaf2"),
                    ("leaf1", "top"), ("leaf2", "top")}  # fmt: skip
    assert platform.links[0].to_second.bandwidth == pytest.approx(1 / 0.089e-9)
    assert any("hold some (resources = gpu): n01, g1" in note for note in opened.notes)
    assert [(one.key, one.value, one.answered) for one in opened.questions] == [
        ("network", "infiniband", True)
    ]


def test_a_listing_beats_the_configuration(tmp_path: Path) -> None:
    less = small.SCONTROL.replace("Sockets=2", "Sockets=1")
    opened = open_files(written(tmp_path, conf=small.SLURM_CONF, nodes=less))
    found = {one.name: one.cores for one in opened.project.platform.machines}
    assert found["n01"] == 8
    assert any("differ on the cores of n01" in note for note in opened.notes)


def test_ten_thousand_nodes_are_some_of_each_kind(tmp_path: Path) -> None:
    text = "NodeName=a[1-9000] CPUs=8\nNodeName=b[1-1000] CPUs=16\n"
    found = read(tmp_path, text)
    each = MOST_MACHINES // 2
    assert [one.cores for one in found.platform.machines] == [8] * each + [16] * each
    assert any("Of 10,000 nodes of 2 kinds, 1,600 are machines" in one for one in found.warnings)


def test_a_site_with_one_usable_node_asks_for_no_network(tmp_path: Path) -> None:
    paths = written(
        tmp_path, conf="ClusterName=c\nNodeName=n1 CPUs=4\nNodeName=n2 CPUs=4 State=DOWN\n"
    )
    assert not open_files(paths).questions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NodeName=n[1-9999][1-9999] CPUs=1\n", "too many hosts"),
        ("NodeName=n[1-4] CPUs=many\n", "cpus is no whole number"),
        ("NodeName=n1 CPUs=4 State=DOWN\n", "no node of this site can run"),
        (small.SCONTROL[:40], "may be cut off"),
        (small.SINFO.replace("|idle", ""), "8 cells beside 9 titles"),
        (small.HWLOC.replace("0x00000007", "none"), "not a set of processors"),
        (small.KUBERNETES.replace("7500m", "much"), "not a quantity of Kubernetes"),
        (small.OPENPBS.replace("4kb", "4xb"), "not a size of OpenPBS"),
        (small.SIMGRID.replace('id="2" band', 'id="3" band'), "crosses an unknown link"),
        (small.SIMGRID.replace("1Gbps", "fast"), "bandwidth is no quantity"),
        (small.SIMGRID.replace('"4.1"', '"3"'), "this version of SimGrid"),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_file(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(InputError, match=f"site.*({said})"):
        read(tmp_path, text)


def test_switches_in_a_ring_are_refused(tmp_path: Path) -> None:
    ring = "SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n01\n"
    with pytest.raises(InputError, match="the switches form a ring"):
        open_files(written(tmp_path, conf=small.SLURM_CONF, topo=ring))


def test_simgrids_routers_are_switches_and_speeds_relative(tmp_path: Path) -> None:
    platform = read(tmp_path, small.SIMGRID).platform
    assert [(one.name, one.cores, one.speed) for one in platform.machines] == [
        ("a", 4, 2.0), ("b", 1, 1.0)]  # fmt: skip
    assert [one.name for one in platform.switches] == ["r"]
    assert len(routes(platform)[0, 1]) == 2
    assert platform.links[1].to_second.startup_s == pytest.approx(1e-3)


def _cluster(**attributes: str) -> str:
    stated = {"id": "c", "prefix": "n", "suffix": "", "speed": "1Gf", "bw": "125MBps",
              "lat": "50us"} | attributes  # fmt: skip
    inside = " ".join(f'{key}="{value}"' for key, value in stated.items())
    return f'<?xml version="1.0"?><platform version="4.1"><cluster {inside}/></platform>'


@pytest.mark.parametrize(
    ("text", "pair", "latency_us"),
    [
        (_cluster(radical="0-9", bb_bw="2GBps", bb_lat="500us"), (0, 9), 600.0),
        (_cluster(radical="0-11", topology="TORUS", topo_parameters="3,2,2"), (0, 4), 100.0),
        (_cluster(radical="0-15", topology="FAT_TREE", topo_parameters="2;4,4;1,2;1,2"),
         (0, 2), 100.0),
        (_cluster(radical="0-15", topology="FAT_TREE", topo_parameters="2;4,4;1,2;1,2"),
         (0, 9), 200.0),
    ],
)  # fmt: skip
def test_clusters_of_simgrid_have_its_latencies(
    tmp_path: Path, text: str, pair: tuple[int, int], latency_us: float
) -> None:
    platform = read(tmp_path, text).platform
    route = routes(platform)[pair]
    total = sum(platform.links[hop.link].to_second.startup_s for hop in route)
    assert total == pytest.approx(latency_us * 1e-6)


@pytest.mark.parametrize(
    ("idle", "contenders", "told"),
    [
        ("52.0", [0.8, 0.8], "the 1.60 processors that were used"),  # (0.32 + 0.48) / 2 of four
        ("0.0", [1.0] * 2, "its mean run queue"),  # 2 and 3, of which Python makes 2
    ],
)
def test_the_load_of_a_system_is_as_many_equal_contenders(
    tmp_path: Path, idle: str, contenders: list[float], told: str
) -> None:
    load = small.SADF.replace("52.0", idle)
    if idle == "0.0":
        load = load.replace("50.0", "0.0").replace('"iowait": 8.0, "steal": 10.0, ', "")
    paths = written(tmp_path, load=load, nodes="n01 slots=4\n")
    found = open_files(paths)
    (machine,) = found.project.platform.machines
    assert [one.compute for one in machine.contenders] == pytest.approx(contenders)
    assert any(told in note for note in found.notes)
    if idle == "0.0":
        written(tmp_path, load=load.replace("queue", "other"))
        with pytest.raises(InputError, match="length of the run queue is not told"):
            open_files(paths)


NODES = "n01 slots=2\n"


def loaded(tmp_path: Path, *loads: str, nodes: str = NODES) -> tuple[list[float], str]:
    """What contenders of the first node compute, and all notes in one text."""
    files = {f"load{place}": text for place, text in enumerate(loads)}
    found = open_files(written(tmp_path, nodes=nodes, **files))
    first = found.project.platform.machines[0]
    return [one.compute for one in first.contenders], " ".join(found.notes)


def test_lines_of_sadf_take_the_processors_from_the_node(tmp_path: Path) -> None:
    contenders, said = loaded(tmp_path, small.SADF_CSV)
    assert contenders == pytest.approx([0.8])  # (0.5 + 0.3) / 2 of two
    assert "pidstat tells it" in said


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (small.PROC_STAT, small.PROC_STAT.replace("cpu  1000 0 500 8000", "cpu  1300 0 600 9600")),
        (
            small.NODE_EXPORTER,
            small.NODE_EXPORTER.replace('"idle"} 40', '"idle"} 48').replace("7.5", "9.5"),
        ),
    ],
    ids=["proc-stat", "node-exporter"],
)
def test_counters_count_by_the_difference_of_two_samples(
    tmp_path: Path, first: str, second: str
) -> None:
    contenders, said = loaded(tmp_path, first, second)
    assert contenders == pytest.approx([0.4])  # 4 of 20 processor-seconds, of two
    assert loaded(tmp_path, second, first)[0] == contenders
    alone, said_alone = loaded(tmp_path, first)
    assert alone == pytest.approx([0.3])  # 15 of 100 seconds since the start
    assert "its mean since its start: add a second sample" in said_alone
    assert "since its start" not in said


def test_processors_that_were_never_idle_count_who_runs_but_the_reader(tmp_path: Path) -> None:
    busy = small.PROC_STAT.replace("cpu  1000 0 500 8000", "cpu  2500 0 1000 8000")
    contenders, said = loaded(tmp_path, small.PROC_STAT, busy)
    assert contenders == [1.0, 1.0]  # three run, of which one reads
    assert "its mean run queue" in said


@pytest.mark.parametrize(
    ("loads", "nodes", "message"),
    [
        ([small.PROC_STAT, small.PROC_STAT.replace("1000 0 500 8000", "100 0 5 9900")], NODES,
         "not of one start of the host"),
        ([small.SADF_CSV], "other slots=2\nn02 slots=2\n", "this load is of no node"),
        ([small.PROC_STAT], "n01 slots=2\nn02 slots=2\n", "this load is of no node"),
        ([small.PROC_STAT.replace("cpu0", "gpu0").replace("cpu1", "gpu1")], NODES,
         "tells nothing of the processors"),
        ([small.NODE_EXPORTER.replace("7.5", "NaN")], NODES, "node_cpu_seconds_total"),
    ],
)  # fmt: skip
def test_a_load_that_fits_nothing_is_refused(
    tmp_path: Path, loads: list[str], nodes: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        loaded(tmp_path, *loads, nodes=nodes)


def test_a_table_of_machines_is_read_by_its_titles(tmp_path: Path) -> None:
    found = read(tmp_path, small.TABLE)
    assert [(one.name, one.cores, one.speed, one.memory_bytes, one.resources)
            for one in found.platform.machines] == [
        ("w1", 16, 2.5, 64_000_000_000, ()),
        ("w2", 8, 1.0, None, (Resource("gpu", 2),)),
    ]  # fmt: skip
    assert "Left out: Rack" in found.warnings
    paths = written(tmp_path, machines="name,cores,speed\na,2,1\n", tasks="task,cores\nt,2\n")
    opened = open_files(paths).project
    assert (list(opened.platform.index), [one.name for one in opened.workload.tasks]) == (
        ["a"],
        ["t"],
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("machine,cores\nm1,4.5\n", 'line 2, column "cores": this is not a whole number'),
        ("machine,cores\nm1,0\n", 'line 2, column "cores": this must be above 0'),
        ("machine,cores\nm1,2\n\nm1,3\n", "line 4: another row has this name (got 'm1')"),
        ("machine,cores\nm1,2,7\n", "line 2: more cells than titles (got '7')"),
        ("machine,cores\n,2\n", "line 2: a machine has no name"),
    ],
)
def test_what_is_wrong_in_a_table_of_machines_is_named(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert said in f"{caught.value}"


def test_numbers_of_nodes_are_no_machines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="looks like"):
        read(tmp_path, "nodes,memory,alpha\n1,9,100\n2,9,55\n")
