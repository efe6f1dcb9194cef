"""Topology configurations: what is read, and every refusal with its line and column."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree
from advisor.trees.topology_file import _TOKEN, parse_topology, read_topology
from machines import InputError
from tests.advisor.random_trees import trees

LOOK_UP = "MRNet looks names up"


def fanouts(text: str) -> list[int]:
    tree = parse_topology(text).tree
    assert tree is not None
    return tree.fanouts.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "a:0 => b:0 c:0 ;\nb:0 => d:0 ;\n",
        "a:0=>b:0 c:0;b:0=>d:0;",
        "# tree\na:0 =>\n\tb:0 # first\n\tc:0 ;\n\n\nb:0 =>\n d:0 ; # last",
        "b:0 => d:0 ;\na:0 => b:0 c:0 ;",
        "a:0 => b:0 ;\na:0 => c:0 ;\nb:0 => d:0 ;\nd:0 ;\nc:0 ;",
        "a : 0 => b\t:\n0 c:0 ; b:0 => d:0 ;",
        "a:0 =>\r\n b:0\r\n c:0 ;\r\nb:0 => d:0 ;\r\n",
    ],
)
def test_a_free_form_and_statements_in_any_order_say_one_tree(text: str) -> None:
    topology = parse_topology(text)
    assert fanouts(text) == [2, 1, 0, 0]
    assert topology.names == (("a", 0), ("b", 0), ("c", 0), ("d", 0))
    assert any("carriage" in one for one in topology.warnings) == ("\r" in text)


def test_siblings_keep_the_order_of_their_list() -> None:
    topology = parse_topology("c:0 => d:0 ; a:0 => b:0 c:0 ; e:0 ; b:0 => e:0 ;")
    assert [host for host, _ in topology.names] == ["a", "b", "c", "e", "d"]


def test_names_may_have_dashes_and_dots_and_indices_may_be_sparse() -> None:
    text = "my_host:7 => my-host.example.org:100 9host:3 9host:4294967295 127.0.0.1:0 ;"
    assert parse_topology(text).names[1:4] == (
        ("my-host.example.org", 100),
        ("9host", 3),
        ("9host", 4294967295),
    )


def test_a_front_end_alone_is_read_and_warned_about() -> None:
    topology = parse_topology("a:0 ;")
    assert topology.tree is None
    assert topology.names == (("a", 0),)
    assert "never returns" in topology.warnings[0]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "there is no process in it"),
        ("# nothing\n", 2, 1, "there is no process in it"),
        ("a:0 -> b:0 ;", 1, 5, r"this is no arrow \(got '->'\). Write =>"),
        ("a:0 = > b:0 ;", 1, 5, "this is no arrow.*in one piece"),
        ("a:0 => b:0 => c:0 ;", 1, 12, r"does not belong here \(got '=>'\). Expected another"),
        ("a:0 => b:0 ;;", 1, 13, r"does not belong here \(got ';'\). Expected a process"),
        ("a:0 =>\n ;", 2, 2, "1 statement without a child"),
        ("a:0 b:0 ;", 1, 5, r"does not belong here \(got 'b:0'\). Expected => and children, or ;"),
        ("a:0 => b:0\n", 2, 1, "the file ends within a statement. Expected another child, or ;"),
        ("a:0 =>", 1, 7, "the file ends within a statement. Expected a child"),
        ("a:0 => b:0\nb:0 => c:0 ;", 2, 1, "no ; ends the statement before this one"),
        ("a:0 => b:0\na:0 => c:0 ;", 2, 1, "no ; ends the statement before this one"),
        ("a:0 => b:0 ;\nhello\n", 2, 1, r"a process needs its index \(got 'hello'\)"),
        ("a:0 => b: c:0 ;", 1, 11, "the index must be a whole number"),
        ("a:0 => b:\n;", 1, 8, r"needs its index \(got 'b:'\). Write b:0"),
        ("a:0 => b:x ;", 1, 10, r"the index must be a whole number \(got 'x'\)"),
        ("a:0 => b:1.5 ;", 1, 10, r"the index must be a whole number \(got '1.5'\)"),
        ("a:0 => b:01 ;", 1, 10, r"no leading zero \(got '01'\). Write 1"),
        ("a:0 => b:4294967296 ;", 1, 10, "exceeds 32 bits: MRNet wraps it to 0"),
        ("a:0 => b:" + "9" * 5000 + " ;", 1, 10, "exceeds 32 bits"),
        ("a:0 => b:* ;", 1, 10, r"no part of a process's name \(got '\*'\)"),
        ('a:0 => b"1:0 ;', 1, 9, "no part of a process's name"),
        ("a:0 => n[01]:0 ;", 1, 9, r"no part of a process's name \(got '\['\)"),
        ("::1:0 => b:0 ;", 1, 1, "no IPv6 address fits"),
        ("[::1]:0 => b:0 ;", 1, 1, "no IPv6 address fits"),
        ("a:0 => fe80:1:2:0 ;", 1, 8, "no IPv6 address fits"),
        ("a:0 =>\nme@b:0 ;", 2, 1, "hosts have no user.*Leave me@ out"),
        ("a:0 => 17:0 ;", 1, 8, r"can't be a plain number.*got '17'"),
        ("a:0 => b:0, c:0 ;", 1, 11, r"drops this silently and reads on \(got ','\)"),
        ("a:0 => (b:0) ;", 1, 8, r"drops this silently and reads on \(got '\('\)"),
        ("a:0 => -b:0 ;", 1, 8, "drops this silently and reads b:0"),
        ("a:0 => _b:0 ;", 1, 8, "drops this silently and reads b:0"),
        ("a:0 => b:-1 ;", 1, 10, "drops this silently and reads b:1"),
        ("a:0 => b:0\u00a0c:0 ;", 1, 11, "drops this silently"),
        ("a:0 => b:0 ;\x0c", 1, 13, "drops this silently"),
        ("a:0 => b\x00:0 ;", 1, 9, "drops this silently"),
        ("a:0 => bä:0 ;", 1, 9, "drops this silently"),
        ("\ufeffa:0 => b:0 ;", 1, 1, "a byte order mark, which MRNet drops"),
        ("a:0 => a:0 ;", 1, 8, "can't be its own child"),
        ("a:0 => b:0 b:0 ;", 1, 12, r"this child is listed twice \(first in line 1\)"),
        (
            "a:0 => b:0 c:0 ;\nb:0 => d:0 ;\nc:0 =>\n d:0 ;",
            4,
            2,
            r"two parents: c:0 and b:0 \(first in line 2\)",
        ),
        ("a:0 => b:0 ;\nb:0 => a:0 ;", 2, 8, r"a cycle.*got 'a:0'"),
        ("a:0 => b:0 ;\nc:0 => d:0 ;\nd:0 => c:0 e:0 ;", 3, 8, r"a cycle.*got 'c:0'"),
        ("a:0 => b:0 ;\nc:0 => d:0 ;\n", 2, 1, "a second root: neither a:0 nor c:0"),
        ("a:0 => b:0 ;\n\n# x\nc:0 ;\n", 4, 1, "a second root"),
    ],
)
def test_a_refusal_names_line_and_column(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError, match=f"f.top: line {line}, column {column}: .*{message}"):
        parse_topology(text, "f.top")


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("localhost:0 => b:0 ;", "children on b would connect to themselves"),
        ("127.0.0.1:0 => b:0 ;", "children on b would connect to themselves"),
        ("a:0 => localhost:0 ;", "localhost among other hosts"),
        ("a:0 => b:0 ;", LOOK_UP),
    ],
)
def test_what_mrnet_reads_but_takes_amiss_is_warned_about(text: str, warning: str) -> None:
    assert any(warning in one for one in parse_topology(text).warnings)


def test_a_tree_on_one_machine_is_not_warned_about() -> None:
    assert parse_topology("localhost:0 => localhost:1 127.0.1.1:0 ;").warnings == ()


def test_more_statements_than_mrnet_reads_are_warned_about() -> None:
    chain = [f"a:{i} => a:{i + 1} ;\n" for i in range(9994)]
    assert parse_topology("".join(chain[:-1])).warnings == ()
    assert "9994 statements" in parse_topology("".join(chain)).warnings[0]


def test_many_children_of_one_process_are_read_and_warned_about() -> None:
    text = "a:0 =>" + "".join(f"\n\tn{i}:0" for i in range(20_000)) + " ;\n"
    topology = parse_topology(text)
    assert "quadratic" in topology.warnings[0]


def test_a_topology_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.top"
    path.write_bytes(b"a:0 => b:0 ; # \xc3\xa4\n")
    found = pickle.loads(pickle.dumps(read_topology(path)))
    assert found.names == (("a", 0), ("b", 0))
    path.write_bytes(b"\xef\xbb\xbfa:0 => b:0 ;")
    with pytest.raises(InputError, match=r"t\.top: line 1, column 1: a byte order mark"):
        read_topology(path)
    path.write_bytes(b"a:0 => \xff:0 ;")
    with pytest.raises(InputError, match="not UTF-8"):
        read_topology(path)
    with pytest.raises(InputError, match="can't be read"):
        read_topology(tmp_path / "gone")


@given(trees(), st.randoms(use_true_random=False))
def test_any_tree_is_read_from_statements_in_any_order(tree: Tree, random: object) -> None:
    first, fanouts = tree.first_child.tolist(), tree.fanouts.tolist()
    statements = [
        f"h{parent % 3}:{parent} => "
        + " ".join(f"h{child % 3}:{child}" for child in range(first[parent], first[parent] + many))
        + " ;\n"
        for parent, many in enumerate(fanouts)
        if many
    ]
    random.shuffle(statements)  # type: ignore[attr-defined]
    topology = parse_topology("".join(statements))
    assert topology.tree is not None
    assert topology.tree.is_like(tree)
    assert topology.names == tuple((f"h{i % 3}", i) for i in range(tree.size))


@given(st.text("ab01:;=> \n#-,@[", max_size=30))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        topology = parse_topology(text)
    except InputError as error:
        assert error.where.startswith("topology: line ")
    else:
        assert topology.names


@pytest.mark.parametrize("junk", ["k" * 5000, "a." * 2000, " " * 5000 + "[", "x-" * 2000 + "]"])
def test_nothing_is_looked_for_behind_what_is_no_token(
    junk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []

    class Token:
        def match(self, text: str, at: int = 0) -> re.Match[str] | None:
            searched.append(at)
            return _TOKEN.match(text, at)

    monkeypatch.setattr("advisor.trees.topology_file._TOKEN", Token())
    with pytest.raises(InputError, match="line 1, column"):
        parse_topology(f"a:0 => b:0 ; {junk}")
    assert len(searched) < 8


def test_statements_without_a_child_are_counted() -> None:
    text = "fe:0 => a:0 b:0 c:0;\na:0 => d:0;\nb:0 =>;\nc:0 => ;\n"
    with pytest.raises(InputError, match=r"line 3, column 7: 2 statements without a child"):
        parse_topology(text, "t.top")
