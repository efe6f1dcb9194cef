"""The table of a software shared memory: exact round trips, and a refusal for every defect."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machines import InputError, Machine, Platform, SharedMemory
from machines.formats import toml_text
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.formats.shared_memory_table import shared_memory_from, shared_memory_table

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
