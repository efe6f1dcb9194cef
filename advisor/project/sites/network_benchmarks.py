"""Benchmarks of a network beside the nodes of a site: startup and bandwidth of a message.

Ping-pongs (OSU latency, IMB PingPong, NetPIPE) give both by a fit, netgauge as L and 1/G;
streams (OSU bandwidth, iperf3, qperf) the bandwidth alone, which beats that of a ping-pong;
sockperf the startup alone. Times are one way. Whether both ends were one host no file tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from advisor.basics import json_text
from advisor.project.sites.link_ranges import with_ranges
from advisor.project.sources.site import Measured, Site
from machines import Direction, InputError, LinkPiece
from machines.files import MIB, decoded, read_bytes
from machines.formats.pingpong_csv import PingPong, read_pingpong

_ROW = re.compile(r"^[ \t]*(\d{1,15})[ \t]+([\d.]{1,20})[ \t]*$", re.MULTILINE)
_IMB = re.compile(r"^[ \t]*(\d{1,15})[ \t]+\d+[ \t]+([\d.]{1,20})[ \t]+[\d.]+[ \t]*$", re.MULTILINE)
_IMB_PART = re.compile(r"^# Benchmarking PingPong[ \t\r]*$", re.MULTILINE)
_NETPIPE = re.compile(r"^ *(\d{1,15}) +[\d.]{1,20} +([\d.]{1,20}) *$", re.MULTILINE)
_NETPIPE_SAID = re.compile(
    r"^ *\d+: +(\d{1,15}) bytes +\d+ times --> +[\d.]+ Mbps in +([\d.]{1,20}) usec", re.MULTILINE
)
_NETGAUGE = re.compile(
    r"^ *L=([\d.]{1,20}) +s=(\d{1,15}) .{0,200}? G=(-?[\d.]{1,20}|-?nan)\b", re.MULTILINE
)
_QPERF_LATENCY = re.compile(r"^[ \t]*+latency\s*=\s*([\d.]{1,20}) ([num]?)s(?:ec)?\b", re.MULTILINE)
_QPERF_RATE = re.compile(r"^[ \t]*+bw\s*=\s*([\d.]{1,20}) ([KMG]?)B/s", re.MULTILINE)
_UNITS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "n": 1e-9, "u": 1e-6, "m": 1e-3}
_ONE_HOST = "Measured between two processes; on one host it is no network: run it on two nodes"
_FALLS = 0.5  # of the bandwidth of the size before: the last row was disturbed
_LIMIT_BYTES = 64 * MIB
_Rows = list[tuple[float, float]]


def osu_latency(text: str, where: str) -> Site:
    """OSU and mpi4py latency: size in bytes, µs one way."""
    return _of_pingpong("an OSU latency test", _osu_rows(text, where), where)


def imb(text: str, where: str) -> Site:
    """The PingPong of the Intel MPI Benchmarks: size, µs one way."""
    return _of_pingpong("IMB PingPong", _imb_rows(text, where), where)


def netpipe(text: str, where: str) -> Site:
    """NetPIPE's file np.out (seconds), or what it prints (µs)."""
    return _of_pingpong("NetPIPE", _netpipe_rows(text, where), where)


def pingpong_of(path: str | Path) -> PingPong:
    """The one-way times in a file of a ping-pong benchmark, or in a CSV file."""
    where = str(path)
    content = read_bytes(path, _LIMIT_BYTES)
    for name, title, sign, _ in READERS:
        if re.search(sign, content, re.MULTILINE):
            if name not in _PINGPONGS:
                raise InputError(
                    f"{title} gives no time for each size", where=where,
                    remedy="Give a ping-pong: OSU latency, IMB PingPong, NetPIPE, or a CSV file",
                )  # fmt: skip
            return _pingpong(title, _PINGPONGS[name](decoded(content, where), where), where)[0]
    return read_pingpong(path)


def _osu_rows(text: str, _where: str) -> _Rows:
    return _scaled(_ROW.findall(text), 1e-6)


def _imb_rows(text: str, where: str) -> _Rows:
    found = _IMB_PART.search(text)
    if found is None:
        raise InputError("these Intel MPI Benchmarks have no PingPong", where=where,
                         remedy="Run IMB-MPI1 PingPong")  # fmt: skip
    part = text[found.end() :].partition("# Benchmarking ")[0]
    return _scaled(_IMB.findall(part), 1e-6)


def _netpipe_rows(text: str, _where: str) -> _Rows:
    return _scaled(_NETPIPE_SAID.findall(text), 1e-6) or _scaled(_NETPIPE.findall(text), 1.0)


_PINGPONGS = {"osu-latency": _osu_rows, "imb": _imb_rows, "netpipe": _netpipe_rows}


def osu_bandwidth(text: str, where: str) -> Site:
    """OSU and mpi4py bandwidth: MB/s by size, whatever the header calls it; the largest counts."""
    rows = _scaled(_ROW.findall(text), 1e6)
    if not rows:
        raise InputError("the benchmark has no rows", where=where)
    return _site("an OSU bandwidth test", bandwidth=max(rate for _, rate in rows))


