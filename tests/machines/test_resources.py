"""Resources, memory and core groups of machines: files, checks, speeds."""

from __future__ import annotations

import pytest

from machines import CoreGroup, InputError, Machine, Resource
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.resources import fastest_mean

TEXT = """
format = "placewise-platform"
version = 1
name = "lab"
[[machine]]
name = "node"
memory_bytes = 64_000_000_000
memory = "reserved"
  [[machine.core_group]]
  name = "P"
  count = 8
  [[machine.core_group]]
  name = "E"
  count = 4
  speed = 0.5
  [[machine.resource]]
  kind = "gpu"
  count = 2
  model = "A100"
  memory_bytes = 40_000_000_000
[[resource]]
kind = "licence"
count = 3
"""


def test_groups_resources_and_memory_come_back_from_the_file() -> None:
    platform = parse_platform(TEXT)
    (node,) = platform.machines
    assert node.cores == 12  # their counts add up
    assert node.core_groups == (CoreGroup("P", 8), CoreGroup("E", 4, 0.5))
    assert node.resources == (Resource("gpu", 2, "A100", 40_000_000_000),)
    assert node.memory == "reserved"
    assert platform.resources == (Resource("licence", 3),)
    assert parse_platform(dump_platform(platform)) == platform


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('kind = "gpu"', 'kind = "cores"', 'resource 1: this is no kind|machine "node".*no kind'),
        ('kind = "gpu"', 'kind = "Memory"', "this is no kind of its own"),
        (
            'kind = "licence"',
            'kind = "gpu"',
            'machine "node": the whole platform has this kind.*Leave',
        ),
        ("count = 2\n", "count = 0\n", "count must be a whole number"),
        ("count = 2\n", "count = 1.5\n", "count must be a whole number"),
        ("count = 2\n", "count = -1\n", "count must be a whole number"),
        ('memory = "reserved"', 'memory = "shared"', "unknown memory.*held, reserved"),
        ('memory = "reserved"', "cores = 8", "core groups have 12 cores together.*got 8"),
        ('name = "E"', 'name = "P"', "two core groups have one name"),
        ("speed = 0.5", "speed = 0", "speed is out of range"),
        ('model = "A100"', 'colour = "red"', 'unknown key "colour"'),
    ],
)
def test_what_can_not_be_is_refused(before: str, after: str, message: str) -> None:
    assert before in TEXT
    with pytest.raises(InputError, match=message):
        parse_platform(TEXT.replace(before, after))


def test_two_resources_of_one_kind_are_refused() -> None:
    with pytest.raises(InputError, match=r"two resources are of one kind.*gpu"):
        Machine("M", resources=(Resource("gpu"), Resource("gpu")))


def test_a_task_on_several_kinds_of_cores_has_their_mean_speed() -> None:
    groups = (CoreGroup("E", 4, 0.5), CoreGroup("P", 8, 2.0))
    assert [fastest_mean(groups, cores) for cores in (1, 8, 12)] == [1.0, 1.0, (8 + 1) / 12]
    assert fastest_mean((), 3) == 1.0


def test_more_core_groups_than_anyone_states_are_refused_with_their_number() -> None:
    groups = tuple(CoreGroup(f"g{at}", 1, 1.0 + at) for at in range(101))
    with pytest.raises(InputError, match=r"too many core groups \(got 101\)"):
        Machine("node", 101, core_groups=groups)
