"""A shared-memory program as one of messages: the same computing, LogP's costs by hand."""

from __future__ import annotations

import pytest

from advisor.messages.styles import STYLES
from advisor.models.dvsm import (
    FAST_ETHERNET,
    FUTURE,
    TODAY,
    Network,
    Technology,
    counted,
    software_time,
    wire_time,
)
from advisor.programs.shared_memory_program import (
    SOCKET_STYLES,
    Messages,
    computing_s,
    on_network,
    on_workstations,
)
from advisor.shared_memory.application_file import shipped_application
from machines import InputError
from machines.catalogue import interconnect

WATER = shipped_application("water").counted("fast-ethernet")
UNEVEN = counted(
    {
        "processors": 2,
        "sequential_time": 1e6,
        "phases": [
            {"repeat": 3, "loads": [{"busy": 2e5}, {"busy": 1e5}]},
            {"loads": [{"busy": 0.0}, {"busy": 4e5}]},
        ],
    }
)
SYNCHRONOUS, ASYNCHRONOUS = SOCKET_STYLES


def test_the_computing_is_that_of_the_slowest_of_each_phase() -> None:
    assert computing_s(UNEVEN) == pytest.approx(1.0)


def test_an_asynchronous_message_costs_software_on_either_side() -> None:
    found = on_workstations(Messages(100, 1000.0), UNEVEN, FAST_ETHERNET, TODAY)
    by_hand = 1.0 + 100 * 2 * software_time(FAST_ETHERNET, 1000.0) * 1e-6
    assert found[ASYNCHRONOUS].seconds == pytest.approx(by_hand)
    assert set(found) == set(SOCKET_STYLES)


def test_a_synchronous_one_also_waits_for_wire_and_latency_both_ways() -> None:
    found = on_workstations(Messages(100, 1000.0), UNEVEN, FAST_ETHERNET, TODAY)
    there_and_back = 2 * (wire_time(FAST_ETHERNET, 1000.0) + 50.0)
    more = found[SYNCHRONOUS].seconds - found[ASYNCHRONOUS].seconds
    assert more > 100 * 1e-6 * there_and_back * 0.9


def test_better_technology_makes_messages_cheaper_too() -> None:
    asked = Messages(1000, 1000.0)
    today = on_workstations(asked, WATER, FAST_ETHERNET, TODAY)
    future = on_workstations(asked, WATER, FAST_ETHERNET, FUTURE)
    factor = software_time(FAST_ETHERNET, 1000.0) * 0.2 / 8.0
    by_hand = computing_s(WATER) / 8.0 + 1000 * 2 * factor * 1e-6
    assert future[ASYNCHRONOUS].seconds == pytest.approx(by_hand)
    assert future[SYNCHRONOUS].seconds < today[SYNCHRONOUS].seconds


def test_a_multicomputer_prices_every_style_at_the_speed_of_its_processors() -> None:
    net = interconnect("myrinet-now")
    found = on_network(Messages(1000, 1000.0), WATER, net)
    assert set(found) == set(STYLES)
    faster = on_network(Messages(1000, 1000.0), WATER, net, 8.0)
    for style in STYLES:
        assert found[style].seconds > computing_s(WATER) > faster[style].seconds


@pytest.mark.parametrize(("count", "size"), [(0, 8.0), (-1, 8.0), (1, 0.0), (1, float("nan"))])
def test_messages_that_are_none_are_refused(count: int, size: float) -> None:
    with pytest.raises(InputError, match=r"messages|message_bytes"):
        Messages(count, size)


def test_what_can_not_send_is_refused() -> None:
    alone = counted(
        {"processors": 1, "sequential_time": 1.0, "phases": [{"loads": [{"busy": 1.0}]}]}
    )
    with pytest.raises(InputError, match=r"processes .*Allowed: 2"):
        on_workstations(Messages(1, 8.0), alone, FAST_ETHERNET, TODAY)
    with pytest.raises(InputError):  # nine hundred processors on 32 nodes
        many = counted(
            {
                "processors": 900,
                "sequential_time": 1.0,
                "phases": [{"loads": [{"busy": 1.0}] * 900}],
            }
        )
        on_network(Messages(1, 8.0), many, interconnect("myrinet-now"))
    free = Network("free", (1.0, 0.0), (1.0, 0.0), 1.0, 0.0, 1.0)
    with pytest.raises(InputError, match=r"gap|G"):
        on_workstations(Messages(1, 8.0), UNEVEN, free, Technology())
