"""Overlays as records: what they refuse, and what they say of themselves."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from advisor.overlays.overlay import ASKED, Overlay
from machines import InputError
from machines.parameters import properties_of
from tests.advisor.overlays.monitored import monitor


def test_back_ends_of_all_machines_are_counted() -> None:
    assert monitor(8, 8).count == 64


def test_overlays_compare_hash_and_travel_by_value() -> None:
    overlay = monitor()
    assert overlay == monitor()
    assert hash(overlay) == hash(monitor())
    assert pickle.loads(pickle.dumps(overlay)) == overlay


def test_the_directions_follow_from_the_operation() -> None:
    ways = {one: (o := monitor(operation=one), o.goes_down, o.comes_up)[1:] for one in ASKED}
    assert ways == {
        "broadcast": (True, False), "reduction": (False, True), "round_trip": (True, True),
    }  # fmt: skip


def test_without_a_list_every_machine_may_hold_internal_processes() -> None:
    assert monitor().may_hold("anything")
    assert not monitor(internal_on=()).may_hold("svc")
    assert monitor(internal_on=("svc",)).may_hold("svc")


def test_every_declared_field_has_a_title_help_and_its_default_is_allowed() -> None:
    overlay = monitor()
    for one in properties_of(Overlay):
        assert one.title[0].isupper()
        assert one.help
        one.check(getattr(overlay, one.name))
        assert all(one.title_of(choice) for choice in one.choices)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": ""}, "name"),
        ({"front_end": " "}, "front_end"),
        ({"back_ends": ()}, "no back-ends"),
        ({"back_ends": (("n1", 0),)}, "n1"),
        ({"back_ends": (("n1", 2), ("n1", 3))}, "twice"),
        ({"back_ends": (("n1", 900_000), ("n2", 900_000))}, "too many"),
        ({"message_bytes": 0.0}, "message_bytes"),
        ({"rate_hz": -1.0}, "rate_hz"),
        ({"rate_hz": float("inf")}, "rate_hz"),
        ({"operation": "gossip"}, "operation"),
        ({"filter_s": float("nan")}, "filter_s"),
        ({"overhead_s": -1e-6}, "overhead_s"),
        ({"internal_on": ("svc", "svc")}, "twice"),
        ({"internal_on": ("",)}, "internal_on"),
    ],
)
def test_what_no_overlay_can_be_is_refused_by_name(fields: dict[str, object], named: str) -> None:
    with pytest.raises(InputError, match=named):
        replace(monitor(), **fields)
