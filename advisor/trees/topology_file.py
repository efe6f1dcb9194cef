"""MRNet topology configurations: which process is whose child, as ``host:index`` names.

A statement is ``parent => child child … ;`` or ``process ;``; newlines mean nothing and ``#``
begins a comment. MRNet 5 silently drops characters that its scanner does not know and reports
line numbers that are wrong; here both are refused with the line and column of the file.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from advisor.basics.quantities import count
from advisor.models.process_tree import Tree
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

MOST_STATEMENTS = 9993  # of MRNet's parser, whose stack is bounded; it says nothing beyond
SLOW_FANOUT = 20_000  # MRNet reads the children of one process in quadratic time: about 10 s
_LIMIT_BYTES = 256 * MIB
_BOM = "\ufeff"

_SPACE = r"[ \t\n\r]*+"
_WORD = r"[A-Za-z0-9][A-Za-z0-9._-]*+"
_TOKEN = re.compile(rf"{_SPACE}(?:({_WORD}){_SPACE}:{_SPACE}({_WORD})|(=>)|(;))")
_REST = re.compile(_SPACE)
_COMMENT = re.compile(r"#[^\n]*")
_RUN = re.compile(r"[^ \t\n\r;=]*")
_FOREIGN = re.compile(r"[^A-Za-z0-9._:-]|(?:(?<![A-Za-z0-9._-])|(?<=:))[._-]")
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_HOST = re.compile(_WORD)
_CHILDLESS = re.compile(rf"=>{_SPACE};")

# kinds of tokens: the last group of `_TOKEN` that matched
_PROCESS, _ARROW, _END = 2, 3, 4
_BEGIN, _PARENT, _ARROWED, _CHILDREN = "begin", "parent", "arrowed", "children"
_NEXT = {
    (_BEGIN, _PROCESS): _PARENT,
    (_PARENT, _ARROW): _ARROWED,
    (_PARENT, _END): _BEGIN,
    (_ARROWED, _PROCESS): _CHILDREN,
    (_CHILDREN, _PROCESS): _CHILDREN,
    (_CHILDREN, _END): _BEGIN,
}
_EXPECTED = {
    _BEGIN: "a process, as host:index",
    _PARENT: "=> and children, or ;",
    _ARROWED: "a child, as host:index",
    _CHILDREN: "another child, or ; (every statement ends with one)",
}

_NO_IPV6 = "Give a host's name or an IPv4 address, and one index"

Name = tuple[str, int]


@dataclass(frozen=True, eq=False)
class Topology:
    """What a topology configuration says."""

    tree: Tree | None  # None: a front-end alone, to which back-ends attach by themselves
    names: tuple[Name, ...]  # pairs (host, index); of every process, in the order of the tree
    warnings: tuple[str, ...] = ()  # what MRNet would take amiss though it reads the file


def read_topology(path: str | Path) -> Topology:
    """The tree of a topology configuration file."""
    where, content = str(path), read_bytes(path, _LIMIT_BYTES)
    mark = _BOM if content.startswith(codecs.BOM_UTF8) else ""
    return parse_topology(mark + decoded(content, where), where)


def parse_topology(text: str, where: str = "topology") -> Topology:
    """The tree of a topology configuration: see `read_topology`."""
    reading = _Reading(text, where)
    reading.statements()
    root, children = reading.root(), np.array(reading.children, dtype=np.int64)
    order = np.concatenate(([root], children))  # siblings as they are listed
    place = np.empty(len(reading.names), dtype=np.int64)
    place[order] = np.arange(order.size)
    parents = np.array(reading.parents, dtype=np.int64)[order]
    if order.size == 1:
        tree, found = None, np.array([0])
    else:
        tree, found = Tree.of(np.where(parents < 0, -1, place[parents]))
    listed = list(reading.names)
    names = tuple((listed[at][0], int(listed[at][1])) for at in order[found].tolist())
    return Topology(tree, names, _doubts(tree, names, reading))


def host_fault(host: str) -> str:
    """Why a topology configuration can't hold this host's name; empty if it can."""
    if host.isascii() and host.isdigit():
        return "a host can't be a plain number: MRNet takes it for an index"
    if "@" in host:
        return "hosts have no user: MRNet starts processes as the current user"
    if ":" in host:
        return "no IPv6 address fits: MRNet takes the first colon for that of the index"
    if not _HOST.fullmatch(host):
        return "a host has letters, digits, dots, - and _, and begins with a letter or digit"
    return ""


def is_local(host: str) -> bool:
    """Whether MRNet takes the host for the machine that it runs on."""
    return host == "localhost" or re.fullmatch(r"127(\.[0-9]+){3}", host) is not None


@dataclass
class _Reading:
    """One pass over a text: its processes by number, and the parent of each."""

    text: str
    where: str
    names: dict[tuple[str, str], int] = field(default_factory=dict)
    parents: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)  # where each was first mentioned, or listed
    children: list[int] = field(default_factory=list)  # as listed
    count: int = 0

    def statements(self) -> None:
        """Take in all statements; InputError at the first place that is wrong."""
        text = _COMMENT.sub(lambda comment: " " * len(comment[0]), self.text)
        state, end, parent = _BEGIN, 0, -1
        for token in _tokens(text):
            kind = token.lastindex or 0
            following = _NEXT.get((state, kind))
            if following is None:
                break
            state, end = following, token.end()
            if state == _PARENT:
                parent = self._process(token)
            elif state == _CHILDREN:
                self._adopt(parent, self._process(token), token)
            elif kind == _END:
                self.count += 1
        rest = _REST.match(text, end)
        after = end if rest is None else rest.end()
        if after < len(text) or state != _BEGIN or not self.names:
            self._refuse(text, after, state)

    def root(self) -> int:
        """The process without a parent; InputError: none, several, or a cycle elsewhere."""
        roots = [process for process, parent in enumerate(self.parents) if parent < 0]
        if len(roots) > 1:
            self.fail(
                f"a second root: neither {self._name(roots[0])} nor {self._name(roots[1])} "
                "is anyone's child",
                self.seen[roots[1]],
                f"{len(roots)} roots",
                "Make all but the front-end children of another process",
            )
        above = np.array(self.parents, dtype=np.int64)
        above[roots] = roots
        for _ in range(len(self.parents).bit_length()):
            above = above[above]
        lost = np.flatnonzero(above != roots[0]) if roots else above
        if lost.size:
            self.fail(
                "a cycle: this process is its own ancestor",
                self.seen[int(above[lost[0]])],
                self._name(int(above[lost[0]])),
                "Let every process lead up to one front-end",
            )
        return roots[0]

    def fail(self, what: str, at: int, value: object, remedy: str) -> NoReturn:
        """Refuse what is at a place of the text."""
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        raise InputError(
            what, where=f"{self.where}: line {line}, column {column}", value=value, remedy=remedy
        )

    def _process(self, token: re.Match[str]) -> int:
        host, index = token[1], token[2]
        if token.string.startswith(":", token.end()) and f"{host}:{index}" in token[0]:
            self.fail(host_fault(":"), token.start(1), f"{host}:{index}:", _NO_IPV6)
        if host.isdigit():
            self.fail(host_fault(host), token.start(1), host, "Give the host's name")
        if not _INDEX.fullmatch(index) or int(index) >= 2**32:
            self.fail(*_index_fault(token))
        number = self.names.setdefault((host, index), len(self.names))
        if number == len(self.parents):
            self.parents.append(-1)
            self.seen.append(token.start(1))
        return number

    def _adopt(self, parent: int, child: int, token: re.Match[str]) -> None:
        before = self.parents[child]
        if child == parent or before >= 0:
            self._refuse_child(parent, child, token)
        self.parents[child] = parent
        self.seen[child] = token.start(1)
        self.children.append(child)

    def _refuse_child(self, parent: int, child: int, token: re.Match[str]) -> NoReturn:
        at, name, before = token.start(1), self._name(child), self.parents[child]
        following = _TOKEN.match(token.string, token.end())
        if following is not None and following.lastindex == _ARROW:
            self.fail("no ; ends the statement before this one", at, name, "Write ; before it")
        if child == parent:
            self.fail("a process can't be its own child", at, name, "Give it another index")
        twice = "this child is listed twice"
        if before != parent:
            twice = f"two parents: {self._name(parent)} and {self._name(before)}"
        line = self.text.count("\n", 0, self.seen[child]) + 1
        self.fail(f"{twice} (first in line {line})", at, name, "Give each process one parent")

    def _name(self, process: int) -> str:
        host, index = list(self.names)[process]
        return f"{host}:{index}"

    def _refuse(self, text: str, at: int, state: str) -> NoReturn:
        """Say what is wrong where the grammar ends."""
        if at == len(text) and not self.names:
            self.fail("there is no process in it", at, None, "Write PARENT => CHILD … ;")
        if at == len(text):
            self.fail("the file ends within a statement", at, None, f"Expected {_EXPECTED[state]}")
        token = _TOKEN.match(text, at)
        if token is None:
            self.fail(*_foreign(text, at))
        if state == _ARROWED and token.lastindex == _END:
            lost = len(_CHILDLESS.findall(text))
            self.fail(
                f"{count(lost, 'statement')} without a child: MRNet rejects the file", at, "=> ;",
                "Give each parent a child or leave its statement out; STAT makes these of layers "
                "smaller than the one above",
            )  # fmt: skip
        value = token[0] if token.lastindex != _PROCESS else f"{token[1]}:{token[2]}"
        self.fail("this does not belong here", at, value, f"Expected {_EXPECTED[state]}")


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """One token after the other, up to what is none; a search would look for more behind it."""
    end = 0
    while (token := _TOKEN.match(text, end)) is not None:
        yield token
        end = token.end()


def _index_fault(token: re.Match[str]) -> tuple[str, int, str, str]:
    index, at = token[2], token.start(2)
    if not index.isdigit():
        return "the index must be a whole number", at, index, "Write host:0, host:1, …"
    if index[0] == "0":
        return "an index has no leading zero", at, index, f"Write {int(index[:18])}"
    wrapped = f" to {int(index) % 2**32}" if len(index) < 20 else ""
    what = f"the index exceeds 32 bits: MRNet wraps it{wrapped}"
    return what, at, index, "Allowed: 0 to 4294967295"


def _foreign(text: str, at: int) -> tuple[str, int, str, str]:
    """(what, place, value, remedy) for text that is no token."""
    found = _RUN.match(text, at)
    run = found[0] if found else ""
    if text[at] == "=" or not run:
        return "this is no arrow", at, text[at : at + 3].strip(), "Write => in one piece"
    if text[at] == _BOM:
        return ("a byte order mark, which MRNet drops silently", at, _BOM,
                "Save the file as plain ASCII")  # fmt: skip
    if "::" in run or run.startswith("["):
        return host_fault(":"), at, run, _NO_IPV6
    if "@" in run:
        return host_fault(run), at, run, f"Leave {run.partition('@')[0]}@ out"
    odd = _FOREIGN.search(text, at, at + len(run))
    if odd is None:
        return "a process needs its index", at, run, f"Write {run.rstrip(':') or 'host'}:0"
    return _odd_character(run, odd)


def _odd_character(run: str, odd: re.Match[str]) -> tuple[str, int, str, str]:
    at, character = odd.start(), odd[0]
    if character == "-" and odd.string.startswith(">", odd.end()):
        return "this is no arrow", at, "->", "Write =>"
    what = "this character is no part of a process's name"
    if character not in '*"[':
        kept = run.replace(character, "") if character in "-_." else "on"
        what = f"MRNet drops this silently and reads {kept}"
    return what, at, character, "Separate children by spaces; name hosts plainly"


def _doubts(tree: Tree | None, names: tuple[Name, ...], reading: _Reading) -> tuple[str, ...]:
    """What MRNet would take amiss."""
    found = []
    if "\r" in reading.text:
        found.append("The lines end with carriage returns, which MRNet drops; write line feeds.")
    hosts = tuple(dict.fromkeys(host for host, _ in names))
    found += topology_doubts(0 if tree is None else tree.max_fanout, hosts, reading.count)
    if tree is None:
        found.append(
            "A front-end alone: MRNet never returns if it has to start the back-ends itself."
        )
    return tuple(found)


def topology_doubts(max_fanout: int, hosts: tuple[str, ...], statements: int) -> tuple[str, ...]:
    """What MRNet would take amiss of a tree on these hosts, the front-end's first."""
    found = []
    remote = [host for host in hosts if not is_local(host)]
    if is_local(hosts[0]) and remote:
        found.append(
            f"The front-end is on {hosts[0]}: children on {remote[0]} would connect to themselves."
        )
    elif remote and len(remote) < len(hosts):
        found.append("localhost among other hosts means another machine on each of them.")
    if statements > MOST_STATEMENTS:
        found.append(
            f"{statements} statements: MRNet refuses more than {MOST_STATEMENTS}, silently."
        )
    if max_fanout >= SLOW_FANOUT:
        found.append(
            f"{max_fanout} children of one process: MRNet reads them in quadratic time, "
            "100,000 in more than a minute."
        )
    if len(remote) > 1:
        found.append(
            "MRNet looks names up as it reads: those that it can't find, and two of one address, "
            "become one host. XPLAT_RESOLVE_HOSTS=0 keeps them as written."
        )
    return tuple(found)
