"""Flux's hosts and parents as a tree, and a tree as these."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from advisor.models.process_tree import Tree, flat
from advisor.trees.daemon_trees import kary_tree
from advisor.trees.flux_bootstrap import bootstrap_text, parse_bootstrap
from advisor.trees.tree_file import read_tree
from advisor.trees.tree_hosts import Hosts, place_tree
from machines import InputError
from tests.advisor.random_trees import trees

TEXT = """# a cluster
[tbon]
tcp_user_timeout = "2m"
[bootstrap]
default_port = 8050
hosts = [
  { host = "head", bind = "tcp://eth0:%p" },
  { host = "gate[1-2]", parent = "head" },
  { host = "c[01-03],x9", parent = "gate2" },
  { host = "c04", parent = "gate1" },
]
"""


def test_hosts_and_their_parents_are_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(TEXT)
    found = read_tree(path)
    assert found.tree.fanouts.tolist() == [2, 1, 4, 0, 0, 0, 0, 0]
    assert found.placed is not None
    names = [name.partition(":")[0] for name in found.placed.names()]
    assert names == ["head", "gate1", "gate2", "c04", "c01", "c02", "c03", "x9"]


@given(trees())
def test_a_tree_that_is_written_is_read_again(tree: Tree) -> None:
    placed = place_tree(tree)
    again = parse_bootstrap(bootstrap_text(placed), "t")
    assert again.tree.is_like(tree)
    assert again.names() == placed.names()


def test_siblings_are_written_as_ranges() -> None:
    hosts = Hosts("m", tuple((name, 1) for name in ("n08", "n09", "n10", "n12", "k", "n7", "n8")))
    lines = bootstrap_text(place_tree(flat(7), hosts)).splitlines()[3:-1]
    assert [line.split('"')[1] for line in lines] == ["n[08-10]", "n12", "k", "n[7-8]"]


def test_two_brokers_on_a_host_are_refused() -> None:
    with pytest.raises(InputError, match=r"one broker on a host.*'a'.*the 3 processes"):
        bootstrap_text(place_tree(flat(2), Hosts("m", (("a", 2),))))


@pytest.mark.parametrize(("topo", "k"), [("", 32), ('[tbon]\ntopo = "kary:3"\n', 3)])
def test_without_parents_the_topology_makes_the_tree(topo: str, k: int) -> None:
    text = f'{topo}[bootstrap]\nhosts = [ {{ host = "n[0-49]" }} ]\n'
    assert parse_bootstrap(text, "t").tree.is_like(kary_tree(50, k))


@pytest.mark.parametrize(
    ("hosts", "message"),
    [
        ("", "no hosts in it"),
        ('{ host = "a" }', "one broker is no tree"),
        ('{ name = "a" }', r"hosts 1: an entry names its host"),
        ('{ host = "a" }, { host = "b", parent = "c" }', "parent of b is no host.*'c'"),
        ('{ host = "a" }, { host = "b", parent = 3 }', "hosts 2: the parent is a host's name"),
        ('{ host = "a", parent = "b" }, { host = "b" }', "first host, a, has a parent"),
        ('{ host = "a" }, { host = "b", parent = "c" }, { host = "c", parent = "b" }', "cycle"),
        ('{ host = "a[3-1]" }', "range 3-1 falls"),
    ],
)
def test_hosts_that_make_no_tree_are_refused(hosts: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_bootstrap(f"[bootstrap]\nhosts = [ {hosts} ]\n", "t")


def test_another_topology_is_named() -> None:
    text = '[tbon]\ntopo = "binomial"\n[bootstrap]\nhosts = [ { host = "n[0-4]" } ]\n'
    with pytest.raises(InputError, match=r"tbon: this topology has no parents here.*'binomial'"):
        parse_bootstrap(text, "t")
