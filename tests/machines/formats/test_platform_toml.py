"""The platform file: exact round trips, and one clear refusal for every defect."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machines import (
    Contender,
    Direction,
    InputError,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Runtime,
    SharedMemory,
    Store,
    Switch,
)
from machines.formats import toml_text
from machines.formats.platform_toml import (
    dump_platform,
    parse_platform,
    platform_from,
    platform_table,
    read_platform,
    shared_memory_from,
    shared_memory_table,
    write_platform,
)
from tests.machines.formats.interconnects import interconnects
from tests.plain_names import plain_names

HEAD = 'format = "placewise-platform"\nversion = 1\nname = "p"\n'
TWO = HEAD + '[[machine]]\nname = "M1"\n[[machine]]\nname = "M2"\n'
LINK = TWO + '[[link]]\nbetween = ["M1", "M2"]\n'
COST = "startup_s = 1\nbandwidth = 1\n"
PARTS = TWO + '[[switch]]\nname = "sw"\n[[store]]\nname = "nfs"\n'


def linked(*pairs: str) -> str:
    """Links between names that a blank parts, the last one open for more keys."""
    return "".join(f"[[link]]\nbetween = {json.dumps(pair.split())}\n{COST}" for pair in pairs)


SHARED = PARTS + linked("nfs sw", "M2 sw", "M1 sw")

DOCUMENTED = """
format = "placewise-platform"
version = 1
name = "two machines"
reference_speed = 2.0
[[machine]]
name = "M1"
cores = 2
speed = 1.5
memory_bytes = 8_589_934_592
  [[machine.contender]]
  name = "render"
  compute = 0.75
  communicate = 0.25
  message_words = 200