def iperf3(text: str, where: str) -> Site:
    """iperf3 -J: bits/s that the receiver saw."""
    document = json_text.parse(text.encode(), where)
    end = document.get("end") if isinstance(document, dict) else None
    received = end.get("sum_received") if isinstance(end, dict) else None
    rate = received.get("bits_per_second") if isinstance(received, dict) else None
    if not isinstance(rate, int | float) or not 0 < rate < 1e18:
        raise InputError("iperf3 tells no bits per second received", where=where, value=rate)
    return _site("iperf3", bandwidth=rate / 8)


def qperf(text: str, where: str) -> Site:
    """Qperf tcp_lat and tcp_bw: one way, and bytes/s."""
    latency, rate = _QPERF_LATENCY.search(text), _QPERF_RATE.search(text)
    if latency is None and rate is None:
        raise InputError("qperf tells neither latency nor bandwidth", where=where)
    startup_s, bandwidth = (
        None if one is None else _number(one[1], where) * _UNITS[one[2]] for one in (latency, rate)
    )
    return _site("qperf", startup_s, bandwidth)


def sockperf(text: str, where: str) -> Site:
    """Sockperf ping-pong: µs one way."""
    found = re.search(r"Latency is ([\d.]{1,20}) usec", text)
    if found is None:
        raise InputError("sockperf tells no latency", where=where,
                         remedy="The run may be cut off; let it end")  # fmt: skip
    return _site("sockperf", startup_s=_number(found[1], where) * 1e-6)


def netgauge(text: str, where: str) -> Site:
    """LogGP of netgauge in µs: L, half a round trip of 1 byte, and 1/G of the largest size.

    G is fitted to all sizes so far, so that the last row knows most. What is printed as GiB/s are
    Gbit/s. Overheads o are times of the processors and no part of a link.
    """
    rows = _NETGAUGE.findall(text)
    told = [(latency, gap) for latency, _, gap in rows if "nan" not in gap]
    if not told:
        raise InputError("netgauge tells no gap per byte G", where=where,
                         remedy="Run netgauge -x loggp over several sizes: -s 1-16384")  # fmt: skip
    latency, gap = (_number(one, where) for one in told[-1])
    if gap <= 0.0:
        raise InputError("netgauge's gap per byte G must be above 0", where=where, value=gap,
                         remedy="Measure larger messages: -s 1-131072")  # fmt: skip
    return _site("netgauge", latency * 1e-6, 1e6 / gap)


READERS: tuple[tuple[str, str, bytes, Callable[[str, str], Site]], ...] = (
    ("osu-latency", "OSU latency", rb"^# (?:OSU )?MPI Latency Test", osu_latency),
    ("osu-bandwidth", "OSU bandwidth", rb"^# (?:OSU )?MPI Bandwidth Test", osu_bandwidth),
    ("imb", "Intel MPI Benchmarks", rb"^#[ \t]*+Intel\(R\) MPI Benchmarks", imb),
    ("netpipe", "NetPIPE", rb"Now starting the main loop|\A *\d+ +\d+\.\d+ +0\.\d{6,}$", netpipe),
    ("netgauge", "netgauge LogGP", rb"^ *L=[\d.]+ +s=\d+ +o_s=", netgauge),
    ("iperf3", "iperf3 -J", rb'\A\s*\{\s*"start"\s*:\s*\{\s*"connected"', iperf3),
    ("qperf", "qperf", rb"\A\w+_(?:bw|lat):", qperf),
    ("sockperf", "sockperf", rb"\Asockperf", sockperf),
)


def _of_pingpong(title: str, rows: _Rows, where: str) -> Site:
    """Startup and bandwidth by one line or two, whichever the measurements bear."""
    measured, notes = _pingpong(title, rows, where)
    way = with_ranges(measured, measured.direction())
    return _site(title, way.startup_s, way.bandwidth, way.above, notes)


def _pingpong(title: str, rows: _Rows, where: str) -> tuple[PingPong, list[str]]:
    """The times by size, and what is left out of them."""
    rows = sorted({size: time for size, time in rows if size > 0 and time > 0}.items())
    notes = []
    if len(rows) > 3 and rows[-1][0] / rows[-1][1] < _FALLS * rows[-2][0] / rows[-2][1]:
        notes.append(f"The largest message of {title} was disturbed: left out")
        rows.pop()
    if not rows:
        raise InputError("the benchmark has no rows", where=where,
                         remedy="It may be cut off; run it again")  # fmt: skip
    sizes, times = zip(*rows, strict=True)
    return PingPong(sizes, times, len(rows), where), notes


def _site(
    title: str, startup_s: float | None = None, bandwidth: float | None = None,
    above: LinkPiece | None = None, notes: Iterable[str] = (),
) -> Site:  # fmt: skip
    if bandwidth is not None:
        _ = Direction(startup_s or 0.0, bandwidth, above)  # which refuses what no link has
    measured = Measured(title, startup_s, bandwidth, above)
    return Site(
        f"a network ({title})", notes=(*notes, _ONE_HOST), whole=False, measured=(measured,)
    )


def _scaled(rows: Iterable[tuple[str, str]], unit: float) -> _Rows:
    return [(float(size), float(value) * unit) for size, value in rows if value.count(".") < 2]


def _number(text: str, where: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError("no number", where=where, value=text) from None
