"""What messages, filters and processes cost by the settings, in µs, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.studies import parse_settings
from advisor.studies.study import Note
from advisor.studies.trees.message_costs import costs_of
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.costs import TreeCosts
from machines import InputError
from machines.catalogue import interconnect, interconnect_names
from tests.advisor.studies.trees.by_hand import case_of


def costs(*settings: str) -> TreeCosts:
    return costs_of(parse_settings(TreesParameters, settings))[0]


def notes(*settings: str) -> tuple[Note, ...]:
    return costs_of(parse_settings(TreesParameters, settings))[1]


def test_the_textbook_is_the_example_of_the_logp_paper() -> None:
    p = costs().p
    assert (p.L, p.o_s, p.o_r, p.g, p.G) == (6.0, 2.0, 2.0, 4.0, 0.0)
    (note,) = notes()
    assert (note.inside_domain, note.source) == (True, "Culler 1993")


@pytest.mark.parametrize("name", interconnect_names())
def test_a_network_that_ships_is_taken_in_microseconds_with_the_mean_overhead(name: str) -> None:
    net, found = interconnect(name), costs(f"costs={name}").p
    us = net.unit_s * 1e6
    assert found.o_s == found.o_r == pytest.approx((net.long.o_s + net.long.o_r) / 2.0 * us)
    for ours, theirs in ((found.L, net.long.L), (found.g, net.long.g), (found.G, net.long.G)):
        assert ours == pytest.approx(theirs * us)
    said = notes(f"costs={name}")
    assert net.name in said[0].text
    # that the model has one overhead is told where the network has two
    assert any("mean of" in one.text for one in said) == (net.long.o_s != net.long.o_r)
    assert all(not one.inside_domain for one in said if "mean of" in one.text)


def test_ones_own_numbers_are_in_microseconds_and_the_gap_per_byte_in_nanoseconds() -> None:
    own = ("costs=own", "latency=7", "overhead=1.5", "gap=3", "gap_per_byte=20", "size_bytes=101")
    found = costs(*own)
    p = found.p
    assert (p.L, p.o_s, p.o_r, p.g) == (7.0, 1.5, 1.5, 3.0)
    assert pytest.approx(0.02) == p.G
    assert found.size == 101.0
    # 100 further bytes of 20 ns: a step of 5 µs
    assert found.message("broadcast").step == pytest.approx(5.0)
    both = costs(*own, "overhead_receive=2.5").p
    assert both.o_s == both.o_r == 2.0


@pytest.mark.parametrize(
    ("stated", "missing"),
    [
        ((), "overhead o 2.00 µs and gap g 4.00 µs"),
        (("overhead=1",), "gap g 4.00 µs"),
        (("gap=1",), "overhead o 2.00 µs"),
        (("overhead=1", "gap=1"), None),
    ],
)
def test_what_the_textbook_stands_in_for_is_warned_of(
    stated: tuple[str, ...], missing: str | None
) -> None:
    warned = [one.text for one in notes("costs=own", *stated) if not one.inside_domain]
    text = f"Not given; from the LogP paper's example: {missing}"
    assert warned == ([] if missing is None else [text])


def test_starting_is_given_in_milliseconds_and_a_filter_works_on_the_way_up_alone() -> None:
    found = costs("create=1.5", "connect=2", "report=0.25", "filter_cost=3")
    assert (found.create, found.connect, found.report) == (1500.0, 2000.0, 250.0)
    assert found.filter_cost == 0.0  # of a broadcast
    assert costs("operation=reduction", "filter_cost=3").filter_cost == 3.0
    assert costs("operation=round trip", "filter_cost=3").filter_cost == 3.0


def test_both_sides_of_a_protocol_switch_have_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "switch.csv"
    starts = {2**power: 1e-5 if power <= 12 else 5e-5 for power in range(17)}
    rows = (f"{size},{start + size * 1e-9}" for size, start in starts.items())
    path.write_text("\n".join(["size_bytes,seconds_one_way", *rows]), encoding="utf-8")
    stated = ("costs=ping-pong", f"pingpong={path}", "overhead=1", "gap=1")
    short, long = costs(*stated, "size_bytes=64"), costs(*stated, "size_bytes=60000")
    # 2o + L is 10 µs up to 4 kB and 50 µs beyond it
    assert [one.p.L for one in (short, long)] == pytest.approx([8.0, 48.0], rel=1e-3)
    for size in ("64", "60000"):
        told = notes(*stated, f"size_bytes={size}")[0].text
        assert ("below the protocol switch" in told) == (size == "64")
        assert ("above the protocol switch" in told) == (size == "60000")


@pytest.mark.parametrize("text", ["", "   "])
def test_a_ping_pong_without_a_file_is_refused_with_what_to_give(text: str) -> None:
    with pytest.raises(InputError) as refused:
        costs_of(TreesParameters(network="ping-pong", pingpong=text))
    assert "setting pingpong" in str(refused.value)
    assert "Give pingpong=" in str(refused.value)


@settings(max_examples=20)
@given(
    st.sampled_from([0.001, 0.25, 1000.0]),
    st.integers(2, 40),
    st.sampled_from(["broadcast", "reduction", "round trip"]),
)
def test_times_in_another_unit_change_nothing_but_the_unit(
    times: float, N: int, operation: str
) -> None:
    def stated(factor: float) -> tuple[str, ...]:
        numbers = {"latency": 6.0, "overhead": 2.5, "gap": 4.0, "filter_cost": 3.0,
                   "create": 100.0}  # fmt: skip
        return (
            f"back_ends={N}", f"operation={operation}", "costs=own",
            *(f"{name}={value * factor!r}" for name, value in numbers.items()),
        )  # fmt: skip

    plain, scaled = case_of(*stated(1.0)), case_of(*stated(times))
    assert [one.name for one in plain.trees] == [one.name for one in scaled.trees]
    assert plain.best == scaled.best
    for ours, theirs in zip(plain.trees, scaled.trees, strict=True):
        assert ours.tree.is_like(theirs.tree)
        for name in ("broadcast", "reduction", "round_trip", "period", "start_up"):
            value = getattr(ours.measures, name)
            assert getattr(theirs.measures, name) == pytest.approx(times * value)
