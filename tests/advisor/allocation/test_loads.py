"""Load parameters: read off a platform and set on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.allocation.bandwidths import bandwidth
from advisor.allocation.costs import EXACT, PUBLISHED
from advisor.allocation.loads import (
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    OVERHEAD,
    SPEED,
    STARTUP,
    LoadParameter,
    all_parameters,
    contenders_in_words,
    equivalent_contenders,
    find_parameter,
    parameters_of,
)
from advisor.models.contention import link_slowdown, machine_slowdown
from machines import (
    Contender,
    Direction,
    InputError,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Runtime,
    Switch,
)

WIRE = Direction(0.002, 1e6)


def pair(*, first: Machine | None = None, link: Link | None = None) -> Platform:
    return Platform(
        "pair",
        (first or Machine("M1"), Machine("M2", cores=4)),
        (link or Link("M1", "M2", WIRE, WIRE),),
    )


def contenders(machine: str = "M1") -> LoadParameter:
    return find_parameter(pair(), f"contenders:{machine}")


def test_every_machine_and_link_has_its_parameters() -> None:
    keys = [parameter.key for parameter in parameters_of(pair())]
    assert keys == [
        "contenders:M1",
        "contenders:M2",
        "link slowdown:M1–M2",
        "machine slowdown:M1",
        "machine slowdown:M2",
        "speed:M1",
        "speed:M2",
        "bandwidth:M1–M2",
    ]


def test_a_bandwidth_is_set_on_all_of_a_link_and_on_a_switch() -> None:
    piece = LinkPiece(100.0, 0.1, 4e6)
    link = Link("M1", "bus", WIRE, Direction(0.002, 2e6, piece))
    links = (link, Link("M2", "bus", WIRE, WIRE))
    bus = (Switch("bus", 5e6),)
    platform = Platform("pair", (Machine("M1"), Machine("M2")), links, switches=bus)
    on_link = find_parameter(platform, "bandwidth:M1-bus")
    assert on_link.value(platform) == 1e6
    assert (on_link.low, on_link.high, on_link.unit) == (1e5, 1e7, "B/s")
    assert on_link.sentence(3e6) == "bandwidth 3.00 MB/s of M1–bus"
    changed = on_link.applied(platform, 3e6)
    assert changed.links[0].to_second == Direction(0.002, 3e6)
    assert changed.links[0].to_first == Direction(0.002, 6e6, LinkPiece(100.0, 0.1, 12e6))
    assert changed.links[1] == platform.links[1]
    on_bus = find_parameter(platform, "bandwidth:bus")
    assert on_bus.value(on_bus.applied(platform, 2e6)) == 2e6
    assert on_bus.applied(platform, 2e6).links == platform.links
    with pytest.raises(InputError, match="bandwidth"):
        on_bus.applied(platform, 0.0)
    with pytest.raises(InputError, match="no link of that name"):
        bandwidth(platform, "ghost")


def test_a_range_covers_the_present_load() -> None:
    contended = Machine("M1", contenders=(Contender("x", 1.0),) * 9)
    for first in (contended, Machine("M1", slowdown=20.0)):
        busy = pair(first=first)
        for parameter in parameters_of(busy):
            assert parameter.low <= parameter.value(busy) <= parameter.high


def test_a_slowdown_of_a_machine_takes_its_contenders_place_and_leaves_its_links_as_slow() -> None:
    sending = Machine("M1", contenders=(Contender("x", 0.5, 0.5),))
    before = pair(first=sending)
    after = find_parameter(before, "machine slowdown:M1").applied(before, 2.0)
    assert (after.machines[0].contenders, after.machines[0].slowdown) == ((), 2.0)
    assert after.links[0].slowdown == link_slowdown(before, before.links[0], EXACT).value > 1.0


def test_contenders_reach_beyond_the_cores_that_absorb_them() -> None:
    assert contenders("M1").high == 10.0
    wide = Platform("wide", (Machine("M1", cores=32),))
    assert find_parameter(wide, "contenders:M1").high == 64.0


def test_a_hyphen_stands_for_the_dash_of_a_link() -> None:
    assert find_parameter(pair(), "link slowdown:M1-M2").subject == "M1–M2"


def test_an_unknown_key_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="contenders:M1"):
        find_parameter(pair(), "contenders:M9")


@pytest.mark.parametrize("reading", [EXACT, PUBLISHED])
@given(load=st.floats(min_value=0.0, max_value=9.0))
@settings(max_examples=20)
def test_x_contenders_slow_one_core_by_x_plus_one(reading: str, load: float) -> None:
    loaded = contenders().applied(pair(), load, reading)
    slowdown = machine_slowdown(loaded.machines[0], 1, reading).value
    assert slowdown == pytest.approx(1.0 + load, rel=1e-9)


@pytest.mark.parametrize("machine", ["M1", "M2"])
@given(load=st.floats(min_value=0.0, max_value=9.0))
@settings(max_examples=20)
def test_what_is_set_is_read_back(machine: str, load: float) -> None:
    loaded = contenders(machine).applied(pair(), load)
    again = contenders(machine).applied(pair(), contenders(machine).value(loaded))
    for one, other in zip(loaded.machines, again.machines, strict=True):
        before, after = machine_slowdown(one, 1).value, machine_slowdown(other, 1).value
        assert after == pytest.approx(before, rel=1e-9)


def test_contenders_replace_a_stated_slowdown() -> None:
    stated = pair(first=Machine("M1", slowdown=3.0))
    assert contenders().value(stated) == pytest.approx(2.0)
    loaded = contenders().applied(stated, 2.0).machines[0]
    assert loaded.slowdown is None
    assert [one.compute for one in loaded.contenders] == [1.0, 1.0]


def test_a_stated_slowdown_of_one_is_no_contender() -> None:
    assert contenders().value(pair(first=Machine("M1", slowdown=1.0))) == 0.0


def test_contenders_that_find_a_free_core_count_by_their_shares() -> None:
    idle = Machine("M1", cores=4, contenders=(Contender("a", 0.5), Contender("b", 0.25)))
    assert contenders().value(pair(first=idle)) == pytest.approx(0.75)


def test_part_time_contenders_count_as_the_cpu_bound_ones_that_slow_as_much() -> None:
    busy = Machine("M1", contenders=(Contender("a", 0.5), Contender("b", 0.5)))
    # two at half time meet a queue of 1.2 under exact sharing, 1.0 by the published formula
    assert contenders().value(pair(first=busy)) == pytest.approx(1.2)
    assert contenders().value(pair(first=busy), PUBLISHED) == pytest.approx(1.0)


def test_on_several_cores_the_equivalent_load_gives_the_same_slowdown() -> None:
    busy = Machine("M1", cores=2, contenders=(Contender("a", 0.9), Contender("b", 0.8)))
    load = contenders().value(pair(first=busy))
    same = contenders().applied(pair(first=busy), load).machines[0]
    assert machine_slowdown(same, 1).value == pytest.approx(machine_slowdown(busy, 1).value)


def test_links_that_the_old_contenders_slowed_stay_as_slow() -> None:
    busy = pair(first=Machine("M1", contenders=(Contender("x", 0.5, 0.5),)))
    before = link_slowdown(busy, busy.links[0]).value
    assert before > 1.0
    lighter = contenders().applied(busy, 0.0)
    assert link_slowdown(lighter, lighter.links[0]).value == before


def test_a_measured_delay_table_bounds_the_contenders() -> None:
    measured = Link("M1", "M2", WIRE, WIRE, delay_comp=(0.6, 1.1), delay_comm=(0.9, 2.0))
    platform = pair(link=measured)
    parameter = find_parameter(platform, "contenders:M1")
    assert parameter.high == 2.0
    loaded = parameter.applied(platform, 2.0)
    assert link_slowdown(loaded, loaded.links[0]).value == pytest.approx(2.1)
    with pytest.raises(InputError, match="delay"):
        too_many = parameter.applied(platform, 3.0)
        link_slowdown(too_many, too_many.links[0])


def test_a_machine_whose_tables_are_used_up_offers_no_contenders() -> None:
    measured = Link("M1", "M2", WIRE, WIRE, delay_comp=(0.6,))
    platform = pair(first=Machine("M1", contenders=(Contender("x", 1.0),)), link=measured)
    keys = [parameter.key for parameter in parameters_of(platform)]
    assert "contenders:M1" in keys
    assert "contenders:M2" not in keys


@pytest.mark.parametrize(
    ("key", "value"),
    [("link slowdown:M1-M2", 2.25), ("machine slowdown:M2", 3.0), ("speed:M1", 2.0)],
)
def test_slowdowns_and_speeds_are_set_and_read(key: str, value: float) -> None:
    parameter = find_parameter(pair(), key)
    assert parameter.value(parameter.applied(pair(), value)) == value


@pytest.mark.parametrize("load", [-1.0, float("nan"), 1e6])
def test_an_impossible_number_of_contenders_is_refused(load: float) -> None:
    with pytest.raises(InputError, match="number of contenders"):
        contenders().applied(pair(), load)


def test_a_slowdown_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="slowdown"):
        find_parameter(pair(), "link slowdown:M1-M2").applied(pair(), 0.5)


def test_only_the_subject_changes() -> None:
    loaded = contenders().applied(pair(), 2.0)
    assert loaded.machines[1] == pair().machines[1]
    assert loaded.links == pair().links
    assert replace(loaded, machines=pair().machines) == pair()


def test_a_value_in_words_names_its_subject() -> None:
    keys = {
        CONTENDERS: "2 CPU-bound contenders on M1",
        MACHINE_SLOWDOWN: "slowdown 2 of M1",
        LINK_SLOWDOWN: "link slowdown 2 of M1–M2",
        SPEED: "speed 2 of M1",
    }
    for kind, text in keys.items():
        parameter = next(one for one in parameters_of(pair()) if one.kind == kind)
        assert parameter.sentence(2.0) == text
    assert contenders().sentence(1.0) == "1 CPU-bound contender on M1"


def test_the_loads_of_many_links_are_found_by_one_look_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machines = tuple(Machine(f"M{place}") for place in range(24))
    links = tuple(
        Link(one.name, other.name, WIRE, WIRE) for one, other in combinations(machines, 2)
    )
    platform = Platform("many", machines, links)
    looked: list[str] = []
    name = Link.name.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(Link, "name", property(lambda link: looked.append("") or name(link)))
    found = parameters_of(platform)
    assert sum(one.kind == "bandwidth" for one in found) == len(links)
    assert len(looked) <= 4 * len(links)


def test_contenders_have_the_digits_of_the_slider_wherever_they_are_told() -> None:
    assert contenders_in_words(3.92) == "3.92 contenders"
    assert contenders_in_words(0.5, 0.5) == "1 contender"
    assert contenders_in_words(4.0) == "4 contenders"


def test_startups_and_overheads_are_axes_of_maps_alone() -> None:
    wide = Direction(0.001, 1e6, LinkPiece(1e4, 0.004, 2e6))
    platform = replace(
        pair(link=Link("M1", "M2", WIRE, wide)), runtime=Runtime(task_overhead_s=0.5)
    )
    assert not {STARTUP, OVERHEAD} & {one.kind for one in parameters_of(platform)}

    startup = find_parameter(platform, "startup:M1-M2")
    assert startup.value(platform) == 0.002  # of the slower direction
    (link,) = startup.applied(platform, 0.006).links
    assert link.to_second.startup_s == 0.006
    assert link.to_first.startup_s == pytest.approx(0.003)
    assert link.to_first.above is not None and wide.above is not None
    assert link.to_first.above.startup_s == pytest.approx(3.0 * wide.above.startup_s)

    overhead = find_parameter(platform, "overhead:tasks")
    assert overhead.value(overhead.applied(platform, 2.0)) == 2.0
    assert overhead.sentence(2.0) == "overhead 2.00 s of tasks"
    assert all(one.kind != OVERHEAD for one in all_parameters(pair()))


@pytest.mark.parametrize("cores", [200, 257, 3000, 200_000])
def test_machines_of_many_cores_take_every_load_of_their_ranges(cores: int) -> None:
    platform = Platform("one", (Machine("M", cores),))
    for one in parameters_of(platform):
        for value in (one.low, one.high):
            assert one.value(one.applied(platform, value)) == pytest.approx(value)


def test_a_machine_slower_than_contenders_can_make_it_has_no_range_of_them() -> None:
    slow = Platform("one", (Machine("M", 300, slowdown=3.0),))
    assert CONTENDERS not in {one.kind for one in parameters_of(slow)}
    assert equivalent_contenders(slow.machines[0], EXACT) == pytest.approx(899.0)
