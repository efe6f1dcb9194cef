"""The XML holds the platform: its hosts, what transfers share, and the routes."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from advisor.export.simgrid.platform_xml import fit_names, render, xml_platform
from machines import Contender, Direction, Link, LinkPiece, Machine, Platform, Store, Switch
from machines.catalogue import interconnect
from machines.routes import routes
from machines.sharing import crossed, resources
from tests.network_cases import Case, spread

FAST, SLOW = Direction(0.5, 400.0), Direction(0.25, 100.0)


def read(platform: Platform) -> Element:
    speeds = [(1.0,)] * len(platform.machines)
    text = render(xml_platform(platform, "exact", speeds))
    # the parser refuses DOCTYPEs, which SimGrid wants
    root: Element = fromstring(re.sub("<!DOCTYPE[^>]*>", "", text).encode())
    return root


def links(root: Element) -> dict[str, tuple[str, float, float]]:
    """Name → policy, bytes/s, seconds."""
    return {
        one.get("id", ""): (
            one.get("sharing_policy", ""),
            float(one.get("bandwidth", "").removesuffix("Bps")),
            float(one.get("latency", "").removesuffix("s")),
        )
        for one in root.iter("link")
    }


def paths(root: Element) -> dict[tuple[str, str], list[str]]:
    """(from, to) → names of the links crossed."""
    return {
        (one.get("src", ""), one.get("dst", "")): [each.get("id", "") for each in one]
        for one in root.iter("route")
    }


def two(sharing: str, there: Direction = FAST, back: Direction = FAST, **link: float) -> Platform:
    joined = Link("A", "B", there, back, sharing=sharing, **link)  # type: ignore[arg-type]
    return Platform("p", (Machine("A", 2), Machine("B")), (joined,))


def test_the_file_says_which_version_of_the_format_it_is() -> None:
    text = render(xml_platform(two("duplex"), "exact", [(1.0,), (1.0, 0.5)]))
    assert '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' in text
    assert '<platform version="4.1">' in text
    assert '<host id="A" speed="1000000000.0f" core="2"/>' in text
    assert '<host id="B" speed="1000000000.0f,500000000.0f" core="1"/>' in text


def test_a_duplex_link_is_two_shared_ones() -> None:
    root = read(two("duplex", FAST, SLOW))
    assert links(root) == {"A→B": ("SHARED", 400.0, 0.5), "B→A": ("SHARED", 100.0, 0.25)}
    assert paths(root) == {("A", "B"): ["A→B"], ("B", "A"): ["B→A"]}


def test_a_shared_link_is_one_for_both_directions() -> None:
    root = read(two("shared"))
    assert links(root) == {"A–B": ("SHARED", 400.0, 0.5)}
    assert paths(root) == {("A", "B"): ["A–B"], ("B", "A"): ["A–B"]}


def test_a_shared_link_of_unlike_directions_caps_each() -> None:
    root = read(two("shared", FAST, SLOW))
    assert links(root) == {
        "A–B": ("SHARED", 400.0, 0.0),
        "A→B": ("FATPIPE", 400.0, 0.5),
        "B→A": ("FATPIPE", 100.0, 0.25),
    }
    assert paths(root) == {("A", "B"): ["A–B", "A→B"], ("B", "A"): ["A–B", "B→A"]}


def test_a_free_link_only_caps() -> None:
    assert {policy for policy, _, _ in links(read(two("free"))).values()} == {"FATPIPE"}


def test_a_link_is_as_wide_as_its_wider_piece_and_as_slow_as_its_slowdown() -> None:
    pieces = Direction(0.5, 400.0, LinkPiece(10.0, 1.0, 800.0))
    found = links(read(two("duplex", pieces, SLOW, slowdown=2.0)))
    assert found == {"A→B": ("SHARED", 400.0, 1.0), "B→A": ("SHARED", 50.0, 0.5)}


def test_contenders_that_communicate_slow_their_link() -> None:
    busy = Machine("A", contenders=(Contender("c", 0.5, 0.5),))
    platform = Platform("p", (busy, Machine("B")), two("duplex").links)
    ((_, bandwidth, latency_s), _) = links(read(platform)).values()
    assert bandwidth < 400.0
    assert bandwidth * latency_s == pytest.approx(200.0)


def test_a_switch_with_a_bandwidth_is_crossed_once_and_one_without_never() -> None:
    platform = Platform(
        "p",
        (Machine("A"), Machine("B")),
        (Link("A", "r", FAST, FAST), Link("r", "bus", SLOW, SLOW), Link("bus", "B", FAST, FAST)),
        switches=(Switch("r"), Switch("bus", 50.0)),
        stores=(),
    )
    root = read(platform)
    assert links(root)["bus"] == ("SHARED", 50.0, 0.0)
    assert paths(root)["A", "B"] == ["A→r", "r→bus", "bus", "bus→B"]
    assert "r" not in links(root)


def test_a_store_is_a_host_and_what_no_link_reaches_has_no_route() -> None:
    platform = Platform(
        "p", (Machine("A"), Machine("B"), Machine("C")), (Link("A", "B", FAST, FAST),
        Link("s", "C", SLOW, SLOW)), stores=(Store("s"),),
    )  # fmt: skip
    root = read(platform)
    assert [one.get("id") for one in root.iter("host")] == ["A", "B", "C", "s"]
    assert set(paths(root)) == {("A", "B"), ("B", "A"), ("C", "s"), ("s", "C")}


@pytest.mark.parametrize("case", spread(12), ids=lambda case: f"{case.name}-{case.kind}")
def test_routes_cross_what_the_platform_says_that_they_share(case: Case) -> None:
    platform = case.platform
    root = read(platform)
    shared = {name for name, (policy, _, _) in links(root).items() if policy == "SHARED"}
    known = resources(platform)
    expected = {
        (platform.hosts[p], platform.hosts[q]): [
            known[at].name for at in crossed(platform, known, route)
        ]
        for (p, q), route in routes(platform).items()
    }
    found = {pair: [name for name in path if name in shared] for pair, path in paths(root).items()}
    assert found == expected
    assert {name: links(root)[name][1] for name in shared} == {
        one.name: one.capacity for one in known
    }


def test_what_comes_from_or_goes_to_a_network_inside_a_machine_shares_it() -> None:
    """Alewife: L of long messages at either end, and 1/G, what one node sends or takes."""
    net = interconnect("alewife-1")
    machines = (Machine("A", network=net), Machine("B", network=net), Machine("C"))
    way = Direction(1e-4, 1e8)
    joins = (Link("A", "B", way, way), Link("B", "C", way, way), Link("A", "C", way, way))
    root = read(Platform("p", machines, joins))
    inner = links(root)["A network"]
    assert inner[0] == "SHARED"
    assert inner[1] == pytest.approx(1.0 / (net.long.G * net.unit_s))
    assert inner[2] == pytest.approx(net.long.L * net.unit_s)
    assert paths(root)["A", "B"] == ["A network", "A→B", "B network"]
    assert paths(root)["C", "A"] == ["C→A", "A network"]


def test_names_are_escaped_and_read_back() -> None:
    odd = "a \"b\" <&'c'> – é 😀"
    platform = Platform("p", (Machine(odd), Machine("B")), (Link(odd, "B", FAST, FAST),))
    root = read(platform)
    assert [one.get("id") for one in root.iter("host")] == [odd, "B"]
    assert (odd, "B") in paths(root)


def test_names_that_xml_can_not_hold_are_changed_and_stay_apart() -> None:
    assert fit_names(("a\nb", "a_b", "a\x00b", "\ud800", " c ", "zone"), ("zone",)) == (
        "a_b", "a_b 2", "a_b 3", "_", "c", "zone 2",
    )  # fmt: skip


def test_a_name_made_of_two_never_meets_another_links_name() -> None:
    machines = Machine("A"), Machine("A→B"), Machine("C")
    platform = Platform(
        "p", machines, (Link("A", "B→C", FAST, FAST), Link("A→B", "C", FAST, FAST)),
        stores=(Store("B→C"),),
    )  # fmt: skip
    names = [one.get("id") for one in read(platform).iter("link")]
    assert names == ["A→B→C", "B→C→A", "A→B→C 2", "C→A→B"]
