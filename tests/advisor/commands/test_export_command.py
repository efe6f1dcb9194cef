"""Exporting trees on the command line: files in, files and the words to use them out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from advisor.models.process_tree import kary
from advisor.trees.topology_file import read_topology
from advisor.trees.tree_file import tree_report
from tests.advisor.commands.asking import Capture, answer


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.json").write_text(json.dumps({"tree": tree_report(kary(2, 2), "t")}))
    Path("h").write_text("n1:4\nn2:4\n")
    Path("c").write_text("c1\nc2\n")


def export(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    return answer(capsys, "export", "t.json", "--output", "o", *arguments)


def test_a_tree_goes_to_mrnet(capsys: Capture) -> None:
    hosts = ("--hosts", "h", "--internal-hosts", "c", "--front-end", "login")
    status, out, err = export(capsys, "--to", "mrnet", *hosts)
    assert status == 0
    assert 'CreateNetworkFE("o", "BACK_END", ARGUMENTS)' in out
    assert "mrnet_topgen -f HOST -h HOSTS -o FILE -t b:2^2" in out
    assert "XPLAT_RESOLVE_HOSTS" in err
    topology = read_topology("o")
    assert [host for host, _ in topology.names] == ["login", "c1", "c2", *["n1"] * 4]


def test_a_file_named_after_another_format_is_refused_and_not_written(capsys: Capture) -> None:
    status, _, err = answer(capsys, "export", "t.json", "--to", "mrnet", "--output", "tree.txt")
    assert status == 2
    assert "tree.txt" in err
    assert ".top" in err
    assert not Path("tree.txt").exists()


def test_the_front_end_is_on_the_first_host_by_default(capsys: Capture) -> None:
    assert export(capsys, "--to", "mrnet", "--hosts", "h", "--first-index", "10")[0] == 0
    assert read_topology("o").names[0] == ("n1", 10)
    assert export(capsys, "--to", "mrnet", "--hosts", "h", "--internal-hosts", "c")[0] == 0
    assert read_topology("o").names[0] == ("c1", 0)


def test_without_hosts_their_names_are_made_up_and_that_is_said(capsys: Capture) -> None:
    status, out, err = export(capsys, "--to", "mrnet", "--attach")
    assert status == 0
    assert "NULL, NULL" in out
    assert "mrnet_topgen" not in out
    assert "node00001, … are made up" in err
    assert len(read_topology("o").names) == 3


def test_a_topology_keeps_its_own_hosts(capsys: Capture) -> None:
    Path("a.top").write_text("x:1 => y:0 y:5 ;\r\n", newline="")
    status, _, err = answer(capsys, "export", "a.top", "--to", "mrnet", "--output", "b.top")
    assert status == 0
    assert "carriage returns" in err
    assert read_topology("b.top").names == (("x", 1), ("y", 0), ("y", 5))


def test_a_tree_goes_to_stat(capsys: Capture) -> None:
    status, out, err = export(capsys, "--to", "stat", "--hosts", "h", "--internal-hosts", "c")
    assert status == 0
    assert out == "STAT: stat-cl --usertopology 2 --nodes c1,c2 --procs 1 PID_OF_LAUNCHER\n"
    assert Path("o").read_text() == "stat-cl --usertopology 2 --nodes c1,c2 --procs 1\n"
    assert "in turn" in err
    assert "Name nodes" in export(capsys, "--to", "stat")[2]
    Path("t.json").write_text("b:9\n")
    assert export(capsys, "--to", "stat") == (0, "STAT: stat-cl --depth 1 PID_OF_LAUNCHER\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "mrnt"), "unknown format.*of a tree: mrnet, stat"),
        (("--to", "mrnet", "--internal-hosts", "c"), "--internal-hosts: the hosts of"),
        (("--to", "mrnet", "--front-end", "x"), "--front-end: the hosts of"),
        (("--to", "mrnet", "--hosts", "gone"), "gone: can't be read"),
        (("--to", "mrnet", "--hosts", "c"), "take 2 internal processes and back-ends, not 6"),
        (("--to", "mrnet", "--hosts", "h", "--front-end", "me@x"), "hosts have no user"),
        (("--to", "mrnet", "--hosts", "h", "--front-end", "localhost"), "could not reach it"),
        (("--to", "mrnet", "--hosts", "bad"), r"bad: line 2: this is no host.*user@host"),
    ],
)
def test_bad_input_is_one_message(
    arguments: tuple[str, ...], message: str, capsys: Capture
) -> None:
    Path("bad").write_text("a\nme@b\n")
    status, out, err = export(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert re.search(message, err)
    assert not Path("o").exists()
