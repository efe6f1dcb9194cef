"""Message styles: the paper's costs, parts that sum, and what a busy receiver adds."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.network_load import (
    NETWORK_MODELS,
    PUBLISHED,
    ROUTE_AWARE,
    NetworkLoad,
    network_load,
)
from advisor.messages.patterns import all_to_all, hotspot
from advisor.messages.styles import (
    ASYNCHRONOUS,
    BLOCKING,
    FIXED_PATTERN_ERROR,
    MEASURED_ERROR,
    NON_BLOCKING,
    PARTS,
    PUBLISHED_ERROR,
    ROUTE_AWARE_ERROR,
    SHORT,
    STYLES,
    SYNCHRONOUS,
    Message,
    Style,
    StyleCost,
    advice,
    alike,
    differences,
    model_error,
    style_cost,
)
from advisor.models.logpc import pipelined_message_time
from machines import InputError
from machines.catalogue import interconnect
from machines.traffic import routes_of

ALEWIFE = interconnect("alewife")
ROUTES = routes_of(ALEWIFE.network)
EVEN = {
    (reading, occupancy): network_load(ROUTES, all_to_all(32), range(32), reading, occupancy)
    for reading in NETWORK_MODELS
    for occupancy in ("bytes", "physical")
}
ASYNC_SHORT = Style(ASYNCHRONOUS, SHORT)
SYNC_SHORT = Style(SYNCHRONOUS, SHORT)
ASYNC_BLOCKING = Style(ASYNCHRONOUS, BLOCKING)
ASYNC_FREE = Style(ASYNCHRONOUS, NON_BLOCKING)

loads = st.sampled_from(list(EVEN.values()))
messages = st.builds(
    Message,
    size=st.integers(1, 100_000),
    computation=st.floats(0, 1e5),
    short_bytes=st.integers(1, 64),
)


def measured(contention: float) -> NetworkLoad:
    return network_load(ROUTES, all_to_all(32), range(32), PUBLISHED, given=contention)


def test_a_synchronous_short_message_costs_what_table_4_prints() -> None:
    lopc = style_cost(SYNC_SHORT, ALEWIFE, measured(0.0), Message(16))
    assert lopc.time == 453
    assert lopc.time - lopc.processor == 316  # LogP knows no contention for the processor
    assert lopc.processor == 137
    assert style_cost(SYNC_SHORT, ALEWIFE, measured(23.0), Message(16)).time == 499


def test_an_asynchronous_short_message_costs_its_overheads_whatever_the_network() -> None:
    for contention in (0.0, 31.0):
        cost = style_cost(ASYNC_SHORT, ALEWIFE, measured(contention), Message(16))
        assert cost.time == cost.overhead == 137
        assert cost.contention == contention
    modelled = style_cost(ASYNC_SHORT, ALEWIFE, EVEN[PUBLISHED, "bytes"], Message(16))
    assert modelled.time == 137
    assert modelled.contention == pytest.approx(3.1735537)


def test_long_messages_follow_each_other_at_2_22_times_their_bytes() -> None:
    alone = style_cost(ASYNC_BLOCKING, ALEWIFE, measured(0.0), Message(1000))
    assert alone.time == pytest.approx(1020)  # 25 + 999/2 + 991/2: "1 message per B cycles"
    loaded = style_cost(ASYNC_BLOCKING, ALEWIFE, EVEN[PUBLISHED, "bytes"], Message(10**7))
    assert loaded.time / 1e7 == pytest.approx(2.224745, rel=1e-5)


def test_a_synchronous_long_message_holds_the_pipeline_of_equation_2() -> None:
    for size in (100, 5000):
        cost = style_cost(Style(SYNCHRONOUS, NON_BLOCKING), ALEWIFE, measured(0.0), Message(size))
        reply = 15 + 21 + 122
        handler = 129 + 15
        assert cost.time == pytest.approx(
            pipelined_message_time(ALEWIFE.long, size) + reply + handler
        )


def test_a_blocking_handler_makes_requests_wait_for_its_transfer() -> None:
    costs = [
        style_cost(Style(SYNCHRONOUS, transport), ALEWIFE, measured(0.0), Message(5000))
        for transport in (NON_BLOCKING, BLOCKING)
    ]
    # O_r = (B − 1 − a) G instead of o_rl
    assert costs[1].time - costs[0].time == pytest.approx(4991 / 2 - 129)


def test_non_blocking_transfers_hide_under_computation() -> None:
    busy = style_cost(ASYNC_FREE, ALEWIFE, EVEN[PUBLISHED, "physical"], Message(1000, 50_000.0))
    assert busy.time == 50_000 + 25 + 129
    assert busy.network == busy.gap == 0.0
    assert busy.contention > 0.0
    idle = style_cost(ASYNC_FREE, ALEWIFE, measured(0.0), Message(1000))
    assert idle.time == 500  # B G


@given(loads, messages, st.sampled_from(STYLES))
def test_parts_are_not_negative_and_hold_the_computation(
    load: NetworkLoad, message: Message, style: Style
) -> None:
    cost = style_cost(style, ALEWIFE, load, message)
    parts = [getattr(cost, part) for part in PARTS]
    assert min(parts) >= 0
    assert cost.computing == pytest.approx(message.computation)
    assert cost.time == pytest.approx(sum(parts))
    assert cost.contention >= 0


@given(loads, messages)
def test_waiting_for_replies_or_transfers_is_never_faster(
    load: NetworkLoad, message: Message
) -> None:
    time = {style: style_cost(style, ALEWIFE, load, message).time for style in STYLES}
    for transport in (SHORT, BLOCKING, NON_BLOCKING):
        slower = time[Style(SYNCHRONOUS, transport)]
        assert time[Style(ASYNCHRONOUS, transport)] <= slower * (1 + 1e-9)
    assert time[ASYNC_FREE] <= time[ASYNC_BLOCKING] * (1 + 1e-9)


@given(loads, st.integers(1, 50), st.sampled_from(STYLES))
def test_short_messages_carry_large_ones_in_equal_pieces(
    load: NetworkLoad, count: int, style: Style
) -> None:
    one = style_cost(style, ALEWIFE, load, Message(16, 10.0))
    many = style_cost(style, ALEWIFE, load, Message(16 * count, 10.0 * count))
    if style.transport == SHORT:
        assert many.time == pytest.approx(count * one.time)
        assert many.messages == count * one.messages
    else:
        assert many.messages == 1


def test_the_route_aware_reading_sees_a_hotspot_and_the_published_one_warns() -> None:
    traffic = hotspot(32, 0.5)
    aware = network_load(ROUTES, traffic, range(32), ROUTE_AWARE)
    published = network_load(ROUTES, traffic, range(32), PUBLISHED)
    seen = style_cost(ASYNC_SHORT, ALEWIFE, aware, Message(16))
    assert seen.time == pytest.approx(15 + 16 * 122)  # one send, 1 + 30 · 0.5 receives
    blind = style_cost(ASYNC_SHORT, ALEWIFE, published, Message(16))
    assert blind.time == 137
    assert any("receiver's processor" in text for text in blind.caveats(published, "cycle"))
    assert not seen.caveats(aware, "cycle")
    floor = style_cost(ASYNC_FREE, ALEWIFE, aware, Message(10_000)).time
    assert floor >= 5000 * (1 + 30 * 0.5) * (1 - 1e-9)


def test_a_cost_crosses_to_another_process() -> None:
    cost = style_cost(SYNC_SHORT, ALEWIFE, EVEN[ROUTE_AWARE, "physical"], Message(16))
    assert pickle.loads(pickle.dumps(cost)) == cost


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Style("lazy"), "synchronous; asynchronous"),
        (lambda: Style(SYNCHRONOUS, "telegram"), "telegram"),
        (lambda: Message(0), "size"),
        (lambda: Message(1, -1.0), "computation"),
        (lambda: measured(-1.0), "contention"),
        (lambda: network_load(ROUTES, np.eye(2, k=1), range(2), "guess"), "route-aware"),
    ],
)
def test_what_is_no_style_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]


FIRST, SECOND, THIRD = STYLES[5], STYLES[4], STYLES[1]
TIMES = st.floats(0.0, 1e6)
COSTS = st.builds(StyleCost, st.sampled_from(STYLES), st.just(1), *[TIMES] * len(PARTS))


def costing(place: int, overhead: float, network: float) -> StyleCost:
    return StyleCost(STYLES[place], 1, overhead=overhead, network=network)


def test_a_difference_below_the_models_error_is_none() -> None:
    assert alike(costing(5, 500, 500), costing(4, 500, 550), 0.06)
    assert not alike(costing(5, 500, 500), costing(4, 500, 600), 0.06)


def test_a_difference_of_measured_overheads_is_one_however_small() -> None:
    assert not alike(costing(3, 1000, 0), costing(4, 1001, 0), 0.06)
    # 1 of contention can't account for 15 of overheads
    assert not alike(costing(5, 154, 0), costing(4, 168, 1), 0.12)
    assert alike(costing(3, 1000, 0), costing(4, 1000, 0), 0.06)


def test_of_styles_that_are_alike_the_one_is_used_that_leaves_least_in_flight() -> None:
    costs = {FIRST: costing(5, 0, 1000), SECOND: costing(4, 0, 1040), THIRD: costing(1, 0, 1200)}
    found = advice(costs, 0.06)
    assert (found.use, found.alike, found.against) == (SECOND, (FIRST, SECOND), FIRST)
    assert not found.clear
    clear = advice(costs, 0.01)
    assert (clear.use, clear.alike, clear.against) == (FIRST, (FIRST,), SECOND)
    assert clear.clear


@given(COSTS, COSTS)
def test_the_parts_sum_to_the_gain(use: StyleCost, against: StyleCost) -> None:
    gain = against.time - use.time
    scale = max(use.time, against.time)
    assert sum(differences(use, against).values()) == pytest.approx(gain, abs=1e-8 * scale)


def test_each_model_has_its_own_error() -> None:
    load = NetworkLoad(2.0, 2, 1.0, 1.0, ROUTE_AWARE)
    assert model_error(load, fixed=False) == ROUTE_AWARE_ERROR
    assert model_error(load, fixed=True) == FIXED_PATTERN_ERROR
    published = NetworkLoad(2.0, 2, 1.0, 1.0, PUBLISHED)
    assert model_error(published, fixed=True) == PUBLISHED_ERROR
    measured = NetworkLoad(2.0, 2, 1.0, 1.0, PUBLISHED, given=23.0)
    assert model_error(measured, fixed=False) == MEASURED_ERROR
