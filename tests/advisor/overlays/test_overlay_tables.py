"""Overlays and plans in files: what is written is read back, what does not fit is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import flat
from advisor.overlays.overlay import ASKED, Overlay
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.overlays.overlay_tables import overlay_from, overlay_table, placed_from, placed_table
from machines import InputError
from machines.formats import toml_text
from tests.advisor.overlays.monitored import monitor, placed

EIGHT = OverlayPlan.of(tree_of_shape("8x8", 64), ("svc",) * 8)
WRITTEN = """
[[overlay]]
name = "monitor"
front_end = "login"
back_ends = { n1 = 8, n2 = 8 }
message_bytes = 64
rate_hz = 10.0
operation = "reduction"
filter_s = 0.000002
internal_on = ["n1", "n2", "svc"]
"""


def _row() -> dict[str, object]:
    return toml_text.parse(WRITTEN, "w")["overlay"][0]


def test_an_overlay_reads_as_the_format_says() -> None:
    assert overlay_from(_row()) == Overlay(
        "monitor", "login", (("n1", 8), ("n2", 8)), 64.0, 10.0, "reduction", 2e-6,
        ("n1", "n2", "svc"),
    )  # fmt: skip


def test_what_is_at_its_default_is_left_out() -> None:
    assert overlay_table(Overlay("o", "a", (("b", 1),))) == {
        "name": "o", "front_end": "a", "back_ends": {"b": 1},
    }  # fmt: skip


@given(
    name=st.sampled_from(["o", "Überwachung 2"]),
    below=st.dictionaries(st.sampled_from(["n1", "n 2", "ñ", "4"]), st.integers(1, 99), min_size=1),
    size=st.floats(1.0, 1e9),
    rate=st.floats(0.0, 1e6),
    operation=st.sampled_from(ASKED),
    filter_s=st.floats(0.0, 1.0),
    allowed=st.none() | st.lists(st.sampled_from(["n1", "svc"]), unique=True).map(tuple),
    overhead=st.none() | st.floats(0.0, 1.0),
)
def test_an_overlay_comes_back_from_toml_and_json(
    name, below, size, rate, operation, filter_s, allowed, overhead
) -> None:
    overlay = Overlay(
        name, "n1", tuple(below.items()), size, rate, operation, filter_s, allowed, overhead
    )
    written = overlay_table(overlay)
    assert overlay_from(written) == overlay
    assert overlay_from(json.loads(json.dumps(written))) == overlay
    text = toml_text.dump({"overlay": [written]})
    assert overlay_from(toml_text.parse(text, "t")["overlay"][0]) == overlay


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"fanout": 8}, 'unknown key "fanout"'),
        ({"name": None}, "name must be a text"),
        ({"back_ends": ["n1"]}, "back_ends must be a table"),
        ({"back_ends": {"n1": 1.5}}, "n1: back_ends must be a whole number"),
        ({"back_ends": {}}, "no back-ends"),
        ({"internal_on": "svc"}, "internal_on must be a list of names"),
        ({"rate_hz": "10"}, "rate_hz must be a number"),
        ({"operation": "sum"}, "unknown operation"),
    ],
)
def test_a_wrong_entry_is_refused_by_name(change: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        overlay_from(_row() | change, 'w.toml: overlay "monitor"')
    assert said in str(caught.value)


@pytest.mark.parametrize("key", ["name", "front_end", "back_ends"])
def test_what_must_be_there_is_missed(key: str) -> None:
    row = _row()
    del row[key]
    with pytest.raises(InputError, match=f"{key} is missing"):
        overlay_from(row)


def test_a_levelled_tree_is_a_shape_and_a_number_of_processes_by_machine() -> None:
    two = replace(EIGHT, internal=("svc",) * 5 + ("n1",) * 3)
    assert placed_table(monitor(), two) == {"tree": "8x8", "placement": {"svc": 5, "n1": 3}}
    assert placed_from({"tree": "8x8", "placement": {"svc": 5, "n1": 3}}, monitor()) == two


def test_a_flat_tree_needs_no_placement() -> None:
    plan = OverlayPlan.of(flat(64))
    assert placed_table(monitor(), plan) == {"tree": "64"}
    assert placed_from({"tree": "64"}, monitor()) == plan


def test_what_numbers_by_machine_cannot_say_is_a_topology() -> None:
    mixed = replace(EIGHT, internal=("svc", "n1") * 4)
    text = placed_table(monitor(), mixed)["tree"]
    assert isinstance(text, str)
    assert "login:0 =>\n\tsvc:0\n\tn1:0\n\tsvc:1" in text
    assert placed_from({"tree": text}, monitor()) == mixed


def test_what_mrnet_does_not_take_are_lists() -> None:
    overlay = replace(monitor(1, 2), back_ends=(("old cluster", 2),))
    plan = OverlayPlan((2, 0, 1, 0), ("old cluster",))
    assert placed_table(overlay, plan) == {
        "tree": [2, 0, 1, 0], "placement": {"old cluster": 1},
    }  # fmt: skip
    assert placed_from(placed_table(overlay, plan), overlay) == plan


@given(drawn=placed(), odd=st.booleans())
def test_a_plan_comes_back_from_json(drawn, odd) -> None:
    _, overlay, plan = drawn
    if odd:  # a name that is no host's
        overlay = replace(overlay, front_end="old cluster")
    written = placed_table(overlay, plan)
    assert placed_from(json.loads(json.dumps(written)), overlay) == plan
    text = toml_text.dump({"o": written})
    assert placed_from(toml_text.parse(text, "t")["o"], overlay) == plan


TOPOLOGY = "login:0 => svc:0 ;\nsvc:0 => n1:0 n1:1 n2:0 ;"
SMALL = replace(monitor(), back_ends=(("n1", 2), ("n2", 1)), internal_on=("svc", "n1"))


def test_a_topology_may_come_from_elsewhere() -> None:
    plan = placed_from({"tree": TOPOLOGY}, SMALL)
    assert plan == OverlayPlan((1, 3, 0, 0, 0), ("svc",))
    renumbered = TOPOLOGY.replace("n1:1", "n1:7")
    assert placed_from({"tree": renumbered}, SMALL) == plan


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "tree is missing"),
        ({"tree": "8x8", "hosts": {}}, 'unknown key "hosts"'),
        ({"tree": 8}, "tree must be a text"),
        ({"tree": "2x1"}, "holds fewer than 3 back-ends"),
        ({"tree": "4"}, 'Write "3"'),
        ({"tree": "2x2"}, "2 internal processes, and 0 are placed"),
        ({"tree": "2x2", "placement": {"svc": 1}}, "2 internal processes, and 1 are placed"),
        ({"tree": "2x2", "placement": ["svc"]}, "2 internal processes, and 1 are placed"),
        ({"tree": "2x2", "placement": {"svc": -2}}, "svc: placement must be a whole number"),
        ({"tree": "2x2", "placement": "svc"}, "placement must be a table"),
        ({"tree": "2x2", "placement": {"login": 2}}, "may not hold internal processes"),
        ({"tree": [3, 0, 0]}, "no tree"),
        ({"tree": [2, 0, 0]}, "2 leaves for 3 back-ends"),
        ({"tree": [3.0, 0, 0, 0]}, "children must be a whole number"),
        ({"tree": TOPOLOGY, "placement": {"svc": 1}}, "names the machines itself"),
        ({"tree": TOPOLOGY.replace("login:0", "n2:9")}, "another machine than login"),
        ({"tree": TOPOLOGY.replace("n2:0", "n1:2")}, "back-end 3 is not on n2"),
        ({"tree": TOPOLOGY.replace(" n2:0", "")}, "2 leaves for 3 back-ends"),
        ({"tree": TOPOLOGY.replace("svc:0", "n2:9")}, "may not hold internal processes"),
        ({"tree": TOPOLOGY + "x:0 =>"}, "line 2"),
        ({"tree": "login:0 ;"}, "a front-end alone is no tree"),
    ],
)
def test_another_tree_or_other_machines_are_refused(row: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        placed_from(row, SMALL, 'overlay "monitor"')
    assert said in str(caught.value)
    assert str(caught.value).startswith('overlay "monitor"')


def test_the_overlay_on_its_page_reads() -> None:
    page = (Path(__file__).parents[3] / "docs" / "overlays.md").read_text(encoding="utf-8")
    written = page.split("```toml\n")[1].split("```")[0]
    (row,) = toml_text.parse(written, "page")["overlay"]
    assert overlay_from(row) == Overlay(
        "monitor", "login", (("n1", 8), ("n2", 8)), 64.0, 10.0, "reduction", 2e-6,
        ("n1", "n2", "svc"), 2e-5,
    )  # fmt: skip
