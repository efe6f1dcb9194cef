"""Benchmarks of networks become startup and bandwidth of a site's links."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.project.opening import Opened, open_files
from advisor.project.sites.network_benchmarks import pingpong_of
from machines import InputError
from tests.advisor.project.sources import site_files as small

ASSUMED_S = 5e-5  # half of a message's startup over the catalogue's switch of Gigabit Ethernet


def opened(folder: Path, *texts: str) -> Opened:
    paths = []
    for place, text in enumerate((small.HOSTS, *texts)):
        path = folder / f"file{place}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return open_files(paths)


@pytest.mark.parametrize(
    ("name", "startup_us", "rate"),
    [
        ("osu-latency", 2.0, 1e9),
        ("imb", 1.0, 1e9),
        ("netpipe", 20.0, 1e8),
        ("osu-bandwidth", ASSUMED_S * 2e6, 3e9),
        ("iperf3", ASSUMED_S * 2e6, 1e9),
        ("qperf", 11.7, 7.23e8),
        ("sockperf", 30.321, 1.25e8),
    ],
)
def test_a_message_between_two_hosts_takes_what_was_measured(
    tmp_path: Path, name: str, startup_us: float, rate: float
) -> None:
    found = opened(tmp_path, small.SITES[name])
    links = found.project.platform.links
    startup = sum(link.to_second.startup_s for link in links)
    assert startup * 1e6 == pytest.approx(startup_us, rel=0.01)
    assert links[0].to_second.bandwidth == pytest.approx(rate, rel=0.01)
    whole = name in {"osu-latency", "imb", "netpipe", "qperf"}
    assert [one.key for one in found.questions] == ([] if whole else ["network"])


def test_a_ping_pong_of_a_benchmark_is_one_of_studies(tmp_path: Path) -> None:
    (tmp_path / "osu").write_text(small.OSU_LATENCY)
    found = pingpong_of(tmp_path / "osu")
    assert found.direction().startup_s == pytest.approx(2e-6, rel=0.01)
    (tmp_path / "stream").write_text(small.OSU_BANDWIDTH)
    with pytest.raises(InputError, match="OSU bandwidth gives no time for each size"):
        pingpong_of(tmp_path / "stream")


def test_a_streams_bandwidth_beats_that_of_a_pingpong(tmp_path: Path) -> None:
    found = opened(tmp_path, small.OSU_LATENCY, small.OSU_BANDWIDTH)
    way = found.project.platform.links[0].to_second
    assert (way.startup_s, way.bandwidth) == (pytest.approx(1e-6), 3e9)
    assert any("startup from an OSU latency test, bandwidth from an OSU bandwidth" in note
               for note in found.notes)  # fmt: skip


def test_netgauge_gives_latency_and_gap_of_its_last_row(tmp_path: Path) -> None:
    way = opened(tmp_path, small.NETGAUGE).project.platform.links[0].to_second
    assert way.startup_s == pytest.approx(1e-6)  # half of L: a message crosses two links
    assert way.bandwidth == pytest.approx(2e9)


def test_a_change_of_protocol_is_a_second_piece(tmp_path: Path) -> None:
    rows = [(size, 2.0 + size / 1e3) for size in (1, 100, 1000, 2000, 4000)]
    rows += [(size, 20.0 + size / 1e4) for size in (8000, 16000, 64000, 256000)]
    text = small.OSU_LATENCY.split("0  ")[0] + "".join(f"{a} {b:.3f}\n" for a, b in rows)
    way = opened(tmp_path, text).project.platform.links[0].to_second
    assert way.above is not None
    assert way.above.threshold_bytes == 4000
    assert way.above.bandwidth == pytest.approx(1e10, rel=0.01)
    assert way.above.startup_s == pytest.approx(10e-6, rel=0.01)


def test_a_disturbed_last_row_is_left_out_and_said(tmp_path: Path) -> None:
    assert any("was disturbed: left out" in note for note in opened(tmp_path, small.IMB).notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# OSU MPI Latency Test\n", "has no rows"),
        ("# OSU MPI Latency Test\n1 2.0\n", "only one size"),
        ("# OSU MPI Latency Test\n1 0.01\n1000 50.0\n2000 200.0\n", "no startup"),
        ("sockperf: cut\n", "tells no latency"),
        (small.NETGAUGE[:150], "no gap per byte"),
        (small.NETGAUGE.replace("G=0.000500", "G=-0.0005"), "above 0"),
        (small.IPERF3.replace("8e9", "-1"), "no bits per second"),
    ],
)
def test_what_tells_no_link_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        opened(tmp_path, text)


def test_two_hosts_of_hwloc_and_a_benchmark_make_a_platform(tmp_path: Path) -> None:
    nameless = small.HWLOC.replace('<info name="HostName" value="box"/>', "")
    for name in ("left.xml", "right.xml"):
        (tmp_path / name).write_text(nameless)
    (tmp_path / "osu").write_text(small.OSU_LATENCY)
    found = open_files([tmp_path / name for name in ("left.xml", "right.xml", "osu")])
    assert [one.name for one in found.project.platform.machines] == ["left", "right"]
    assert len(found.project.platform.links) == 2
    assert not found.questions


def test_a_benchmark_alone_asks_for_the_nodes(tmp_path: Path) -> None:
    (tmp_path / "osu").write_text(small.OSU_LATENCY)
    with pytest.raises(InputError, match=r"this tells of a network .*, not which nodes"):
        open_files([tmp_path / "osu"])
