"""Trees as files: what is written, what is told beside it, and what is not written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.export.export_options import EVEN, Options
from advisor.export.registry import EXPORTS, export
from advisor.export.tree_on_hosts import TreeOnHosts
from advisor.models.process_tree import Tree, balanced, flat, kary
from advisor.trees import mrnet_trees as mrnet
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.tree_file import FoundTree, read_tree, specified
from advisor.trees.tree_hosts import place_tree
from machines import InputError, PlacewiseError

MRNET = EXPORTS["mrnet"]


def made_up(tree: Tree, first_index: int = 0, attach: bool = False) -> TreeOnHosts:
    return TreeOnHosts(tree, None, first_index, attach)


def test_a_topology_is_written_and_its_use_told(tmp_path: Path) -> None:
    tree = kary(2, 2)
    lines = MRNET.write(made_up(tree), tmp_path / "t.top")
    assert f'CreateNetworkFE("{tmp_path}/t.top", "BACK_END", ARGUMENTS)' in lines[0]
    assert any("MRNET_COMM_PATH" in line for line in lines)
    assert any("XPLAT_RSH" in line for line in lines)
    assert lines[-1].endswith("mrnet_topgen -f HOST -h HOSTS -o FILE -t b:2^2")
    assert (tmp_path / "t.top").read_text() == mrnet.render(place_tree(tree))
    attach = MRNET.write(made_up(tree, attach=True), tmp_path / "t.top")
    assert "NULL, NULL" in attach[0]
    assert "host, port and rank of its leaf" in attach[-1]
    MRNET.write(made_up(flat(3), attach=True), tmp_path / "t.top")
    assert (tmp_path / "t.top").read_text().endswith("\nnode00001:0 ;\n")


@pytest.mark.parametrize("attach", [False, True])
def test_a_topology_that_says_another_tree_is_not_written(attach: bool, tmp_path: Path) -> None:
    text = mrnet.render(place_tree(kary(3, 2)), attach)
    lying = replace(MRNET, render=lambda subject: text)
    lying.write(made_up(kary(3, 2), attach=attach), tmp_path / "t.top")
    with pytest.raises(PlacewiseError, match="does not hold this tree"):
        lying.write(made_up(kary(2, 2), attach=attach), tmp_path / "u.top")
    with pytest.raises(PlacewiseError, match="does not hold this tree"):
        lying.write(made_up(kary(3, 2), 1, attach), tmp_path / "u.top")
    assert not (tmp_path / "u.top").exists()


def test_a_tree_and_hosts_are_exported_by_name(tmp_path: Path) -> None:
    found = FoundTree(balanced(16, 4), "b")
    hosts = Options(hosts=(("n1", 20),), front_end="login", first_index=EVEN)
    export("mrnet", found, tmp_path / "t.top", hosts)
    assert "\tn1:10\n" in (tmp_path / "t.top").read_text()
    (line,) = export("stat", found, tmp_path / "s", hosts)
    assert (tmp_path / "s").read_text() == "stat-cl --usertopology 4 --appnodes --procs 4\n"
    assert line.startswith("STAT: stat-cl --usertopology 4 --appnodes")


def test_stat_gets_layers_that_grow_and_their_user_the_difference(tmp_path: Path) -> None:
    found = FoundTree(parse_spec("g:2:2,2:1,1,1,1:3,0,3,3"), "deep")
    uneven = FoundTree(parse_spec("g:3:3,3,0:0,2"), "uneven")
    stat = EXPORTS["stat"]
    for one in (found, uneven):
        subject = stat.kind.place(one, Options())
        stat.write(subject, tmp_path / "s")
        assert stat.parse is not None
        assert stat.parse((tmp_path / "s").read_text()) == stat.says(subject)
        assert "nearest tree that STAT makes" in stat.notes(subject)[-1]
        assert "study trees with own=g:" in stat.notes(subject)[-1]


@pytest.mark.parametrize("spec", ["b:4096^2", "b:10000000"])
def test_a_topology_of_millions_is_refused_before_its_names_are_made(
    spec: str, tmp_path: Path
) -> None:
    tree = parse_spec(spec)
    with pytest.raises(InputError, match=rf"got {tree.size}.*up to 500,000 processes"):
        export("mrnet", FoundTree(tree, spec), tmp_path / "t.top")
    with pytest.raises(InputError, match="up to 500,000 processes"):
        export("mrnet", FoundTree(tree, spec), tmp_path / "t.top", Options(hosts=(("n", 4096),)))
    export("stat", FoundTree(tree, spec), tmp_path / "s")
    assert len((tmp_path / "s").read_text()) < 80


def test_a_chain_of_half_a_million_is_refused_by_every_export(tmp_path: Path) -> None:
    found = FoundTree(parse_spec("b:1^510000"), "chain")
    with pytest.raises(InputError, match="up to 500,000 processes"):
        export("mrnet", found, tmp_path / "t.top")
    with pytest.raises(InputError, match=r"got 510000.*up to 1000 levels"):
        export("stat", found, tmp_path / "s")


def test_flux_gets_its_hosts_and_the_routers_that_are_critical(tmp_path: Path) -> None:
    flux = EXPORTS["flux"]
    for spec, same in (("kary:3@20", True), ("g:2:8,4", False)):
        subject = flux.kind.place(FoundTree(specified(spec, "") or flat(2), spec), Options())
        lines = flux.write(subject, tmp_path / "f.toml")
        assert any("tbon.topo=kary:3" in line for line in lines) == same
        again = read_tree(tmp_path / "f.toml")
        assert again.tree.is_like(subject.tree)
        critical = 1 + subject.tree.internal
        assert any(f"loss of {critical} of them is critical" in one for one in flux.notes(subject))


def test_prrte_gets_a_radix_and_its_user_the_difference(tmp_path: Path) -> None:
    prrte = EXPORTS["prrte"]
    same = prrte.kind.place(FoundTree(specified("radix:5@40", "") or flat(2), "r"), Options())
    (line,) = prrte.write(same, tmp_path / "r")
    assert (tmp_path / "r").read_text() == "--prtemca rml_base_radix 5\n"
    assert line.endswith("prterun --prtemca rml_base_radix 5 PROGRAM")
    assert "nearest" not in prrte.notes(same)[0]
    other = prrte.kind.place(FoundTree(parse_spec("g:2:8,4"), "g"), Options())
    (said,) = prrte.notes(other)
    assert "nearest with radix 4: fan-out 4 and depth 2 instead of 8 and 2" in said
    assert "own=radix:4@15" in said
    assert prrte.parse is not None
    with pytest.raises(InputError, match="no radix"):
        prrte.parse("--prtemca rml_base_radix 1\n")
