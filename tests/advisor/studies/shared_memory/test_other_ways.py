"""Other ways than better technology: messages, networks and fewer processors, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.quantities import percent
from advisor.models.dvsm import FUTURE, TODAY, application_time
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.studies.shared_memory.advice import doubt, headline, how_to_reach
from advisor.studies.shared_memory.findings import Findings
from advisor.studies.shared_memory.other_ways import (
    BOTH,
    FEWER,
    KINDS,
    MESSAGES,
    NETWORK,
    Way,
    best_way,
    fetched,
    messages_of,
    ways,
)
from advisor.studies.shared_memory.parameters import SharedMemoryCase, SharedMemoryParameters
from tests.advisor.studies.shared_memory.by_hand import SMALL, Costs, searched, written

NOW = Costs()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SharedMemoryParameters:
    """With a wire that takes time, without which nothing can be sent."""
    asked = written(tmp_path_factory.mktemp("small") / "small.toml")
    return replace(asked, own_wire_per_byte=0.01)


@pytest.fixture(scope="module")
def small_base(small: SharedMemoryParameters) -> Findings:
    return Findings.of(SharedMemoryCase.of(small))


def found(asked: SharedMemoryParameters) -> tuple[SharedMemoryCase, tuple[Way, ...]]:
    case = SharedMemoryCase.of(asked)
    return case, ways(case, Findings.of(case).times["base"])


def of_kind(every: tuple[Way, ...], kind: str) -> dict[str, Way]:
    return {way.name: way for way in every if way.kind == kind}


def program(kind: OperationKind, often: float, processors: int = 2) -> Application:
    load = Load(1000.0, ((kind.name, often),))
    return Application("one", 4000.0, (kind,), (Phase("a", 2, (load,) * processors),))


# Messages for what is fetched -------------------------------------------------------------


def test_a_message_stands_for_each_part_lock_and_way_of_a_barrier() -> None:
    messages = fetched(SMALL.counted())
    assert messages is not None
    # on the mean of both: 3 reads of 20 bytes, half a lock of 24, 4 barriers of 40 and 200
    sent, total = 3 + 0.5 + 8, 3 * 20 + 0.5 * 24 + 4 * 240
    assert messages.count == round(sent)
    assert messages.size == pytest.approx(total / sent)


@pytest.mark.parametrize(
    ("kind", "inputs", "each", "size"),
    [
        ("fault", (("parts", 3), ("request", 12.0), ("reply", 500.0)), 3, 500.0),
        ("collection", (("parts", 2), ("request", 12.0), ("reply", 700.0)), 2, 700.0),
        ("empty_miss", (), 1, 4096.0),
        ("lock", (("parties", 3),), 1, 24.0),
        ("barrier", (("request", 50.0), ("release", 150.0)), 2, 100.0),
        ("lock", (("parties", 1),), 0, 0.0),  # it is here already
        ("service", (("request", 12.0), ("reply", 20.0)), 0, 0.0),  # told by who asks
        ("release", (), 0, 0.0),
    ],
)
def test_each_kind_of_operation_has_its_messages(
    kind: str, inputs: tuple[tuple[str, float], ...], each: int, size: float
) -> None:
    counts = program(OperationKind("do", kind, inputs), 5.0).counted()
    messages = fetched(counts)
    if each == 0:
        assert messages is None
    else:
        assert messages is not None
        assert messages.count == 2 * 5 * each
        assert messages.size == pytest.approx(size)


def test_less_than_a_message_is_none(tmp_path: Path) -> None:
    kind = OperationKind("do", "empty_miss")
    assert fetched(program(kind, 0.4).counted()) is None
    asked = written(tmp_path / "few.toml", program(kind, 0.4))
    assert messages_of(SharedMemoryCase.of(asked)) is None
    stated = messages_of(SharedMemoryCase.of(replace(asked, messages=7, message_bytes=300)))
    assert stated is not None
    assert (stated.count, stated.size) == (7, 300.0)


def test_messages_take_the_computing_of_the_slowest_and_the_software_of_each(
    small: SharedMemoryParameters,
) -> None:
    _, every = found(replace(small, messages=100, message_bytes=1))
    (way,) = of_kind(every, MESSAGES).values()
    assert way.name == "messages over own numbers"
    computing = 3 * 1000.0 + 2000.0
    # sent and taken in by the processor; or besides awaited, there and back
    assert way.times[0] == pytest.approx(computing + 100 * 200.0)
    assert way.times[1] >= computing + 100 * 2 * (200.0 + NOW.latency)
    alone = 8000.0 / 2
    assert way.efficiencies == pytest.approx((alone / way.times[1], alone / way.times[0]))


# Other networks ---------------------------------------------------------------------------


def test_every_other_network_that_ships_is_tried_and_the_own_one_is_not(
    small: SharedMemoryParameters,
) -> None:
    for network, others in (("own numbers", 0), ("fast-ethernet", 1)):
        case, every = found(replace(small, network=network))
        names = {dvsm_network(key).network.name for key in dvsm_network_names()}
        networks = of_kind(every, NETWORK)
        assert len(networks) == len(names) - others
        assert case.base.net.name not in networks
        assert {f"messages over {name}" for name in networks} == set(of_kind(every, BOTH))


def test_a_network_brings_its_own_wire_and_latency_whatever_the_base_states(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, base="Table 7 future")
    case, every = found(asked)
    bare = replace(FUTURE, interface_latency=None, switch_latency=None, wire_per_byte=None,
                   signal=None)  # fmt: skip
    assert case.base.technology == FUTURE
    for key in dvsm_network_names():
        net = dvsm_network(key).network
        truth = application_time(net, case.application.counted(key), bare)
        way = of_kind(every, NETWORK)[net.name]
        assert way.times == (truth.time, truth.time)
        assert way.efficiencies == (truth.efficiency, truth.efficiency)


def test_a_network_whose_software_is_less_than_what_was_measured_beside_it_is_left_out(
    tmp_path: Path,
) -> None:
    # 90 µs less than the software of one side: fits 100 µs, but not a present-day network's
    kind = OperationKind(
        "read", "fault",
        (("parts", 1), ("request", 12.0), ("reply", 20.0), ("send_extra", -90.0)),
    )  # fmt: skip
    _, every = found(written(tmp_path / "less.toml", program(kind, 5.0)))
    tried = set(of_kind(every, NETWORK))
    names = {dvsm_network(key).network.name for key in dvsm_network_names()}
    assert {"Fast Ethernet", "OC-3 ATM"} <= tried < names


# Fewer processors -------------------------------------------------------------------------


@pytest.mark.parametrize("processors", [1, 2, 3, 4, 9, 16])
def test_processors_are_halved_as_long_as_two_are_left(processors: int, tmp_path: Path) -> None:
    kind = OperationKind("do", "empty_miss")
    case, every = found(written(tmp_path / "p.toml", program(kind, 5.0, processors)))
    base = case.base.timed(TODAY)
    expected = []
    fewer = processors // 2
    while fewer >= 2:
        expected.append(fewer)
        fewer //= 2
    tried = of_kind(every, FEWER)
    assert set(tried) == {f"{many} processors" for many in expected}
    for many in expected:
        # a share of what each fetches is here already: 1/P' of it instead of 1/P
        least, most = tried[f"{many} processors"].times
        overhead = base.time - 2000.0
        left = (1 - 1 / many) / (1 - 1 / processors) * overhead
        assert least == pytest.approx(processors / many * 2000.0 + left)
        assert most == pytest.approx(processors / many * (2000.0 + left))
        low, high = tried[f"{many} processors"].efficiencies
        assert (low * most * many, high * least * many) == pytest.approx((4000.0, 4000.0))


# Which is advised -------------------------------------------------------------------------


def test_ways_come_in_the_order_of_their_kinds_and_the_faster_first(
    small: SharedMemoryParameters,
) -> None:
    _, every = found(small)
    places = [(KINDS.index(way.kind), way.times[1]) for way in every]
    assert places == sorted(places)
    assert {way.kind for way in every} == {NETWORK, MESSAGES, BOTH}  # of two, none is fewer


INTERVALS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.floats(0.1, 1.0), st.floats(0.0, 0.5)), max_size=6
)


@given(INTERVALS, st.floats(0.3, 0.95))
def test_no_way_that_surely_reaches_is_passed_over_for_one_that_may(
    small_base: Findings, drawn: list[tuple[str, float, float]], target: float
) -> None:
    base = small_base.times["base"]
    every = tuple(
        Way(kind, f"way {at}", (base.time * (1 - more), base.time), (low, min(1.0, low + more)))
        for at, (kind, low, more) in enumerate(drawn)
    )
    way = best_way(every, base, target)
    answers = [one.reaches(target) for one in every]
    for answer in ("yes", "perhaps"):
        if answer in answers:
            assert way is every[answers.index(answer)]
            return
    assert way is None  # none is surely faster than now


def test_two_changes_are_advised_where_no_other_way_helps(small: SharedMemoryParameters) -> None:
    case, every = searched(replace(small, target=0.66))
    assert ", but this does." in doubt(case, every)
    alone = replace(every, ways=())
    assert "No single plausible change of technology reaches efficiency 66 %." in doubt(case, alone)
    assert headline(case, alone).startswith("For efficiency 66 % take two, each ")


def test_out_of_reach_is_said_with_what_technology_gives_at_its_limits(
    small: SharedMemoryParameters,
) -> None:
    case, every = searched(replace(small, target=0.745))
    best = percent(every.reaches["base"].best)
    said = how_to_reach(case, every, case.base)
    begin = "Base: efficiency 74 % is out of reach of plausible technology, which at its limits "
    assert said.startswith(f"{begin}gives {best}. It would take ")
    # of a search that was stopped before it no more is known
    assert how_to_reach(case, replace(every, beyond={}), case.base) == f"{begin}gives {best}."
