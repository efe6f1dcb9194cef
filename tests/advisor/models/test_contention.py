"""Which model gives a machine's and a link's slowdown, and what it says about itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.contention import EXACT, PUBLISHED, Slowdown, link_slowdown, machine_slowdown
from advisor.models.slowdown import communication_slowdown, sharing_slowdown
from machines import Contender, Direction, InputError, Link, Machine, Platform

WAY = Direction(0.001, 1e6)
HALF = Contender("half", 0.5, 0.5)
BUSY = Contender("busy", 1.0)


def machine(*contenders, **options):
    return Machine("M1", contenders=contenders, **options)


def net(first=(), second=(), **options):
    """Two machines with these contenders and their link."""
    return Platform(
        "net",
        (Machine("M1", contenders=tuple(first)), Machine("M2", contenders=tuple(second))),
        (Link("M1", "M2", WAY, WAY, **options),),
    )


def over(platform, reading=EXACT):
    return link_slowdown(platform, platform.links[0], reading)


@pytest.mark.parametrize("reading", [EXACT, PUBLISHED])
def test_a_stated_slowdown_wins_over_contenders(reading):
    assert machine_slowdown(machine(slowdown=1.25), 1, reading) == Slowdown(1.25, "stated")
    assert over(net([BUSY], slowdown=2.5), reading) == Slowdown(2.5, "stated")


@pytest.mark.parametrize("reading", [EXACT, PUBLISHED])
def test_without_contenders_nothing_is_slowed(reading):
    assert machine_slowdown(machine(), 1, reading).value == 1.0
    assert over(net(), reading).value == 1.0
    assert "no contenders" in over(net(), reading).origin


@pytest.mark.parametrize("reading", [EXACT, PUBLISHED])
@pytest.mark.parametrize(
    ("p", "cores", "held", "expected"),
    [
        (2, 1, 1, 3.0),
        (1, 4, 1, 1.0),
        (4, 4, 1, 1.25),
        (7, 4, 2, 2.25),
    ],
)
def test_busy_contenders_share_the_cores_in_both_readings(reading, p, cores, held, expected):
    found = machine_slowdown(machine(*[BUSY] * p, cores=cores), held, reading)
    assert found.value == pytest.approx(expected)
    assert found.notes == ()


def test_the_exact_reading_is_sharing_of_the_processor_and_one_link():
    found = machine_slowdown(machine(HALF, HALF))
    assert found.value == pytest.approx(sharing_slowdown([(1, 1), (1, 1)]))
    assert found.origin.startswith("1 + mean queue 1 (arrival theorem")


def test_the_published_reading_sums_the_shares_and_warns_of_part_time_contenders():
    quarter = Contender("quarter", 0.25)
    found = machine_slowdown(machine(HALF, quarter), 1, PUBLISHED)
    assert found.value == pytest.approx(1.75)
    assert "published formula" in found.origin
    assert any("10–20 %" in note for note in found.notes)


def test_one_part_time_contender_needs_no_warning():
    assert machine_slowdown(machine(HALF), 1, PUBLISHED).notes == ()
    assert machine_slowdown(machine(HALF, Contender("sleeper", 0.0)), 1, PUBLISHED).notes == ()


def test_several_cores_name_their_equation():
    found = machine_slowdown(machine(HALF, HALF, cores=2))
    assert "2 cores" in found.origin
    assert 1.0 < found.value < machine_slowdown(machine(HALF, HALF)).value
    assert "/2 cores)" in machine_slowdown(machine(HALF, cores=2), 1, PUBLISHED).origin


@given(
    st.lists(st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)), max_size=5),
    st.integers(1, 4),
    st.sampled_from([EXACT, PUBLISHED]),
)
def test_more_cores_never_slow_a_task_down(shares, cores, reading):
    contenders = [Contender(f"c{k}", *pair) for k, pair in enumerate(shares)]
    less = machine_slowdown(machine(*contenders, cores=cores), 1, reading).value
    more = machine_slowdown(machine(*contenders, cores=cores + 1), 1, reading).value
    assert 1.0 <= more <= less + 1e-9


def test_contenders_of_both_ends_share_a_link():
    assert over(net([HALF], [HALF])).value > over(net([HALF])).value > 1.0


def test_contenders_of_one_end_alone_give_the_link_slowdown_of_the_model():
    expected = sharing_slowdown([(0.5, 0.5), (0.2, 0.8)], "link")
    assert over(net([HALF, Contender("talks", 0.2, 0.8)])).value == pytest.approx(expected)


def test_two_ends_without_a_common_processor_wait_only_at_the_link():
    # each alternates its own processor and the link: states (at link) 0, 1, 2 weigh 1, 2, 2
    assert over(net([HALF], [HALF])).value == pytest.approx(1 + (2 + 4) / 5)


def test_the_published_link_counts_the_communicating_shares():
    found = over(net([HALF], [Contender("talks", 0.2, 0.6)]), PUBLISHED)
    assert found.value == pytest.approx(2.1)
    assert found.notes


@pytest.mark.parametrize("reading", [EXACT, PUBLISHED])
def test_measured_delay_tables_are_used_in_both_readings(reading):
    contenders = [Contender("a", 0.75, 0.25), Contender("b", 0.24, 0.76)]
    platform = net(contenders[:1], contenders[1:], delay_comp=(0.6, 1.1), delay_comm=(0.9, 2.0))
    found = over(platform, reading)
    assert found.value == pytest.approx(2.523)
    assert "measured" in found.origin


def test_a_missing_table_takes_its_default_and_says_so():
    found = over(net([HALF], delay_comp=(0.6,)))
    assert found.value == pytest.approx(communication_slowdown([0.5], [0.5], [0.6], [1.0]))
    assert found.notes == ("delay_comm is not measured: one delay a contender assumed",)
    found = over(net([HALF], delay_comm=(0.9,)))
    assert found.value == pytest.approx(1.45)
    assert found.notes == ("delay_comp is not measured: no delay assumed",)


@pytest.mark.parametrize("table", ["delay_comp", "delay_comm"])
def test_a_table_shorter_than_the_contenders_is_refused_with_its_link_and_length(table):
    platform = net([HALF], [HALF], **{table: (0.5,)})
    with pytest.raises(InputError, match=f"link M1–M2: {table} is too short.*need 2 entries"):
        over(platform)


def test_contenders_of_a_machine_with_several_links_are_counted_on_each_and_that_is_said():
    platform = net([HALF])
    third = replace(
        platform,
        machines=(*platform.machines, Machine("M3")),
        links=(*platform.links, Link("M3", "M1", WAY, WAY)),
    )
    for link in third.links:
        found = link_slowdown(third, link)
        assert found.value == pytest.approx(1.5)
        assert found.notes == (
            "communication of the contenders of M1 is counted on each of its 2 links",
        )
    assert over(platform).notes == ()


def test_an_unknown_reading_and_more_cores_than_there_are_is_refused():
    with pytest.raises(InputError, match="Allowed: exact, published"):
        machine_slowdown(machine(), 1, "guess")
    with pytest.raises(InputError, match="Allowed: exact, published"):
        over(net(), "guess")
    for reading in (EXACT, PUBLISHED):
        with pytest.raises(InputError, match="cores"):
            machine_slowdown(machine(BUSY), 2, reading)