[[machine]]
name = "M2"
slowdown = 1.5
price_per_hour = 1.36
watts = 560
[[link]]
between = ["M1", "M2"]
startup_s = 0.002
bandwidth = 1_000_000
above = { threshold_bytes = 4096, startup_s = 0.0035, bandwidth = 1_600_000 }
slowdown = 3
delay_comp = [0.6, 1.1]
delay_comm = [0.9, 2.0]
"""


def test_every_documented_key_is_read() -> None:
    direction = Direction(0.002, 1e6, LinkPiece(4096.0, 0.0035, 1.6e6))
    contender = Contender("render", 0.75, 0.25, 200.0)
    assert parse_platform(DOCUMENTED) == Platform(
        "two machines",
        (
            Machine("M1", 2, 0.75, 8_589_934_592, None, (contender,)),
            Machine("M2", slowdown=1.5, price_per_hour=1.36, watts=560.0),
        ),
        (Link("M1", "M2", direction, direction, 3.0, (0.6, 1.1), (0.9, 2.0)),),
    )


def test_speeds_are_relative_to_that_of_reference() -> None:
    """100 s of work on a machine of the reference speed take 100 s; one without speed is such."""
    text = 'format = "placewise-platform"\nversion = 1\nname = "p"\nreference_speed = 10\n'
    for speed, relative in (("speed = 10", 1.0), ("speed = 25", 2.5), ("", 1.0)):
        (machine,) = parse_platform(f'{text}[[machine]]\nname = "M"\n{speed}\n').machines
        assert machine.speed == relative
    with pytest.raises(InputError, match="reference_speed"):
        parse_platform(text.replace("10", "0") + '[[machine]]\nname = "M"\n')


def test_switches_stores_sharing_and_the_runtime_are_read() -> None:
    text = SHARED.replace('name = "sw"', 'name = "sw"\nbandwidth = 1_250_000_000', 1)
    platform = parse_platform(
        text + 'sharing = "shared"\n[runtime]\nfetch = "slot"\ntask_overhead_s = 2\n'
    )
    assert platform.switches == (Switch("sw", 1.25e9),)
    assert platform.stores == (Store("nfs"),)
    assert [link.sharing for link in platform.links] == ["duplex", "duplex", "shared"]
    assert platform.runtime == Runtime("slot", "once", 2.0, "plan", "equal")
    assert platform.hosts == ("M1", "M2", "nfs")
    assert platform.host_index == {"M1": 0, "M2": 1, "nfs": 2}
    assert platform.index == {"M1": 0, "M2": 1}
    assert platform.degree == {"M1": 1, "M2": 1, "nfs": 1, "sw": 3}


def test_without_switches_a_machine_may_keep_its_data_to_itself() -> None:
    text = TWO + '[[store]]\nname = "nfs"\n' + linked("M1 nfs")
    assert parse_platform(text).degree["M2"] == 0


def test_only_what_is_not_default_is_written() -> None:
    platform = parse_platform(SHARED + '[runtime]\nfetch = "slot"\norder = "plan"\n')
    text = dump_platform(platform)
    assert 'runtime = { fetch = "slot" }' in text
    assert "sharing" not in text
    assert "runtime" not in dump_platform(parse_platform(SHARED))


def test_what_is_left_out_takes_its_default() -> None:
    platform = parse_platform(TWO)
    assert platform == Platform("p", (Machine("M1"), Machine("M2")))


def test_directions_may_differ() -> None:
    text = LINK + "to_second = { startup_s = 1, bandwidth = 10 }\n"
    both = parse_platform(text + "to_first = { startup_s = 2, bandwidth = 20 }\n").links[0]
    assert (both.to_second, both.to_first) == (Direction(1.0, 10.0), Direction(2.0, 20.0))
    one = parse_platform(text + "startup_s = 3\nbandwidth = 30\n").links[0]
    assert (one.to_second, one.to_first) == (Direction(1.0, 10.0), Direction(3.0, 30.0))


def test_a_file_is_written_and_read_back(tmp_path: Path) -> None:
    platform = parse_platform(DOCUMENTED)
    write_platform(platform, tmp_path / "p.toml")
    assert read_platform(tmp_path / "p.toml") == platform


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_bytes(b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode())
    assert read_platform(tmp_path / "p.toml") == parse_platform(TWO)


_positive = st.floats(1e-9, 1e12)
_pieces = st.none() | st.builds(LinkPiece, _positive, st.floats(0, 10), _positive)
_directions = st.builds(Direction, st.floats(0, 10), _positive, _pieces)
_contenders = st.builds(
    Contender, plain_names, st.floats(0, 0.5), st.floats(0, 0.5), st.floats(0, 1e6)
)
_stated, _none = st.just(()), st.none()
_loads = (st.floats(1, 50), _stated), (_none, st.lists(_contenders, max_size=2).map(tuple))
_machines = st.one_of(
    *(
        st.builds(
            Machine,
            plain_names,
            st.integers(1, 256),
            _positive,
            _none | st.integers(1, 2**50),
            slowdown,
            contenders,
            _none | interconnects,
            price_per_hour=_none | st.floats(0, 1e6),
            watts=_none | st.floats(0, 1e9),
        )
        for slowdown, contenders in _loads
    )
)
_sharing = st.sampled_from(["duplex", "shared", "free"])
_runtimes = st.builds(
    Runtime,
    st.sampled_from(["ahead", "slot"]),
    st.sampled_from(["once", "each"]),
    st.floats(0, 1e6),
    st.sampled_from(["plan", "ready"]),
    st.sampled_from(["equal", "rtt"]),
)


@st.composite
def _shared_platforms(draw: st.DrawFn) -> Platform:
    """All parts on one switch, and perhaps the first two of them linked, too."""
    names = draw(st.lists(plain_names, min_size=3, max_size=6, unique=True))
    cut = draw(st.integers(1, len(names) - 1))
    ends = (*names[1:],)
    machines = tuple(Machine(name) for name in ends[:cut])
    stores = tuple(Store(name) for name in ends[cut:])
    switch = Switch(names[0], draw(st.none() | _positive))
    pairs = [(name, switch.name) for name in ends] + draw(st.sampled_from([[], [ends[:2]]]))
    links = tuple(
        Link(first, second, draw(_directions), draw(_directions), sharing=draw(_sharing))
        for first, second in pairs
    )
    return Platform("p", machines, links, (switch,), stores, draw(_runtimes))


@given(_shared_platforms())
def test_switches_stores_and_runtime_survive_the_file_exactly(platform: Platform) -> None:
    assert parse_platform(dump_platform(platform)) == platform
    in_a_project = json.loads(json.dumps(platform_table(platform)))
    assert platform_from(in_a_project) == platform


@st.composite
def _platforms(draw: st.DrawFn) -> Platform:
    machines = draw(st.lists(_machines, min_size=2, max_size=4, unique_by=lambda one: one.name))
    delays = st.lists(st.floats(0, 5), max_size=2).map(lambda some: tuple(sorted(some)))
    first, second = machines[0].name, machines[1].name
    slowdown = st.none() | st.floats(1, 9)
    link = st.builds(
        Link, st.just(first), st.just(second), _directions, _directions, slowdown, delays, delays
    )
    links = draw(st.lists(link, max_size=1))
    return Platform(draw(plain_names), tuple(machines), tuple(links))


@given(_platforms())
def test_any_platform_survives_the_file_exactly(platform: Platform) -> None:
    assert parse_platform(dump_platform(platform)) == platform
    assert platform_from(platform_table(platform)) == platform


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format is missing"),
        (TWO.replace("platform", "workload", 1), "another kind of file.*placewise-platform"),
        (TWO.replace("version = 1", "version = 2"), "newer Placewise.*version 2"),
        (TWO.replace("version = 1", "version = 0x" + "f" * 5000), r"version a whole number of 6,0"),
        (TWO.replace("version = 1", "version = true"), "version must be a whole number"),
        (TWO.replace("version = 1", "version = 0"), "version must be a whole number"),
        (HEAD, "at least one machine"),
        (TWO.replace('name = "p"\n', ""), "platform: name is missing"),
        (TWO.replace('name = "p"', "name = 3"), r"platform: name must be a text \(got 3\)"),
        (TWO + "speeed = 2", 'machine "M2": unknown key "speeed".*Did you mean "speed"'),
        (TWO + "hue = 2", 'machine "M2": unknown key "hue".*Known: name'),
        (TWO + "[[machine]]\ncores = 2", "machine 3: name is missing"),
        (TWO + "cores = 1.5", 'machine "M2": cores must be a whole number'),
        (TWO + "cores = 0", 'machine "M2": cores must be a whole number'),
        (TWO + "speed = nan", 'machine "M2": speed is out of range'),
        (TWO + "speed = -1", 'machine "M2": speed is out of range'),
        (TWO + "speed = true", 'machine "M2": speed must be a number'),
        (TWO + "speed = 1e300", "speed is out of range"),
        (TWO + f"speed = {'9' * 400}", "speed is out of range"),
        (TWO + 'memory_bytes = "8 X"', "memory_bytes must be a whole number"),
        (TWO + "slowdown = 0.5", 'machine "M2": slowdown is out of range'),
        (TWO + "price_per_hour = -1", 'machine "M2": price_per_hour is out of range.*≥ 0'),
        (TWO + 'price_per_hour = "1 €"', 'machine "M2": price_per_hour must be a number'),
        (TWO + "price_per_hours = 1", 'unknown key "price_per_hours".*Did you mean "price_per'),
        (TWO + "watts = inf", 'machine "M2": watts is out of range.*≥ 0'),
        (TWO + "watts = true", 'machine "M2": watts must be a number'),
        (TWO + "contender = 3", "contender must be a list"),
        (TWO + "contender = [3]", "contender 1: this must be a table"),
        (TWO + "[machine.network]\nkind = 1", 'machine "M2": network: kind must be a text'),
        (TWO + "network = 3", 'machine "M2": network: this must be a table'),
        (TWO + "[machine.shared_memory]", 'machine "M2": shared_memory: network is missing'),
        (TWO + "shared_memory = 3", 'machine "M2": shared_memory: this must be a table'),
        (TWO + '[[machine.contender]]\nname = "c"', 'M2": contender "c": compute is missing'),
        (TWO + "[[machine.contender]]\ncompute = 1", "contender 1: name is missing"),
        (
            TWO + '[[machine.contender]]\nname = "c"\ncompute = 0.9\ncommunicate = 0.2',
            'contender "c": compute \\+ communicate must not exceed 1',
        ),
        (TWO + '[[machine]]\nname = "M1"', "two machines have one name"),
        ("machine = 3\n" + HEAD, "machine must be a list"),
        ("machine = [3]\n" + HEAD, "machine 1: this must be a table"),
        (LINK, "link M1–M2: startup_s is missing"),
        (LINK + "startup_s = 1", "link M1–M2: bandwidth is missing"),
        (LINK + "startup_s = 1\nbandwidth = 0", "link M1–M2: bandwidth is out of range"),
        (LINK + "startup_s = 1\nbandwith = 1", 'Did you mean "bandwidth"'),
        (LINK + "startup_s = 1\nbandwidth = 1\nslowdown = 0", "M1–M2: slowdown is out of range"),
        (LINK + "startup_s = 1\nbandwidth = 1\ndelay_comp = [-1]", "M1–M2: delay_comp is out"),
        (LINK + "startup_s = 1\nbandwidth = 1\ndelay_comp = 2", "delay_comp must be a list"),
        (LINK + "startup_s = 1\nbandwidth = 1\nabove = {}", "above: threshold_bytes is missing"),
        (LINK + "to_second = { startup_s = 1, bandwidth = 1 }", "M1–M2: startup_s is missing"),
        (
            LINK
            + "startup_s = 1\nbandwidth = 1\nto_second = { startup_s = 1, bandwidth = 1 }\n"
            + "to_first = { startup_s = 1, bandwidth = 1 }",
            "say the same",
        ),
        (TWO + "[[link]]\nstartup_s = 1", "link 1: between is missing"),
        (TWO + '[[link]]\nbetween = ["M1"]', "a link is between two machines, stores or switches"),
        (TWO + "[[link]]\nbetween = 3", "link 1: between must be a list of names"),
        (
            TWO + '[[link]]\nbetween = ["M1", "M3"]\nstartup_s = 1\nbandwidth = 1',
            "link M1–M3: unknown machine.*'M3'.*M1, M2",
        ),
        (
            SHARED + 'sharing = "duplx"',
            "link M1–sw: unknown sharing.*'duplx'.*duplex, shared, free",
        ),
        (SHARED + "sharing = true", "link M1–sw: sharing must be a text"),
        (SHARED + "delay_comp = [1]", "link M1–sw: delay_comp holds between two machines.*'sw'"),
        (SHARED + linked("sw M1"), "link sw–M1: this pair is linked twice.*a switch into each"),
        (
            SHARED + linked("M1 disk"),
            "link M1–disk: unknown machine, store or switch.*'disk'.*"
            "Machines: M1, M2; stores: nfs; switches: sw",
        ),
        (SHARED + '[[switch]]\nname = "M1"', "a machine and a switch have one name.*'M1'.*unique"),
        (SHARED + '[[store]]\nname = "sw"', "a store and a switch have one name.*'sw'"),
        (SHARED + '[[switch]]\nname = "sw"', "switch: two switches have one name.*'sw'"),
        (SHARED + '[[switch]]\nname = "far"', 'switch "far": .*leads nowhere.*leave it out'),
        (
            PARTS + linked("M1 M2", "M2 sw", "M2 nfs"),
            'switch "sw": this switch leads nowhere.*got 1',
        ),
        (PARTS + linked("M1 sw", "M2 sw"), 'store "nfs": no link reaches this store.*Link it to'),
        (PARTS + linked("M1 sw", "nfs sw"), 'machine "M2": no link reaches this machine.*Link it'),
        (SHARED + '[[switch]]\nname = "x"\nbandwidth = 0', 'switch "x": bandwidth is out of.*> 0'),
        (SHARED + "[[switch]]\nbandwidth = 1", "switch 2: name is missing"),
        (
            SHARED + '[[switch]]\nname = "x"\nports = 8',
            'switch "x": unknown key "ports".*bandwidth',
        ),
        (
            SHARED + '[[store]]\nname = "x"\nbytes = 8',
            'store "x": unknown key "bytes".*Known: name',
        ),
        (SHARED + "[[store]]\nname = 3", "store 2: name must be a text"),
        (SHARED + '[runtime]\nfetch = "early"', "runtime: unknown fetch.*'early'.*ahead, slot"),
        (SHARED + '[runtime]\ncopies = "two"', "runtime: unknown copies.*'two'.*once, each"),
        (SHARED + '[runtime]\norder = "any"', "runtime: unknown order.*'any'.*plan, ready"),
        (SHARED + '[runtime]\nfairness = "max"', "runtime: unknown fairness.*'max'.*equal, rtt"),
        (SHARED + "[runtime]\ntask_overhead_s = -1", "runtime: task_overhead_s is out of range"),
        (SHARED + '[runtime]\nfetsch = "slot"', 'runtime: unknown key "fetsch".*"fetch"'),
        (SHARED + "[[runtime]]", "runtime: this must be a table"),
    ],
)
def test_every_defect_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_platform(text, "f.toml")
    assert str(caught.value).startswith("f.toml")


def test_a_pair_linked_twice_is_refused() -> None:
    platform = parse_platform(DOCUMENTED)
    back = replace(platform.links[0], first="M2", second="M1")
    table = platform_table(platform)
    links = [*_links(platform), *_links(replace(platform, links=(back,)))]
    with pytest.raises(InputError, match="linked twice"):
        platform_from(table | {"link": links})


def _links(platform: Platform) -> list[object]:
    links = platform_table(platform)["link"]
    assert isinstance(links, list)
    return links


def test_noise_is_refused_with_the_byte(tmp_path: Path) -> None:
    (tmp_path / "noise.toml").write_bytes(b"a = 1\n\xff\xfe")
    with pytest.raises(InputError, match=r"noise\.toml: not UTF-8 text \(byte 6\)"):
        read_platform(tmp_path / "noise.toml")


TEXT = """
network = "lab"
workstations = 8
software_small = [102, 0.03865]
software_large = [154, 0.02583]
wire_per_byte = 0.08
interface_latency = 25
"""
times = st.floats(0.0, 1e6)
shares = st.floats(0.0, 1.0)
lines = st.tuples(st.floats(1e-6, 1e6), times)
memories = st.builds(
    SharedMemory,
    network=st.sampled_from(["lab", "fast-ethernet"]),
    workstations=st.integers(1, 10**6),
    software_small=lines,
    software_large=lines,
    wire_per_byte=times,
    interface_latency=times,
    switch_latency=times,
    knee=times | st.just(math.inf),
    wire_overhead=times,
    software_overhead=times,
    signal=times,
    system_benefit=st.floats(1e-3, 1.0),
    protocol=shares,
    fault=shares,
    lock=shares,
    source=st.sampled_from(["", "a paper"]),
    assumed=st.lists(st.sampled_from(["signal: guessed", "knee: none"]), max_size=2).map(tuple),
)


def read(text: str) -> SharedMemory:
    return shared_memory_from(toml_text.parse(text, "text"))


def test_only_what_has_no_default_must_be_there() -> None:
    found = read(TEXT)
    assert (found.software_small, found.wire_per_byte) == ((102.0, 0.03865), 0.08)
    assert (found.knee, found.signal, found.protocol) == (math.inf, 40.0, 1.0)
    assert hash(found) == hash(read(TEXT))
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("key", [line.partition(" ")[0] for line in TEXT.strip().splitlines()])
def test_a_missing_key_is_named(key: str) -> None:
    less = "\n".join(line for line in TEXT.splitlines() if not line.startswith(key))
    with pytest.raises(InputError, match=f"shared_memory: {key} is missing"):
        read(less)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("protocl = 1", 'Did you mean "protocol"'),
        ("protocol = 1.5", "shared_memory: protocol is out of range.*≤ 1"),
        ("fault = -0.1", "fault is out of range"),
        ("lock = nan", "lock is out of range"),
        ("system_benefit = 0", "system_benefit is out of range"),
        ('signal = "40"', "signal must be a number"),
        ("switch_latency = inf", "switch_latency is out of range"),
        ("knee = -1", "knee is out of range"),
        ("source = 3", "source must be"),
        ("assumed = [3]", "assumed must be a list of names"),
        ('assumed = [""]', "assumed must be a non-empty text"),
    ],
)
def test_what_can_not_be_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(TEXT + line)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("8", "0", "workstations must be a whole number"),
        ("8", "2.5", "workstations must be a whole number"),
        ("[102, 0.03865]", "[102]", "software_small is a pair"),
        ("[102, 0.03865]", "[0, 0.03865]", "base of software_small is out of range"),
        ("[154, 0.02583]", "154", "software_large must be a list"),
        ('"lab"', '" "', "network must be a non-empty text"),
    ],
)
def test_a_wrong_value_is_refused(before: str, after: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(TEXT.replace(before, after, 1))


@settings(max_examples=20, deadline=None)
@given(memories)
def test_any_shared_memory_survives_the_file_exactly(memory: SharedMemory) -> None:
    assert shared_memory_from(shared_memory_table(memory)) == memory
    platform = Platform("p", (Machine("m", speed=2.0, shared_memory=memory),))
    assert parse_platform(dump_platform(platform)) == platform


def test_memory_bandwidth_takes_its_unit() -> None:
    text = 'format = "placewise-platform"\nversion = 1\nname = "p"\n[[machine]]\nname = "M"\n'
    found = parse_platform(text + 'memory_bandwidth = "20 GB/s"\n').machines[0]
    assert found.memory_bandwidth == 20e9
    with pytest.raises(InputError, match='machine "M": memory_bandwidth is out of range'):
        parse_platform(text + "memory_bandwidth = 0\n")
